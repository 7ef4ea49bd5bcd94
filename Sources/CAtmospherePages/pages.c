// The files of the folder `Web`, linked into the library: a command of one file has its pages with it, and the compiler reads
// them as bytes (`#embed`, C23 §6.10.4), where a literal of Swift would take minutes.

#include "CAtmospherePages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char studio_index_html[] = {
#embed "Web/studio/index.html"
};

#define PAGE(path, name) { path, name, sizeof name }

static const AtmospherePage pages[] = {
    PAGE("studio/index.html", studio_index_html),
};

const AtmospherePage *atmosphere_page(size_t index) {
    return index < sizeof pages / sizeof pages[0] ? &pages[index] : NULL;
}
