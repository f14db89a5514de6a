// Runs a model file from C++ with one value changed and writes a result file; docs/guide/library.md shows this program.
#include <freeplay/freeplay.h>

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const std::vector<std::string> overrides = {"simulate.duration=10 ms"};
    const freeplay::ModelFile file = freeplay::load_model(argv[1], overrides);
    const freeplay::Model model = freeplay::build_model(file);
    freeplay::ResultWriter writer(argv[2]);
    freeplay::build_simulation(file, model)->run(writer, {}, freeplay::record_layout(file));
  } catch (const freeplay::ModelError& error) {
    for (const freeplay::Diagnostic& mistake : error.diagnostics())
      std::printf("%s\n", freeplay::format_diagnostic(mistake).c_str());
    return 3;
  }
  const freeplay::ResultReader result(argv[2]);
  std::printf("t = %g s after %zu rows\n", result.read_time().back(), result.read_time().size());
}
