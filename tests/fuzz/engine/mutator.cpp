#include "fuzz/engine/mutator.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "fuzz/engine/hdf5_headers.h"

namespace freeplay::test::fuzz {

namespace {

// What readers of numbers, of YAML and of texts tend to stumble over.
constexpr std::string_view kTroublesome[] = {
    "0",
    "-0.0",
    "-1",
    "1",
    "2147483648",
    "9223372036854775807",
    "18446744073709551616",
    "1e308",
    "-1e308",
    "1e-308",
    "1e-320",
    "1e999",
    "5e-324",
    "0x1p-1",
    "nan",
    ".nan",
    "inf",
    ".inf",
    "-.inf",
    "1e6 m",
    "1e-30 m",
    "1e300 m",
    "1 kg",
    "-1 kg",
    "1 m/s",
    "90 deg",
    "true",
    "null",
    "~",
    "{}",
    "[]",
    "[[]]",
    "{a: 1}",
    "[0, 0]",
    "[0, 0, 0]",
    "&a",
    "*a",
    "<<: *a",
    "!!int",
    "!!binary",
    "---",
    "...",
    "?",
    ":",
    "- ",
    "#",
    "|",
    ">",
    "\"",
    "'",
    "\\",
    "\t",
    "\r\n",
    "\n",
    "\x1b[31m",
    "\xff\xfe",
    "\xc3\xa9",
    "%00",
    "%",
    "..",
    "/",
    "ground",
    "((((((((",
    "))))",
    "^",
    "^-1",
    "*",
    "t",
    "pi",
};

constexpr std::array<std::uint64_t, 18> kTroublesomeFields = {0,
                                                              1,
                                                              2,
                                                              3,
                                                              7,
                                                              8,
                                                              0x7f,
                                                              0x80,
                                                              0xff,
                                                              0x100,
                                                              0x7fff,
                                                              0xffff,
                                                              0x7fffffff,
                                                              0x80000000,
                                                              0xffffffff,
                                                              0x7fffffffffffffff,
                                                              0xffffffffffffffff,
                                                              1'000'000'000'000};

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
}

struct Range {
  std::size_t begin = 0, end = 0;
};

// The word around or behind `at`; empty at the end of the text if there is none.
Range word_near(const std::string& text, std::size_t at) {
  while (at < text.size() && !is_word_character(text[at])) ++at;
  Range range{at, at};
  while (range.begin > 0 && is_word_character(text[range.begin - 1])) --range.begin;
  while (range.end < text.size() && is_word_character(text[range.end])) ++range.end;
  return range;
}

Range line_around(const std::string& text, std::size_t at) {
  Range range{at, at};
  while (range.begin > 0 && text[range.begin - 1] != '\n') --range.begin;
  while (range.end < text.size() && text[range.end] != '\n') ++range.end;
  if (range.end < text.size()) ++range.end;
  return range;
}

}  // namespace

Mutator::Mutator(const FuzzTarget& target, std::uint64_t seed)
    : target_(target), random_(seed), words_(target.words != nullptr ? target.words() : std::vector<std::string>()) {
  for (const std::string_view word : kTroublesome) words_.emplace_back(word);
}

std::string Mutator::next(std::span<const std::string> inputs) {
  std::string input = inputs[below(inputs.size())];
  const std::string& other = inputs[below(inputs.size())];
  if (target_.kind == InputKind::kResults) {
    change_result(input);
  } else {
    for (std::size_t left = 1 + below(6); left > 0; --left) {
      if (target_.kind == InputKind::kText)
        change_text(input, other);
      else
        change_records(input, other);
    }
  }
  if (input.size() > target_.most_bytes) input.resize(target_.most_bytes);
  return input;
}

std::string Mutator::some_word() {
  return words_[below(words_.size())];
}

void Mutator::change_text(std::string& text, const std::string& other) {
  switch (below(8)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return change_word(text);
    case 4:
    case 5:
      return change_line(text, other);
    case 6:
      if (!text.empty()) text[below(text.size())] = static_cast<char>(random_());
      return;
    default:
      text.insert(below(text.size() + 1), 1, static_cast<char>(random_()));
  }
}

void Mutator::change_word(std::string& text) {
  const Range word = word_near(text, below(text.size() + 1));
  const std::size_t size = word.end - word.begin;
  switch (below(6)) {
    case 0:
      text.erase(word.begin, size);
      return;
    case 1:
      text.insert(word.begin, some_word());
      return;
    case 2: {  // another word of the same text
      const Range twin = word_near(text, below(text.size() + 1));
      const std::string copy = text.substr(twin.begin, twin.end - twin.begin);
      text.replace(word.begin, size, copy);
      return;
    }
    case 3:  // one digit or letter of it
      if (size > 0) text[word.begin + below(size)] = "0123456789eE.-+abmnst"[below(21)];
      return;
    default:
      text.replace(word.begin, size, some_word());
  }
}

void Mutator::change_line(std::string& text, const std::string& other) {
  const Range line = line_around(text, below(text.size() + 1));
  const std::string copy = text.substr(line.begin, line.end - line.begin);
  switch (below(6)) {
    case 0:
      text.erase(line.begin, copy.size());
      return;
    case 1:
      text.insert(line.begin, copy);
      return;
    case 2:  // elsewhere
      text.erase(line.begin, copy.size());
      text.insert(line_around(text, below(text.size() + 1)).begin, copy);
      return;
    case 3:  // deeper, or less deep
      if (one_in(2))
        text.insert(line.begin, "  ");
      else if (text.compare(line.begin, 2, "  ") == 0)
        text.erase(line.begin, 2);
      return;
    case 4: {  // some lines of another input
      const Range first = line_around(other, below(other.size() + 1));
      const Range last = line_around(other, std::min(other.size(), first.end + below(200)));
      text.insert(line.begin, other.substr(first.begin, last.end - first.begin));
      return;
    }
    default:
      text.resize(line.end);
  }
}

void Mutator::write_field(std::string& bytes, std::size_t begin, std::size_t end) {
  if (end <= begin) return;
  const std::size_t width = std::size_t{1} << below(4), at = begin + below(end - begin);
  std::uint64_t value = kTroublesomeFields[below(kTroublesomeFields.size())];
  if (one_in(4)) value = random_();
  for (std::size_t i = 0; i < width && at + i < end; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

void Mutator::change_records(std::string& bytes, const std::string& other) {
  if (bytes.empty()) bytes = other;
  switch (below(8)) {
    case 0:
      bytes.resize(below(bytes.size() + 1));
      return;
    case 1:
    case 2: {  // some bytes of another place
      const std::size_t from = below(bytes.size()), to = below(bytes.size());
      const std::size_t size = std::min(1 + below(64), bytes.size() - std::max(from, to));
      std::memmove(bytes.data() + to, bytes.data() + from, size);
      return;
    }
    case 3:
    case 4:
      if (!bytes.empty()) bytes[below(bytes.size())] ^= static_cast<char>(1U << below(8));
      return;
    default:
      write_field(bytes, 0, bytes.size());
  }
}

// Either damage as disks and cables do it, or headers that somebody has crafted, with checksums that are right.
void Mutator::change_result(std::string& bytes) {
  const std::size_t changes = 1 + below(6);
  if (one_in(2)) {
    if (one_in(4)) bytes.resize(below(bytes.size() + 1));
    for (std::size_t i = 0; i < changes && !bytes.empty(); ++i)
      bytes[below(bytes.size())] ^= static_cast<char>(1U << below(8));
    return;
  }
  mark_as_crafted(bytes);
  const std::vector<Hdf5Header> headers = hdf5_headers(bytes);
  for (std::size_t i = 0; i < changes && !headers.empty(); ++i) {
    const Hdf5Header& header = headers[below(headers.size())];
    if (one_in(4))
      bytes[header.begin + below(header.end - header.begin)] ^= static_cast<char>(1U << below(8));
    else
      write_field(bytes, header.begin, header.end);
  }
  for (const Hdf5Header& header : headers) repair_checksum(bytes, header);
}

}  // namespace freeplay::test::fuzz
