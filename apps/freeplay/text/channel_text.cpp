#include "text/channel_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "terminal/text_table.h"

namespace freeplay::app {

namespace {

constexpr double kNoise = 1e-14;        // relative to the largest value of the same unit
constexpr std::size_t kMaxColumns = 7;  // of values in one line; more are split evenly over several tables

// Consecutive channels of one element: those from `first` up to but not including `last`.
struct Element {
  std::string name;
  std::size_t first = 0, last = 0;
};

std::vector<Element> elements_of(std::span<const ChannelInfo> channels) {
  std::vector<Element> elements;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::string name = channels[i].name.substr(0, channels[i].name.find('.'));
    if (elements.empty() || elements.back().name != name) elements.push_back({name, i, i});
    elements.back().last = i + 1;
  }
  return elements;
}

// "x [m]"; a plain number has no unit to show.
std::string heading(const ChannelInfo& channel) {
  const std::size_t dot = channel.name.find('.');
  const std::string quantity = dot == std::string::npos ? channel.name : channel.name.substr(dot + 1);
  return channel.unit == "1" ? quantity : fmt::format("{} [{}]", quantity, channel.unit);
}

std::vector<std::string> headings(std::span<const ChannelInfo> channels, const Element& element) {
  std::vector<std::string> all;
  for (std::size_t i = element.first; i < element.last; ++i) all.push_back(heading(channels[i]));
  return all;
}

}  // namespace

std::string channel_list(std::span<const ChannelInfo> channels, int width, const Painter& paint) {
  const std::vector<Element> elements = elements_of(channels);
  std::size_t longest = 0;
  for (const Element& element : elements) longest = std::max(longest, element.name.size());
  const std::string margin(longest + 4, ' ');
  std::string text;
  for (const Element& element : elements) {
    std::string line = "  " + paint.bold(element.name) + std::string(longest - element.name.size() + 2, ' ');
    for (std::size_t i = element.first; i < element.last; ++i) {
      const std::string word = heading(channels[i]) + (i + 1 < element.last ? ", " : "");
      if (display_width(line) + word.size() > static_cast<std::size_t>(width) && i > element.first) {
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
        line = margin;
      }
      line += word;
    }
    text += line + '\n';
  }
  return text;
}

std::vector<double> without_noise(std::span<const ChannelInfo> channels, std::span<const double> values) {
  // Angles and components of quaternions have a scale of their own, even where all of them are small.
  std::map<std::string, double> scales = {{"rad", 1}, {"1", 1}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    double& scale = scales[channels[i].unit];
    scale = std::max(scale, std::abs(values[i]));
  }
  std::vector<double> clean(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) < kNoise * scales[channels[i].unit]) clean[i] = 0;
  }
  return clean;
}

std::string value_table(std::span<const ChannelInfo> channels, std::span<const double> values, const Painter& paint) {
  const std::vector<Element> elements = elements_of(channels);
  std::string text;
  for (std::size_t begin = 0; begin < elements.size();) {
    const std::vector<std::string> shared = headings(channels, elements[begin]);
    std::size_t end = begin + 1;
    while (end < elements.size() && headings(channels, elements[end]) == shared) ++end;

    const std::size_t tables = (shared.size() + kMaxColumns - 1) / kMaxColumns;
    for (std::size_t t = 0; t < tables; ++t) {
      const std::size_t from = shared.size() * t / tables, to = shared.size() * (t + 1) / tables;
      TextTable table(std::string(1, 'l').append(to - from, 'r'));
      std::vector<std::string> header = {""};
      for (std::size_t c = from; c < to; ++c) header.push_back(paint.dim(shared[c]));
      table.add(std::move(header));
      for (std::size_t e = begin; e < end; ++e) {
        std::vector<std::string> row = {paint.bold(elements[e].name)};
        for (std::size_t c = from; c < to; ++c) row.push_back(short_number(values[elements[e].first + c]));
        table.add(std::move(row));
      }
      text += table.text();
    }
    begin = end;
  }
  return text;
}

}  // namespace freeplay::app
