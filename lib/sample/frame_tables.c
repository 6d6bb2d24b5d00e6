#include "sample/frame_tables.h"

#include "config.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/arena.h"
#include "sample/cfi.h"

/* .eh_frame_hdr: version, three encodings, the address of .eh_frame, the number of entries, and the entries, sorted, as
 * pairs of (first instruction, FDE). All linkers write entries in the encoding SORTED: distances from the header in
 * four bytes. */
enum { HEADER_VERSION = 1, HEADER_BYTES = 4, SORTED = 0x3b, OMITTED = 0xff, DIGEST_BYTES = 64,
	PAGE_BYTES = 4096, ENTRY_BYTES = 128, UNCOVERED_BYTES = 1 << 20 };

struct sorted_entry {
	int32_t begin, fde;
};

/* The entries of a program without .eh_frame_hdr, sorted. */
struct entry {
	uintptr_t begin;
	const unsigned char *fde;
};

static struct {
	uintptr_t begin, end;		/* the addresses of the program */
	const struct entry *entries;	/* NULL: the program has .eh_frame_hdr, or no call-frame information */
	size_t count;
	bool is_done;
} bare_program;

/* Where the kernel starts the program, and the dynamic linker; 0: not known. */
static uintptr_t program_entry, linker_entry;

/* --- programs without .eh_frame_hdr ---------------------------------------------------------------------- */

/* Calls the function for each FDE of the section .eh_frame between two addresses. */
static void for_each_fde(const unsigned char *begin, const unsigned char *end,
			 void (*function)(void *data, const unsigned char *fde), void *data)
{
	const unsigned char *entry = begin;

	while (end - entry > 8) {
		const unsigned char *content, *next = fathom_cfi_entry(entry, &content);
		uint32_t distance;

		if (!next || next > end || next - content < 4)
			return;
		memcpy(&distance, content, 4);
		if (distance && distance <= (size_t)(content - begin))		/* a CIE has 0 */
			function(data, entry);
		entry = next;
	}
}

struct collection {
	struct entry *entries;
	size_t count, room;
};

/* Appends an FDE. The first pass, in which there is no room, only counts. */
static void collect(void *data, const unsigned char *fde)
{
	struct collection *collection = data;
	struct fathom_cfi_function function;

	if (!fathom_cfi_parse(fde, &function) || !function.begin)
		return;
	if (collection->count < collection->room)
		collection->entries[collection->count] = (struct entry){ function.begin, fde };
	collection->count++;
}

/* Moves the entry at root of a heap (the largest entry first) to where it belongs. */
static void sift(struct entry *entries, size_t root, size_t count)
{
	struct entry entry = entries[root];
	size_t child;

	while ((child = 2 * root + 1) < count) {
		if (child + 1 < count && entries[child + 1].begin > entries[child].begin)
			child++;
		if (entries[child].begin <= entry.begin)
			break;
		entries[root] = entries[child];
		root = child;
	}
	entries[root] = entry;
}

/* Sorts without memory: qsort may call malloc, which may be the program's. */
static void sort(struct entry *entries, size_t count)
{
	size_t i;

	for (i = count / 2; i-- > 0; )
		sift(entries, i, count);
	for (i = count; i-- > 1; ) {
		struct entry largest = entries[0];

		entries[0] = entries[i];
		entries[i] = largest;
		sift(entries, 0, i);
	}
}

static int sort_entries(const unsigned char *section, size_t bytes)
{
	struct collection collection = { 0 };

	for_each_fde(section, section + bytes, collect, &collection);
	if (!collection.count)
		return 0;
	collection.room = collection.count;
	collection.count = 0;
	collection.entries = fathom_arena_map(collection.room * sizeof(*collection.entries));
	if (!collection.entries)
		return -ENOMEM;
	for_each_fde(section, section + bytes, collect, &collection);
	sort(collection.entries, collection.room);
	bare_program.count = collection.room;
	bare_program.entries = collection.entries;
	return 0;
}

/* Finds .eh_frame in the sections of the program's file, which is mapped at image. */
static int find_section(const unsigned char *image, size_t bytes, const struct dl_phdr_info *program)
{
	const Elf64_Ehdr *elf = (const Elf64_Ehdr *)image;
	size_t headers_bytes = program->dlpi_phnum * sizeof(*program->dlpi_phdr);
	const Elf64_Shdr *sections, *names;
	size_t i;

	if (bytes < sizeof(*elf) || memcmp(elf->e_ident, ELFMAG, SELFMAG) || elf->e_shentsize != sizeof(*sections) ||
	    elf->e_shoff % 8 || elf->e_shoff > bytes || elf->e_shnum > (bytes - elf->e_shoff) / sizeof(*sections) ||
	    elf->e_shstrndx >= elf->e_shnum)
		return -ENOENT;
	/* The file may be that of a debugger or a checker which executes the program. */
	if (elf->e_phoff > bytes || headers_bytes > bytes - elf->e_phoff ||
	    memcmp(image + elf->e_phoff, program->dlpi_phdr, headers_bytes))
		return -ENOENT;
	sections = (const Elf64_Shdr *)(image + elf->e_shoff);
	names = &sections[elf->e_shstrndx];
	if (names->sh_offset > bytes || names->sh_size > bytes - names->sh_offset)
		return -ENOENT;
	for (i = 0; i < elf->e_shnum; i++) {
		const Elf64_Shdr *section = &sections[i];
		uintptr_t begin = program->dlpi_addr + section->sh_addr;

		if (section->sh_flags & SHF_ALLOC && section->sh_name + sizeof(".eh_frame") <= names->sh_size &&
		    !memcmp(image + names->sh_offset + section->sh_name, ".eh_frame", sizeof(".eh_frame")) &&
		    begin >= bare_program.begin && begin < bare_program.end &&
		    section->sh_size <= bare_program.end - begin)
			return sort_entries((const unsigned char *)begin, section->sh_size);
	}
	return -ENOENT;
}

static int find_section_of_program(const struct dl_phdr_info *program)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat facts;
	void *image;
	int err;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &facts) || facts.st_size <= 0) {
		close(fd);
		return -ENOENT;
	}
	image = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	err = image == MAP_FAILED ? -errno : 0;
	close(fd);
	if (err)
		return err;
	err = find_section(image, (size_t)facts.st_size, program);
	munmap(image, (size_t)facts.st_size);
	return err;
}

/* The program is the first module that dl_iterate_phdr reports. */
static int note_program(struct dl_phdr_info *program, size_t bytes, void *data)
{
	size_t i;

	(void)bytes;
	for (i = 0; i < program->dlpi_phnum; i++)
		if (program->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
			return 1;
	bare_program.begin = UINTPTR_MAX;
	for (i = 0; i < program->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &program->dlpi_phdr[i];
		uintptr_t begin = program->dlpi_addr + header->p_vaddr;

		if (header->p_type != PT_LOAD)
			continue;
		if (begin < bare_program.begin)
			bare_program.begin = begin;
		if (begin + header->p_memsz > bare_program.end)
			bare_program.end = begin + header->p_memsz;
	}
	*(int *)data = find_section_of_program(program);
	return 1;
}

int fathom_frame_tables_init(void)
{
	const Elf64_Ehdr *linker = (const Elf64_Ehdr *)getauxval(AT_BASE);
	int err = 0;

	program_entry = getauxval(AT_ENTRY);
	if (linker && !memcmp(linker->e_ident, ELFMAG, SELFMAG))
		linker_entry = (uintptr_t)linker + linker->e_entry;

	fathom_frame_tables_update();
	if (!bare_program.is_done)
		dl_iterate_phdr(note_program, &err);
	bare_program.is_done = true;
	return err;
}

/* --- modules ---------------------------------------------------------------------------------------------- */

static uint64_t add_to_digest(uint64_t digest, const unsigned char *bytes, size_t count)
{
	uint64_t word;
	size_t i;

	for (i = 0; i + sizeof(word) <= count; i += sizeof(word)) {
		memcpy(&word, bytes + i, sizeof(word));
		digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
	}
	return digest;
}

/* Returns the build-id of the module whose first page is at begin, of at least 16 bytes. NULL: that page has none. */
static const unsigned char *find_build_id(uintptr_t begin)
{
	const Elf64_Ehdr *elf = (const Elf64_Ehdr *)begin;
	const Elf64_Phdr *headers = (const Elf64_Phdr *)(begin + sizeof(*elf));
	uintptr_t place, end;
	size_t i;

	if (memcmp(elf->e_ident, ELFMAG, SELFMAG) || elf->e_phoff != sizeof(*elf) ||
	    elf->e_phnum > (PAGE_BYTES - sizeof(*elf)) / sizeof(*headers))
		return NULL;
	for (i = 0; i < elf->e_phnum; i++) {
		/* The first page has the beginning of the file. */
		if (headers[i].p_type != PT_NOTE || headers[i].p_offset >= PAGE_BYTES ||
		    headers[i].p_filesz > PAGE_BYTES - headers[i].p_offset)
			continue;
		place = begin + headers[i].p_offset;
		end = place + headers[i].p_filesz;
		while (place + sizeof(Elf64_Nhdr) < end) {
			const Elf64_Nhdr *note = (const Elf64_Nhdr *)place;
			uintptr_t content = place + sizeof(*note) + ((note->n_namesz + 3) & ~(uintptr_t)3);

			if (note->n_type == NT_GNU_BUILD_ID && note->n_descsz >= 16 && content + 16 <= end)
				return (const unsigned char *)content;
			place = content + ((note->n_descsz + 3) & ~(uintptr_t)3);
		}
	}
	return NULL;
}

/* Returns the digest of a module's build-id and of the beginning of its .eh_frame_hdr, as far as the page goes. */
static uint64_t digest_of(uintptr_t begin, const unsigned char *header)
{
	const unsigned char *build_id = find_build_id(begin & ~(uintptr_t)(PAGE_BYTES - 1));
	size_t bytes = -(uintptr_t)header % PAGE_BYTES;
	uint64_t digest;

	digest = add_to_digest(0, header, bytes && bytes < DIGEST_BYTES ? bytes : DIGEST_BYTES);
	return build_id ? add_to_digest(digest, build_id, 16) : digest;
}

#ifdef HAVE__DL_FIND_OBJECT

void fathom_frame_tables_update(void)
{
}

static bool find_module(uintptr_t pc, struct fathom_readable_memory *memory, struct fathom_frame_table *table)
{
	struct dl_find_object object;

	(void)memory;
	if (_dl_find_object((void *)pc, &object) || !object.dlfo_eh_frame)
		return false;
	table->begin = (uintptr_t)object.dlfo_map_start;
	table->end = (uintptr_t)object.dlfo_map_end;
	table->header = object.dlfo_eh_frame;
	table->module = object.dlfo_link_map;
	table->digest = digest_of(table->begin, table->header);
	return true;
}

#else

/* The modules of one moment. A new list takes the place of the old one; the old one stays, because a handler may be
 * reading it. */
struct module_list {
	unsigned long long added, removed;	/* modules so far, as the dynamic linker counts them */
	size_t count, room;
	struct fathom_frame_table tables[];
};

/* Stored with release; pairs with the acquire in find_module. */
static struct module_list *module_list;

struct listing {
	struct module_list *list;	/* NULL: only count the modules */
	size_t count;
	unsigned long long added, removed;
};

static int list_module(struct dl_phdr_info *info, size_t bytes, void *data)
{
	struct listing *listing = data;
	struct fathom_frame_table table = { .begin = UINTPTR_MAX };
	size_t i;

	(void)bytes;
	listing->added = info->dlpi_adds;
	listing->removed = info->dlpi_subs;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + header->p_vaddr;

		if (header->p_type == PT_GNU_EH_FRAME)
			table.header = (const unsigned char *)begin;
		if (header->p_type != PT_LOAD)
			continue;
		if (begin < table.begin)
			table.begin = begin;
		if (begin + header->p_memsz > table.end)
			table.end = begin + header->p_memsz;
	}
	table.module = info->dlpi_name;
	if (table.header)
		table.digest = digest_of(table.begin, table.header);
	if (listing->list && listing->count < listing->list->room)
		listing->list->tables[listing->count] = table;
	listing->count++;
	return 0;
}

void fathom_frame_tables_update(void)
{
	const struct module_list *old = __atomic_load_n(&module_list, __ATOMIC_ACQUIRE);
	struct listing listing = { 0 };
	struct module_list *list;
	size_t room;

	dl_iterate_phdr(list_module, &listing);
	if (old && old->added == listing.added && old->removed == listing.removed)
		return;
	room = listing.count + 8;
	list = fathom_arena_map(sizeof(*list) + room * sizeof(*list->tables));
	if (!list)
		return;
	list->room = room;
	listing = (struct listing){ .list = list };
	dl_iterate_phdr(list_module, &listing);
	list->count = listing.count < room ? listing.count : room;
	list->added = listing.added;
	list->removed = listing.removed;
	__atomic_store_n(&module_list, list, __ATOMIC_RELEASE);
}

/* A module of the list may have been unloaded since: its header must be readable and be the one that was listed. */
static bool find_module(uintptr_t pc, struct fathom_readable_memory *memory, struct fathom_frame_table *table)
{
	const struct module_list *list = __atomic_load_n(&module_list, __ATOMIC_ACQUIRE);
	size_t i;

	for (i = 0; list && i < list->count; i++) {
		const struct fathom_frame_table *listed = &list->tables[i];

		if (pc < listed->begin || pc >= listed->end || !listed->header)
			continue;
		if (!fathom_readable_check(memory, (uintptr_t)listed->header, 1) ||
		    !fathom_readable_check(memory, listed->begin, 1) ||
		    digest_of(listed->begin, listed->header) != listed->digest)
			return false;
		*table = *listed;
		return true;
	}
	return false;
}

#endif

bool fathom_frame_table_find(uintptr_t pc, struct fathom_readable_memory *memory, struct fathom_frame_table *table)
{
	if (bare_program.entries && pc >= bare_program.begin && pc < bare_program.end) {
		*table = (struct fathom_frame_table){ .begin = bare_program.begin, .end = bare_program.end };
		return true;
	}
	return find_module(pc, memory, table);
}

bool fathom_frame_table_is_valid(const struct fathom_frame_table *table, struct fathom_readable_memory *memory)
{
	struct fathom_frame_table now;

	return fathom_frame_table_find(table->begin, memory, &now) && now.begin == table->begin &&
	       now.end == table->end && now.header == table->header && now.module == table->module &&
	       now.digest == table->digest;
}

static const unsigned char *find_in_bare_program(uintptr_t pc)
{
	size_t low = 0, high = bare_program.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (bare_program.entries[middle].begin <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? bare_program.entries[low - 1].fde : NULL;
}

/* What a search through all entries found so far. */
struct search {
	uintptr_t pc;
	const unsigned char *fde;
};

static void compare(void *data, const unsigned char *fde)
{
	struct search *search = data;
	struct fathom_cfi_function function;

	if (fathom_cfi_parse(fde, &function) && search->pc - function.begin < function.end - function.begin)
		search->fde = fde;
}

const unsigned char *fathom_frame_table_entry(const struct fathom_frame_table *table, uintptr_t pc)
{
	const unsigned char *header = table->header, *place, *limit;
	struct search search = { .pc = pc };
	uintptr_t section, count = 0;
	struct sorted_entry entry;
	size_t low, high;

	if (!header)
		return find_in_bare_program(pc);
	place = header + HEADER_BYTES;
	limit = place + 16;
	if (header[0] != HEADER_VERSION ||
	    !fathom_cfi_address(&place, limit, header[1], (uintptr_t)header, &section))
		return NULL;
	if (header[2] == OMITTED || header[3] != SORTED ||
	    !fathom_cfi_address(&place, limit, header[2], (uintptr_t)header, &count)) {
		for_each_fde((const unsigned char *)section, (const unsigned char *)table->end, compare, &search);
		return search.fde;
	}
	for (low = 0, high = count; low < high; ) {
		size_t middle = low + (high - low) / 2;

		memcpy(&entry, place + middle * sizeof(entry), sizeof(entry));
		if ((uintptr_t)header + (uintptr_t)entry.begin <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	memcpy(&entry, place + (low - 1) * sizeof(entry), sizeof(entry));
	return (const unsigned char *)((uintptr_t)header + (uintptr_t)entry.fde);
}

bool fathom_frame_table_covers(uintptr_t pc, struct fathom_readable_memory *memory, uintptr_t *end_of_covered)
{
	struct fathom_cfi_function function;
	struct fathom_frame_table table;
	const unsigned char *fde;

	*end_of_covered = pc > UNCOVERED_BYTES ? pc - UNCOVERED_BYTES : 0;
	if (!fathom_frame_table_find(pc, memory, &table))
		return false;
	if (table.begin > *end_of_covered)
		*end_of_covered = table.begin;
	fde = fathom_frame_table_entry(&table, pc);
	if (!fde || !fathom_cfi_parse(fde, &function))
		return false;
	if (pc < function.end)
		return true;
	if (function.end > *end_of_covered)
		*end_of_covered = function.end;
	return false;
}

bool fathom_frame_tables_is_entry(uintptr_t pc)
{
	return pc - program_entry < ENTRY_BYTES || pc - linker_entry < ENTRY_BYTES;
}
