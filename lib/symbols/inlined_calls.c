#include "symbols/inlined_calls.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/readable_names.h"

enum {
	MOST_LEVELS = 200,		/* of blocks and calls within each other */
	MOST_CALLS = 1 << 16,		/* of one function */
	MOST_RANGES = 1 << 18,
	MOST_STEPS = 1 << 26,		/* for filling in the index: damaged ranges may all overlap */
};

struct range {
	uint64_t begin, end;
	int32_t call;
};

struct reader {
	const struct fathom_source_function *function;
	struct fathom_inlined_calls *calls;
	Dwarf_Files *sources;
	size_t source_count;
	const char *main_source;	/* NULL until it is needed */
	struct range *ranges;		/* those of a call come after those of its parent */
	size_t range_count, range_room;
};

static const char *main_source(struct reader *reader)
{
	Dwarf_Die unit = reader->function->unit_of_die;

	if (!reader->main_source)
		reader->main_source = fathom_code_file_main_source(&unit);
	return reader->main_source;
}

static uint32_t number_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value = 0;

	if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) || value > INT32_MAX)
		return 0;
	return (uint32_t)value;
}

static const char *call_source(struct reader *reader, Dwarf_Die *die)
{
	uint32_t number = number_of(die, DW_AT_call_file);
	const char *source = NULL;

	if (number && number < reader->source_count)
		source = dwarf_filesrc(reader->sources, number, NULL, NULL);
	return source ? source : main_source(reader);
}

static const char *name_of(const struct fathom_inlined_calls *calls, Dwarf_Die *die, uint64_t origin)
{
	Dwarf_Attribute attribute;
	const char *linker_name, *name;

	for (uint32_t i = 0; i < calls->count; i++)
		if (calls->list[i].origin == origin)
			return calls->list[i].name;
	linker_name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
	name = linker_name ? fathom_readable_name(linker_name) : NULL;
	return name ? name : dwarf_diename(die);
}

/* Returns the call with these properties, which becomes a new one if there is none. -1: there is no room for it. */
static int32_t find_call(struct reader *reader, Dwarf_Die *die, int32_t parent)
{
	struct fathom_inlined_calls *calls = reader->calls;
	struct fathom_inlined_call call = { .parent = parent, .call_line = number_of(die, DW_AT_call_line) };
	Dwarf_Attribute attribute;
	Dwarf_Die origin;
	int line;

	if (!dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attribute), &origin))
		return -1;
	call.origin = dwarf_dieoffset(&origin);
	call.call_source = call_source(reader, die);
	for (uint32_t i = 0; i < calls->count; i++) {
		const struct fathom_inlined_call *other = &calls->list[i];

		if (other->parent == parent && other->origin == call.origin && other->call_line == call.call_line &&
		    other->call_source == call.call_source)
			return (int32_t)i;
	}
	if (calls->count == calls->room) {
		uint32_t room = calls->room ? 2 * calls->room : 32;
		struct fathom_inlined_call *larger = reallocarray(calls->list, room, sizeof(*larger));

		if (!larger || calls->count >= MOST_CALLS)
			return -1;
		calls->list = larger;
		calls->room = room;
	}
	call.name = name_of(calls, die, call.origin);
	if (!call.name)
		return -1;
	call.source = dwarf_decl_file(die);
	if (!call.source || !*call.source)
		call.source = main_source(reader);
	call.begin_line = dwarf_decl_line(die, &line) == 0 && line > 0 ? (uint32_t)line : 0;
	call.end_line = call.begin_line;
	calls->list[calls->count] = call;
	return (int32_t)calls->count++;
}

/* Returns the function that a call, or the code of a function, is a copy of. */
static uint64_t origin_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin;

	if (dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attribute), &origin))
		return dwarf_dieoffset(&origin);
	return dwarf_dieoffset(die);
}

/* Returns whether a call is a part of the function around it. GCC divides functions, and may inline one part into the
 * other: such a call is at the line where its function is declared. */
static bool is_part(const struct reader *reader, Dwarf_Die *die, int32_t parent)
{
	Dwarf_Die function = reader->function->die;
	uint64_t around = parent == FATHOM_NO_CALL ? origin_of(&function) : reader->calls->list[parent].origin;
	int line;

	return origin_of(die) == around && dwarf_decl_line(die, &line) == 0 &&
	       (uint32_t)line == number_of(die, DW_AT_call_line);
}

static int add_ranges(struct reader *reader, Dwarf_Die *die, int32_t call)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(die, offset, &base, &begin, &end)) > 0 && reader->range_count < MOST_RANGES) {
		if (begin >= end)
			continue;
		if (reader->range_count == reader->range_room) {
			size_t room = reader->range_room ? 2 * reader->range_room : 64;
			struct range *larger = reallocarray(reader->ranges, room, sizeof(*larger));

			if (!larger)
				return -ENOMEM;
			reader->ranges = larger;
			reader->range_room = room;
		}
		begin += reader->function->dwarf_bias;
		end += reader->function->dwarf_bias;
		reader->ranges[reader->range_count++] = (struct range){ begin, end, call };
	}
	return 0;
}

static bool contains_calls(int tag)
{
	switch (tag) {
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		return true;
	default:
		return false;
	}
}

static int read_children(struct reader *reader, Dwarf_Die *parent_die, int32_t parent, int level)
{
	Dwarf_Off before = dwarf_dieoffset(parent_die);
	Dwarf_Die die;
	int err = 0;

	if (level > MOST_LEVELS || dwarf_child(parent_die, &die) != 0)
		return 0;
	do {
		int tag = dwarf_tag(&die);
		int32_t call = parent;

		/* In damaged files a sibling may come before its brother. */
		if (dwarf_dieoffset(&die) <= before)
			return 0;
		before = dwarf_dieoffset(&die);
		if (!contains_calls(tag))
			continue;
		if (tag == DW_TAG_inlined_subroutine && !is_part(reader, &die, parent)) {
			call = find_call(reader, &die, parent);
			if (call < 0)
				continue;
			err = add_ranges(reader, &die, call);
		}
		if (!err)
			err = read_children(reader, &die, call, level + 1);
	} while (!err && dwarf_siblingof(&die, &die) == 0);
	return err;
}

static int compare_code(const void *a, const void *b)
{
	const struct fathom_inlined_code *left = a, *right = b;

	return left->begin < right->begin ? -1 : left->begin > right->begin;
}

/* Returns the index of the last part that begins at or before an address; the number of parts: there is none. */
static size_t find_code(const struct fathom_inlined_calls *calls, uint64_t address)
{
	size_t low = 0, high = calls->code_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (calls->code[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : calls->code_count;
}

/* Divides the code at all begins and ends of ranges. Each part gets the call of the innermost range around it, because
 * inner ranges come later. */
static int make_index(struct reader *reader)
{
	struct fathom_inlined_calls *calls = reader->calls;
	struct fathom_inlined_code *code = calloc(2 * reader->range_count + 1, sizeof(*code));
	size_t count = 0, steps = 0;

	if (!code)
		return -ENOMEM;
	for (size_t i = 0; i < reader->range_count; i++) {
		code[count++] = (struct fathom_inlined_code){ reader->ranges[i].begin, FATHOM_NO_CALL };
		code[count++] = (struct fathom_inlined_code){ reader->ranges[i].end, FATHOM_NO_CALL };
	}
	if (count)
		qsort(code, count, sizeof(*code), compare_code);
	calls->code = code;
	for (size_t i = 0; i < count; i++)
		if (!calls->code_count || code[i].begin != code[calls->code_count - 1].begin)
			code[calls->code_count++] = code[i];
	for (size_t i = 0; i < reader->range_count && steps < MOST_STEPS; i++)
		for (size_t c = find_code(calls, reader->ranges[i].begin);
		     c < calls->code_count && code[c].begin < reader->ranges[i].end && steps < MOST_STEPS; c++, steps++)
			code[c].call = reader->ranges[i].call;
	return 0;
}

static bool is_in_function(const struct fathom_source_function *function, uint64_t address)
{
	for (uint32_t p = 0; p < function->piece_count; p++)
		if (address >= function->pieces[p].begin && address < function->pieces[p].end)
			return true;
	return false;
}

/* Finds the last line of the function, and of each inlined function, that has code here. */
static void find_ends(struct reader *reader)
{
	struct fathom_inlined_calls *calls = reader->calls;
	Dwarf_Die die = reader->function->die, unit = reader->function->unit;
	const char *function_source = dwarf_decl_file(&die);
	Dwarf_Lines *lines;
	size_t count;

	if (!function_source || !*function_source)
		function_source = main_source(reader);
	if (dwarf_getsrclines(&unit, &lines, &count))
		return;
	for (size_t i = 0; i + 1 < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Addr address, next;
		const char *source, *line_source;
		uint32_t *end_line;
		int32_t index;
		int number;

		if (!line || dwarf_lineaddr(line, &address) || dwarf_lineno(line, &number) || number <= 0 ||
		    !is_in_function(reader->function, address + reader->function->dwarf_bias))
			continue;
		/* Of several lines at one address only the last one has code. */
		if (dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &next) == 0 && next == address)
			continue;
		index = fathom_inlined_call_at(calls, address + reader->function->dwarf_bias);
		source = index == FATHOM_NO_CALL ? function_source : calls->list[index].source;
		end_line = index == FATHOM_NO_CALL ? &calls->end_line : &calls->list[index].end_line;
		line_source = dwarf_linesrc(line, NULL, NULL);
		if ((uint32_t)number > *end_line && source && line_source && strcmp(source, line_source) == 0)
			*end_line = (uint32_t)number;
	}
}

int fathom_inlined_calls_init(struct fathom_inlined_calls *calls, const struct fathom_source_function *function)
{
	struct reader reader = { .function = function, .calls = calls };
	Dwarf_Die die = function->die, unit = function->unit_of_die;
	int err;

	*calls = (struct fathom_inlined_calls){ 0 };
	if (!function->has_die)
		return 0;
	if (dwarf_getsrcfiles(&unit, &reader.sources, &reader.source_count))
		reader.source_count = 0;
	err = read_children(&reader, &die, FATHOM_NO_CALL, 0);
	if (!err)
		err = make_index(&reader);
	if (!err)
		find_ends(&reader);
	free(reader.ranges);
	if (err)
		fathom_inlined_calls_fini(calls);
	return err;
}

int32_t fathom_inlined_call_at(const struct fathom_inlined_calls *calls, uint64_t address)
{
	size_t index = find_code(calls, address);

	return index < calls->code_count ? calls->code[index].call : FATHOM_NO_CALL;
}

int32_t fathom_inlined_calls_common(const struct fathom_inlined_calls *calls, int32_t a, int32_t b)
{
	/* A parent has a smaller number than its children. */
	while (a != b) {
		if (a > b)
			a = calls->list[a].parent;
		else
			b = calls->list[b].parent;
	}
	return a;
}

void fathom_inlined_calls_fini(struct fathom_inlined_calls *calls)
{
	free(calls->list);
	free(calls->code);
	*calls = (struct fathom_inlined_calls){ 0 };
}
