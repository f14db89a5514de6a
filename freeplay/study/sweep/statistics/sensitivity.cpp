#include "freeplay/study/sweep/statistics/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "freeplay/math/philox.h"
#include "freeplay/study/sweep/points/sweep_points.h"
#include "freeplay/study/sweep/statistics/sweep_statistics.h"

namespace freeplay::study {

namespace {

constexpr std::uint32_t kBootstrapStream = 0x4000'0000;  // beyond those of the samples
constexpr double kBootstrapWork = 1e8;                   // blocks times resamples, about a second
constexpr double kOutside = 0.025;                       // of the bootstrap's samples, at either end

// The runs of one block that all have the measure, one after the other, block after block.
struct Blocks {
  std::size_t runs_per_block = 0;
  std::vector<double> values;
  std::vector<const SweepRow*> first_rows;  // of each
  std::int64_t left_out = 0;

  std::size_t count() const { return first_rows.size(); }
  std::span<const double> block(std::size_t i) const { return {&values[i * runs_per_block], runs_per_block}; }
};

Blocks blocks_of(const SweepTable& table, std::size_t runs_per_block, std::size_t column) {
  Blocks blocks;
  blocks.runs_per_block = runs_per_block;
  const auto per_block = static_cast<std::int64_t>(runs_per_block);
  const std::vector<SweepRow>& rows = table.rows;
  for (std::size_t i = 0; i + runs_per_block <= rows.size();) {
    const bool is_whole =
        rows[i].index % per_block == 0 && rows[i + runs_per_block - 1].index == rows[i].index + per_block - 1;
    if (!is_whole) {
      ++i;
      continue;
    }
    const auto is_measured = [&](const SweepRow& row) { return std::isfinite(row.values.at(column)); };
    const SweepRow* const first = &rows[i];
    i += runs_per_block;
    if (!std::all_of(first, first + runs_per_block, is_measured)) {
      ++blocks.left_out;
      continue;
    }
    for (std::size_t k = 0; k < runs_per_block; ++k) blocks.values.push_back(first[k].values[column]);
    blocks.first_rows.push_back(first);
  }
  return blocks;
}

// Which blocks a resample of the bootstrap has: as many as there are, drawn with replacement.
class Bootstrap {
 public:
  Bootstrap(std::size_t count, std::size_t work_per_block, std::uint64_t seed) : count_(count), seed_(seed) {
    const double resamples = kBootstrapWork / static_cast<double>(count * work_per_block);
    resamples_ = static_cast<std::size_t>(std::clamp(resamples, 200.0, 1000.0));
  }
  std::size_t resamples() const { return resamples_; }
  std::vector<std::size_t> drawn(std::size_t resample) const {
    std::vector<std::size_t> blocks(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      const double u = random_number(seed_, kBootstrapStream + static_cast<std::uint32_t>(resample), i);
      blocks[i] = static_cast<std::size_t>(u * static_cast<double>(count_));
    }
    return blocks;
  }

 private:
  std::size_t count_, resamples_ = 0;
  std::uint64_t seed_;
};

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  return all;
}

Estimate with_bounds(double value, std::vector<double> resampled) {
  std::sort(resampled.begin(), resampled.end());
  return {value, sorted_percentile(resampled, kOutside), sorted_percentile(resampled, 1 - kOutside)};
}

struct Moments {
  double mean = 0, variance = 0;
};

Moments moments_of(const Blocks& blocks, std::span<const std::size_t> chosen) {
  Moments found;
  const double runs = 2 * static_cast<double>(chosen.size());
  for (const std::size_t b : chosen) found.mean += (blocks.block(b)[0] + blocks.block(b)[1]) / runs;
  for (const std::size_t b : chosen) {
    const double a = blocks.block(b)[0] - found.mean, c = blocks.block(b)[1] - found.mean;
    found.variance += (a * a + c * c) / (runs - 1);
  }
  return found;
}

struct PlainIndices {
  double first = 0, total = 0;
};

std::vector<PlainIndices> plain_indices(const Blocks& blocks, std::span<const std::size_t> chosen) {
  const Moments moments = moments_of(blocks, chosen);
  std::vector<PlainIndices> indices(blocks.runs_per_block - 2);
  if (!(moments.variance > 0)) return indices;  // a constant depends on nothing
  const double count = static_cast<double>(chosen.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    double alone = 0, with_others = 0;
    for (const std::size_t b : chosen) {
      const std::span<const double> f = blocks.block(b);
      const double step = f[i + 2] - f[0];
      alone += (f[1] - moments.mean) * step;
      with_others += step * step;
    }
    indices[i] = {alone / count / moments.variance, with_others / count / (2 * moments.variance)};
  }
  return indices;
}

void add_sobol(const Blocks& blocks, std::uint64_t seed, MeasureSensitivity& found) {
  const std::vector<std::size_t> all = all_of(blocks.count());
  const Moments moments = moments_of(blocks, all);
  found.mean = moments.mean;
  found.variance = moments.variance;
  const std::vector<PlainIndices> indices = plain_indices(blocks, all);
  const Bootstrap bootstrap(blocks.count(), indices.size(), seed);
  std::vector<std::vector<double>> first(indices.size()), total(indices.size());
  for (std::size_t r = 0; r < bootstrap.resamples(); ++r) {
    const std::vector<PlainIndices> again = plain_indices(blocks, bootstrap.drawn(r));
    for (std::size_t i = 0; i < again.size(); ++i) {
      first[i].push_back(again[i].first);
      total[i].push_back(again[i].total);
    }
  }
  for (std::size_t i = 0; i < indices.size(); ++i)
    found.sobol.push_back(
        {with_bounds(indices[i].first, std::move(first[i])), with_bounds(indices[i].total, std::move(total[i]))});
}

// Of every walk the effect of each parameter, over its whole range: at each jump one value differs.
std::vector<std::vector<double>> effects_of(const Blocks& blocks, const SweepTable& table,
                                            const StudySampling& sampling) {
  const std::size_t parameters = table.header.parameters.size();
  std::vector<std::vector<double>> effects(parameters, std::vector<double>(blocks.count()));
  for (std::size_t k = 0; k < parameters; ++k) {
    const auto& ranges = sampling.ranges;
    const bool is_range = std::find(ranges.begin(), ranges.end(), table.header.parameters[k].name) != ranges.end();
    const double jump = static_cast<double>(kMorrisJump) / (is_range ? kMorrisLevels - 1 : kMorrisLevels);
    for (std::size_t b = 0; b < blocks.count(); ++b) {
      const SweepRow* const rows = blocks.first_rows[b];
      for (std::size_t s = 0; s < parameters; ++s) {
        const double change = rows[s + 1].values[k] - rows[s].values[k];
        if (change == 0) continue;
        effects[k][b] = (blocks.block(b)[s + 1] - blocks.block(b)[s]) / (change > 0 ? jump : -jump);
      }
    }
  }
  return effects;
}

void add_morris(const Blocks& blocks, const SweepTable& table, const StudySampling& sampling,
                MeasureSensitivity& found) {
  const std::vector<std::vector<double>> effects = effects_of(blocks, table, sampling);
  const Bootstrap bootstrap(blocks.count(), effects.size(), sampling.seed);
  const double count = static_cast<double>(blocks.count());
  const auto mean_size = [&](const std::vector<double>& of_parameter, const std::vector<std::size_t>& walks) {
    double sum = 0;
    for (const std::size_t walk : walks) sum += std::abs(of_parameter[walk]);
    return sum / count;
  };
  std::vector<std::vector<double>> resampled(effects.size());
  for (std::size_t r = 0; r < bootstrap.resamples(); ++r) {
    const std::vector<std::size_t> walks = bootstrap.drawn(r);
    for (std::size_t k = 0; k < effects.size(); ++k) resampled[k].push_back(mean_size(effects[k], walks));
  }
  for (std::size_t k = 0; k < effects.size(); ++k) {
    MorrisEffects of_parameter;
    of_parameter.mean_size = with_bounds(mean_size(effects[k], all_of(blocks.count())), std::move(resampled[k]));
    for (const double effect : effects[k]) of_parameter.mean += effect / count;
    double squares = 0;
    for (const double effect : effects[k]) squares += (effect - of_parameter.mean) * (effect - of_parameter.mean);
    of_parameter.deviation = std::sqrt(squares / (count - 1));
    found.morris.push_back(of_parameter);
  }
}

nlohmann::ordered_json estimate_json(const Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

}  // namespace

std::optional<Sensitivities> sensitivities_of(const SweepTable& table) {
  const StudySampling sampling = sampling_of(table);
  const bool is_sobol = sampling.kind == "sobol";
  if (!is_sobol && sampling.kind != "morris") return std::nullopt;
  Sensitivities found;
  for (const SweepColumn& parameter : table.header.parameters) found.parameters.push_back(parameter.name);
  const std::size_t parameters = found.parameters.size();
  for (std::size_t m = 0; m < table.header.measures.size(); ++m) {
    const Blocks blocks = blocks_of(table, parameters + (is_sobol ? 2 : 1), parameters + m);
    if (blocks.count() < 2) continue;
    MeasureSensitivity of_measure;
    of_measure.measure = table.header.measures[m].name;
    of_measure.unit = table.header.measures[m].unit;
    of_measure.blocks = static_cast<std::int64_t>(blocks.count());
    of_measure.left_out = blocks.left_out;
    is_sobol ? add_sobol(blocks, sampling.seed, of_measure) : add_morris(blocks, table, sampling, of_measure);
    found.measures.push_back(std::move(of_measure));
  }
  return found;
}

nlohmann::ordered_json sensitivities_json(const Sensitivities& sensitivities) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const MeasureSensitivity& of_measure : sensitivities.measures) {
    nlohmann::ordered_json& entry = object[of_measure.measure];
    entry["unit"] = of_measure.unit;
    entry["blocks"] = of_measure.blocks;
    entry["left_out"] = of_measure.left_out;
    if (!of_measure.sobol.empty()) {
      entry["mean"] = of_measure.mean;
      entry["variance"] = of_measure.variance;
    }
    for (std::size_t k = 0; k < sensitivities.parameters.size(); ++k) {
      nlohmann::ordered_json& parameter = entry["parameters"][sensitivities.parameters[k]];
      if (!of_measure.sobol.empty()) {
        parameter["first"] = estimate_json(of_measure.sobol[k].first);
        parameter["total"] = estimate_json(of_measure.sobol[k].total);
      } else {
        parameter["mean_size"] = estimate_json(of_measure.morris[k].mean_size);
        parameter["mean"] = of_measure.morris[k].mean;
        parameter["deviation"] = of_measure.morris[k].deviation;
      }
    }
  }
  return object;
}

}  // namespace freeplay::study
