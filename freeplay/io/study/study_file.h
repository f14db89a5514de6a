// A study in a file: which model, what varies, what is measured; the options of `freeplay sweep` under their own names.
//
//   study: 1
//   model: ../slider_crank_driven.yaml        # from the folder of this file on
//   set: {duration: 50*turn}
//   over: {c: 0.05mm:2mm:40, restitution: [0.1, 0.4]}
//   measure: {tilt: "max_after(abs(slider.angle), 25*turn)*a/c"}
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/core/error.h"
#include "freeplay/core/layers.h"

namespace freeplay::io {

// Where the file has what an option of the command says: "--over" and the name "c", or "--sample" without a name.
struct StudyPlace {
  std::string option, name;
  SourceMark mark;
  std::string excerpt;
};

// Texts as on the command line.
struct StudyFile {
  std::filesystem::path model;
  std::vector<std::string> set, over, measures, points;  // "NAME=TEXT"
  std::string sample, worst, section, follow, orbit;
  std::string backend = "engine";
  std::uint64_t seed = 0;
  std::int64_t skip = 0;
  std::optional<std::int64_t> turns;
  std::optional<std::string> lyapunov;
  std::vector<StudyPlace> places;

  // What the command line says instead, or of one name of a block, has no place here any more.
  void forget_place(const std::string& option, const std::string& name = {});
  // What is said of an option is said of the place in the file.
  ModelError located(const ModelError& error) const;
};

// Throws ModelError with the places of what is wrong, and IoError. What the texts mean is seen when the study is run.
StudyFile read_study_file(const std::filesystem::path& path);

}  // namespace freeplay::io
