/*
 * foreign_region: makes a region of the text by which another tool names it.
 *
 * Other tools write all of a function's properties as one text:
 * "int main(int, char **) C [{/a/solve.c} {30,1}-{41,1}]". Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_IMPORT_FOREIGN_REGION_H
#define FATHOM_TOOLS_IMPORT_FOREIGN_REGION_H

#include <stddef.h>

#include "cube/cube.h"

/* A region and the memory of its texts. */
struct fathom_foreign_region {
	struct fathom_cube_region region;
	char *text;
};

/* Splits a name as TAU writes it. The text of length bytes need not end with a NUL. Of a C function, whose name ends in
 * " C", the type and the parameters are left out, as fathom writes names of C functions. */
void fathom_foreign_region_init(struct fathom_foreign_region *foreign, const char *text, size_t length);
void fathom_foreign_region_fini(struct fathom_foreign_region *foreign);

/* Sets paradigm, role and activity of a region according to its name: those of MPI calls, OpenMP constructs, thread
 * calls and calls for files; other names are functions. */
void fathom_foreign_region_classify(struct fathom_cube_region *region);

#endif
