#include "freeplay/io/modes/modes_file.h"
#include "freeplay/mechanism/description/elastic_nodes.h"
#include "fuzz/engine/fuzz_target.h"
#include "fuzz/targets/targets.h"

namespace freeplay::test::fuzz {

namespace {

void check_body(const ElasticNodes& body) {
  const Eigen::Index modes = body.mode_count();
  if (body.nodes.empty() || modes == 0) report_finding("an elastic body without nodes or modes is taken");
  for (const ElasticNode& node : body.nodes) {
    if (node.shapes.cols() != modes) report_finding("a node has more or fewer modes than the body");
    if (!node.shapes.allFinite()) report_finding("a mode is not finite");
    for (const MatX* loads : {&node.stresses, &node.moments}) {
      if (loads->size() > 0 && (loads->cols() != modes || !loads->allFinite()))
        report_finding("a stress or moment is not finite, or not of all modes");
    }
  }
  const bool has_stiffness = body.stiffness.size() > 0;
  if (has_stiffness == (body.frequencies_rad_s.size() > 0)) report_finding("both or none of stiffness and frequencies");
  if (has_stiffness && (body.stiffness.rows() != modes || body.stiffness.cols() != modes))
    report_finding("a stiffness of the wrong size");
  if (!has_stiffness && body.frequencies_rad_s.size() != modes) report_finding("frequencies of the wrong number");
  if (body.mass.size() > 0 && (body.mass.rows() != modes || body.mass.cols() != modes))
    report_finding("a mass of the wrong size");
}

}  // namespace

int fuzz_modes(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Space space : {Space::kPlanar, Space::kSpatial}) {
    for (const int modes : {0, 1}) {
      const ModesFile file = read_modes_text(text, "modes.csv", space, modes);
      const bool is_refused = !file.problem.empty();
      if (is_refused == (file.body != nullptr)) report_finding("a body and a problem, or none of them");
      if (file.body != nullptr) check_body(*file.body);
    }
  }
  return 0;
}

std::vector<std::string> modes_seeds() {
  return {
      "nodes\nnode, x, y, mass\n1, 0, 0, 0.05\n2, 0.1, 0, 0.1\n\nmodes\nmode, node, ux, uy, rz\n"
      "1, 1, 0, 0, 0\n1, 2, 0, 0.12, 1.7\n\nfrequencies\n5.596\n",
      "nodes\nnode, x, y, z, mass, Ixx, Iyy, Izz\na, 0, 0, 0, 0.05, 0, 0, 0\nb, 0.1, 0, 0, 0.1, 0, 0, 0\n"
      "modes\nmode, node, ux, uy, uz, rx, ry, rz\n1, a, 0, 0, 0, 0, 0, 0\n1, b, 0, 0.12, 0, 0, 0, 1.7\n"
      "2, a, 0, 0, 0, 0, 0, 0\n2, b, 0, 0, 0.12, , , \nstiffness\n100, 1\n1, 200\nmass\n0.00144, 0\n0, 0.00144\n"
      "stresses\nmode, node, sxx, syz\n1, a, 1e9, 0\n2, a, 0, 1e8\nmoments\nmode, node, moment_xz\n1, a, 3\n2, a, 4\n"};
}

std::vector<std::string> modes_words() {
  return {"nodes", "modes", "frequencies", "stiffness", "mass", "stresses", "moments", "sxx", "moment",
          "node",  "mode",  "x",           "y",         "z",    "Ixx",      "Izz",     "ux",  "uy",
          "uz",    "rx",    "rz",          ",",         "#",    "\n",       "nan",     "inf", "0",
          "-1",    "1e308", "1e-320",      "2.5",       "\"",   ";",        "1",       "\r\n"};
}

}  // namespace freeplay::test::fuzz
