#include "gcc-plugin/names.h"

#include <stdlib.h>

#include <libiberty/demangle.h>

char *fathom_names_demangle(const char *mangled, int parameters)
{
	return cplus_demangle_v3(mangled, parameters ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS);
}

void fathom_names_free(char *name)
{
	free(name);
}
