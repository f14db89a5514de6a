// The targets, one source each. A target takes any bytes; the errors that a user may get are right answers to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::test::fuzz {

// A text as an expression, a quantity and a unit; then its values and derivatives.
int fuzz_expression(const std::uint8_t* data, std::size_t size);
std::vector<std::string> expression_seeds();
std::vector<std::string> expression_words();

// A model file: read, checked and built as `check` does it; what can be run takes a few steps.
int fuzz_model(const std::uint8_t* data, std::size_t size);
int fuzz_compiled(const std::uint8_t* data, std::size_t size);  // seeds and words of models
std::vector<std::string> model_seeds();
std::vector<std::string> model_words();

// A table of numbers as loggers and spreadsheets write it.
int fuzz_table(const std::uint8_t* data, std::size_t size);
std::vector<std::string> table_seeds();
std::vector<std::string> table_words();

// Nodes and modes of an elastic body, in the plane and in space.
int fuzz_modes(const std::uint8_t* data, std::size_t size);
std::vector<std::string> modes_seeds();
std::vector<std::string> modes_words();

// Triangles of STL and OBJ files, and the mesh that they make.
int fuzz_mesh(const std::uint8_t* data, std::size_t size);
std::vector<std::string> mesh_seeds();
std::vector<std::string> mesh_words();

// The head of a request to the server of `freeplay view --serve`.
int fuzz_request(const std::uint8_t* data, std::size_t size);
std::vector<std::string> request_seeds();
std::vector<std::string> request_words();

// A contact problem in HDF5: read and, unless it is large, solved.
int fuzz_problem(const std::uint8_t* data, std::size_t size);
std::vector<std::string> problem_seeds();

// A result file: what `info`, `export`, `plot`, `view` and a run that goes on from it read.
int fuzz_result(const std::uint8_t* data, std::size_t size);
std::vector<std::string> result_seeds();

// The file of a study: what `info`, `plot`, `view`, a table of it and a study that goes on read.
int fuzz_study(const std::uint8_t* data, std::size_t size);
std::vector<std::string> study_seeds();

}  // namespace freeplay::test::fuzz
