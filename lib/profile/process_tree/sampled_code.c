#include "profile/process_tree/sampled_code.h"

#include <string.h>

#include "define/region.h"
#include "platform/symbol_table.h"
#include "profile/recording/sample_store.h"

enum { FIRST_FUNCTION_BITS = 8 };

struct fathom_code_function {
	struct fathom_code_function *chain;	/* next at the same place of the table */
	const struct fathom_code_module *module;	/* NULL: unknown */
	uintptr_t address;		/* of the function, or, if the unwinder did not know that, of its instruction */
	bool is_instruction;
	uintptr_t begin;		/* of the function; 0: not known */
	const struct fathom_region *region;	/* NULL: not made yet */
};

/* --- modules ------------------------------------------------------------------------------------------- */

/* Adds a module. NULL: no memory. */
static struct fathom_code_module *add_module(struct fathom_code *code, const char *path, uintptr_t begin, uintptr_t end,
					     uint64_t bias)
{
	struct fathom_code_module *module = fathom_arena_alloc(code->arena, sizeof(*module));

	if (module)
		module->path = fathom_arena_copy(code->arena, path, strlen(path));
	if (!module || !module->path)
		return NULL;
	module->begin = begin;
	module->end = end;
	module->bias = bias;
	module->kind = fathom_code_kind_of(module->path);
	module->next = code->modules;
	code->modules = module;
	return module;
}

/* Returns the module that a store has found when a sample was taken. */
static struct fathom_code_module *known_module(struct fathom_code *code, const struct fathom_sampled_module *known)
{
	struct fathom_code_module *module;

	for (module = code->modules; module; module = module->next)
		if (module->begin == known->begin && module->bias == known->bias && !strcmp(module->path, known->path))
			return module;
	module = add_module(code, known->path, known->begin, known->end, known->bias);
	if (!module)
		return NULL;
	module->id_bytes = known->id_bytes;
	memcpy(module->id, known->id, known->id_bytes);
	return module;
}

struct fathom_code_module *fathom_code_module(struct fathom_code *code, const struct fathom_sampled_path *path)
{
	static struct fathom_module found;	/* static, because signal handlers have small stacks */
	uintptr_t address = path->function ? path->function : path->address;
	struct fathom_code_module *module;

	if (path->module)
		return known_module(code, path->module);
	for (module = code->modules; module; module = module->next)
		if (module->is_loaded && address - module->begin < module->end - module->begin)
			return module;
	memset(&found, 0, sizeof(found));
	if (!address || fathom_module_find((const void *)address, &found))
		return NULL;
	module = add_module(code, found.path, found.begin, found.end, found.bias);
	if (!module)
		return NULL;
	module->is_loaded = true;
	module->id_bytes = fathom_module_build_id(&found, module->id);
	return module;
}

/* --- regions -------------------------------------------------------------------------------------------- */

static const struct fathom_region *artificial(const char *name, enum fathom_paradigm paradigm, enum fathom_role role)
{
	struct fathom_region spec = { .name = name, .paradigm = paradigm, .role = role, .is_of_profile = true };

	return fathom_region_try_define(&spec);
}

static const struct fathom_region *define(struct fathom_code *code, const struct fathom_code_module *module,
					  uintptr_t address)
{
	/* No record of a trace names a region that is made here. */
	struct fathom_region spec = { .paradigm = FATHOM_PARADIGM_COMPILER, .role = FATHOM_ROLE_FUNCTION,
				      .is_of_profile = true };

	if (module && address) {
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

/* Returns where the function begins that has an instruction, by the symbols of its module; 0: not known. */
static uintptr_t begin_by_symbol(const struct fathom_code_module *module, uintptr_t address)
{
	uint64_t begin;

	return module && fathom_symbol_table_function(module->path, address - module->bias, &begin) ?
	       begin + module->bias : 0;
}

/* Returns the function of a path's last frame. NULL: no memory. */
static struct fathom_code_function *function_of(struct fathom_code *code, const struct fathom_sampled_path *path)
{
	const struct fathom_code_module *module = fathom_code_module(code, path);
	uintptr_t address = path->function ? path->function : path->address;
	struct fathom_code_function *function, **place;

	if (!reserve_function(code))
		return NULL;
	place = place_of(code, address);
	for (function = *place; function; function = function->chain)
		if (function->address == address && function->module == module &&
		    function->is_instruction == !path->function)
			return function;
	function = fathom_arena_alloc(code->arena, sizeof(*function));
	if (!function)
		return NULL;
	function->module = module;
	function->address = address;
	function->is_instruction = !path->function;
	function->begin = path->function ? path->function : begin_by_symbol(module, address);
	function->chain = *place;
	*place = function;
	code->function_count++;
	return function;
}

uintptr_t fathom_code_begin(struct fathom_code *code, const struct fathom_sampled_path *path)
{
	const struct fathom_code_function *function = path->function ? NULL : function_of(code, path);

	return function ? function->begin : path->function;
}

const struct fathom_region *fathom_code_region(struct fathom_code *code, const struct fathom_sampled_path *path)
{
	struct fathom_code_function *function = function_of(code, path);

	if (function && !function->region)
		function->region = define(code, function->module, function->begin);
	return function ? function->region : NULL;
}

const struct fathom_region *fathom_code_partial(struct fathom_code *code)
{
	if (!code->partial)
		code->partial = artificial("(partial call paths)", FATHOM_PARADIGM_MEASUREMENT, FATHOM_ROLE_ARTIFICIAL);
	return code->partial;
}
