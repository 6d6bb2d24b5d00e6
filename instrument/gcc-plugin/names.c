#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "gcc-plugin/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

/* Converts gfortran's __solver_MOD_step to solver::step, the name that the measurement gives the function. Returns NULL
 * if the name is of another form. The caller frees the result. */
static char *fortran_module_name(const char *mangled)
{
	const char *middle = strncmp(mangled, "__", 2) ? NULL : strstr(mangled, "_MOD_");
	char *name = NULL;

	if (!middle || asprintf(&name, "%.*s::%s", (int)(middle - mangled - 2), mangled + 2, middle + 5) < 0)
		return NULL;
	return name;
}

char *fathom_names_demangle(const char *mangled)
{
	char *name = fortran_module_name(mangled);

	return name ? name : cplus_demangle_v3(mangled, DMGL_PARAMS | DMGL_ANSI);
}

void fathom_names_free(char *name)
{
	free(name);
}
