// A recording as a program: which of its numbers belong to the member of a family, and its text in C++.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/compile/program/graph.h"
#include "freeplay/compile/recording/model_recording.h"

namespace freeplay::compile {

class Program {
 public:
  // Members of one family, the first as the reference: constants in which they differ are numbers of the member, and
  // those that are equal in each of them are one number. Requires that they have one structure.
  explicit Program(std::span<const ModelRecording> members);

  // The struct that compiled_step.h asks for: straight-line code, and no text but operators and numbers.
  const std::string& text() const { return text_; }
  const Graph& graph() const { return graph_; }
  int member_count() const { return member_count_; }
  // The numbers of another recording; nullopt if it differs in more than those that vary.
  std::optional<std::vector<double>> member_numbers(const ModelRecording& recording) const;

 private:
  int member_count_ = 0;
  std::vector<Graph::Varying> varying_;
  std::vector<Tape::Entry> entries_;  // of the reference
  Graph graph_;
  std::string text_;
};

}  // namespace freeplay::compile
