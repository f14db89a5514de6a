// A run step by step, with a look at the state after each.
#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <unordered_map>

#include "bindings.h"
#include "freeplay/io/schema/record_layout.h"
#include "models.h"
#include "python_loads.h"
#include "text/report.h"

namespace freeplay::app::python {

namespace {

// Keeps the row and the impacts of the last step.
class LastStepSink final : public RecordSink {
 public:
  void begin(const RecordLayout& given) override {
    layout = given;
    for (std::size_t i = 0; i < layout.channels.size(); ++i) places[layout.channels[i].name] = i;
  }
  void row(double, std::span<const double> given) override { values.assign(given.begin(), given.end()); }
  void impact(const ImpactRecord& record) override { impacts.push_back(record); }
  void event(const EventRecord& record) override { events.push_back(record); }
  void end(const RunSummary& given) override { summary = given; }

  RecordLayout layout;
  std::unordered_map<std::string, std::size_t> places;
  std::vector<double> values;
  std::vector<ImpactRecord> impacts;
  std::vector<EventRecord> events;
  RunSummary summary;
};

py::array copy_of(const VecX& v) {
  return py::array_t<double>(v.size(), v.data());
}

class Stepper {
 public:
  Stepper(std::shared_ptr<LoadedModel> model, const std::optional<StartState>& start)
      : model_(std::move(model)), start_(start_of(*model_, start)), runnable_(model_, stop_) {
    const py::gil_scoped_release released;
    ModelFile file = runnable_.file();
    file.record = {};  // everything, after every step
    simulation_ = build_simulation(file, runnable_.model());
    dynamics_ = model_->model.system->make_dynamics();
    if (!model_->model.contacts->is_empty()) points_ = model_->model.contacts->make_kinematics(*dynamics_);
    RunContext context;
    context.stop_requested = &stop_.is_set;
    simulation_->open(start_, sink_, context, record_layout(file));
  }

  // False if the run is over. Then it is closed.
  bool advance() {
    const Use use(*this);
    if (is_closed_) return false;
    sink_.impacts.clear();
    sink_.events.clear();
    if (simulation_->advance()) return true;
    simulation_->close();
    is_closed_ = true;
    runnable_.rethrow();
    return false;
  }
  bool is_closed() const { return is_closed_; }

  const State& state() const {
    refuse_while_in_use();
    return simulation_->state();
  }
  const LastStepSink& sink() const {
    refuse_while_in_use();
    return sink_;
  }

  double value(const std::string& channel) const {
    refuse_while_in_use();
    const auto place = sink_.places.find(channel);
    if (place == sink_.places.end()) refuse_channel(channel, sink_.layout.channels);
    // Before the first step of a method that finds reactions in steps there is no row yet.
    return sink_.values.empty() ? std::numeric_limits<double>::quiet_NaN() : sink_.values[place->second];
  }

  py::dict energies() {
    dynamics_->set_position(state().t, state().q);
    dynamics_->set_velocity(state().u);
    const Energies energies = dynamics_->energies();
    const EnergyAccount& account = state().account;
    py::dict result;
    result["kinetic"] = energies.kinetic;
    double in_contacts = 0;  // under force laws
    for (const ContactMemory& contact : state().contacts) in_contacts += contact.elastic_energy;
    result["potential"] = energies.potential + in_contacts;
    result["input"] = account.input;
    result["damping_loss"] = account.damping_loss;
    result["impact_loss"] = account.impact_loss;
    result["friction_loss"] = account.friction_loss;
    return result;
  }

  // Of every named point: (name, gap, mode, normal impulse, tangential impulses, place, normal), what it did in the
  // last step.
  py::list points() {
    py::list list;
    if (!points_) return list;
    dynamics_->set_position(state().t, state().q);
    points_->recall(state());
    points_->take_all_points();
    VecX gaps(points_->set().size());
    points_->update_gaps(gaps);
    for (int place = 0; place < points_->set().size(); ++place) {
      const ContactKey key = points_->set().key(place);
      const auto at = std::find_if(state().contacts.begin(), state().contacts.end(),
                                   [&](const ContactMemory& memory) { return memory.key == key; });
      const ContactMemory memory = at == state().contacts.end() ? ContactMemory{} : *at;
      const PointPlace where = points_->set()[place].has_place ? points_->place_of(place) : kNowhere;
      list.append(py::make_tuple(points_->set()[place].name(), gaps[place], mode_word(memory.mode),
                                 memory.normal_impulse,
                                 py::make_tuple(memory.tangential_impulse[0], memory.tangential_impulse[1]),
                                 vector_of(where.point_m), vector_of(where.normal)));
    }
    return list;
  }

 private:
  // Steps run without the interpreter's lock: another thread, or a load function of the run itself, may come by.
  class Use {
   public:
    explicit Use(Stepper& stepper) : in_use_(stepper.in_use_) {
      if (in_use_.exchange(true)) refuse();
    }
    ~Use() { in_use_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    std::atomic<bool>& in_use_;
  };
  [[noreturn]] static void refuse() { throw std::runtime_error("a step of this run is being taken at this moment"); }
  void refuse_while_in_use() const {
    if (in_use_) refuse();
  }

  // A stop, or dry friction in a joint, acts along a coordinate.
  inline static const PointPlace kNowhere{Vec3::Constant(std::numeric_limits<double>::quiet_NaN()),
                                          Vec3::Constant(std::numeric_limits<double>::quiet_NaN())};
  static const char* mode_word(ContactMode mode) {
    return mode == ContactMode::kOpen ? "open" : mode == ContactMode::kSlip ? "slip" : "stick";
  }
  static py::tuple vector_of(const Vec3& v) { return py::make_tuple(v[0], v[1], v[2]); }

  std::shared_ptr<LoadedModel> model_;
  State start_;
  StopFlag stop_;
  RunModel runnable_;
  LastStepSink sink_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<ContactKinematics> points_;  // none if nothing can touch
  bool is_closed_ = false;
  std::atomic<bool> in_use_ = false;
};

}  // namespace

void bind_steps(py::module_& module) {
  using Self = const py::object&;
  const auto sink = [](Self self) -> const LastStepSink& { return self.cast<const Stepper&>().sink(); };
  const auto copied = [](const py::array& view) -> py::array { return view.attr("copy")(); };
  py::class_<Stepper>(module, "Stepper")
      .def(py::init<std::shared_ptr<LoadedModel>, const std::optional<StartState>&>(), py::arg("model"),
           py::arg("start") = py::none())
      .def("advance", &Stepper::advance, py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("time", [](const Stepper& stepper) { return stepper.state().t; })
      .def_property_readonly("q", [](const Stepper& stepper) { return copy_of(stepper.state().q); })
      .def_property_readonly("u", [](const Stepper& stepper) { return copy_of(stepper.state().u); })
      .def_property_readonly("energies", &Stepper::energies)
      .def_property_readonly("points", &Stepper::points)
      .def_property_readonly("impacts", [=](Self self) { return copied(view_of(sink(self).impacts, self)); })
      .def_property_readonly("events", [=](Self self) { return copied(view_of(sink(self).events, self)); })
      .def_property_readonly("contacts", [=](Self self) { return sink(self).layout.contacts; })
      .def_property_readonly("channels", [=](Self self) { return units_of(sink(self).layout.channels); })
      .def("value", &Stepper::value, py::arg("channel"))
      .def_property_readonly("summary",
                             [](const Stepper& stepper) -> py::object {
                               if (!stepper.is_closed()) return py::none();
                               return summary_of(stepper.sink().summary);
                             })
      .def_property_readonly("failure", [](const Stepper& stepper) -> py::object {
        if (!stepper.is_closed()) return py::none();
        return failure_of(stepper.sink().summary);
      });
}

}  // namespace freeplay::app::python
