// Serves pages to a browser on the same machine: HTTP/1.1 with GET and HEAD, on 127.0.0.1 only, one request at a time.
// Not more than that: a library for it would bring encryption and threads along, and HDF5 allows one thread.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace freeplay::app {

struct WebRequest {
  std::string path;   // "/data"
  std::string query;  // "from=0&to=1", as it came
  // It is not HEAD, and has the field X-Freeplay, which a browser sends to this server for pages of this server only: a
  // page of another site would have to ask first (CORS), and is not answered.
  bool is_from_own_page = false;
};
struct WebResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};
using WebHandler = std::function<WebResponse(const WebRequest&)>;

class LoopbackServer {
 public:
  // Without a port the system chooses a free one. Throws IoError if the port is taken.
  explicit LoopbackServer(std::optional<int> port);
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  int port() const { return port_; }
  // Answers until `stop` becomes true. A request that names another host than this one is refused: a page of somebody
  // else, whose name was made to mean 127.0.0.1, must not read results (DNS rebinding).
  void serve(const WebHandler& handler, const std::atomic<bool>& stop);

 private:
  int socket_ = -1;
  int port_ = 0;
};

}  // namespace freeplay::app
