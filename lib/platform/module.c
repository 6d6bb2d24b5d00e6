#include "platform/module.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- what is mapped ---------------------------------------------------------------------------------- */

/* The state of a parser of /proc/self/maps. A line is "begin-end perms offset device inode path"; at says which field
 * the next character belongs to. */
struct reader {
	enum { BEGIN, END, BEFORE_PATH, PATH, TO_NEXT_LINE } at;
	uintptr_t number, begin;
	uintptr_t wanted;
	char *path;
	size_t length, bytes;
};

static void take_digit(struct reader *reader, char c)
{
	reader->number = reader->number << 4 | (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Parses one character. Returns false at the end of the line that was searched. */
static bool take(struct reader *reader, char c)
{
	bool found = reader->at == BEFORE_PATH || reader->at == PATH;

	if (c == '\n') {
		reader->at = BEGIN;
		reader->number = 0;
		return !found;
	}
	switch (reader->at) {
	case BEGIN:
		if (c != '-') {
			take_digit(reader, c);
			break;
		}
		reader->begin = reader->number;
		reader->number = 0;
		reader->at = END;
		break;
	case END:
		if (c != ' ')
			take_digit(reader, c);
		else
			reader->at = reader->wanted - reader->begin < reader->number - reader->begin ? BEFORE_PATH
												      : TO_NEXT_LINE;
		break;
	case BEFORE_PATH:
		if (c != '/')
			break;
		reader->at = PATH;
		/* fall through */
	case PATH:
		if (reader->length < reader->bytes)
			reader->path[reader->length++] = c;
		break;
	case TO_NEXT_LINE:
		break;
	}
	return true;
}

/*
 * Writes the name of the file that is mapped at address, as the kernel reports the name. /proc/self/exe is not used: it
 * names the debugger or the checker if one of these executes the program, and the dynamic linker if the user started
 * the dynamic linker with the program as its argument. Returns false and makes path empty if no file is mapped at
 * address or if path has too few bytes.
 */
static bool find_mapped(uintptr_t address, char *path, size_t bytes)
{
	struct reader reader = { .wanted = address, .path = path, .bytes = bytes };
	/* The C library's functions would be cancellation points. */
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
	bool more = fd >= 0;
	char text[512];

	while (more) {
		ssize_t got = syscall(SYS_read, fd, text, sizeof(text));

		if (got < 0 && errno == EINTR)
			continue;
		more = got > 0;
		for (ssize_t i = 0; more && i < got; i++)
			more = take(&reader, text[i]);
	}
	if (fd >= 0)
		syscall(SYS_close, fd);
	if (reader.length == bytes)
		reader.length = 0;
	path[reader.length] = '\0';
	return reader.length;
}

/* --- the program -------------------------------------------------------------------------------------- */

static char program[4096];		/* written once, at the start */

enum { FOUND = 1, NOT_MAPPED };

/* Finds the program in the list of the dynamic linker, where it is the first entry. The first segment of the program
 * begins with the header of its file, and no program replaces that header. */
static int find_program(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	(void)data;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			return find_mapped(begin, program, sizeof(program)) ? FOUND : NOT_MAPPED;
	}
	return NOT_MAPPED;
}

const char *fathom_module_program(void)
{
	static bool is_known;
	ssize_t length;

	if (likely(is_known))
		return program;
	if (dl_iterate_phdr(find_program, NULL) != FOUND) {
		length = readlink("/proc/self/exe", program, sizeof(program) - 1);
		program[length > 0 ? length : 0] = '\0';
	}
	is_known = true;
	return program;
}

/* --- modules ------------------------------------------------------------------------------------------ */

struct search {
	uintptr_t address;
	struct fathom_module *module;	/* NULL: the caller only asks whether a module contains the address */
};

static void find_bounds(const struct dl_phdr_info *info, uintptr_t *lowest, uintptr_t *highest)
{
	*lowest = UINTPTR_MAX;
	*highest = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		uintptr_t end = begin + info->dlpi_phdr[i].p_memsz;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		*lowest = begin < *lowest ? begin : *lowest;
		*highest = end > *highest ? end : *highest;
	}
}

/* Finds the absolute path of a module. The program itself has no name in the list of the dynamic linker. A relative
 * name was valid in the working directory at the time of loading, and the program may have changed its working
 * directory. */
static void find_path(const char *name, struct fathom_module *module)
{
	size_t length = strlen(name);

	*module->path = '\0';
	if (!length)
		strcpy(module->path, fathom_module_program());
	else if (*name == '/' || !find_mapped(module->begin, module->path, sizeof(module->path)))
		memcpy(module->path, name, length < sizeof(module->path) ? length + 1 : 0);
}

/* The list of found modules. The lock of the dynamic linker protects it: every caller of dl_iterate_phdr holds that
 * lock. */
static struct {
	struct fathom_arena arena;
	struct fathom_module_note *newest;	/* released when complete */
} notes;

const struct fathom_module_note *fathom_module_notes(void)
{
	return __atomic_load_n(&notes.newest, __ATOMIC_ACQUIRE);
}

const struct fathom_arena *fathom_module_arena(void)
{
	return &notes.arena;
}

/* Copies the build-id among the notes of a segment, which is in memory, to id. Returns its bytes; 0: there is none. */
static uint32_t find_build_id(const char *place, size_t bytes, unsigned char *id)
{
	const ElfW(Nhdr) *header = (const void *)place;

	while (bytes >= sizeof(*header)) {
		size_t name_bytes = ((size_t)header->n_namesz + 3) & ~(size_t)3;
		size_t all = sizeof(*header) + name_bytes + (((size_t)header->n_descsz + 3) & ~(size_t)3);
		const char *name = (const char *)(header + 1);

		if (all > bytes)
			break;
		if (header->n_type == NT_GNU_BUILD_ID && header->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
			uint32_t id_bytes = header->n_descsz < FATHOM_BUILD_ID_BYTES ? header->n_descsz
										      : FATHOM_BUILD_ID_BYTES;

			memcpy(id, name + name_bytes, id_bytes);
			return id_bytes;
		}
		bytes -= all;
		header = (const void *)((const char *)header + all);
	}
	return 0;
}

static void note_module(const struct dl_phdr_info *info, const char *path)
{
	struct fathom_module_note *note;

	for (note = notes.newest; note; note = note->older)
		if (note->bias == info->dlpi_addr && !strcmp(note->path, path))
			return;
	note = fathom_arena_alloc(&notes.arena, (sizeof(*note) + strlen(path) + 8) & ~(size_t)7);
	if (!note)
		return;
	note->bias = info->dlpi_addr;
	note->path_bytes = strlen(path) + 1;
	memcpy(note->path, path, note->path_bytes);
	for (int i = 0; i < info->dlpi_phnum && !note->id_bytes; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE)
			note->id_bytes = find_build_id((const char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr,
						       info->dlpi_phdr[i].p_memsz, note->id);
	note->older = notes.newest;
	__atomic_store_n(&notes.newest, note, __ATOMIC_RELEASE);
}

static void describe(const struct dl_phdr_info *info, struct fathom_module *module)
{
	size_t length = strlen(info->dlpi_name);
	uintptr_t begin, end;

	find_bounds(info, &begin, &end);
	if (length && module->bias == info->dlpi_addr && module->begin == begin && module->end == end &&
	    !strcmp(module->name, info->dlpi_name))
		return;
	module->bias = info->dlpi_addr;
	module->begin = begin;
	module->end = end;
	memcpy(module->name, info->dlpi_name, length < sizeof(module->name) ? length + 1 : 0);
	if (length >= sizeof(module->name))
		*module->name = '\0';
	find_path(info->dlpi_name, module);
	note_module(info, module->path);
}

static int is_in(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct search *search = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type == PT_LOAD &&
		    search->address - info->dlpi_addr - header->p_vaddr < header->p_memsz) {
			if (search->module)
				describe(info, search->module);
			return 1;
		}
	}
	return 0;
}

int fathom_module_of(const void *address, struct fathom_module *module)
{
	struct search search = { (uintptr_t)address, module };

	return dl_iterate_phdr(is_in, &search) ? 0 : -ENOENT;
}

#if __GLIBC_PREREQ(2, 35)
int fathom_module_find(const void *address, struct fathom_module *module)
{
	struct dl_find_object found;
	const char *name;
	size_t length;

	if (_dl_find_object((void *)(uintptr_t)address, &found) || !found.dlfo_link_map)
		return -ENOENT;
	name = found.dlfo_link_map->l_name;
	length = strlen(name);
	module->bias = found.dlfo_link_map->l_addr;
	module->begin = (uintptr_t)found.dlfo_map_start;
	module->end = (uintptr_t)found.dlfo_map_end;
	memcpy(module->name, name, length < sizeof(module->name) ? length + 1 : 0);
	if (length >= sizeof(module->name))
		*module->name = '\0';
	find_path(name, module);
	return 0;
}

bool fathom_module_find_is_lock_free(void)
{
	return true;
}
#else
int fathom_module_find(const void *address, struct fathom_module *module)
{
	return fathom_module_of(address, module);
}

bool fathom_module_find_is_lock_free(void)
{
	return false;
}
#endif

uint32_t fathom_module_build_id(const struct fathom_module *module, unsigned char *id)
{
	const ElfW(Ehdr) *header = (const void *)module->begin;
	const ElfW(Phdr) *segments;
	uint32_t id_bytes = 0;

	/* The first segment of nearly all modules begins with the file's header, which the segments' headers follow. */
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_phentsize != sizeof(*segments) ||
	    header->e_phoff + header->e_phnum * sizeof(*segments) > module->end - module->begin)
		return 0;
	segments = (const void *)(module->begin + header->e_phoff);
	for (int i = 0; i < header->e_phnum && !id_bytes; i++)
		if (segments[i].p_type == PT_NOTE)
			id_bytes = find_build_id((const char *)module->bias + segments[i].p_vaddr,
						 segments[i].p_memsz, id);
	return id_bytes;
}

int fathom_module_is_loaded(const void *address)
{
	struct search search = { (uintptr_t)address, NULL };

	return dl_iterate_phdr(is_in, &search);
}

/* --- whether it is still the same ---------------------------------------------------------------------- */

static uint64_t number_of(const char *name)
{
	uint64_t number = UINT64_C(0xcbf29ce484222325);

	for (; *name; name++)
		number = (number ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	return number;
}

void fathom_module_mark(const struct fathom_module *module, struct fathom_module_mark *mark)
{
	*mark = (struct fathom_module_mark){
		.bias = module->bias, .begin = module->begin, .end = module->end, .name = number_of(module->name),
	};
}

static int is_marked(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct fathom_module_mark *mark = data;
	size_t most = sizeof(((struct fathom_module *)NULL)->name);
	uintptr_t begin, end;

	(void)size;
	if (info->dlpi_addr != mark->bias)
		return 0;
	find_bounds(info, &begin, &end);
	return begin == mark->begin && end == mark->end &&
	       number_of(strlen(info->dlpi_name) < most ? info->dlpi_name : "") == mark->name;
}

int fathom_module_is_there(const struct fathom_module_mark *mark)
{
	return dl_iterate_phdr(is_marked, (void *)mark);
}
