// Around the verb of docs/develop/verb.md (tests/project/snippets_test.py).
#include <fmt/format.h>

#include "freeplay/io/model/model_file.h"
#include "verbs/verbs.h"

namespace freeplay::app {

// here

}  // namespace freeplay::app
