// A page in a browser without a window, driven through the browser's own protocol (Chrome DevTools over a pipe).
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "film/child_process.h"

namespace freeplay::app {

class BrowserSession {
 public:
  // Opens `page` in the browser `program`; `work` is a folder for its files. `should_stop` is asked now and then, and
  // ends what goes on by throwing Stopped. Throws IoError where the browser cannot be used.
  BrowserSession(const std::filesystem::path& program, const std::filesystem::path& page,
                 const std::filesystem::path& work, std::function<bool()> should_stop);

  struct Stopped {};

  // The value of an expression of JavaScript; of a promise what it gives. An error of the page is an IoError.
  nlohmann::json evaluate(const std::string& expression);

 private:
  nlohmann::json call(const std::string& method, nlohmann::json parameters);
  nlohmann::json next_message();

  std::function<bool()> should_stop_;
  ChildProcess browser_;
  std::string session_, received_;
  int last_id_ = 0;
};

}  // namespace freeplay::app
