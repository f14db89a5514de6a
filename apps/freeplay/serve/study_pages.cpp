#include "serve/study_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "film/child_process.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/report/view/view_page.h"
#include "serve/result_pages.h"
#include "serve/viewer_asset.h"
#include "session/result_access.h"
#include "text/slurm_script.h"
#include "verbs/view/view_study.h"

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostMakers = 2;                            // runs that are made at the same time
constexpr std::size_t kServedStudyBytes = std::size_t{24} << 20;  // nothing has to fit into a file

WebResponse study_text(int status, const std::string& text) {
  return {status, "text/plain; charset=utf-8", text + "\n"};
}

WebResponse state_response(const char* state, const std::string& message) {
  const nlohmann::ordered_json json = {{"state", state}, {"message", message}};
  return {200, "application/json", json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

// The folder of a study as one writes it in a command.
std::string folder_word(const fs::path& study) {
  const fs::path folder = study.parent_path();
  return shell_word(folder.empty() ? "." : folder.string());
}

// Runs of one study, each made by this very command: HDF5 allows one thread, and a run may take minutes.
class RunMakers {
 public:
  RunMakers(fs::path study, std::optional<fs::path> model) : study_(std::move(study)), model_(std::move(model)) {}

  WebResponse ask(std::int64_t run) {
    const auto found = makers_.find(run);
    if (found != makers_.end()) return look(run, found->second);
    if (has_kept_run(study_, run)) return state_response("done", "");
    if (!is_of_study(run)) return study_text(404, "the study has no such run");
    const auto works = [](const auto& entry) { return entry.second.process->is_running(); };
    if (static_cast<std::size_t>(std::ranges::count_if(makers_, works)) >= kMostMakers)
      return state_response("waiting", "other runs are being made");
    begin(run);
    return state_response("running", "");
  }

 private:
  struct Maker {
    std::unique_ptr<ChildProcess> process;
    fs::path log;
  };

  bool is_of_study(std::int64_t run) const { return !read_sweep_run(study_, run).rows.empty(); }

  void begin(std::int64_t run) {
    const fs::path program = fs::read_symlink("/proc/self/exe"), folder = kept_run(study_, run).parent_path();
    fs::create_directories(folder);
    const fs::path log = folder / "messages.txt";
    std::error_code error;
    fs::remove(log, error);
    std::vector<std::string> words = {program.string(), "view", study_.string(), "--run", std::to_string(run)};
    if (model_) words.insert(words.end(), {"--model", model_->string()});
    makers_[run] = {std::make_unique<ChildProcess>(words, ChildPipes{}, log), log};
  }

  WebResponse look(std::int64_t run, Maker& maker) {
    if (maker.process->is_running()) return state_response("running", "");
    const int status = maker.process->finish();
    const std::string said = text_of_file(maker.log);
    std::error_code error;
    fs::remove(maker.log, error);
    makers_.erase(run);
    return status == 0 ? state_response("done", "") : state_response("failed", said);
  }

  fs::path study_;
  std::optional<fs::path> model_;
  std::map<std::int64_t, Maker> makers_;
};

// "/run/17/data" as 17 and "data".
struct RunPath {
  std::int64_t run = 0;
  std::string rest;
};
std::optional<RunPath> run_path_of(const std::string& path) {
  constexpr std::string_view kPrefix = "/run/";
  if (!path.starts_with(kPrefix)) return std::nullopt;
  RunPath found;
  const char* const end = path.data() + path.size();
  const std::from_chars_result number = std::from_chars(path.data() + kPrefix.size(), end, found.run);
  if (number.ec != std::errc() || found.run < 0 || number.ptr == end || *number.ptr != '/') return std::nullopt;
  found.rest.assign(number.ptr + 1, end);
  return found;
}

WebResponse study_response(const fs::path& study) {
  StudyPageOptions options;
  options.folder = folder_word(study);
  options.most_bytes = kServedStudyBytes;
  return {200, "application/octet-stream", make_study_page(read_sweep(study), options).block};
}

WebResponse run_response(const fs::path& study, const RunPath& path, const WebRequest& request, RunMakers& makers,
                         const std::string& page) {
  if (path.rest == "make") {
    // Another site may let a browser load an address of this machine, but not make it work for it.
    if (!request.is_from_own_page) return study_text(403, "only the page of the study makes runs");
    return makers.ask(path.run);
  }
  if (!path.rest.empty() && path.rest != "data") return study_text(404, "there is no such page of a run");
  if (!has_kept_run(study, path.run))
    return study_text(404, "this run was not made yet: choose it on the study's page");
  if (path.rest.empty()) return {200, "text/html; charset=utf-8", page};
  return data_of_result(kept_run(study, path.run), request.query);
}

}  // namespace

StudyPageData study_page_data(const fs::path& study, const fs::path& page, std::vector<Waterfall> waterfalls) {
  const SweepTable table = read_sweep(study);
  StudyPageOptions options;
  options.folder = folder_word(study);
  options.waterfalls = std::move(waterfalls);
  std::error_code error;
  const fs::path beside = fs::relative(fs::absolute(study).parent_path(), fs::absolute(page).parent_path(), error);
  if (!error && !beside.empty() && beside != ".") options.run_pages = beside.generic_string() + "/";
  for (const SweepRow& row : table.rows) {
    const bool has_page = !error && fs::exists(kept_run(study, row.index).parent_path() / "view.html", error);
    if (has_page && is_kept_run_of(table, study, row.index)) options.recorded.push_back(row.index);
  }
  return make_study_page(table, options);
}

WebHandler pages_of_study(const fs::path& study, const std::optional<fs::path>& model) {
  const auto makers = std::make_shared<RunMakers>(study, model);
  return [study, makers, page = served_page(viewer_asset())](const WebRequest& request) -> WebResponse {
    if (request.path == "/") return {200, "text/html; charset=utf-8", page};
    if (request.path == "/data") return study_response(study);
    if (const std::optional<RunPath> path = run_path_of(request.path))
      return run_response(study, *path, request, *makers, page);
    return study_text(404, "there is /, /data and /run/N/ here");
  };
}

}  // namespace freeplay::app
