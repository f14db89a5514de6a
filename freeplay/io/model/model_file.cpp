#include "freeplay/io/model/model_file.h"

#include <algorithm>

#include "freeplay/io/model/model_parameters.h"
#include "freeplay/io/model/model_sources.h"
#include "freeplay/io/reader/model_reader.h"
#include "freeplay/io/yaml/text_guard.h"
#include "freeplay/model/coded_system.h"

namespace freeplay::io {

namespace {

namespace fs = std::filesystem;

// `file` and `folder` are canonical and only used for includes; both are empty for a text in memory.
ModelFile read_model(std::string text, const std::string& shown_name, const fs::path& file, const fs::path& folder,
                     std::span<const std::string> overrides) {
  auto sources = std::make_shared<ModelSources>();
  MistakeList mistakes;
  const int source = sources->texts.add(shown_name, std::move(text));
  if (!load_tree(*sources, source, file, folder, mistakes)) mistakes.throw_if_any(sources->texts);
  return read_tree(std::move(sources), folder, overrides, std::move(mistakes));
}

}  // namespace

ModelFile read_tree(std::shared_ptr<ModelSources> sources, const fs::path& folder,
                    std::span<const std::string> overrides, MistakeList mistakes) {
  ModelFile model;
  model.text = sources->texts.text(0);
  model.overrides.assign(overrides.begin(), overrides.end());
  choose_variants(*sources, overrides, mistakes);
  apply_overrides(*sources, overrides, mistakes);
  const YamlEntry* block = sources->root.find("parameters");
  ResolvedParameters resolved =
      resolve_parameters(block == nullptr ? nullptr : &block->value, sources->texts, mistakes);
  ValueReader values(sources->texts, mistakes, resolved.scope(), model.mechanism);
  model.parameters = std::move(resolved.parameters);
  ModelReader(values, model, folder).read(sources->root);
  mistakes.throw_if_any(sources->texts);
  model.sources = std::move(sources);
  // Reports, pictures and `compare` want to see the bodies and contacts of a scene.
  try {
    unfold_scene(model);
  } catch (const ModelError& error) {
    throw model.located(error);
  }
  return model;
}

ModelFile load_model(const std::filesystem::path& path, std::span<const std::string> overrides) {
  const std::string shown_name = path.string();
  std::string text = read_model_text(path, shown_name);
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  const fs::path folder = fs::canonical(absolute.parent_path(), error);
  ModelFile model = read_model(std::move(text), shown_name, folder / path.filename(), folder, overrides);
  model.path = path;
  if (model.name.empty()) model.name = path.stem().string();
  return model;
}

ModelFile parse_model(std::string_view text, const std::string& name, std::span<const std::string> overrides) {
  ModelFile model = read_model(std::string(text), name, {}, {}, overrides);
  model.path = name;
  if (model.name.empty()) model.name = fs::path(name).stem().string();
  return model;
}

ModelError ModelFile::located(const ModelError& error) const {
  // As many as the reader reports: to find the lines of thousands takes long, and nobody reads them.
  constexpr std::size_t kMost = MistakeList::kMaxReported;
  const std::vector<Diagnostic>& all = error.diagnostics();
  std::vector<Diagnostic> diagnostics(all.begin(),
                                      all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kMost)));
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.mark.line > 0 || !diagnostic.mark.file.empty()) continue;  // or an option of the command line
    const SourcePosition at = sources->find(diagnostic.path);
    diagnostic.mark = sources->texts.mark(at);
    diagnostic.excerpt = sources->texts.excerpt(at);
  }
  if (all.size() > kMost) {
    diagnostics.push_back(MistakeList::note_on_the_rest(all.size() - kMost));
    diagnostics.back().mark = sources->texts.mark(sources->find(all[kMost].path));
  }
  return ModelError(std::move(diagnostics));
}

}  // namespace freeplay::io
