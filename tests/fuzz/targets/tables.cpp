#include "freeplay/io/tables/csv_table.h"
#include "fuzz/engine/fuzz_target.h"
#include "fuzz/targets/targets.h"

namespace freeplay::test::fuzz {

int fuzz_table(const std::uint8_t* data, std::size_t size) {
  const CsvTable table = read_csv_table({reinterpret_cast<const char*>(data), size});
  if (!table.ok()) {
    if (table.hint.empty()) report_finding("a table is refused without a cure");
    return 0;
  }
  if (table.columns.empty()) report_finding("a table without columns is taken");
  for (const CsvColumn& column : table.columns) {
    if (column.values.size() != table.lines.size())
      report_finding("a column has more or fewer values than the table rows");
    if (table.find(column.name) == nullptr) report_finding("a column is not found by its name");
  }
  return 0;
}

std::vector<std::string> table_seeds() {
  return {"time, torque [N m]\n0, 1\n0.1, 2.5\n0.2, -3e-4\n", "\xEF\xBB\xBFt;\"x (mm)\"\r\n0;1\r\n1;2\r\n",
          "# a logger's words\n0\t1\t2\n\n1\t2\t3\n", "a,b\n1,nan\n"};
}

std::vector<std::string> table_words() {
  return {",", ";", "\t",  "\n",  "\r\n", "#", "\"",    "[",      "]",
          "(", ")", "nan", "inf", "-",    "+", "1e308", "1e-320", "0x1p3"};
}

}  // namespace freeplay::test::fuzz
