// The layers as namespaces, one per folder below freeplay/. A layer sees the names of the layers below it, as its files
// see their headers (ARCHITECTURE.md); nothing else makes a name visible across layers. Two layers may use one word for
// two things: each finds its own, and whoever sees both has to say which one is meant.
#pragma once

// NOLINTBEGIN(google-build-using-namespace): this is the one place that says who sees whom.
namespace freeplay {

namespace core {}
namespace math {
using namespace core;
}
namespace geometry {
using namespace math;
}
namespace complementarity {
using namespace math;
}
namespace mechanism {
using namespace math;
}
namespace contact {
using namespace geometry;
using namespace complementarity;
using namespace mechanism;
}  // namespace contact
namespace integrators {
using namespace contact;
}
namespace simulation {
using namespace integrators;
}
namespace model {
using namespace simulation;
}
namespace io {
using namespace model;
}
namespace compile {
using namespace model;
}
namespace report {
using namespace io;
}
namespace study {
using namespace report;
using namespace compile;
}  // namespace study

// The command, the tests and the benchmarks see every layer, and no layer sees them.
namespace app {
using namespace study;
}
namespace test {
using namespace study;
}
namespace bench {
using namespace study;
}

}  // namespace freeplay
// NOLINTEND(google-build-using-namespace)
