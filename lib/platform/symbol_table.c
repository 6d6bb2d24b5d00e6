#include "platform/symbol_table.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file in memory. */
struct image {
	const char *bytes;
	uint64_t size;
	const ElfW(Shdr) *sections;
	uint64_t section_count;
};

static bool map(const char *path, struct image *image)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat facts;
	void *bytes;

	if (fd < 0)
		return false;
	bytes = fstat(fd, &facts) || facts.st_size <= 0 ? MAP_FAILED :
		mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return false;
	*image = (struct image){ .bytes = bytes, .size = (uint64_t)facts.st_size };
	return true;
}

/* Returns whether the file has that part, at an address that suits its type. */
static bool has_part(const struct image *image, uint64_t offset, uint64_t size)
{
	return offset % 8 == 0 && offset <= image->size && size <= image->size - offset;
}

static bool find_sections(struct image *image)
{
	const ElfW(Ehdr) *header = (const void *)image->bytes;

	if (!has_part(image, 0, sizeof(*header)) || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
	    header->e_shentsize != sizeof(*image->sections) ||
	    !has_part(image, header->e_shoff, header->e_shnum * sizeof(*image->sections)))
		return false;
	image->sections = (const void *)(image->bytes + header->e_shoff);
	image->section_count = header->e_shnum;
	return true;
}

/* Returns the number of the section with the code; 0: there is none. */
static uint64_t section_of(const struct image *image, uint64_t offset)
{
	for (uint64_t i = 1; i < image->section_count; i++)
		if (image->sections[i].sh_flags & SHF_EXECINSTR &&
		    offset - image->sections[i].sh_addr < image->sections[i].sh_size)
			return i;
	return 0;
}

/* Finds the last symbol of the section that begins at or before offset; of several, one of a function with a size. */
static const ElfW(Sym) *search(const struct image *image, const ElfW(Shdr) *table, uint64_t section, uint64_t offset)
{
	const ElfW(Sym) *symbols = (const void *)(image->bytes + table->sh_offset), *best = NULL;
	uint64_t count = table->sh_size / sizeof(*symbols);

	if (table->sh_entsize != sizeof(*symbols) || !has_part(image, table->sh_offset, table->sh_size))
		return NULL;
	for (uint64_t i = 1; i < count; i++) {
		const ElfW(Sym) *symbol = &symbols[i];
		int type = symbol->st_info & 0xf;

		if (symbol->st_shndx != section || symbol->st_value > offset ||
		    (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE))
			continue;
		if (!best || symbol->st_value > best->st_value ||
		    (symbol->st_value == best->st_value && symbol->st_size > best->st_size))
			best = symbol;
	}
	return best && (!best->st_size || offset - best->st_value < best->st_size) ? best : NULL;
}

bool fathom_symbol_table_function(const char *path, uint64_t offset, uint64_t *begin)
{
	static const uint32_t tables[] = { SHT_SYMTAB, SHT_DYNSYM };
	const ElfW(Sym) *symbol = NULL;
	struct image image;
	uint64_t section;

	if (!map(path, &image))
		return false;
	section = find_sections(&image) ? section_of(&image, offset) : 0;
	for (size_t t = 0; section && !symbol && t < sizeof(tables) / sizeof(*tables); t++)
		for (uint64_t i = 1; i < image.section_count && !symbol; i++)
			if (image.sections[i].sh_type == tables[t])
				symbol = search(&image, &image.sections[i], section, offset);
	if (symbol)
		*begin = symbol->st_value;
	munmap((void *)(uintptr_t)image.bytes, image.size);
	return symbol;
}
