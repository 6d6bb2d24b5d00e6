#include "symbols/source_functions.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_PIECES = 64,	/* of one function */
	MOST_LEVELS = 32,	/* of name spaces, and of functions within functions */
};

/* Makes a function of so many pieces, of which the first one begins with its entry, and indexes them. NULL: memory is
 * exhausted. The index is not sorted after this. */
static struct fathom_source_function *add_function(struct fathom_source_functions *functions,
						   const struct fathom_code_piece *pieces, uint32_t count)
{
	struct fathom_source_function *function = calloc(1, sizeof(*function));
	struct fathom_code_piece *copy = calloc(count, sizeof(*copy));
	size_t room = functions->piece_room;

	if (!function || !copy)
		goto out_of_memory;
	if (functions->piece_count + count > room) {
		struct fathom_function_piece *larger;

		room = 2 * room + count + 64;
		larger = reallocarray(functions->pieces, room, sizeof(*larger));
		if (!larger)
			goto out_of_memory;
		functions->pieces = larger;
		functions->piece_room = room;
	}
	memcpy(copy, pieces, count * sizeof(*copy));
	function->entry = pieces[0].begin;
	function->pieces = copy;
	function->piece_count = count;
	function->next = functions->list;
	functions->list = function;
	for (uint32_t i = 0; i < count; i++)
		functions->pieces[functions->piece_count++] =
			(struct fathom_function_piece){ pieces[i].begin, pieces[i].end, function };
	return function;

out_of_memory:
	free(function);
	free(copy);
	return NULL;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct fathom_function_piece *left = a, *right = b;

	return left->begin < right->begin ? -1 : left->begin > right->begin;
}

static void sort(struct fathom_source_functions *functions)
{
	if (functions->piece_count)
		qsort(functions->pieces, functions->piece_count, sizeof(*functions->pieces), compare_pieces);
}

static struct fathom_source_function *look_up(const struct fathom_source_functions *functions, uint64_t address)
{
	size_t low = 0, high = functions->piece_count;

	while (low < high) {	/* finds the first piece that begins after address */
		size_t middle = low + (high - low) / 2;

		if (functions->pieces[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < functions->pieces[low - 1].end ? functions->pieces[low - 1].function : NULL;
}

/* --- functions of the debug information --------------------------------------------------------- */

/* What all functions of a compilation unit share. */
struct unit_reader {
	struct fathom_source_functions *functions;
	Dwarf_Die *unit;
	Dwarf_Die unit_of_dies;
	Dwarf_Addr dwarf_bias;		/* Dwfl's addresses are larger by this */
	bool is_out_of_memory;
};

static void add_die(struct unit_reader *reader, Dwarf_Die *die)
{
	Dwarf_Addr bias = reader->dwarf_bias - reader->functions->file->bias, base, begin, end;
	struct fathom_code_piece pieces[MOST_PIECES];
	struct fathom_source_function *function;
	ptrdiff_t offset = 0;
	uint32_t count = 0;

	/* Declarations, and functions that exist only inlined, have no code. The linker removes code that is not used;
	 * its addresses remain as 0, or as the highest ones. */
	while (count < MOST_PIECES && (offset = dwarf_ranges(die, offset, &base, &begin, &end)) > 0)
		if (begin && begin < end)
			pieces[count++] = (struct fathom_code_piece){ begin + bias, end + bias };
	if (!count)
		return;
	function = add_function(reader->functions, pieces, count);
	if (!function) {
		reader->is_out_of_memory = true;
		return;
	}
	function->has_die = function->has_unit = true;
	function->die = *die;
	function->unit = *reader->unit;
	function->unit_of_die = reader->unit_of_dies;
	function->dwarf_bias = bias;
}

static bool contains_functions(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_namespace || tag == DW_TAG_module;
}

static void read_children(struct unit_reader *reader, Dwarf_Die *parent, int level)
{
	Dwarf_Die die;
	Dwarf_Off before = dwarf_dieoffset(parent);

	if (level > MOST_LEVELS || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		/* In damaged files a sibling may come before its brother. */
		if (dwarf_dieoffset(&die) <= before)
			return;
		before = dwarf_dieoffset(&die);
		if (tag == DW_TAG_subprogram)
			add_die(reader, &die);
		if (contains_functions(tag))
			read_children(reader, &die, level + 1);
	} while (!reader->is_out_of_memory && dwarf_siblingof(&die, &die) == 0);
}

/* Returns the unit with the functions: the unit itself, or what a separate file has of it. */
static Dwarf_Die unit_with_functions(Dwarf_Die *unit)
{
	Dwarf_Die separate;
	uint8_t kind;

	if (dwarf_cu_info(unit->cu, NULL, &kind, NULL, &separate, NULL, NULL, NULL) == 0 && kind == DW_UT_skeleton &&
	    dwarf_tag(&separate) == DW_TAG_compile_unit)
		return separate;
	return *unit;
}

static void read_units(struct fathom_source_functions *functions)
{
	struct unit_reader reader = { .functions = functions };

	functions->has_read_units = true;
	while ((reader.unit = dwfl_module_nextcu(functions->file->module, reader.unit, &reader.dwarf_bias)) != NULL &&
	       !reader.is_out_of_memory) {
		reader.unit_of_dies = unit_with_functions(reader.unit);
		read_children(&reader, &reader.unit_of_dies, 0);
	}
	sort(functions);
}

/* --- functions that only the symbol table or the unwind information has -------------------------- */

static bool ends_with_cold(const char *name, size_t *base_length)
{
	size_t length = strlen(name);

	*base_length = length;
	if (length <= 5 || strcmp(name + length - 5, ".cold") != 0)
		return false;
	*base_length = length - 5;
	return true;
}

/* Finds the code of the function, or of its cold part, that belongs to a name of that length. */
static bool find_part(const struct fathom_code_file *file, const char *name, size_t name_length, bool is_cold,
		      struct fathom_code_piece *piece)
{
	int count = dwfl_module_getsymtab(file->module);

	for (int i = 1; i < count; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		const char *other = dwfl_module_getsym_info(file->module, i, &symbol, &address, NULL, NULL, NULL);
		size_t length;

		if (!other || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || !symbol.st_size ||
		    ends_with_cold(other, &length) != is_cold || length != name_length ||
		    strncmp(other, name, length) != 0)
			continue;
		piece->begin = address - file->bias;
		piece->end = piece->begin + symbol.st_size;
		return true;
	}
	return false;
}

static struct fathom_source_function *add_symbol(struct fathom_source_functions *functions, uint64_t address)
{
	const struct fathom_code_file *file = functions->file;
	struct fathom_code_piece pieces[2];
	uint32_t count = 1;
	GElf_Off offset;
	GElf_Sym symbol;
	size_t length;
	const char *name = dwfl_module_addrinfo(file->module, address + file->bias, &offset, &symbol, NULL, NULL, NULL);

	if (!name || !symbol.st_size || offset >= symbol.st_size || GELF_ST_TYPE(symbol.st_info) == STT_OBJECT)
		return NULL;
	pieces[0] = (struct fathom_code_piece){ address - offset, address - offset + symbol.st_size };
	if (ends_with_cold(name, &length)) {
		pieces[1] = pieces[0];
		count += find_part(file, name, length, false, &pieces[0]);
	} else {
		count += find_part(file, name, length, true, &pieces[1]);
	}
	return add_function(functions, pieces, count);
}

static Elf_Scn *find_unwind_section(Elf *elf, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		const char *name = gelf_getshdr(section, header) ? elf_strptr(elf, names, header->sh_name) : NULL;

		if (name && strcmp(name, ".eh_frame") == 0 && header->sh_type != SHT_NOBITS)
			return section;
	}
	return NULL;
}

/* Adds the code that an entry of .eh_frame describes. The first address is a distance of 4 bytes from its own place,
 * and a length of 4 bytes follows it. Entries of another form, as the large code model has them, and damaged ones do
 * not fit into a section. */
static void add_unwind_piece(struct fathom_source_functions *functions, const Elf_Data *data, uint64_t section_address,
			     const uint8_t *start, const uint8_t *end)
{
	int32_t distance;
	uint32_t length;
	uint64_t begin;
	size_t bytes;

	if (end - start < 8)
		return;
	memcpy(&distance, start, sizeof(distance));
	memcpy(&length, start + 4, sizeof(length));
	begin = section_address + (uint64_t)(start - (const uint8_t *)data->d_buf) + (uint64_t)(int64_t)distance;
	if (!fathom_code_file_contents(functions->file, begin, &bytes) || length > bytes)
		return;
	if (functions->unwind_count == functions->unwind_room) {
		size_t room = functions->unwind_room ? 2 * functions->unwind_room : 256;
		struct fathom_code_piece *larger = reallocarray(functions->unwind_pieces, room, sizeof(*larger));

		if (!larger)
			return;
		functions->unwind_pieces = larger;
		functions->unwind_room = room;
	}
	functions->unwind_pieces[functions->unwind_count++] = (struct fathom_code_piece){ begin, begin + length };
}

static int compare_code(const void *a, const void *b)
{
	const struct fathom_code_piece *left = a, *right = b;

	return left->begin < right->begin ? -1 : left->begin > right->begin;
}

static void read_unwind_entries(struct fathom_source_functions *functions)
{
	GElf_Addr bias;
	GElf_Shdr header;
	Elf *elf = dwfl_module_getelf(functions->file->module, &bias);
	Elf_Scn *section = elf ? find_unwind_section(elf, &header) : NULL;
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	const unsigned char *identity = elf ? (const unsigned char *)elf_getident(elf, NULL) : NULL;
	Dwarf_Off offset = 0, next;
	Dwarf_CFI_Entry entry;

	functions->has_read_unwind_entries = true;
	while (data && data->d_buf && identity &&
	       dwarf_next_cfi(identity, data, true, offset, &next, &entry) == 0 && next > offset) {
		if (!dwarf_cfi_cie_p(&entry))
			add_unwind_piece(functions, data, header.sh_addr, entry.fde.start, entry.fde.end);
		offset = next;
	}
	if (functions->unwind_count)
		qsort(functions->unwind_pieces, functions->unwind_count, sizeof(*functions->unwind_pieces),
		      compare_code);
}

static struct fathom_source_function *add_unwind_entry(struct fathom_source_functions *functions, uint64_t address)
{
	size_t low = 0, high;

	if (!functions->has_read_unwind_entries)
		read_unwind_entries(functions);
	high = functions->unwind_count;
	while (low < high) {	/* finds the first entry that begins after address */
		size_t middle = low + (high - low) / 2;

		if (functions->unwind_pieces[middle].begin <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address >= functions->unwind_pieces[low - 1].end)
		return NULL;
	return add_function(functions, &functions->unwind_pieces[low - 1], 1);
}

struct fathom_source_function *fathom_source_function_find(struct fathom_source_functions *functions,
							   uint64_t address)
{
	if (!functions->has_read_units)
		read_units(functions);
	return look_up(functions, address);
}

struct fathom_source_function *fathom_source_function_at(struct fathom_source_functions *functions, uint64_t address)
{
	struct fathom_source_function *function = fathom_source_function_find(functions, address);
	Dwarf_Addr dwarf_bias;
	Dwarf_Die *unit;

	if (function)
		return function;
	function = add_symbol(functions, address);
	if (!function)
		function = add_unwind_entry(functions, address);
	if (!function)
		return NULL;
	sort(functions);
	unit = fathom_code_file_unit(functions->file, function->entry, &dwarf_bias);
	if (unit) {
		function->has_unit = true;
		function->unit = *unit;
		function->dwarf_bias = dwarf_bias - functions->file->bias;
	}
	return function;
}

uint32_t fathom_source_function_line(const struct fathom_source_function *function, uint64_t address,
				     const char **source)
{
	Dwarf_Die unit = function->unit;
	Dwarf_Line *line = function->has_unit ? dwarf_getsrc_die(&unit, address - function->dwarf_bias) : NULL;
	int number = 0;

	*source = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	return *source && dwarf_lineno(line, &number) == 0 && number > 0 ? (uint32_t)number : 0;
}

void fathom_source_functions_fini(struct fathom_source_functions *functions)
{
	while (functions->list) {
		struct fathom_source_function *function = functions->list;

		functions->list = function->next;
		free(function->pieces);
		free(function);
	}
	free(functions->pieces);
	free(functions->unwind_pieces);
	*functions = (struct fathom_source_functions){ .file = functions->file };
}
