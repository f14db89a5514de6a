// CVODE of SUNDIALS (Hindmarsh et al. 2005): variable order and step, BDF for stiff models, Adams for others. SUNDIALS
// stays in the source.
//
// Starts of contacts: `roots` by CVODE's own root finder; `procedure-2` (BDF only) through its projection hook, which
// is called on the converged corrector before the error test and may refuse it; `none` as the steps fall.
#pragma once

#include "freeplay/integrators/integrator.h"

namespace freeplay::integrators {

bool cvode_bdf_takes(PenetrationControl control);
bool cvode_adams_takes(PenetrationControl control);

std::unique_ptr<Integrator> make_cvode_bdf(const System& system, const ContactModel& contacts,
                                           const IntegratorOptions& options);
std::unique_ptr<Integrator> make_cvode_adams(const System& system, const ContactModel& contacts,
                                             const IntegratorOptions& options);

}  // namespace freeplay::integrators
