#include "tools/report/scopes/code_scopes.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/progress.h"

static bool is_function(const struct fathom_cube_region *region)
{
	return strcmp(region->paradigm, "compiler") == 0;
}

/* Returns whether a region is a part of the function whose call path is its parent: its code is in that function. */
static bool is_part_of_function(const struct fathom_cube_region *region)
{
	return strcmp(region->paradigm, "user") == 0;
}

/* --- which scopes are shown ------------------------------------------------------------------------------ */

static bool begins_with(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

/* Returns whether a source file is a header of the system or of the compiler. */
static bool is_system_header(const char *file)
{
	return file && (begins_with(file, "/usr/include/") || begins_with(file, "/usr/lib/") ||
			begins_with(file, "/usr/lib64/") || strstr(file, "/include/c++/") ||
			strstr(file, "/lib/gcc/") || strstr(file, "/lib/clang/"));
}

/* Returns whether a library is one of the system. */
static bool is_system_library(const char *path)
{
	return begins_with(path, "/lib/") || begins_with(path, "/lib64/") || begins_with(path, "/usr/lib/") ||
	       begins_with(path, "/usr/lib64/");
}

/* Returns whether the code of a scope is from a system header; scope NULL: the code of the function itself. */
static bool is_of_system(const struct fathom_code_function *function, const struct fathom_code_scope *scope)
{
	if (!scope)
		return is_system_header(function->file);
	return is_system_header(scope->kind == FATHOM_SCOPE_LOOP ? scope->file : scope->source);
}

static bool is_shown(const struct fathom_code_function *function, const struct fathom_code_scope *scope)
{
	if (scope->kind == FATHOM_SCOPE_LOOP)
		return scope->line && !is_of_system(function, scope);
	/* Compilers make functions with names such as ".omp_outlined_debug__". */
	if (!scope->name || *scope->name == '.')
		return false;
	return !is_of_system(function, scope) || !is_of_system(function, scope->parent);
}

const struct fathom_code_scope *fathom_code_scope_shown(const struct fathom_code_function *function,
							const struct fathom_code_scope *scope)
{
	while (scope && !is_shown(function, scope))
		scope = scope->parent;
	return scope;
}

/* --- the code of call paths --------------------------------------------------------------------------------- */

static bool is_openmp(const struct fathom_cube_region *region)
{
	return strcmp(region->paradigm, "openmp") == 0;
}

/* Returns whether a region is an OpenMP construct inside the body of another one, which is one function. */
static bool is_inside_body(const struct fathom_cube_region *region)
{
	return is_openmp(region) && strcmp(region->role, "parallel") != 0 && strcmp(region->role, "task") != 0;
}

/* Returns whether a function is one that compilers made of the body of an OpenMP construct. */
static bool is_body(const struct fathom_code_function *function)
{
	return function->name && (strstr(function->name, "._omp_fn.") || strstr(function->name, ".omp_outlined"));
}

/* Finds the function that a sample of a call path was taken in. */
static void find_sampled_function(struct fathom_code_scopes *scopes, const struct fathom_sample_path *path)
{
	struct fathom_path_code *code = &scopes->paths[path->call_path];
	const struct fathom_cube_region *region =
		&scopes->cube->regions[scopes->cube->cnodes[path->call_path].region];

	if (code->function || path->module < 0 || (!is_function(region) && !is_openmp(region)))
		return;
	code->structure = fathom_sample_modules_open(&scopes->modules, (uint32_t)path->module);
	if (code->structure)
		code->function = fathom_code_function_at(code->structure, path->address - path->is_call);
	/* Samples of a construct are also in the runtime, and in the function around. */
	if (is_openmp(region) && code->function && !is_body(code->function))
		code->function = NULL;
}

/* Finds a function without samples of its own by its name. */
static void find_function_by_name(struct fathom_code_scopes *scopes, uint32_t call_path)
{
	const struct fathom_cube_region *region = &scopes->cube->regions[scopes->cube->cnodes[call_path].region];
	struct fathom_path_code *code = &scopes->paths[call_path];
	const char *name = *region->mangled ? region->mangled : region->name;

	for (uint32_t m = 0; !code->function && m < scopes->modules.file->module_count; m++) {
		if (is_system_library(scopes->modules.file->modules[m].path))
			continue;
		code->structure = fathom_sample_modules_open(&scopes->modules, m);
		if (code->structure)
			code->function = fathom_code_function_named(code->structure, name,
								    *region->file ? region->file : NULL);
	}
}

/*
 * Finds the function that compilers made of the body of an OpenMP construct, if it is the only one of these that calls
 * a function which is recorded there. *structure becomes its program or library. NULL: it is not known.
 */
static const struct fathom_code_function *find_body(const struct fathom_code_scopes *scopes, uint32_t call_path,
						    const char *callee, struct fathom_code_structure **structure)
{
	const struct fathom_cube_cnode *cnodes = scopes->cube->cnodes;
	const struct fathom_cube_region *outer_region;
	int32_t outer = cnodes[call_path].parent;

	while (outer >= 0 && is_openmp(&scopes->cube->regions[cnodes[outer].region]))
		outer = cnodes[outer].parent;
	if (outer < 0 || !scopes->paths[outer].function)
		return NULL;
	outer_region = &scopes->cube->regions[cnodes[outer].region];
	*structure = scopes->paths[outer].structure;
	return fathom_code_body_calling(*structure,
					*outer_region->mangled ? outer_region->mangled : outer_region->name, callee);
}

/* Returns the scope around a region, of the scopes that its first line is in: a loop that begins at this line, or
 * behind it, is inside the region. */
static const struct fathom_code_scope *scope_around(const struct fathom_code_scope *scope,
						    const struct fathom_cube_region *region)
{
	while (scope && scope->kind == FATHOM_SCOPE_LOOP && scope->line >= (uint32_t)region->begin_line)
		scope = scope->parent;
	return scope;
}

/* Finds where the calls of a recorded call path are: in the code of its parent, or in the body of an OpenMP construct.
 */
static bool find_calls(struct fathom_code_scopes *scopes, uint32_t call_path, struct fathom_code_place *place)
{
	const struct fathom_cube *cube = scopes->cube;
	const struct fathom_cube_region *region = &cube->regions[cube->cnodes[call_path].region];
	uint32_t parent = (uint32_t)cube->cnodes[call_path].parent;
	const char *name = *region->mangled ? region->mangled : region->name;
	struct fathom_path_code *code = &scopes->paths[call_path];
	struct fathom_code_structure *structure = scopes->paths[parent].structure;

	code->caller = scopes->paths[parent].function;
	if (code->caller && fathom_code_calls_at(structure, code->caller, name, place))
		return true;
	if (!is_openmp(&cube->regions[cube->cnodes[parent].region]) || is_openmp(region))
		return false;
	code->caller = find_body(scopes, parent, name, &structure);
	return code->caller && fathom_code_calls_at(structure, code->caller, name, place);
}

/* Finds where a recorded call path, which has a parent, is in the code of that. */
static void find_inside(struct fathom_code_scopes *scopes, uint32_t call_path)
{
	const struct fathom_cube_cnode *node = &scopes->cube->cnodes[call_path];
	const struct fathom_cube_region *region = &scopes->cube->regions[node->region];
	const struct fathom_path_code *parent = &scopes->paths[node->parent];
	struct fathom_path_code *code = &scopes->paths[call_path];
	struct fathom_code_place place = { 0 };
	bool is_part = is_part_of_function(region) || is_inside_body(region);

	if (is_part || !find_calls(scopes, call_path, &place)) {
		code->caller = parent->function;
		if (code->caller && !is_function(region) && region->begin_line > 0 &&
		    fathom_code_line_at(code->caller, region->file, (uint32_t)region->begin_line, &place))
			place.scope = scope_around(place.scope, region);
	}
	code->inside = place.scope;
	if (is_part) {
		code->structure = parent->structure;
		code->function = parent->function;
		code->around = place.scope ? place.scope : parent->around;
	}
}

void fathom_code_scopes_init(struct fathom_code_scopes *scopes, const struct fathom_cube *cube,
			     const struct fathom_sample_records *file, const bool *is_sampled)
{
	bool *has_recorded = fathom_tool_alloc(cube->cnode_count, sizeof(*has_recorded));

	*scopes = (struct fathom_code_scopes){ .cube = cube };
	fathom_sample_modules_init(&scopes->modules, file);
	scopes->paths = fathom_tool_alloc(cube->cnode_count, sizeof(*scopes->paths));
	for (uint32_t c = 0; c < cube->cnode_count; c++)
		if (!is_sampled[c] && cube->cnodes[c].parent >= 0)
			has_recorded[cube->cnodes[c].parent] = true;
	for (size_t p = 0; p < file->path_count; p++) {
		fathom_progress_step();
		if (!is_sampled[file->paths[p].call_path])
			find_sampled_function(scopes, &file->paths[p]);
	}
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		fathom_progress_step();
		if (is_sampled[c])
			continue;
		if (has_recorded[c] && !scopes->paths[c].function &&
		    is_function(&cube->regions[cube->cnodes[c].region]))
			find_function_by_name(scopes, c);
		if (cube->cnodes[c].parent >= 0)
			find_inside(scopes, c);
	}
	free(has_recorded);
}

const struct fathom_code_scope *fathom_code_scopes_at(struct fathom_code_scopes *scopes,
						      const struct fathom_sample_path *path,
						      const struct fathom_code_function **function)
{
	struct fathom_code_structure *structure;
	uint64_t address = path->address - path->is_call;
	struct fathom_code_place place;

	if (path->module < 0 || is_system_library(scopes->modules.file->modules[path->module].path))
		return NULL;
	structure = fathom_sample_modules_open(&scopes->modules, (uint32_t)path->module);
	*function = structure ? fathom_code_function_at(structure, address) : NULL;
	if (!*function)
		return NULL;
	fathom_code_place_at(*function, address, &place);
	return fathom_code_scope_shown(*function, place.scope);
}

bool fathom_code_scopes_surround(const struct fathom_code_scopes *scopes, uint32_t call_path,
				 const struct fathom_code_scope *scope)
{
	const struct fathom_path_code *code = &scopes->paths[call_path];

	/* A sample of an OpenMP construct may be in the function around, which forks the team. */
	return scope == code->around ||
	       (scope == code->inside && is_openmp(&scopes->cube->regions[scopes->cube->cnodes[call_path].region]));
}

void fathom_code_scopes_fini(struct fathom_code_scopes *scopes)
{
	fathom_sample_modules_fini(&scopes->modules);
	free(scopes->paths);
	*scopes = (struct fathom_code_scopes){ 0 };
}
