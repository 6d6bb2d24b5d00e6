#include "driver/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int fathom_elf_open(struct fathom_elf *elf, const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = 0;

	*elf = (struct fathom_elf){ 0 };
	if (fd < 0)
		return -errno;
	if (fstat(fd, &status)) {
		err = -errno;
		goto close_file;
	}
	if (status.st_size < SELFMAG)
		goto close_file;
	elf->bytes = (size_t)status.st_size;
	elf->at = mmap(NULL, elf->bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (elf->at == MAP_FAILED) {
		err = -errno;
		*elf = (struct fathom_elf){ 0 };
	}
close_file:
	close(fd);
	return err;
}

void fathom_elf_close(struct fathom_elf *elf)
{
	if (elf->at)
		munmap((void *)elf->at, elf->bytes);
}

int fathom_elf_is_one(const struct fathom_elf *elf)
{
	return elf->at && memcmp(elf->at, ELFMAG, SELFMAG) == 0;
}

const void *fathom_elf_part(const struct fathom_elf *elf, uint64_t offset, uint64_t size, size_t align)
{
	if (offset > elf->bytes || size > elf->bytes - offset || offset % align)
		return NULL;
	return elf->at + offset;
}

const char *fathom_elf_text(const struct fathom_elf *elf, uint64_t offset)
{
	const char *text = fathom_elf_part(elf, offset, 1, 1);

	if (!text || !memchr(text, '\0', elf->bytes - (size_t)offset))
		return NULL;
	return text;
}

const ElfW(Ehdr) *fathom_elf_header(const struct fathom_elf *elf)
{
	const ElfW(Ehdr) *header = fathom_elf_part(elf, 0, sizeof(*header), 1);

	return header && header->e_ident[EI_CLASS] == FATHOM_ELF_CLASS ? header : NULL;
}

const ElfW(Phdr) *fathom_elf_segment(const struct fathom_elf *elf, const ElfW(Ehdr) *header, unsigned index)
{
	if (header->e_phentsize != sizeof(ElfW(Phdr)) || index >= header->e_phnum)
		return NULL;
	return fathom_elf_part(elf, header->e_phoff + (uint64_t)index * sizeof(ElfW(Phdr)), sizeof(ElfW(Phdr)),
			       __alignof__(ElfW(Phdr)));
}

const ElfW(Shdr) *fathom_elf_section(const struct fathom_elf *elf, const ElfW(Ehdr) *header, unsigned index)
{
	if (header->e_shentsize != sizeof(ElfW(Shdr)) || index >= header->e_shnum)
		return NULL;
	return fathom_elf_part(elf, header->e_shoff + (uint64_t)index * sizeof(ElfW(Shdr)), sizeof(ElfW(Shdr)),
			       __alignof__(ElfW(Shdr)));
}

/* --- symbols ----------------------------------------------------------------------------------- */

struct tables {
	const struct fathom_elf *elf;
	const ElfW(Ehdr) *header;
	const ElfW(Shdr) *symbols, *versions, *needed, *defined;
};

static const char *text_of(const struct tables *tables, const ElfW(Shdr) *section, uint64_t offset)
{
	const ElfW(Shdr) *strings = fathom_elf_section(tables->elf, tables->header, section->sh_link);

	return strings ? fathom_elf_text(tables->elf, strings->sh_offset + offset) : NULL;
}

/* Returns the name of a version by its index, among the versions that the file needs from other libraries. */
static const char *needed_version(const struct tables *tables, unsigned index)
{
	uint64_t at = tables->needed ? tables->needed->sh_offset : 0;

	for (unsigned i = 0; tables->needed && i < tables->needed->sh_info; i++) {
		const ElfW(Verneed) *need = fathom_elf_part(tables->elf, at, sizeof(*need), __alignof__(*need));
		uint64_t inner = need ? at + need->vn_aux : 0;

		for (unsigned j = 0; need && j < need->vn_cnt; j++) {
			const ElfW(Vernaux) *version = fathom_elf_part(tables->elf, inner, sizeof(*version),
								       __alignof__(*version));

			if (!version)
				return NULL;
			if ((version->vna_other & 0x7fff) == index)
				return text_of(tables, tables->needed, version->vna_name);
			inner += version->vna_next;
		}
		if (!need || !need->vn_next)
			return NULL;
		at += need->vn_next;
	}
	return NULL;
}

/* Returns the name of a version by its index, among the versions that the file itself defines. */
static const char *defined_version(const struct tables *tables, unsigned index)
{
	uint64_t at = tables->defined ? tables->defined->sh_offset : 0;

	for (unsigned i = 0; tables->defined && i < tables->defined->sh_info; i++) {
		const ElfW(Verdef) *definition = fathom_elf_part(tables->elf, at, sizeof(*definition),
							       __alignof__(*definition));
		const ElfW(Verdaux) *name;

		if (!definition)
			return NULL;
		name = fathom_elf_part(tables->elf, at + definition->vd_aux, sizeof(*name), __alignof__(*name));
		if (definition->vd_ndx == index)
			return name ? text_of(tables, tables->defined, name->vda_name) : NULL;
		if (!definition->vd_next)
			return NULL;
		at += definition->vd_next;
	}
	return NULL;
}

static int find_tables(struct tables *tables)
{
	for (unsigned i = 0; i < tables->header->e_shnum; i++) {
		const ElfW(Shdr) *section = fathom_elf_section(tables->elf, tables->header, i);

		if (!section)
			return 0;
		if (section->sh_type == SHT_DYNSYM)
			tables->symbols = section;
		else if (section->sh_type == SHT_GNU_versym)
			tables->versions = section;
		else if (section->sh_type == SHT_GNU_verneed)
			tables->needed = section;
		else if (section->sh_type == SHT_GNU_verdef)
			tables->defined = section;
	}
	return tables->symbols != NULL;
}

/* Fills in symbol number index. Returns 0 if the symbol is damaged or has no name. */
static int read_symbol(const struct tables *tables, size_t index, struct fathom_elf_symbol *symbol)
{
	const ElfW(Sym) *entry = fathom_elf_part(tables->elf, tables->symbols->sh_offset + index * sizeof(*entry),
						 sizeof(*entry), __alignof__(*entry));
	const ElfW(Half) *versions = NULL;
	unsigned version = 0;
	const char *text = NULL;

	if (tables->versions)
		versions = fathom_elf_part(tables->elf, tables->versions->sh_offset, tables->versions->sh_size,
					   __alignof__(*versions));
	if (!entry || !entry->st_name)
		return 0;
	symbol->name = text_of(tables, tables->symbols, entry->st_name);
	symbol->is_defined = entry->st_shndx != SHN_UNDEF;
	if (versions && (index + 1) * sizeof(*versions) <= tables->versions->sh_size)
		version = versions[index] & 0x7fff;
	if (version > 1)	/* versions 0 and 1 mean local and global, and have no name */
		text = symbol->is_defined ? defined_version(tables, version) : needed_version(tables, version);
	symbol->version = text ? text : "";
	return symbol->name != NULL;
}

int fathom_elf_each_symbol(const struct fathom_elf *elf, int (*see)(const struct fathom_elf_symbol *symbol, void *data),
			   void *data)
{
	struct tables tables = { .elf = elf, .header = fathom_elf_is_one(elf) ? fathom_elf_header(elf) : NULL };
	int result = 0;

	if (!tables.header || !find_tables(&tables))
		return 0;
	for (size_t i = 1; !result && i < tables.symbols->sh_size / sizeof(ElfW(Sym)); i++) {
		struct fathom_elf_symbol symbol;

		if (read_symbol(&tables, i, &symbol))
			result = see(&symbol, data);
	}
	return result;
}
