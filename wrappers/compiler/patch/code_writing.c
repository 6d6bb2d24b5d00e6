#include "compiler/patch/code_writing.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static enum { NOT_TRIED, WORKS, REFUSED } through_memory, through_page;

static int open_memory(void)
{
	return (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC);
}

/* Writes through /proc/self/mem. Returns whether that worked. The descriptor is closed each time, because the program
 * may close all descriptors and open its own files with the same numbers. */
static bool write_through_memory(uint8_t *at, const uint8_t *bytes, size_t count)
{
	int fd;
	bool done;

	if (through_memory == REFUSED)
		return false;
	fd = open_memory();
	done = fd >= 0 && syscall(SYS_pwrite64, fd, bytes, count, (off_t)(uintptr_t)at) == (long)count &&
	       !memcmp(at, bytes, count);
	if (fd >= 0)
		syscall(SYS_close, fd);
	/* A way that has worked once is tried again after a failure; so is one that failed for lack of descriptors. */
	if (done)
		through_memory = WORKS;
	else if (through_memory == NOT_TRIED && (fd >= 0 || errno == EACCES || errno == EPERM || errno == ENOENT))
		through_memory = REFUSED;
	return done;
}

struct protection {
	uintptr_t address;
	int flags;
};

/* Called by dl_iterate_phdr for each module: if the module contains the address, finds the protection of its page. */
static int find_protection(struct dl_phdr_info *info, size_t size, void *data)
{
	struct protection *search = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type != PT_LOAD || search->address - info->dlpi_addr - header->p_vaddr >= header->p_memsz)
			continue;
		search->flags = (header->p_flags & PF_R ? PROT_READ : 0) | (header->p_flags & PF_W ? PROT_WRITE : 0) |
				(header->p_flags & PF_X ? PROT_EXEC : 0);
		return 1;
	}
	return 0;
}

/* Writes after making the page writable. Returns whether that worked. */
static bool write_through_page(uint8_t *at, const uint8_t *bytes, size_t count)
{
	struct protection protection = { .address = (uintptr_t)at };
	uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *page = (void *)((uintptr_t)at & ~(page_bytes - 1));

	if (through_page == REFUSED || !dl_iterate_phdr(find_protection, &protection))
		return false;
	if (mprotect(page, page_bytes, PROT_READ | PROT_WRITE | PROT_EXEC)) {
		if (through_page == NOT_TRIED)
			through_page = REFUSED;
		return false;
	}
	through_page = WORKS;
	for (size_t i = 0; i < count; i++) {
		if (at[i] != bytes[i])
			__atomic_store_n(&at[i], bytes[i], __ATOMIC_RELAXED);
	}
	mprotect(page, page_bytes, protection.flags);
	return true;
}

bool fathom_code_write(uint8_t *at, const uint8_t *bytes, size_t count)
{
	return write_through_memory(at, bytes, count) || write_through_page(at, bytes, count);
}

bool fathom_code_is_refused(void)
{
	return through_memory == REFUSED && through_page == REFUSED;
}

void fathom_code_serialize(void)
{
	static bool is_registered;

	if (!is_registered)
		syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
	is_registered = true;
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}
