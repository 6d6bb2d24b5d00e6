#include "symbols/readable_names.h"

#include <stdio.h>
#include <string.h>

#include <libiberty/demangle.h>

char *fathom_fortran_module_name(const char *linker_name)
{
	const char *middle = strncmp(linker_name, "__", 2) ? NULL : strstr(linker_name, "_MOD_");
	char *name = NULL;

	if (!middle || asprintf(&name, "%.*s::%s", (int)(middle - linker_name - 2), linker_name + 2, middle + 5) < 0)
		return NULL;
	return name;
}

char *fathom_readable_name(const char *linker_name)
{
	char *name = fathom_fortran_module_name(linker_name);

	return name ? name : cplus_demangle(linker_name, DMGL_PARAMS | DMGL_ANSI);
}
