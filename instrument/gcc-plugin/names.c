#include "gcc-plugin/names.h"

#include <stdlib.h>

#include <libiberty/demangle.h>

char *fathom_names_demangle(const char *mangled)
{
	return cplus_demangle_v3(mangled, DMGL_PARAMS | DMGL_ANSI);
}

void fathom_names_free(char *name)
{
	free(name);
}
