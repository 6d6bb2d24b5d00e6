#include "profile/sampled_code.h"

#include <string.h>

#include "define/region.h"

enum { FIRST_FUNCTION_BITS = 8 };

struct fathom_code_function {
	struct fathom_code_function *chain;	/* next at the same place of the table */
	uintptr_t address;
	const struct fathom_region *region;
};

/* --- modules ------------------------------------------------------------------------------------------- */

static bool begins_with(const char *text, const char *begin)
{
	return !strncmp(text, begin, strlen(begin));
}

static enum fathom_code_kind kind_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (begins_with(name, "libfathom"))
		return FATHOM_CODE_FATHOM;
	if (begins_with(name, "libgomp.so") || begins_with(name, "libomp.so") || begins_with(name, "libiomp5.so"))
		return FATHOM_CODE_OPENMP;
	if (begins_with(name, "libc.so") || begins_with(name, "libc-2.") || begins_with(name, "libpthread") ||
	    begins_with(name, "ld-linux") || begins_with(name, "ld-2."))
		return FATHOM_CODE_LIBC;
	return FATHOM_CODE_PROGRAM;
}

struct fathom_code_module *fathom_code_module(struct fathom_code *code, uintptr_t address)
{
	static struct fathom_module found;	/* static, because signal handlers have small stacks */
	struct fathom_code_module *module;

	for (module = code->modules; module; module = module->next)
		if (address - module->begin < module->end - module->begin)
			return module;
	memset(&found, 0, sizeof(found));
	if (!address || fathom_module_find((const void *)address, &found))
		return NULL;
	module = fathom_arena_alloc(code->arena, sizeof(*module));
	if (module)
		module->path = fathom_arena_copy(code->arena, found.path, strlen(found.path));
	if (!module || !module->path)
		return NULL;
	module->begin = found.begin;
	module->end = found.end;
	module->bias = found.bias;
	module->kind = kind_of(module->path);
	module->id_bytes = fathom_module_build_id(&found, module->id);
	module->next = code->modules;
	code->modules = module;
	return module;
}

/* --- regions -------------------------------------------------------------------------------------------- */

static const struct fathom_region *artificial(const char *name, enum fathom_paradigm paradigm, enum fathom_role role)
{
	struct fathom_region spec = { .name = name, .paradigm = paradigm, .role = role, .is_of_profile = true };

	return fathom_region_try_define(&spec);
}

static const struct fathom_region *define(struct fathom_code *code, uintptr_t address)
{
	const struct fathom_code_module *module = fathom_code_module(code, address);
	/* No record of a trace names a region that is made here. */
	struct fathom_region spec = { .paradigm = FATHOM_PARADIGM_COMPILER, .role = FATHOM_ROLE_FUNCTION,
				      .is_of_profile = true };

	if (module) {
		spec.module = module->path;
		spec.offset = address - module->bias;
		return fathom_region_try_define(&spec);
	}
	if (!code->unknown)
		code->unknown = artificial("(unknown)", FATHOM_PARADIGM_COMPILER, FATHOM_ROLE_FUNCTION);
	return code->unknown;
}

static struct fathom_code_function **place_of(const struct fathom_code *code, uintptr_t address)
{
	return &code->functions[(uint64_t)address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - code->function_bits)];
}

/* Makes room in the table for one function more. False: no memory. */
static bool reserve_function(struct fathom_code *code)
{
	uint8_t bits = code->functions ? code->function_bits + 2 : FIRST_FUNCTION_BITS, before = code->function_bits;
	struct fathom_code_function **old = code->functions, **table;

	if (old && code->function_count < (uint32_t)1 << before)
		return true;
	table = fathom_arena_alloc(code->arena, sizeof(*table) << bits);
	if (!table)
		return false;
	code->functions = table;
	code->function_bits = bits;
	for (size_t i = 0; old && i < (size_t)1 << before; i++)
		for (struct fathom_code_function *function = old[i], *next; function; function = next) {
			struct fathom_code_function **place = place_of(code, function->address);

			next = function->chain;
			function->chain = *place;
			*place = function;
		}
	return true;
}

const struct fathom_region *fathom_code_region(struct fathom_code *code, uintptr_t address)
{
	struct fathom_code_function *function, **place;
	const struct fathom_region *region;

	if (!reserve_function(code))
		return NULL;
	place = place_of(code, address);
	for (function = *place; function; function = function->chain)
		if (function->address == address)
			return function->region;
	region = define(code, address);
	function = region ? fathom_arena_alloc(code->arena, sizeof(*function)) : NULL;
	if (!function)
		return region;
	function->address = address;
	function->region = region;
	function->chain = *place;
	*place = function;
	code->function_count++;
	return region;
}

const struct fathom_region *fathom_code_partial(struct fathom_code *code)
{
	if (!code->partial)
		code->partial = artificial("(partial call paths)", FATHOM_PARADIGM_MEASUREMENT, FATHOM_ROLE_ARTIFICIAL);
	return code->partial;
}
