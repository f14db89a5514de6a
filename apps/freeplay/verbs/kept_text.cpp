#include "verbs/kept_text.h"

#include "freeplay/io/yaml/folder_file.h"

namespace freeplay::app {

void rethrow_of_kept_text(const ModelError& error) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    if (!diagnostic.message.starts_with(kNotFromFile)) continue;
    diagnostic.message = "the model names another file, and only the text of its own is kept here";
    diagnostic.hint = "say where the model is, with that file beside it: --model FILE";
  }
  throw ModelError(std::move(diagnostics));
}

}  // namespace freeplay::app
