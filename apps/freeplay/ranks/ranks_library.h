// The ranks of mpirun, if it has started this process.
#pragma once

#include "freeplay/study/sweep/workers/ranks.h"

namespace freeplay::app {

// Null without mpirun, which costs nothing: no library is looked for. Throws IoError if mpirun has started this process
// and this freeplay was built without MPI.
Ranks* ranks_of_mpirun();
// Throws UsageError where mpirun has started several processes of a verb that would do all of its work in each, and
// write the same files.
void require_one_process(const char* verb);

}  // namespace freeplay::app
