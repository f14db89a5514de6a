// The panels of a figure, each read from the results and reduced to what a picture can show.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "freeplay/report/plot/plot_figure.h"
#include "freeplay/report/plot/plot_quantity.h"
#include "freeplay/report/plot/plot_request.h"
#include "freeplay/report/plot/plot_run.h"

namespace freeplay::report {

class PlotPanels {
 public:
  PlotPanels(const PlotRequest& request, const std::vector<PlotRun>& runs);

  // What to do about a run without a channel: for what was asked for by name it is a mistake.
  enum class Lacking : std::uint8_t { kIsAMistake, kIsLeftOut };

  std::vector<PlotPanel> histories(const std::vector<std::string>& quantities,
                                   Lacking lacking = Lacking::kIsAMistake) const;
  PlotPanel phase(const std::string& x, const std::string& y, Lacking lacking = Lacking::kIsAMistake) const;
  // The following show the runs that have such a thing, and throw NotInRun if none has.
  // Of a joint with play: the journal inside its clearance circle, or the gaps at the corners of a guide.
  std::vector<PlotPanel> orbit(const std::string& joint) const;
  PlotPanel gaps(const std::string& element) const;
  // Of an elastic body, at moments that are evenly spread: how its axis is displaced in its own axes, one panel per
  // direction; and where it is in the world, with its height.
  std::vector<PlotPanel> bend(const std::string& body) const;
  std::vector<PlotPanel> snapshots(const std::string& body) const;
  // Of the surfaces of a contact that wear: depth by the direction from the axis, and along a guide.
  std::vector<PlotPanel> wear(const std::string& element) const;
  PlotPanel modes(const std::string& element) const;
  // One panel for each unit of an impulse.
  std::vector<PlotPanel> impacts(const std::string& element) const;
  // Sizes of the forces of one joint or contact, or of those with the largest peaks; rows that have a blow in their
  // window are left out.
  PlotPanel forces(const std::string& element) const;
  // One panel for each unit: impulses of blows (findings/blows.h) on a logarithmic axis.
  std::vector<PlotPanel> blows(const std::string& element) const;
  // What a joint with play has borne, by the direction in which the child presses on the parent, or along a guide.
  std::vector<PlotPanel> bearing(const std::string& joint) const;
  // Amplitudes over the frequency.
  PlotPanel spectrum(const std::string& text) const;
  // A point per period of the request.
  PlotPanel section(const std::string& x, const std::string& y) const;
  PlotPanel density(const std::string& x, const std::string& y) const;
  std::vector<PlotPanel> energy() const;
  PlotPanel energy_overview() const;
  std::vector<PlotPanel> steps() const;

  const std::vector<PlotRun>& runs() const { return runs_; }
  // One panel with the same quantities of all runs.
  PlotPanel history(const std::vector<std::string>& quantities, Lacking lacking = Lacking::kIsAMistake) const;

 private:
  PlotPanel time_panel() const;
  void add_sleeve_ends(const std::string& joint, PlotPanel& panel) const;
  std::vector<PlotPoint> read_curve(std::size_t run, const PlotQuantity& x, const PlotQuantity& y) const;
  std::vector<std::string> recorded(const std::vector<std::string>& channels) const;
  std::vector<std::string> moving(const std::vector<std::string>& channels) const;

  const PlotRequest& request_;
  const std::vector<PlotRun>& runs_;
  std::vector<RowSpan> spans_;  // one per run
  ValueRange time_;             // of all runs
};

// Channels of contact points: "guide.gap_1" is point "1" of element "guide" for the quantity "gap".
struct PointChannel {
  std::string channel, element, point;  // point "" if there is only one
  std::string name() const { return point.empty() ? element : element + " " + point; }
};
// Those of `element`, or all if it is empty, one list per run. Throws NotInRun, with the nearest name, if no run has
// any.
std::vector<std::vector<PointChannel>> point_channels(const std::vector<PlotRun>& runs, const std::string& quantity,
                                                      const std::string& element);

// An elastic body whose deformation was recorded. Throws IoError if the file's bodies are not as freeplay writes them.
std::optional<std::string> first_bent_body(const ResultReader& result);

// What the curves of a panel have in common: "omega" of crank.omega and rod.omega, "bearing" of bearing.force_x and
// bearing.force_y, "" of others.
std::string common_name(const std::vector<std::string>& channels);

}  // namespace freeplay::report
