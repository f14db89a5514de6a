// Threads that work on one thing together, meet, and go on: for loops that are shorter than the start of a thread. How
// the work is cut must not depend on how many there are, or results would.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::core {

class ThreadTeam {
 public:
  // The caller is a member. 0: one member per core. Threads start with the first run().
  explicit ThreadTeam(int members);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return size_; }
  // Calls work(member) once for each of 0 ... size() - 1, the caller being 0, and waits for all. It must not throw.
  void run(const std::function<void(int member)>& work);
  // Within run(), called by every member equally often: nobody goes on before all have come.
  void meet();

 private:
  void start_threads();
  void serve(int member);

  int size_;
  std::vector<std::thread> threads_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> job_ = 0;  // counts runs, and the end
  bool is_over_ = false;
  std::atomic<int> arrived_ = 0;
  std::atomic<unsigned> meeting_ = 0;  // counts meetings
};

// The part [begin, end) of 0 ... count - 1 that a member takes.
struct TeamPart {
  TeamPart(int count, int member, int members)
      : begin(static_cast<int>(static_cast<long long>(count) * member / members)),
        end(static_cast<int>(static_cast<long long>(count) * (member + 1) / members)) {}
  int begin, end;
};

}  // namespace freeplay::core
