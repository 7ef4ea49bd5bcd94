#pragma once

/// The commit that this build was made from, as `git describe` names it; empty where the build was not told.
const char *atmos_build_commit(void);
