#include "platform/helper.h"

#include <errno.h>
#include <limits.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * The memory of the helper, low addresses first: room for thread-local variables below the thread pointer (x86), room
 * above it (others, and the C library's own head of a thread on x86), and the stack. Pages that are not touched cost
 * nothing.
 */
enum {
	BELOW_BYTES = 512 << 10,
	ABOVE_BYTES = 512 << 10,
	STACK_BYTES = 64 << 10,
	MARGIN_BYTES = 64,	/* errno and what stands beside it */
};

#if defined(__x86_64__)
static char *thread_pointer(void)
{
	char *pointer;

	__asm__("movq %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

/* The first word points to itself, and the third, too: the head of a thread in the C library. */
static void make_head(void **pointer)
{
	pointer[0] = pointer;
	pointer[2] = pointer;
}
#define IS_SUPPORTED 1
#elif defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64)
static char *thread_pointer(void)
{
	return __builtin_thread_pointer();
}

static void make_head(void **pointer)
{
	(void)pointer;
}
#define IS_SUPPORTED 1
#else
static char *thread_pointer(void)
{
	return NULL;
}

static void make_head(void **pointer)
{
	(void)pointer;
}
#define IS_SUPPORTED 0
#endif

/* Whether errno of the helper will be inside its room for thread-local variables. */
static bool has_room_for_errno(void)
{
	ptrdiff_t place = (char *)&errno - thread_pointer();

	return place > -(BELOW_BYTES - MARGIN_BYTES) && place < ABOVE_BYTES - MARGIN_BYTES;
}

/* A table of file descriptors of the helper's own, without a file in it. Only the first call is made where the kernel
 * knows it, from Linux 5.9 on. Returns whether there is one now. */
FATHOM_IN_HELPER static bool leave_files(void)
{
	enum { MOST = 65536 };
	struct rlimit limit = { 0 };

	if (!syscall(SYS_close_range, 0, UINT_MAX, CLOSE_RANGE_UNSHARE))
		return true;
	if (syscall(SYS_unshare, CLONE_FILES))
		return false;
	syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit);
	for (rlim_t fd = 0; fd < limit.rlim_cur && fd < MOST; fd++)
		syscall(SYS_close, (int)fd);
	return true;
}

FATHOM_IN_HELPER static int begin(void *data)
{
	struct fathom_helper *helper = data;

	if (leave_files())
		helper->run(helper);
	syscall(SYS_exit, 0);
	return 0;
}

int fathom_helper_start(struct fathom_helper *helper)
{
	enum { FLAGS = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS,
	       KERNEL_MASK_BYTES = 8, ALL_BYTES = BELOW_BYTES + ABOVE_BYTES + STACK_BYTES };
	const uint64_t all = UINT64_MAX;
	uint64_t before = 0;
	char *memory, *pointer;
	int err = 0;

	if (!IS_SUPPORTED || !has_room_for_errno())
		return -ENOTSUP;
	memory = mmap(NULL, ALL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return -errno;
	pointer = memory + BELOW_BYTES;
	make_head((void **)(void *)pointer);
	helper->stop = 0;
	/* By the system call: the C library would leave out signals of its own. */
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, (long)KERNEL_MASK_BYTES);
	if (clone(begin, memory + ALL_BYTES, FLAGS, helper, NULL, pointer, NULL) < 0)
		err = -errno;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, (long)KERNEL_MASK_BYTES);
	if (err)
		munmap(memory, ALL_BYTES);
	return err;
}

void fathom_helper_stop(struct fathom_helper *helper)
{
	int saved = errno;

	__atomic_store_n(&helper->stop, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &helper->stop, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	errno = saved;
}

FATHOM_IN_HELPER bool fathom_helper_sleep(struct fathom_helper *helper, uint64_t ns)
{
	struct timespec time = { .tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u) };

	/* Pairs with the release in fathom_helper_stop. */
	if (!__atomic_load_n(&helper->stop, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &helper->stop, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
	return __atomic_load_n(&helper->stop, __ATOMIC_ACQUIRE);
}
