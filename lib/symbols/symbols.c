#include "symbols/symbols.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "define/region.h"
#include "platform/arena.h"
#include "platform/compiler.h"
#include "platform/number_table.h"
#include "symbols/code_file.h"
#include "symbols/readable_names.h"

/* A function of an object, which is a program or library that has regions. The debug information is read one
 * compilation unit at a time, when the first region of the unit is resolved; all functions of the unit are then kept
 * for later regions. Regions point to the texts here, so the objects in the list `objects` are never closed. */
struct function {
	Dwarf_Addr address;		/* in the module's own numbering */
	const char *name;		/* as the debug information spells it */
	const char *file;
	uint32_t begin_line, end_line;
	bool is_fortran;
};

/* A symbol that may name a function. */
struct named {
	uint64_t offset;
	const char *symbol;
	char *original;		/* of the symbol of a clone: the part that names the original function; or NULL */
	/* Of several symbols at one offset, the one with the highest rank names the function; see rank_of. */
	int rank;
	int order;
};

enum { RANK_FUNCTION = 3 };		/* ranks from here on are those of functions */

struct object {
	struct fathom_code_file file;
	bool is_program;		/* set with has_symbols, as the next */
	bool is_of_user;		/* see reads_lines */
	struct fathom_arena arena;	/* memory of the next two arrays and their tables */
	struct function *functions;	/* those of the units that were read */
	uint32_t function_count, function_room;
	struct fathom_number_table functions_by_address;
	uint64_t *units_read;		/* their offsets */
	uint32_t unit_count, unit_room;
	struct fathom_number_table units_by_offset;
	bool all_read;
	bool has_symbols;		/* the next two are set */
	struct named *symbols;		/* sorted: the first of each offset names the function there */
	size_t symbol_count;
	struct object *next;
};

static struct object *objects;		/* used only by the one thread that finishes the measurement */

static struct object *open_object(const char *path)
{
	struct object *object = calloc(1, sizeof(*object));

	if (object)
		fathom_code_file_open(&object->file, path);
	return object;
}

static struct object *find_object(const char *path)
{
	struct object *object = objects;

	while (object && strcmp(object->file.path, path))
		object = object->next;
	if (object)
		return object;
	object = open_object(path);
	if (object) {
		object->next = objects;
		objects = object;
	}
	return object;
}

/* --- functions and units by number ---------------------------------------------------------------- */

static uint64_t hash_of(uint64_t number)
{
	return number * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns the slot of the function at an address; it is 0 if there is none. The table must have room. */
static uint32_t *function_slot(const struct object *object, uint64_t address)
{
	uint32_t *slot = fathom_number_table_first(&object->functions_by_address, hash_of(address));

	while (*slot && object->functions[*slot - 1].address != address)
		slot = fathom_number_table_next(&object->functions_by_address, slot);
	return slot;
}

static const struct function *look_up(const struct object *object, Dwarf_Addr address)
{
	const uint32_t *slot = object->function_count ? function_slot(object, address) : NULL;

	return slot && *slot ? &object->functions[*slot - 1] : NULL;
}

/* Adds a function; it replaces an earlier one at its address. False: no memory. */
static bool add_function(struct object *object, const struct function *function)
{
	uint32_t count = object->function_count, *slot;
	int grown;

	if (!fathom_arena_grow(&object->arena, &object->functions, &object->function_room, count + 1,
			       sizeof(*object->functions)))
		return false;
	grown = fathom_number_table_reserve(&object->functions_by_address, &object->arena, count);
	if (grown < 0)
		return false;
	for (uint32_t i = 0; grown && i < count; i++)
		fathom_number_table_put(&object->functions_by_address, hash_of(object->functions[i].address), i);
	slot = function_slot(object, function->address);
	if (!*slot)
		*slot = ++object->function_count;
	object->functions[*slot - 1] = *function;
	return true;
}

/* Notes that the unit at an offset is read. False: it was before, or there is no memory. */
static bool note_unit(struct object *object, uint64_t offset)
{
	uint32_t count = object->unit_count, *slot;
	int grown;

	if (!fathom_arena_grow(&object->arena, &object->units_read, &object->unit_room, count + 1,
			       sizeof(*object->units_read)))
		return false;
	grown = fathom_number_table_reserve(&object->units_by_offset, &object->arena, count);
	if (grown < 0)
		return false;
	for (uint32_t i = 0; grown && i < count; i++)
		fathom_number_table_put(&object->units_by_offset, hash_of(object->units_read[i]), i);
	slot = fathom_number_table_first(&object->units_by_offset, hash_of(offset));
	while (*slot && object->units_read[*slot - 1] != offset)
		slot = fathom_number_table_next(&object->units_by_offset, slot);
	if (*slot)
		return false;
	object->units_read[object->unit_count] = offset;
	*slot = ++object->unit_count;
	return true;
}

/* --- debug information ------------------------------------------------------------------------- */

struct unit_reader {
	struct object *object;
	Dwarf_Addr dwarf_bias;	/* an address in Dwfl's numbering minus the same address in the debug information */
	/* The file that the compiler was called with. It is file 0 of DWARF 5, which elfutils before 0.190 does not
	 * find. */
	const char *main_file;
	bool is_fortran;
};

static void keep_lines(struct function *function, const struct unit_reader *reader, Dwarf_Die *die, Dwarf_Addr end)
{
	Dwfl_Line *last = end ? dwfl_module_getsrc(reader->object->file.module, end - 1 + reader->dwarf_bias) : NULL;
	const char *file = NULL;
	int line;

	function->file = dwarf_decl_file(die);
	if (!function->file || !*function->file)
		function->file = reader->main_file;
	if (!dwarf_decl_line(die, &line) && line > 0)
		function->begin_line = (uint32_t)line;
	if (last)
		file = dwfl_lineinfo(last, NULL, &line, NULL, NULL, NULL);
	if (file && function->file && !strcmp(file, function->file) && line > 0 &&
	    (uint32_t)line >= function->begin_line)
		function->end_line = (uint32_t)line;
}

static int keep_function(Dwarf_Die *die, void *data)
{
	const struct unit_reader *reader = data;
	Dwarf_Addr base, begin, end;
	ptrdiff_t offset = 0;

	/* A function of several pieces, for example with a cold one, begins with one of them. Declarations have no
	 * piece, nor have functions that exist only inlined. */
	while ((offset = dwarf_ranges(die, offset, &base, &begin, &end)) > 0) {
		struct function function = {
			.address = begin + reader->dwarf_bias - reader->object->file.bias,
			.name = dwarf_diename(die),
			.is_fortran = reader->is_fortran,
		};

		keep_lines(&function, reader, die, end);
		if (!add_function(reader->object, &function))
			return DWARF_CB_ABORT;
	}
	return DWARF_CB_OK;
}

static bool unit_is_fortran(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return true;
	default:
		return false;
	}
}

static void read_unit(struct object *object, Dwarf_Die *unit, Dwarf_Addr dwarf_bias)
{
	struct unit_reader reader = { object, dwarf_bias, fathom_code_file_main_source(unit), unit_is_fortran(unit) };

	if (note_unit(object, dwarf_dieoffset(unit)))
		dwarf_getfuncs(unit, keep_function, &reader, 0);
}

static const struct function *find_function(struct object *object, Dwarf_Addr address)
{
	const struct function *function = look_up(object, address);
	Dwarf_Addr dwarf_bias;
	Dwarf_Die *unit;

	if (function || object->all_read)
		return function;
	unit = dwfl_module_addrdie(object->file.module, address + object->file.bias, &dwarf_bias);
	if (unit)
		read_unit(object, unit, dwarf_bias);
	function = look_up(object, address);
	if (function)
		return function;
	/* The file has no index from addresses to units (clang writes none), so all units are read. */
	object->all_read = true;
	unit = NULL;
	while ((unit = dwfl_module_nextcu(object->file.module, unit, &dwarf_bias)) != NULL)
		read_unit(object, unit, dwarf_bias);
	return look_up(object, address);
}

/* --- names ------------------------------------------------------------------------------------- */

static const char *readable(const char *symbol, const struct function *function)
{
	const char *name = fathom_fortran_module_name(symbol);

	if (!name && function && function->is_fortran && function->name)
		name = function->name;
	if (!name)
		name = fathom_readable_name(symbol);
	return name ? name : symbol;
}

/* --- symbols ----------------------------------------------------------------------------------- */

static int compare_named(const void *a, const void *b)
{
	const struct named *left = a, *right = b;

	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	if (left->rank != right->rank)
		return right->rank - left->rank;
	return left->order - right->order;
}

/* Returns how well a symbol names the code at its address. The symbol of a function is better than a label of the
 * assembler, and a global symbol is better than a weak or local one. Below 0: the symbol names no code. */
static int rank_of(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info), bind = GELF_ST_BIND(symbol->st_info);
	int rank = bind == STB_GLOBAL ? 2 : bind == STB_WEAK ? 1 : 0;

	if (symbol->st_shndx == SHN_UNDEF)
		return -1;
	return type == STT_FUNC || type == STT_GNU_IFUNC ? RANK_FUNCTION + rank : type == STT_NOTYPE ? rank : -1;
}

/* Returns the symbol of the function that GCC made a clone from (f for f.constprop.0 and f.isra.0.constprop.1), in
 * memory that the caller owns; NULL: the symbol is of no clone, or there is no memory. */
static char *original_of_clone(const char *symbol)
{
	const char *constants = strstr(symbol, ".constprop."), *arguments = strstr(symbol, ".isra.");
	const char *suffix = constants;

	if (!suffix || (arguments && arguments < suffix))
		suffix = arguments;
	return suffix && suffix > symbol ? strndup(symbol, (size_t)(suffix - symbol)) : NULL;
}

/* Returns whether a symbol says that its file has hooks: it refers to a function that hooks call. */
static bool is_of_hooks(const GElf_Sym *symbol, const char *name)
{
	return symbol->st_shndx == SHN_UNDEF &&
	       (!strncmp(name, "__cyg_profile_func_", 19) || !strncmp(name, "fathom_", 7));
}

/* Lists and sorts the object's symbols once. */
static void list_symbols(struct object *object)
{
	int count = dwfl_module_getsymtab(object->file.module);

	object->has_symbols = true;
	object->is_program = fathom_code_file_is_program(&object->file);
	object->is_of_user = object->is_program || fathom_code_file_has_debug_info(&object->file);
	object->symbols = count > 0 ? malloc((size_t)count * sizeof(*object->symbols)) : NULL;
	for (int i = 1; object->symbols && i < count; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(object->file.module, i, &symbol, &address, NULL, NULL, NULL);
		int rank = name && *name ? rank_of(&symbol) : -1;
		char *original;

		object->is_of_user |= name && is_of_hooks(&symbol, name);
		if (rank < 0)
			continue;
		original = original_of_clone(name);
		object->symbols[object->symbol_count++] = (struct named){
			address - object->file.bias, original ? original : name, original, rank, i
		};
	}
	if (object->symbol_count)
		qsort(object->symbols, object->symbol_count, sizeof(*object->symbols), compare_named);
}

/* Returns the symbol that begins exactly at address. A symbol that begins before the address does not count. */
static const char *symbol_at(struct object *object, Dwarf_Addr address)
{
	size_t low = 0, high;

	if (!object->has_symbols)
		list_symbols(object);
	high = object->symbol_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (object->symbols[middle].offset < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == object->symbol_count || object->symbols[low].offset != address)
		return NULL;
	return object->symbols[low].symbol;
}

/* --- constructs -------------------------------------------------------------------------------- */

/* Returns the path of the source file of a line. The compiler may have been called with a relative path. */
static const char *file_of(Dwarf_Die *unit, Dwarf_Line *line)
{
	Dwarf_Attribute attribute;
	const char *file = dwarf_linesrc(line, NULL, NULL);
	const char *dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	char *path = NULL;

	if (!file || *file == '/' || !dir || asprintf(&path, "%s/%s", dir, file) < 0)
		return file;
	return path;
}

/* Adds the source position to the name of an OpenMP construct: `!$omp for` becomes `!$omp for @solver.c:120`. */
static void resolve_construct(const struct object *object, struct fathom_region *region)
{
	Dwarf_Addr address = region->offset + object->file.bias, dwarf_bias;
	Dwarf_Die *unit = fathom_code_file_unit(&object->file, region->offset, &dwarf_bias);
	Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - dwarf_bias) : NULL;
	const char *construct = region->canonical, *file, *base;
	char *name = NULL;
	int number = 0;

	file = line ? file_of(unit, line) : NULL;
	if (!file || dwarf_lineno(line, &number) || number <= 0)
		return;
	if (!strcmp(construct, "!$omp for") && unit_is_fortran(unit))
		construct = "!$omp do";
	base = strrchr(file, '/');
	if (asprintf(&name, "%s @%s:%d", construct, base ? base + 1 : file, number) < 0)
		return;
	region->name = name;
	region->canonical = name;
	region->file = file;
	region->begin_line = (uint32_t)number;
}

/*
 * Returns whether debug information is read for the functions of the object.
 *
 * Libraries of the system (the C library above all) have theirs in a separate file, which takes long to read: its
 * sections are compressed, and elfutils decompresses each of them as a whole. Samples find functions of such libraries
 * in nearly every run, and their symbols tell the names, because a separate file always has the full symbol table. So
 * debug information is read for the program, for files that contain their own, and for files with hooks.
 */
static bool reads_lines(struct object *object)
{
	if (!object->has_symbols)
		list_symbols(object);
	return object->is_of_user;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void resolve(struct fathom_region *region, bool with_lines)
{
	const struct function *function;
	struct object *object;
	const char *symbol;

	if (!region->module)
		return;
	object = find_object(region->module);
	if (!object || !object->file.module)
		return;
	if (region->paradigm == FATHOM_PARADIGM_OPENMP && region->canonical) {
		resolve_construct(object, region);
		return;
	}
	symbol = symbol_at(object, region->offset);
	function = with_lines || reads_lines(object) ? find_function(object, region->offset) : NULL;
	if (symbol) {
		region->canonical = strdup(symbol);
		region->name = readable(region->canonical ? region->canonical : symbol, function);
	} else if (function) {
		region->name = function->name;
	}
	if (function) {
		region->file = function->file;
		region->begin_line = function->begin_line;
		region->end_line = function->end_line;
	}
	if (!region->file && !object->is_program)
		region->file = base_name(object->file.path);
}

void fathom_symbols_resolve(struct fathom_region *region, bool may_allocate)
{
	if (may_allocate)
		resolve(region, false);
}

void fathom_symbols_resolve_with_lines(struct fathom_region *region)
{
	resolve(region, true);
}

/* --- all functions --------------------------------------------------------------------------------- */

/* Reads compilation units. Those of Fortran are always read, because the names of Fortran functions do not follow from
 * their symbols. */
static void read_units(struct object *object, bool all)
{
	Dwarf_Addr dwarf_bias;
	Dwarf_Die *unit = NULL;

	while ((unit = dwfl_module_nextcu(object->file.module, unit, &dwarf_bias)) != NULL)
		if (all || unit_is_fortran(unit))
			read_unit(object, unit, dwarf_bias);
}

static void close_object(struct object *object)
{
	fathom_arena_fini(&object->arena);
	for (size_t i = 0; i < object->symbol_count; i++)
		free(object->symbols[i].original);
	free(object->symbols);
	fathom_code_file_close(&object->file);
	free(object);
}

void fathom_symbols_each(const char *path, bool with_files,
			 void (*visit)(const struct fathom_symbol *symbol, void *data), void *data)
{
	struct object *object = open_object(path);

	if (object && object->file.module) {
		read_units(object, with_files);
		list_symbols(object);
	}
	for (size_t i = 0; object && i < object->symbol_count; i++) {
		const struct named *named = &object->symbols[i];
		const struct function *function;
		struct fathom_symbol symbol;

		if (named->rank < RANK_FUNCTION || (i && named->offset == named[-1].offset))
			continue;
		function = look_up(object, named->offset);
		symbol = (struct fathom_symbol){ readable(named->symbol, function), named->symbol,
						 function ? function->file : NULL, named->offset };
		visit(&symbol, data);
		if (symbol.name != named->symbol && !(function && symbol.name == function->name))
			free((char *)symbol.name);
	}
	if (object)
		close_object(object);
}

FATHOM_API const struct fathom_symbols_table fathom_symbols_table = { fathom_symbols_resolve, fathom_symbols_each };
