/*
 * code_scopes: where in the functions of a profile its call paths and samples are.
 *
 * Not all scopes are shown. A reader of the call tree wants the loops and functions of the program, not those that the
 * program's templates of the C++ library consist of. Of scopes that come from system headers (below /usr/include, or
 * the compiler's own), one inside the other, only the outermost inlined function is shown, and none inside a function
 * that is itself from a system header. Loops without a known line, and scopes in libraries of the system, are not
 * shown.
 *
 * The program and its libraries are opened again to find out (samples/sample_modules.h). What cannot be found has no
 * scope: it is directly in the function. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_SCOPES_CODE_SCOPES_H
#define FATHOM_TOOLS_REPORT_SCOPES_CODE_SCOPES_H

#include "symbols/code_structure.h"
#include "tools/common/profile.h"
#include "tools/common/samples/sample_modules.h"
#include "tools/common/samples/sample_records.h"

/* Code of a call path: that of its function, or, of a region inside a function, that of the function around it. */
struct fathom_path_code {
	struct fathom_code_structure *structure;	/* NULL: not known */
	const struct fathom_code_function *function;	/* likewise */
	const struct fathom_code_scope *around;		/* of a region inside a function: where it is in there */
	const struct fathom_code_scope *inside;		/* of a recorded call path: where it is in the code of its
							 * parent in the tree; NULL: not in a loop, or not known */
	const struct fathom_code_function *caller;	/* the function that has this code */
};

struct fathom_code_scopes {
	const struct fathom_cube *cube;
	struct fathom_sample_modules modules;
	struct fathom_path_code *paths;		/* by call path */
};

/* Finds the code of all recorded call paths. is_sampled: by call path, whether it is not recorded. file must stay. */
void fathom_code_scopes_init(struct fathom_code_scopes *scopes, const struct fathom_cube *cube,
			     const struct fathom_sample_records *file, const bool *is_sampled);

/* Returns the innermost scope that is shown, of samples by call path in the function of the call path, and in *function
 * that function. NULL: there is none. */
const struct fathom_code_scope *fathom_code_scopes_at(struct fathom_code_scopes *scopes,
						      const struct fathom_sample_path *path,
						      const struct fathom_code_function **function);

/* Returns the innermost scope that is shown: the scope of a function, or one around it. NULL: there is none. */
const struct fathom_code_scope *fathom_code_scope_shown(const struct fathom_code_function *function,
							const struct fathom_code_scope *scope);

/* Returns whether a scope is around a call path that is a region inside a function, such as an OpenMP construct. */
bool fathom_code_scopes_surround(const struct fathom_code_scopes *scopes, uint32_t call_path,
				 const struct fathom_code_scope *scope);

void fathom_code_scopes_fini(struct fathom_code_scopes *scopes);

#endif
