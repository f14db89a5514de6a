// Which parameters a measure depends on, from the runs of `--sample sobol:N` or `--sample morris:N`.
//
// Sobol's indices share the variance V of a measure Y among its parameters: the first-order index V(E(Y|X_i))/V is what
// X_i does alone, the total index E(V(Y|X_~i))/V what would be left if all others were known, with all interactions of
// X_i. Estimated from the runs A, B and AB_i (SweepPoints) as Saltelli and others (2010) recommend:
//
//   S_i = mean(f_B (f_ABi - f_A))/V    (table 2, b)        T_i = mean((f_A - f_ABi)^2)/(2 V)    (table 2, f: Jansen)
//
// with f less its mean, which changes no index and makes S_i scatter less.
//
// Morris's effects need fewer runs: every walk tells by how much Y changes if X_i alone moves through its whole range
// (2/3 of it, times 3/2). `mean_size` (mu*) ranks parameters; `deviation` (sigma) is zero where the effect is the same
// everywhere, so that a large one tells of curvature or interactions.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"

namespace freeplay::study {

struct Estimate {
  double value = 0, low = 0, high = 0;  // 95 % of the bootstrap's samples lie between low and high
};

struct SobolIndices {
  Estimate first, total;
};
struct MorrisEffects {
  Estimate mean_size;              // mu*, in the unit of the measure
  double mean = 0, deviation = 0;  // mu, sigma
};

struct MeasureSensitivity {
  std::string measure, unit;
  std::int64_t blocks = 0, left_out = 0;  // left out: those with a run without this measure
  double mean = 0, variance = 0;          // of Sobol's samples A and B
  std::vector<SobolIndices> sobol;        // one per parameter
  std::vector<MorrisEffects> morris;      // one per parameter; one of the two lists is empty
};

struct Sensitivities {
  std::vector<std::string> parameters;
  std::vector<MeasureSensitivity> measures;  // those with at least two whole blocks
};

// nullopt if the study was no such sample. Of a study that is not complete: from the blocks that are.
std::optional<Sensitivities> sensitivities_of(const SweepTable& table);

// As in the attribute `sensitivity` of the study's file (docs/reference/sweep_file.md).
nlohmann::ordered_json sensitivities_json(const Sensitivities& sensitivities);

}  // namespace freeplay::study
