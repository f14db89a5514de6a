// Aligned columns of text.
#pragma once

#include <string>
#include <vector>

namespace freeplay::app {

class TextTable {
 public:
  // One letter per column: 'l' left, 'r' right.
  explicit TextTable(std::string alignment) : alignment_(std::move(alignment)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  // Every line starts with `indent` blanks and ends without blanks.
  std::string text(std::size_t indent = 2, std::size_t gap = 2) const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

// 1234567 -> "1 234 567"
std::string grouped(long long count);
// Six significant digits, as short as possible.
std::string short_number(double value);
// "1 body", "2 bodies"
std::string counted(long long count, const std::string& singular, const std::string& plural);
std::string counted(long long count, const std::string& singular);  // plural with "s"

}  // namespace freeplay::app
