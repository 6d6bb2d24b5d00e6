#include "platform/helper.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(FATHOM_FOR_THREAD_SANITIZER)

/* The helper has no table of file descriptors of its own here, because it must be able to print what ThreadSanitizer
 * finds. */
static void *begin(void *data)
{
	struct fathom_helper *helper = data;

	helper->run(helper);
	return NULL;
}

/* Makes a thread that ThreadSanitizer knows, by the sanitizer's own name of pthread_create, because the function of
 * libfathom-pthread would measure the thread. */
static int make_thread(struct fathom_helper *helper)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	pthread_attr_t attributes;
	pthread_t thread;
	int err;

	*(void **)&create = dlsym(RTLD_DEFAULT, "__interceptor_pthread_create");
	if (!create || pthread_attr_init(&attributes))
		return -ENOTSUP;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	err = -create(&thread, &attributes, begin, helper);
	pthread_attr_destroy(&attributes);
	return err;
}

#else

/*
 * The memory of the helper, from low addresses: the area below the thread pointer, in which x86 has thread-local
 * variables; the area above it, in which other processors have them, and x86 the C library's descriptor of the thread;
 * and the stack. Pages that are never touched take no memory.
 */
enum {
	BELOW_BYTES = 512 << 10,
	ABOVE_BYTES = 512 << 10,
	STACK_BYTES = 64 << 10,
	MARGIN_BYTES = 64,	/* for errno and its neighbours */
};

#if defined(__x86_64__)
static char *thread_pointer(void)
{
	char *pointer;

	__asm__("movq %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

/* Writes what code finds through the thread pointer: the first and the third word of the C library's descriptor of a
 * thread point to the descriptor itself. */
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

/* Returns whether errno of the helper will lie in the helper's memory. */
static bool has_room_for_errno(void)
{
	ptrdiff_t place = (char *)&errno - thread_pointer();

	return place > -(BELOW_BYTES - MARGIN_BYTES) && place < ABOVE_BYTES - MARGIN_BYTES;
}

/* Gives the helper a table of file descriptors of its own, without any open file. From Linux 5.9 on the first call is
 * enough. Returns whether there is such a table now. */
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
	syscall(SYS_exit, helper->exit_code);
	return 0;
}

static int make_thread(struct fathom_helper *helper)
{
	enum { FLAGS = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS,
	       ALL_BYTES = BELOW_BYTES + ABOVE_BYTES + STACK_BYTES };
	char *memory, *pointer;
	int err = 0;

	if (!IS_SUPPORTED || !has_room_for_errno())
		return -ENOTSUP;
	memory = mmap(NULL, ALL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return -errno;
	pointer = memory + BELOW_BYTES;
	make_head((void **)(void *)pointer);
	if (clone(begin, memory + ALL_BYTES, FLAGS, helper, NULL, pointer, NULL) < 0)
		err = -errno;
	if (err)
		munmap(memory, ALL_BYTES);
	return err;
}

#endif

int fathom_helper_start(struct fathom_helper *helper)
{
	enum { KERNEL_MASK_BYTES = 8 };
	const uint64_t all = UINT64_MAX;
	uint64_t before = 0;
	int err;

	helper->stop = 0;
	helper->exit_code = 0;
	/* By the system call, as the C library's function does not block the signals that it uses itself. */
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, (long)KERNEL_MASK_BYTES);
	err = make_thread(helper);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, (long)KERNEL_MASK_BYTES);
	return err;
}

void fathom_helper_stop(struct fathom_helper *helper)
{
	int saved = errno;

	__atomic_store_n(&helper->stop, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &helper->stop, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	errno = saved;
}

/* Returns the words of /proc/self/stat behind the name of the program, which stands in parentheses and may contain any
 * characters. NULL: there is no such name. */
FATHOM_IN_HELPER static const char *words_behind_name(char *text, long bytes)
{
	const char *behind = NULL;

	for (long i = 0; i + 2 < bytes; i++)
		if (text[i] == ')')
			behind = text + i + 2;
	return behind;
}

/* Returns the number that stands as word number index, counted from 0. Single blanks separate the words. -1: that word
 * is no number. */
FATHOM_IN_HELPER static int number_of_word(const char *words, int index)
{
	int number = 0;

	for (; index && *words; words++)
		index -= *words == ' ';
	if (*words < '0' || *words > '9')
		return -1;
	for (; *words >= '0' && *words <= '9'; words++)
		number = number * 10 + *words - '0';
	return number;
}

/*
 * Returns whether all threads of the program have ended, and only the helper keeps the process alive: a program of one
 * thread may end by the system call exit, which ends the calling thread alone. The process then has two threads: the
 * first one, which is a zombie, and the helper. The exit code of the helper is that of the process, from Linux 5.18 on.
 * So the helper takes over the exit code of the first thread. False where /proc does not tell.
 */
FATHOM_IN_HELPER static bool is_left_alone(struct fathom_helper *helper)
{
	enum { THREADS = 17, EXIT_CODE = 49 };	/* words of /proc/self/stat, from the state, which is word 0 */
	static const char path[] = "/proc/self/stat";
	char text[1024];
	const char *words;
	long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC), bytes;
	int status;

	if (fd < 0)
		return false;
	bytes = syscall(SYS_read, (int)fd, text, sizeof(text) - 1);
	syscall(SYS_close, (int)fd);
	text[bytes > 0 ? bytes : 0] = '\0';
	words = words_behind_name(text, bytes);
	if (!words || *words != 'Z' || number_of_word(words, THREADS) != 2)
		return false;
	status = number_of_word(words, EXIT_CODE);
	helper->exit_code = status > 0 ? status >> 8 : 0;
	return true;
}

FATHOM_IN_HELPER bool fathom_helper_sleep(struct fathom_helper *helper, uint64_t ns)
{
	struct timespec time = { .tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u) };

	/* Pairs with the release in fathom_helper_stop. */
	if (!__atomic_load_n(&helper->stop, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &helper->stop, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
	return __atomic_load_n(&helper->stop, __ATOMIC_ACQUIRE) || is_left_alone(helper);
}
