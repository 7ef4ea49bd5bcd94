#ifndef ATMOSPHERE_PAGES_H
#define ATMOSPHERE_PAGES_H

#include <stddef.h>

/// A file of the folder `Web`, as it was when the library was built.
typedef struct {
    /// Below `Web`, such as `studio/index.html`.
    const char *path;
    const unsigned char *bytes;
    size_t count;
} AtmospherePage;

/// The files one after the other; NULL behind the last one.
const AtmospherePage *atmosphere_page(size_t index);

#endif
