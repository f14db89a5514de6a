// Contacts that neither last nor strike, but touch while another contact of the same group of bodies strikes. Whether
// restitution acts on them too, in the same instant, decides where the bodies go, and the sign of a gap of 1e-17 m must
// not: they are closed together if their gaps are small against the parts (docs/theory/contact.md).
#pragma once

#include <string>
#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/contact/problem/law_writer.h"
#include "freeplay/contact/problem/row_store.h"
#include "freeplay/integrators/integrator_options.h"

namespace freeplay::integrators {

class TouchingContacts {
 public:
  struct Touching {
    int point = 0;     // place in the contact set
    int striker = -1;  // after keep_struck(): another point, which strikes
  };

  // `system` must outlive this.
  TouchingContacts(const System& system, const ContactModel& contacts, const IntegratorOptions& options);

  // Whether contacts that stand open by no more than the tolerance join those that are closed.
  bool joins() const { return tolerance_ > 0; }

  // Whether look_at() can find anything.
  bool looks() const { return looked_at_ >= 0; }
  void clear() { list_.clear(); }
  // A point that does not last.
  void look_at(int point, double gap, const ContactPoint& description) {
    const double small = looked_at_ * measure_of(description);
    if (gap <= small && -gap <= small) list_.push_back({point});
  }
  // Leaves those that are tied by contacts, theirs and the active ones, to a point that strikes. After update_gaps;
  // gamma_N: velocities of all points.
  void keep_struck(ContactKinematics& kinematics, const std::vector<Activation>& active, const VecX& gamma_N);
  const std::vector<Touching>& list() const { return list_; }

  // What the outcome of the step depends on, in words.
  std::string warning(double t, const ContactSet& points, const Touching& touching) const;
  // Whether there is something to say, once: a positive tolerance in the file is a decision.
  bool is_undecided() const { return is_undecided_; }

 private:
  // What a gap is compared with: 1 m or 1 rad where nothing has a size.
  static double measure_of(const ContactPoint& point) { return point.size > 0 ? point.size : 1; }
  int root_of(int tree);
  void tie(int a, int b);
  // The two trees of a point, the first one again where there is only one; -1: none.
  std::pair<int, int> trees_of(ContactKinematics& kinematics, int point);

  const MassStructure& structure_;
  double tolerance_, looked_at_;  // of the sizes of parts
  double threshold_m_s_;
  bool is_undecided_;
  std::vector<Touching> list_;
  RowStore rows_;                   // of one point
  std::vector<int> tied_, parent_;  // trees, by bilateral rows; with contacts
  struct Strikers {
    int first = -1, second = -1;
  };
  std::vector<Strikers> strikers_;  // per tree, of the roots
};

}  // namespace freeplay::integrators
