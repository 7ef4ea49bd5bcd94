#include "AtmosBuild.h"

// The manifest defines it from the environment. This file alone sees the definition, so another commit compiles this file and
// the command again, and no dependency.
#define TEXT(words) #words
#define TEXT_OF(macro) TEXT(macro)

const char *atmos_build_commit(void) {
#ifdef ATMOS_COMMIT
    return TEXT_OF(ATMOS_COMMIT);
#else
    return "";
#endif
}
