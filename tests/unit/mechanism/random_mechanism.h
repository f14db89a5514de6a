// Random mechanisms for tests: trees of up to ten bodies in depth, planar or spatial, with every joint type.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <random>

#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::test {

class RandomMechanism {
 public:
  RandomMechanism(Space space, std::uint64_t seed) : space_(space), generator_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator_); }
  Vec3 vector(double size) {
    return {uniform(-size, size), uniform(-size, size), space_ == Space::kPlanar ? 0 : uniform(-size, size)};
  }

  // Bodies b1..bN; body i hangs on a random earlier one (mostly the last, so that trees get deep) or on the ground.
  MechanismSpec tree(int bodies, bool single_degree_only = false) {
    MechanismSpec spec;
    spec.space = space_;
    spec.gravity_m_s2 = vector(10);
    for (int i = 1; i <= bodies; ++i) {
      BodySpec body;
      body.name = fmt::format("b{}", i);
      body.mass_kg = uniform(0.5, 3);
      body.inertia_kg_m2 = inertia(body.mass_kg);
      spec.bodies.push_back(body);
      JointSpec joint;
      joint.name = fmt::format("j{}", i);
      std::vector<std::string> types = {"revolute", "prismatic"};
      if (!single_degree_only) types.insert(types.end(), {"revolute", "spherical", "fixed", "free"});
      if (!single_degree_only && space_ == Space::kSpatial)
        types.insert(types.end(), {"cylindrical", "planar", "universal"});
      joint.type = types[static_cast<std::size_t>(integer(0, static_cast<int>(types.size()) - 1))];
      const int earlier = i == 1 || uniform(0, 1) < 0.1 ? 0 : (uniform(0, 1) < 0.7 ? i - 1 : integer(1, i - 1));
      joint.parent = earlier == 0 ? "ground" : fmt::format("b{}", earlier);
      joint.child = body.name;
      joint.at_parent_m = vector(0.8);
      joint.at_child_m = vector(0.8);
      if (space_ == Space::kPlanar) {
        if (joint.type == "prismatic") joint.axis = vector(1);
        joint.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(uniform(-3, 3), Vec3::UnitZ()));
      } else {
        joint.axis = vector(1);
        joint.rotation = Eigen::Quaterniond(rotation_between(vector(1), vector(1)));
        if (joint.type == "universal" && uniform(0, 1) < 0.5) joint.second_axis = joint.axis->cross(vector(1));
      }
      spec.joints.push_back(joint);
    }
    return spec;
  }

  void add_springs(MechanismSpec& spec, int count) {
    const auto body = [&] {
      const int i = integer(0, static_cast<int>(spec.bodies.size()));
      return i == 0 ? std::string("ground") : fmt::format("b{}", i);
    };
    for (int i = 0; i < count; ++i) {
      SpringSpec spring;
      spring.name = fmt::format("s{}", i);
      spring.parent = body();
      spring.child = body();
      spring.at_parent_m = vector(1);
      spring.at_child_m = vector(1) + Vec3(3, 0, 0);
      spring.stiffness_N_m = uniform(1, 50);
      spring.damping_Ns_m = uniform(0, 5);
      spring.preload_N = uniform(-5, 5);
      spring.free_length_m = uniform(0, 2);
      spec.springs.push_back(spring);
    }
    for (const JointSpec& joint : spec.joints) {
      if (joint.type != "revolute" || uniform(0, 1) < 0.5) continue;
      spec.torsional_springs.push_back(
          {"t" + joint.name, joint.name, uniform(1, 20), uniform(0, 2), uniform(-1, 1), uniform(-1, 1)});
    }
  }

  State state(const Mechanism& mechanism) {
    State state = mechanism.initial_state();
    VecX delta(mechanism.velocity_count());
    for (Eigen::Index k = 0; k < delta.size(); ++k) delta[k] = uniform(-1.2, 1.2), state.u[k] = uniform(-3, 3);
    mechanism.make_dynamics()->displace(state.q, delta);
    return state;
  }

  VecX velocities(const Mechanism& mechanism, double size) {
    VecX v(mechanism.velocity_count());
    for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = uniform(-size, size);
    return v;
  }

 private:
  Mat3 inertia(double mass) {
    if (space_ == Space::kPlanar) return Vec3(0, 0, mass * uniform(0.02, 0.3)).asDiagonal();
    const Vec3 semi(uniform(0.2, 0.6), uniform(0.2, 0.6), uniform(0.2, 0.6));  // an ellipsoid: always a real body
    const Vec3 I = mass / 5 *
                   Vec3(semi.y() * semi.y() + semi.z() * semi.z(), semi.x() * semi.x() + semi.z() * semi.z(),
                        semi.x() * semi.x() + semi.y() * semi.y());
    const Mat3 R = rotation_between(vector(1), vector(1));
    const Mat3 J = R * I.asDiagonal() * R.transpose();
    return 0.5 * (J + J.transpose());
  }

  Space space_;
  std::mt19937_64 generator_;
};

// Reads channels by name.
class ChannelProbe {
 public:
  ChannelProbe(const System& system, Dynamics& dynamics) : system_(system), dynamics_(dynamics) {}
  double operator()(const std::string& name) const {
    const int index = find_channel(system_, name);
    if (index < 0) throw std::out_of_range(name);
    double value = 0;
    dynamics_.read_channels(std::span(&index, 1), std::span(&value, 1));
    return value;
  }
  Vec3 vector(const std::string& body, const char* x, const char* y, const char* z) const {
    const auto get = [&](const char* c) { return find_channel(system_, body + c) < 0 ? 0.0 : (*this)(body + c); };
    return {get(x), get(y), get(z)};
  }
  Vec3 position(const std::string& body) const { return vector(body, ".x", ".y", ".z"); }
  Vec3 velocity(const std::string& body) const { return vector(body, ".vx", ".vy", ".vz"); }
  Mat3 rotation(const std::string& body) const {
    if (find_channel(system_, body + ".angle") >= 0) {
      return Eigen::AngleAxisd((*this)(body + ".angle"), Vec3::UnitZ()).toRotationMatrix();
    }
    return rotation_from_quaternion(
        {(*this)(body + ".e0"), (*this)(body + ".e1"), (*this)(body + ".e2"), (*this)(body + ".e3")});
  }
  // World axes.
  Vec3 omega(const std::string& body) const {
    if (find_channel(system_, body + ".omega") >= 0) return {0, 0, (*this)(body + ".omega")};
    return rotation(body) * vector(body, ".omega_x", ".omega_y", ".omega_z");
  }

 private:
  const System& system_;
  Dynamics& dynamics_;
};

}  // namespace freeplay::test
