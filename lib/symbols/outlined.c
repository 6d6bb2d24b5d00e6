#include "symbols/outlined.h"

#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/calling_modules.h"

/* Addresses of outlined functions. Written at the start, and constant afterwards. */
static uintptr_t *addresses;
static size_t count, room;

static void add(uintptr_t address)
{
	if (count == room) {
		size_t more = room ? room * 2 : 64;
		uintptr_t *larger = realloc(addresses, more * sizeof(*addresses));

		if (!larger)		/* without memory, the remaining outlined functions appear in the profile */
			return;
		addresses = larger;
		room = more;
	}
	addresses[count++] = address;
}

/* Returns whether name is that of an outlined function: .omp_outlined., .omp_outlined._debug__.3; since LLVM 17
 * solve.omp_outlined_debug__. */
static bool is_outlined(const char *name)
{
	return strstr(name, ".omp_outlined") != NULL;
}

/* --- the symbols of a file ----------------------------------------------------------------------- */

struct image {
	const char *bytes;
	size_t size;
};

/* Returns a pointer to the bytes at offset of the file. NULL: the file has fewer bytes. */
static const void *in_image(const struct image *image, uint64_t offset, uint64_t bytes)
{
	return offset <= image->size && bytes <= image->size - offset ? image->bytes + offset : NULL;
}

static void add_symbols(const struct image *image, const ElfW(Shdr) *table, const ElfW(Shdr) *texts, uint64_t bias)
{
	const ElfW(Sym) *symbols = in_image(image, table->sh_offset, table->sh_size);
	const char *names = in_image(image, texts->sh_offset, texts->sh_size);

	if (!symbols || !names || !texts->sh_size || names[texts->sh_size - 1])
		return;
	for (size_t i = 1; i < table->sh_size / sizeof(*symbols); i++)
		if ((symbols[i].st_info & 15) == STT_FUNC && symbols[i].st_shndx != SHN_UNDEF &&
		    symbols[i].st_name < texts->sh_size && is_outlined(names + symbols[i].st_name))
			add((uintptr_t)(symbols[i].st_value + bias));
}

static void add_file(const struct image *image, uint64_t bias)
{
	const ElfW(Ehdr) *header = in_image(image, 0, sizeof(*header));
	const ElfW(Shdr) *sections;

	if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_shentsize != sizeof(*sections))
		return;
	sections = in_image(image, header->e_shoff, (uint64_t)header->e_shnum * sizeof(*sections));
	for (size_t i = 0; sections && i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < header->e_shnum)
			add_symbols(image, &sections[i], &sections[sections[i].sh_link], bias);
}

static void look_into(const char *path, uint64_t bias)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat stat;
	struct image image;

	if (fd < 0)
		return;
	if (!fstat(fd, &stat) && stat.st_size > 0) {
		image.size = (size_t)stat.st_size;
		image.bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (image.bytes != MAP_FAILED) {
			add_file(&image, bias);
			munmap((void *)image.bytes, image.size);
		}
	}
	close(fd);
}

/* --- start, and asking ----------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	uintptr_t left = *(const uintptr_t *)a, right = *(const uintptr_t *)b;

	return left < right ? -1 : left > right;
}

void fathom_outlined_start(void)
{
	struct fathom_module_name *names = fathom_modules_calling("__kmpc_fork_call");

	while (names) {
		struct fathom_module_name *next = names->next;

		if (names->calls)
			look_into(names->path, names->bias);
		free(names);
		names = next;
	}
	if (count)
		qsort(addresses, count, sizeof(*addresses), compare);
}

bool fathom_outlined_has(const void *address)
{
	uintptr_t key = (uintptr_t)address;
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (addresses[middle] == key)
			return true;
		if (addresses[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}
