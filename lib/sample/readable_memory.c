#include "sample/readable_memory.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/* MOST_CHECKED: pages by which the known part of the stack grows in one sample. */
enum { PAGE_BYTES = 4096, MOST_CHECKED = 64 };

static uintptr_t page_of(uintptr_t address)
{
	return address & ~(uintptr_t)(PAGE_BYTES - 1);
}

/* Returns whether the page can be read. The system call copies a signal mask from there before it finds that the first
 * argument asks for nothing, so it changes nothing in any case. */
static bool ask_kernel(uintptr_t page)
{
	int saved = errno;
	bool is_readable = syscall(SYS_rt_sigprocmask, -1, page, NULL, 8L) != 0 && errno != EFAULT;

	errno = saved;
	return is_readable;
}

/* Makes the known part of the stack begin at the page of the address stack, if that is not far below the part and all
 * pages between are readable. A page that is not is remembered: below it is another stack. */
static void grow(struct fathom_readable_memory *memory, uintptr_t stack)
{
	uintptr_t high = memory->high ? memory->high : page_of(memory->stack_end) + PAGE_BYTES;
	uintptr_t low = memory->high ? memory->low : high;
	uintptr_t page = low;

	if (stack >= low || stack < memory->unreadable || (low - stack) / PAGE_BYTES > MOST_CHECKED)
		return;
	while (page > stack) {
		page -= PAGE_BYTES;
		if (!ask_kernel(page)) {
			memory->unreadable = page + PAGE_BYTES;
			return;
		}
	}
	memory->low = page;
	memory->high = high;
	memory->word_places = high - page - sizeof(uint64_t) + 1;
}

/* The C library has the thread's control block, which the thread pointer points to, at the outer end of the stack of
 * each thread except the initial one; the kernel puts random bytes at the end of the initial thread's stack. */
void fathom_readable_init(struct fathom_readable_memory *memory)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	uintptr_t end = getauxval(AT_RANDOM);
#if defined(__x86_64__)
	uintptr_t thread_pointer;

	__asm__("movq %%fs:0, %0" : "=r"(thread_pointer));
	if (thread_pointer > here && (thread_pointer < end || end < here))
		end = thread_pointer;
#endif
	memset(memory, 0, sizeof(*memory));
	memory->stack_end = end;
	grow(memory, here);
}

void fathom_readable_begin(struct fathom_readable_memory *memory, uintptr_t stack)
{
	memset(memory->pages, 0, sizeof(memory->pages));
	if (unlikely(stack < memory->low || !memory->high))
		grow(memory, stack);
}

static bool check_page(struct fathom_readable_memory *memory, uintptr_t page)
{
	uintptr_t *known = &memory->pages[page / PAGE_BYTES % FATHOM_READABLE_PAGES];

	if (page >= memory->low && page < memory->high)
		return true;
	if (*known == page && page)
		return true;
	if (!ask_kernel(page))
		return false;
	*known = page;
	return true;
}

bool fathom_readable_check(struct fathom_readable_memory *memory, uintptr_t address, size_t count)
{
	uintptr_t page = page_of(address), last_page = page_of(address + count - 1);

	return last_page >= page && check_page(memory, page) && (page == last_page || check_page(memory, last_page));
}
