#include "serve/loopback_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <list>
#include <system_error>
#include <vector>

#include "freeplay/core/error.h"
#include "serve/web_request.h"

namespace freeplay::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxHeadBytes = 16'384;
constexpr std::size_t kMaxConnections = 16;             // each may hold a block of data
constexpr std::chrono::milliseconds kPatience{10'000};  // for a whole request; for any byte of an answer to be taken
constexpr std::chrono::milliseconds kLongestAnswer{120'000};
constexpr std::chrono::milliseconds kFarewell{2'000};  // for the browser to close its end
constexpr int kStopCheckMs = 100;

[[noreturn]] void fail(const std::string& what) {
  throw IoError(fmt::format("{}: {}", what, std::generic_category().message(errno)));
}

// Browsers open connections ahead of need and keep them silent, so several are listened to at once.
class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  pollfd poll_entry() const { return {socket_, static_cast<short>(is_writing_ ? POLLOUT : POLLIN), 0}; }
  // It may be given up for another one: no request is complete, or the answer has been sent.
  bool is_idle() const { return !is_writing_; }
  bool has_ended() const {
    const Clock::time_point now = Clock::now();
    return has_ended_ || now - last_progress_ > (is_leaving_ ? kFarewell : kPatience) ||
           now - request_ > kLongestAnswer;
  }

  void go_on(int port, const WebHandler& handler) {
    if (is_writing_)
      write_on();
    else
      read_on(port, handler);
  }

 private:
  void read_on(int port, const WebHandler& handler) {
    char bytes[4096];
    const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
    if (count <= 0) {
      has_ended_ = count == 0 || (errno != EAGAIN && errno != EINTR);
      return;
    }
    if (is_leaving_) return;  // what comes after the answer is dropped
    // Single bytes, one every few seconds, are no progress: the whole request has to come in time.
    head_.append(bytes, static_cast<std::size_t>(count));
    const std::size_t end = head_.find("\r\n\r\n");
    if (end != std::string::npos)
      out_ = answer(std::string_view(head_).substr(0, end + 4), port, handler);
    else if (head_.size() > kMaxHeadBytes)
      out_ = wire_text({431, "text/plain; charset=utf-8", "the request is too long\n"});
    else
      return;
    last_progress_ = request_ = Clock::now();
    is_writing_ = true;
  }

  void write_on() {
    const ssize_t count = ::send(socket_, out_.data() + written_, out_.size() - written_, MSG_NOSIGNAL);
    if (count < 0) {
      has_ended_ = errno != EAGAIN && errno != EINTR;
      return;
    }
    last_progress_ = Clock::now();
    written_ += static_cast<std::size_t>(count);
    if (written_ < out_.size()) return;
    // Closing at once would throw away what the other side has not read yet, if it is still sending.
    ::shutdown(socket_, SHUT_WR);
    is_writing_ = false;
    is_leaving_ = true;
    out_ = {};
  }

  int socket_;
  bool is_writing_ = false, is_leaving_ = false, has_ended_ = false;
  std::string head_, out_;
  std::size_t written_ = 0;
  Clock::time_point last_progress_ = Clock::now(), request_ = last_progress_;
};

// The one that has waited longest makes room, so that silent and trickling connections keep nobody out.
bool drop_oldest_idle(std::list<Connection>& connections) {
  const auto idle =
      std::find_if(connections.begin(), connections.end(), [](const Connection& c) { return c.is_idle(); });
  if (idle == connections.end()) return false;
  connections.erase(idle);
  return true;
}

}  // namespace

LoopbackServer::LoopbackServer(std::optional<int> port) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0) fail("cannot open a socket");
  const int yes = 1;  // a port that was just given up may be taken again at once
  ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port.value_or(0)));
  socklen_t size = sizeof address;
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(socket_, 16) != 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    const int error = errno;
    ::close(socket_);
    errno = error;
    fail(fmt::format("cannot serve on 127.0.0.1:{}", port.value_or(0)));
  }
  port_ = ntohs(address.sin_port);
}

LoopbackServer::~LoopbackServer() {
  ::close(socket_);
}

void LoopbackServer::serve(const WebHandler& handler, const std::atomic<bool>& stop) {
  std::list<Connection> connections;  // the oldest first
  std::vector<pollfd> entries;
  bool has_room = true;  // no file descriptor is left otherwise: to ask again at once would keep a processor busy
  while (!stop.load(std::memory_order_relaxed)) {
    entries.clear();
    for (const Connection& connection : connections) entries.push_back(connection.poll_entry());
    if (has_room) entries.push_back({socket_, POLLIN, 0});
    if (::poll(entries.data(), entries.size(), kStopCheckMs) < 0 && errno != EINTR) fail("cannot wait for requests");
    std::size_t i = 0;
    for (Connection& connection : connections) {
      if (entries[i++].revents != 0) connection.go_on(port_, handler);
    }
    const bool is_asked = has_room && entries[i].revents != 0;
    has_room = true;
    if (is_asked) {
      if (connections.size() >= kMaxConnections) has_room = drop_oldest_idle(connections);
      const int socket = has_room ? ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK) : -1;
      if (socket >= 0)
        connections.emplace_back(socket);
      else if (has_room && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM))
        has_room = drop_oldest_idle(connections);
    }
    connections.remove_if([](const Connection& connection) { return connection.has_ended(); });
  }
}

}  // namespace freeplay::app
