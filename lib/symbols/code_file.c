#include "symbols/code_file.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns whether a separate file of debug information may exist: next to the module, in its directory .debug, or where
 * distributions install these files. */
static bool may_exist(const char *file, const char *name)
{
	static const char *const forms[] = { "%1$.*2$s%3$s", "%1$.*2$s.debug/%3$s", "/usr/lib/debug%1$.*2$s%3$s" };
	const char *slash = strrchr(file, '/');
	bool found = false;

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms) && !found; i++) {
		char *path;

		if (asprintf(&path, forms[i], file, slash ? (int)(slash - file) + 1 : 0, name) < 0)
			return true;
		found = strcmp(path, file) && access(path, R_OK) == 0;
		free(path);
	}
	return found;
}

/* Finds the file of debug information as elfutils does, but only if a file may exist. Otherwise elfutils would query
 * the servers of debuginfod. Even without a server it would load thirty libraries into the measured program, which
 * takes longer than all other work at the end. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
			  const char *link, GElf_Word link_crc, char **found)
{
	int fd = dwfl_build_id_find_debuginfo(module, data, name, base, file, link, link_crc, found);
	const char *slash = file ? strrchr(file, '/') : NULL, *file_name = slash ? slash + 1 : file;
	char *with_debug = NULL;
	bool exists;

	if (fd >= 0 || !file)
		return fd;
	exists = asprintf(&with_debug, "%s.debug", file_name) < 0 || may_exist(file, with_debug) ||
		 may_exist(file, file_name) || (link && may_exist(file, link));
	free(with_debug);
	return exists ? dwfl_standard_find_debuginfo(module, data, name, base, file, link, link_crc, found) : -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

void fathom_code_file_open(struct fathom_code_file *file, const char *path)
{
	*file = (struct fathom_code_file){ .path = path, .dwfl = dwfl_begin(&callbacks) };
	if (!file->dwfl)
		return;
	dwfl_report_begin(file->dwfl);
	file->module = dwfl_report_offline(file->dwfl, path, path, -1);
	dwfl_report_end(file->dwfl, NULL, NULL);
	if (file->module && !dwfl_module_getelf(file->module, &file->bias))
		file->module = NULL;
}

void fathom_code_file_close(struct fathom_code_file *file)
{
	free(file->relocations);
	if (file->dwfl)
		dwfl_end(file->dwfl);
}

bool fathom_code_file_is_program(const struct fathom_code_file *file)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(file->module, &bias);
	Elf_Scn *section = NULL;
	GElf_Ehdr file_header;

	if (!elf || !gelf_getehdr(elf, &file_header) || file_header.e_type != ET_DYN)
		return true;
	/* A position-independent program has the type of a library. */
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;
		Elf_Data *data;
		GElf_Dyn entry;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
			if (entry.d_tag == DT_FLAGS_1)
				return entry.d_un.d_val & DF_1_PIE;
		return false;
	}
	return false;
}

bool fathom_code_file_has_debug_info(const struct fathom_code_file *file)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(file->module, &bias);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;

		/* Older compilers compress it under the other name. */
		if (name && (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")))
			return true;
	}
	return false;
}

const uint8_t *fathom_code_file_contents(const struct fathom_code_file *file, uint64_t address, size_t *bytes)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(file->module, &bias);
	Elf_Scn *section = NULL;

	while (elf && (section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    (header.sh_flags & SHF_TLS) || header.sh_type == SHT_NOBITS || address < header.sh_addr ||
		    address - header.sh_addr >= header.sh_size)
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf || address - header.sh_addr >= data->d_size)
			continue;
		*bytes = data->d_size - (size_t)(address - header.sh_addr);
		return (const uint8_t *)data->d_buf + (address - header.sh_addr);
	}
	return NULL;
}

/* Adds the relocations of a section to an array that has room for them. */
static void add_relocations(struct fathom_code_file *file, Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
			    size_t count)
{
	Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
	Elf_Data *data = elf_getdata(section, NULL), *symbol_data = symbols ? elf_getdata(symbols, NULL) : NULL;
	GElf_Shdr symbol_header = { 0 };

	if (symbols && !gelf_getshdr(symbols, &symbol_header))
		symbol_data = NULL;
	for (size_t i = 0; data && i < count && i < INT_MAX; i++) {
		struct fathom_relocation *relocation = &file->relocations[file->relocation_count];
		GElf_Rela rela;
		GElf_Sym symbol;

		if (!gelf_getrela(data, (int)i, &rela))
			return;
		*relocation = (struct fathom_relocation){ .address = rela.r_offset };
		if (GELF_R_TYPE(rela.r_info) == R_X86_64_RELATIVE)
			relocation->value = (uint64_t)rela.r_addend;
		else if (symbol_data && gelf_getsym(symbol_data, (int)GELF_R_SYM(rela.r_info), &symbol))
			relocation->symbol = elf_strptr(elf, symbol_header.sh_link, symbol.st_name);
		file->relocation_count += relocation->value || relocation->symbol;
	}
}

static int compare_relocations(const void *a, const void *b)
{
	const struct fathom_relocation *left = a, *right = b;

	return left->address < right->address ? -1 : left->address > right->address;
}

/* Returns the number of entries of a section with relocations that the dynamic linker applies, else 0. */
static size_t entries_of(Elf_Scn *section, GElf_Shdr *header)
{
	if (!gelf_getshdr(section, header) || header->sh_type != SHT_RELA || !(header->sh_flags & SHF_ALLOC) ||
	    !header->sh_entsize)
		return 0;
	return header->sh_size / header->sh_entsize;
}

static void read_relocations(struct fathom_code_file *file)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(file->module, &bias);
	GElf_Ehdr file_header;
	GElf_Shdr header;
	Elf_Scn *section = NULL;
	size_t count = 0, size = 0;

	file->has_relocations = true;
	if (!elf || !gelf_getehdr(elf, &file_header) || file_header.e_machine != EM_X86_64 ||
	    !elf_rawfile(elf, &size))
		return;
	while ((section = elf_nextscn(elf, section)) != NULL)
		count += entries_of(section, &header);
	/* A damaged header may promise more relocations than the file has bytes. */
	file->relocations = count && count < size ? calloc(count, sizeof(*file->relocations)) : NULL;
	while (file->relocations && (section = elf_nextscn(elf, section)) != NULL)
		add_relocations(file, elf, section, &header, entries_of(section, &header));
	if (file->relocation_count)
		qsort(file->relocations, file->relocation_count, sizeof(*file->relocations), compare_relocations);
}

const struct fathom_relocation *fathom_code_file_relocation(struct fathom_code_file *file, uint64_t address)
{
	const struct fathom_relocation wanted = { .address = address };

	if (!file->has_relocations)
		read_relocations(file);
	return file->relocation_count ? bsearch(&wanted, file->relocations, file->relocation_count,
						sizeof(wanted), compare_relocations) : NULL;
}

uint64_t fathom_code_file_pointer(struct fathom_code_file *file, uint64_t address)
{
	const struct fathom_relocation *relocation = fathom_code_file_relocation(file, address);
	size_t bytes = 0;
	const uint8_t *contents = relocation ? NULL : fathom_code_file_contents(file, address, &bytes);
	uint64_t value = relocation ? relocation->value : 0;

	if (contents && bytes >= sizeof(value))
		memcpy(&value, contents, sizeof(value));
	return value;
}

Dwarf_Die *fathom_code_file_unit(const struct fathom_code_file *file, uint64_t address, Dwarf_Addr *dwarf_bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(file->module, address + file->bias, dwarf_bias);

	if (unit)
		return unit;
	/* No index leads from addresses to units (clang writes none): all units are asked. */
	while ((unit = dwfl_module_nextcu(file->module, unit, dwarf_bias)) != NULL)
		if (dwarf_haspc(unit, address + file->bias - *dwarf_bias) > 0)
			return unit;
	return NULL;
}

const char *fathom_code_file_main_source(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	const char *name = dwarf_diename(unit);
	const char *dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	char *path = NULL;

	if (!name || *name == '/' || !dir || asprintf(&path, "%s/%s", dir, name) < 0)
		return name;
	return path;
}
