#include "names.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/symbols.h"
#include "define/region.h"
#include "platform/module.h"
#include "tools/common/command.h"

/* A program or library of the process. is_same: its file is still the file that the process used. */
struct module {
	struct module *next;
	const char *path;
	bool is_same;
};

static const struct copy *copy;
static struct module *modules;

/* Finds the build-id in a segment of ELF notes. Returns its length; 0: there is none. */
static size_t id_in(const char *place, size_t bytes, const unsigned char **id)
{
	ElfW(Nhdr) header;

	while (bytes >= sizeof(header)) {
		size_t name_bytes, all;

		memcpy(&header, place, sizeof(header));
		name_bytes = ((size_t)header.n_namesz + 3) & ~(size_t)3;
		all = sizeof(header) + name_bytes + (((size_t)header.n_descsz + 3) & ~(size_t)3);
		if (all > bytes)
			return 0;
		if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 &&
		    !memcmp(place + sizeof(header), "GNU", 4)) {
			*id = (const unsigned char *)place + sizeof(header) + name_bytes;
			return header.n_descsz < FATHOM_BUILD_ID_BYTES ? header.n_descsz : FATHOM_BUILD_ID_BYTES;
		}
		bytes -= all;
		place += all;
	}
	return 0;
}

/* Returns whether the ELF file that stands at bytes has the build-id of note. */
static bool has_id(const char *bytes, size_t length, const struct fathom_module_note *note)
{
	ElfW(Ehdr) header;
	const unsigned char *id = NULL;

	if (length < sizeof(header))
		return false;
	memcpy(&header, bytes, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_phentsize != sizeof(ElfW(Phdr)))
		return false;
	for (size_t i = 0; i < header.e_phnum; i++) {
		ElfW(Phdr) segment;

		if (header.e_phoff > length || (length - header.e_phoff) / sizeof(segment) <= i)
			return false;
		memcpy(&segment, bytes + header.e_phoff + i * sizeof(segment), sizeof(segment));
		if (segment.p_type != PT_NOTE || segment.p_offset > length ||
		    length - segment.p_offset < segment.p_filesz)
			continue;
		if (id_in(bytes + segment.p_offset, segment.p_filesz, &id) == note->id_bytes && id &&
		    !memcmp(id, note->id, note->id_bytes))
			return true;
	}
	return false;
}

static bool file_has_id(const char *path, const struct fathom_module_note *note)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is_same = false;
	struct stat status;
	void *bytes;

	if (fd < 0)
		return false;
	if (fstat(fd, &status) == 0 && status.st_size > 0) {
		bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes != MAP_FAILED) {
			is_same = has_id(bytes, (size_t)status.st_size, note);
			munmap(bytes, (size_t)status.st_size);
		}
	}
	close(fd);
	return is_same;
}

/* Returns the process's notes about a program or library. NULL: there are none. */
static const struct fathom_module_note *note_of(const char *path)
{
	uint64_t address = copy->roots.modules;
	const struct fathom_module_note *note;

	for (int i = 0; (note = copy_at(copy, address, sizeof(*note))) && i < 100000; i++) {
		const char *noted = copy_text(copy, address + offsetof(struct fathom_module_note, path));

		if (noted && !strcmp(noted, path))
			return note;
		address = (uintptr_t)note->older;
	}
	return NULL;
}

/* Returns whether the file is still the file that the process used, if both build-ids are known. Prints a message once
 * if the file has changed. */
static bool is_same(const char *path)
{
	const struct fathom_module_note *note = note_of(path);
	struct module *module;

	for (module = modules; module; module = module->next)
		if (!strcmp(module->path, path))
			return module->is_same;
	module = fathom_tool_alloc(1, sizeof(*module));
	module->path = path;
	module->is_same = !note || !note->id_bytes || note->id_bytes > FATHOM_BUILD_ID_BYTES || file_has_id(path, note);
	module->next = modules;
	modules = module;
	if (!module->is_same)
		fathom_tool_error("%s: not the file that the program ran (another build-id): its functions stay "
				  "without names", path);
	return module->is_same;
}

void names_init(const struct copy *from)
{
	copy = from;
}

void names_resolve(struct fathom_region *region, bool may_allocate)
{
	if (region->module && is_same(region->module))
		fathom_symbols_resolve(region, may_allocate);
}
