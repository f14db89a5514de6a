// Changes an input as its kind suggests. The same seed gives the same inputs.
#pragma once

#include <random>
#include <span>
#include <string>
#include <vector>

#include "fuzz/engine/fuzz_target.h"

namespace freeplay::test::fuzz {

class Mutator {
 public:
  Mutator(const FuzzTarget& target, std::uint64_t seed);

  // One of `inputs`, changed in one to six places; never longer than the target takes.
  std::string next(std::span<const std::string> inputs);

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }  // a number from 0 to end - 1
  bool one_in(std::size_t n) { return below(n) == 0; }

  void change_text(std::string& text, const std::string& other);
  void change_word(std::string& text);
  void change_line(std::string& text, const std::string& other);
  std::string some_word();

  void change_records(std::string& bytes, const std::string& other);
  void change_result(std::string& bytes);
  void write_field(std::string& bytes, std::size_t begin, std::size_t end);

  const FuzzTarget& target_;
  std::mt19937_64 random_;
  std::vector<std::string> words_;
};

}  // namespace freeplay::test::fuzz
