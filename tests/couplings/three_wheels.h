// Three wheels and a slide, between which any coupling fits.
#pragma once

#include <string>

namespace freeplay::test {

// `coupling`: its keys. Only coaxial rotors have a clutch. What drives them and how it is simulated goes behind.
inline std::string three_wheels(const std::string& coupling) {
  return "freeplay: 1\nspace: planar\n"
         "bodies:\n"
         "  wheel_a: {mass: 1 kg, inertia: 2e-3 kg m^2}\n"
         "  wheel_b: {mass: 1 kg, inertia: 9e-3 kg m^2}\n"
         "  wheel_c: {mass: 1 kg, inertia: 3e-3 kg m^2}\n"
         "  slide: {mass: 2 kg, inertia: 1 kg m^2}\n"
         "joints:\n"
         "  a: {type: revolute, parent: ground, child: wheel_a}\n"
         "  b: {type: revolute, parent: ground, at_parent: [" +
         std::string(coupling.starts_with("type: clutch") ? "0 mm" : "100 mm") +
         ", 0], child: wheel_b}\n"
         "  c: {type: revolute, parent: ground, at_parent: [200 mm, 0], child: wheel_c}\n"
         "  x: {type: prismatic, parent: ground, child: slide}\n"
         "couplings: {it: {" +
         coupling + "}}\n";
}

}  // namespace freeplay::test
