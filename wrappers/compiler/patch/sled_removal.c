#include "compiler/patch/sled_removal.h"

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

#include "run/runtime.h"
#include "compiler/patch/code_writing.h"
#include "compiler/patch/sleds.h"
#include "platform/settings.h"

#if defined(__x86_64__) && defined(__LP64__)

enum {
	CALL = 0xe8,
	RETURN = 0xc3,
	TEST = 0xa9,			/* test $.., %eax, as long as a call */
	PAGE_BYTES = 4096,		/* the smallest page; a larger one consists of several */
	SLED_FUNCTION_BYTES = 16,	/* of a function that sleds call (fathom_sled_*'s part in each module) */
};

/* The memory of a program or library, and one of its segments with code. */
struct code {
	const uint8_t *map_begin, *map_end;
	const uint8_t *begin, *end;
};

/* Changed bytes of one page, which are written together. Only one thread uses it, at the start. */
static struct {
	uint8_t *page;			/* NULL: there are no changed bytes */
	size_t first, end;		/* the bytes from the first to the last changed one */
	uint8_t bytes[PAGE_BYTES];	/* the page with the changes */
} pending;

static void write_pending(void)
{
	if (pending.page)
		fathom_code_write(pending.page + pending.first, pending.bytes + pending.first,
				  pending.end - pending.first);
	pending.page = NULL;
}

static void change_byte(const uint8_t *at, uint8_t byte)
{
	uint8_t *page = (uint8_t *)((uintptr_t)at & ~(uintptr_t)(PAGE_BYTES - 1));
	size_t place = (size_t)(at - page);

	if (page != pending.page) {
		write_pending();
		pending.page = page;
		pending.first = pending.end = place;
		memcpy(pending.bytes, page, PAGE_BYTES);
	}
	pending.bytes[place] = byte;
	pending.first = place < pending.first ? place : pending.first;
	pending.end = place + 1 > pending.end ? place + 1 : pending.end;
}

/* Returns the target of a jump or call: distance points to the last four bytes of the instruction. */
static const uint8_t *target_at(const uint8_t *distance)
{
	int32_t value;

	memcpy(&value, distance, sizeof(value));
	return distance + sizeof(value) + value;
}

/*
 * Returns which function of sleds.h the call at at leads to, through the function that each module has:
 *	48 83 3d .. 00	cmpq $0, slot(%rip)
 *	74 ..		je to a return
 *	ff 25 ..	jmp *slot(%rip); or jmp target (e9 ..), if the linker knew it
 * NULL: to none.
 */
static const void *sled_target(const struct code *code, const uint8_t *at)
{
	const uint8_t *function = target_at(at + 1), *slot;
	const void *target;

	if (function < code->begin || function > code->end - SLED_FUNCTION_BYTES ||
	    memcmp(function, "\x48\x83\x3d", 3) || function[7] != 0 || function[8] != 0x74)
		return NULL;
	if (function[10] == 0xe9)
		return target_at(function + 11);
	slot = target_at(function + 12);
	if (function[10] != 0xff || function[11] != 0x25 || slot < code->map_begin ||
	    slot > code->map_end - sizeof(target))
		return NULL;
	memcpy(&target, slot, sizeof(target));
	return target;
}

static bool leads_to(const struct code *code, const uint8_t *at, void (*function)(void))
{
	return sled_target(code, at) == (const void *)(uintptr_t)function;
}

/* If a sled of an exit is at at, takes it and the function's first sled out. The byte there is that of a call. */
static void remove_at(const struct code *code, const uint8_t *at)
{
	const uint8_t *from = at + FATHOM_SLED_CALL, *first;

	if (!leads_to(code, at, fathom_sled_exit) && !leads_to(code, at, fathom_sled_tail))
		return;
	first = fathom_sled_first(from);
	if (!first || first < code->begin || first > at || (*first != CALL && *first != TEST) ||
	    !leads_to(code, first, fathom_sled_enter))
		return;
	change_byte(at, *from == RETURN ? RETURN : TEST);
	change_byte(first, TEST);
}

/* Returns whether the module may have sleds: libraries and dynamically linked programs then name fathom_sled_enter
 * among their dynamic symbols; static programs do not. Reading the code of large libraries for nothing would take
 * long. */
static bool may_have_sleds(const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *entry = NULL;
	const char *names = NULL;
	size_t bytes = 0;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			entry = (const ElfW(Dyn) *)(uintptr_t)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	}
	for (; entry && entry->d_tag != DT_NULL; entry++) {
		if (entry->d_tag == DT_STRTAB)
			names = (const char *)(uintptr_t)entry->d_un.d_ptr;
		else if (entry->d_tag == DT_STRSZ)
			bytes = entry->d_un.d_val;
		else if (entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_PIE))
			return true;	/* the program */
	}
	/* glibc has made the address of the names absolute; in the kernel's vdso it stays relative. */
	if (!names || (uintptr_t)names < info->dlpi_addr)
		return !names;
	return memmem(names, bytes, "fathom_sled_enter", sizeof("fathom_sled_enter")) != NULL;
}

/* Called by dl_iterate_phdr for the program and each library. */
static int remove_from_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct code code = { .map_begin = (const uint8_t *)UINTPTR_MAX };

	(void)size;
	(void)data;
	if (!may_have_sleds(info))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const uint8_t *begin = (const uint8_t *)(uintptr_t)(info->dlpi_addr + header->p_vaddr);

		if (header->p_type != PT_LOAD)
			continue;
		code.map_begin = begin < code.map_begin ? begin : code.map_begin;
		code.map_end = begin + header->p_memsz > code.map_end ? begin + header->p_memsz : code.map_end;
	}
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const uint8_t *at;

		if (header->p_type != PT_LOAD || (header->p_flags & (PF_R | PF_X)) != (PF_R | PF_X) ||
		    header->p_filesz < SLED_FUNCTION_BYTES)
			continue;
		code.begin = (const uint8_t *)(uintptr_t)(info->dlpi_addr + header->p_vaddr);
		code.end = code.begin + header->p_filesz;
		at = code.begin;
		while ((at = memchr(at, CALL, (size_t)(code.end - at))) != NULL &&
		       code.end - at >= FATHOM_SLED_CALL + FATHOM_SLED_END)
			remove_at(&code, at++);
	}
	write_pending();
	return 0;
}

void fathom_sled_removal_start(void)
{
	int saved = errno;

	if (!fathom_runtime_settings()->patch)
		return;
	dl_iterate_phdr(remove_from_module, NULL);
	fathom_code_serialize();
	errno = saved;
}

#else
/* There are no sleds on this processor. */
void fathom_sled_removal_start(void)
{
}
#endif
