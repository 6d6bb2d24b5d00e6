/*
 * sample_modules: the programs and libraries that a run took samples of, opened again.
 *
 * One that was rebuilt since the run is refused, because its addresses mean something else now. Context of all
 * functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_SAMPLE_MODULES_H
#define FATHOM_TOOLS_COMMON_SAMPLE_MODULES_H

#include <stdint.h>

#include "symbols/code_structure.h"

struct fathom_page;
struct fathom_sample_records;

struct fathom_sample_modules {
	const struct fathom_sample_records *file;
	struct fathom_code_structure **structures;	/* by module; NULL: it could not be used */
	const char **refusals;				/* by module: why; NULL: it is used, or was not needed */
};

/* Opens none yet. file must stay. */
void fathom_sample_modules_init(struct fathom_sample_modules *modules, const struct fathom_sample_records *file);

/* Returns a module, which is opened if it was not yet: the file that ran, or one of its name in the present directory.
 * NULL: it cannot be used. */
struct fathom_code_structure *fathom_sample_modules_open(struct fathom_sample_modules *modules, uint32_t index);

void fathom_sample_modules_fini(struct fathom_sample_modules *modules);

/* Prints a line for each program or library whose samples have no places. */
void fathom_sample_modules_explain(const struct fathom_sample_modules *modules, const struct fathom_page *page);

/* Returns the first reason why a program or library could not be used, and its path; NULL: all could be used. */
const char *fathom_sample_modules_refusal(const struct fathom_sample_modules *modules, const char **path);

/* Returns the part of a path behind its last slash. */
const char *fathom_base_name(const char *path);

#endif
