// Uses the installed package only: headers, libraries and the dependencies that its CMake files name.
#include <freeplay/math/expression.h>

#include <cstdio>

int main() {
  const freeplay::Quantity length = freeplay::parse_quantity("150 mm");
  const bool is_length = length.dimension == freeplay::dimensions::kLength;
  std::printf("150 mm = %g %s\n", length.value, length.dimension.si_unit().c_str());
  return is_length ? 0 : 1;
}
