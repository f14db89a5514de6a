// Laws of contact that are functions of somebody else: of a C++ program, or of Python. For trying things before they
// become a law with a name: each is asked several times a step, and must give the same value for the same arguments.
#pragma once

#include <functional>

#include "freeplay/core/layers.h"

namespace freeplay::contact {

// f(delta) in N, delta in m.
using ElasticForceFunction = std::function<double(double delta_m)>;
// What comes to the elastic force, in N; the speed is that of the approach when the contact began.
using DampingForceFunction = std::function<double(double delta_m, double rate_m_s, double onset_speed_m_s)>;
// mu(v); mu(0) is the limit up to which a point sticks.
using FrictionFunction = std::function<double(double speed_m_s)>;

}  // namespace freeplay::contact
