/* The checks of a fortified longjmp take the saver's stack for an error. */
#undef _FORTIFY_SOURCE
#include "run/crash_saving.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "platform/compiler.h"
#include "run/process_copy.h"
#include "run/signal_handlers.h"

/*
 * STACK_BYTES: the names of functions come from libraries, which may need as much as a main thread usually has.
 * HANDLER_BYTES: for the handler of a fault in the saver. HELD_BACK_BYTES: what a result of some 10000 call paths and
 * the libraries that name its functions take. GUARD_BYTES: at least a page, on every processor.
 */
enum { STACK_BYTES = 8 << 20, HANDLER_BYTES = 128 << 10, HELD_BACK_BYTES = 48 << 20, GUARD_BYTES = 64 << 10 };

enum { MOST_SECONDS = 60 };

enum state {
	NOBODY,
	SAVING,
	SAVED,		/* for good */
};

/* The signals of faults: their handlers are the core's while the saver works. SIGTRAP and SIGSYS are not among them:
 * debuggers and sandboxes need theirs. */
static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
enum { FAULT_COUNT = sizeof(faults) / sizeof(*faults) };

static struct {
	int state;			/* enum state; threads wait for a change of it */
	pid_t thread;			/* the saver; written by it before its state, 0 when it is done */
	char *stack;			/* lowest address, where the handler's stack begins; NULL: there is none */
	void *held_back;		/* NULL: nothing is held back now */
	size_t held_back_bytes;
	bool has_landing;		/* fathom_crash_saving_give_up can jump */
	jmp_buf landing;
	struct sigaction actions[FAULT_COUNT];	/* the program's, while the saver works */
	bool has_alternate;		/* handlers in the saver have a stack of their own */
	stack_t alternate;		/* what the thread had before that */
} saver;

static pid_t own_thread(void)
{
	return (pid_t)syscall(SYS_gettid);
}

bool fathom_crash_saving_is_self(void)
{
	return __atomic_load_n(&saver.thread, __ATOMIC_RELAXED) == own_thread();
}

bool fathom_crash_saving_is_busy(void)
{
	return __atomic_load_n(&saver.state, __ATOMIC_ACQUIRE) == SAVING;
}

/* --- means ----------------------------------------------------------------------------------------- */

static void *map(size_t bytes)
{
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

static bool is_limited(int resource, size_t *bytes)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return false;
	if (limit.rlim_cur < *bytes)
		*bytes = limit.rlim_cur;
	return true;
}

/* Where memory is limited (ulimit -v, ulimit -d), a part of it is kept from the program: a sixteenth at most. */
static void hold_back(void)
{
	size_t limit = (size_t)HELD_BACK_BYTES * 16;
	bool is_needed = is_limited(RLIMIT_AS, &limit);

	is_needed = is_limited(RLIMIT_DATA, &limit) || is_needed;
	if (!is_needed || saver.held_back)
		return;
	saver.held_back_bytes = limit / 16 & ~(size_t)(GUARD_BYTES - 1);
	saver.held_back = saver.held_back_bytes ? map(saver.held_back_bytes) : NULL;
}

static void release(void)
{
	if (saver.held_back)
		munmap(saver.held_back, saver.held_back_bytes);
	saver.held_back = NULL;
}

/* From the lowest address: the handler's stack, pages that cannot be used, the saver's stack. */
void fathom_crash_saving_init(void)
{
	saver.stack = map(HANDLER_BYTES + GUARD_BYTES + STACK_BYTES);
	if (saver.stack)
		mprotect(saver.stack + HANDLER_BYTES, GUARD_BYTES, PROT_NONE);
	hold_back();
}

/* Calls function(data) on the stack that ends at top. On other processors: on the caller's. */
static void call_on_stack(char *top, void (*function)(void *), void *data)
{
#if defined(__x86_64__)
	__asm__ volatile("movq %%rsp, %%rbx\n\t"
			 "movq %[top], %%rsp\n\t"
			 "callq *%[function]\n\t"
			 "movq %%rbx, %%rsp"
			 : "+D"(data), [top] "+S"(top), [function] "+d"(function)
			 :
			 : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "cc", "memory", "xmm0", "xmm1", "xmm2",
			   "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
			   "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)");
#elif defined(__aarch64__)
	register void *argument __asm__("x0") = data;

	__asm__ volatile("mov x19, sp\n\t"
			 "mov sp, %[top]\n\t"
			 "blr %[function]\n\t"
			 "mov sp, x19"
			 : "+r"(argument)
			 : [top] "r"(top), [function] "r"(function)
			 : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
			   "x15", "x16", "x17", "x19", "x30", "cc", "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6",
			   "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27",
			   "v28", "v29", "v30", "v31");
#else
	(void)top;
	function(data);
#endif
}

/* --- file descriptors ------------------------------------------------------------------------------ */

/* Writing a result takes a few at once, those of libraries included. */
enum { ENOUGH_DESCRIPTORS = 8 };

static bool has_descriptors(void)
{
	int fds[ENOUGH_DESCRIPTORS], count = 0;
	bool enough;

	while (count < ENOUGH_DESCRIPTORS && (fds[count] = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0)
		count++;
	enough = count == ENOUGH_DESCRIPTORS || errno != EMFILE;
	while (count)
		close(fds[--count]);
	return enough;
}

/* Files, pipes, sockets and devices; not what fathom opens for counters, which has no type. */
static bool is_of_program(int fd)
{
	struct stat facts;

	return fstat(fd, &facts) == 0 && (facts.st_mode & S_IFMT) != 0;
}

/* In a copy of the process: nobody misses what the program has opened last, nor its input and output. */
static void close_some(void)
{
	enum { MOST_LOOKS = 4096 };
	struct rlimit limit;
	int closed = 0, fd;

	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > INT32_MAX)
		return;
	fd = (int)limit.rlim_cur - 1;
	for (int i = 0; i < MOST_LOOKS && fd > STDERR_FILENO && closed < ENOUGH_DESCRIPTORS; i++, fd--) {
		if (is_of_program(fd)) {
			close(fd);
			closed++;
		}
	}
}

struct work {
	void (*save)(void *);
	void *data;
};

static int save_in_copy(void *data)
{
	const struct work *work = data;

	close_some();
	work->save(work->data);
	return 0;
}

static void save_here_or_in_copy(void *data)
{
	struct work *work = data;

	if (has_descriptors() || fathom_process_copy_run(save_in_copy, work, MOST_SECONDS) < 0)
		work->save(work->data);
}

/* --- the saver ------------------------------------------------------------------------------------- */

void fathom_crash_saving_give_up(void)
{
	if (!saver.has_landing)
		return;
	saver.has_landing = false;
	longjmp(saver.landing, 1);
}

/* A handler needs a stack other than the thread's own alternate one: the saver may have been called from a handler
 * that is on that. */
static void prepare_for_faults(void)
{
	stack_t mine = { .ss_sp = saver.stack, .ss_size = HANDLER_BYTES };

	saver.has_alternate = saver.stack && sigaltstack(&mine, &saver.alternate) == 0;
	for (int i = 0; i < FAULT_COUNT; i++)
		fathom_signal_handlers_catch(faults[i], &saver.actions[i]);
}

static void work_on_own_stack(void *data)
{
	sigset_t blocked, before;

	prepare_for_faults();
	sigfillset(&blocked);
	for (int i = 0; i < FAULT_COUNT; i++)
		sigdelset(&blocked, faults[i]);
	sigdelset(&blocked, SIGTRAP);
	sigdelset(&blocked, SIGSYS);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	save_here_or_in_copy(data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* False: a fault ended it. */
static __attribute__((noinline)) bool work_until_fault(struct work *work)
{
	if (_setjmp(saver.landing))
		return false;
	saver.has_landing = true;
	if (saver.stack)
		call_on_stack(saver.stack + HANDLER_BYTES + GUARD_BYTES + STACK_BYTES, work_on_own_stack, work);
	else
		work_on_own_stack(work);
	return true;
}

static void clean_up(void)
{
	saver.has_landing = false;
	for (int i = 0; i < FAULT_COUNT; i++)
		fathom_signal_handlers_set(faults[i], &saver.actions[i], NULL);
	if (saver.has_alternate)
		sigaltstack(&saver.alternate, NULL);
}

/* Nobody frees the state: it only goes on to NOBODY or SAVED. */
static void change_state(int state)
{
	__atomic_store_n(&saver.thread, 0, __ATOMIC_RELAXED);
	/* Pairs with the acquire in fathom_crash_saving_is_busy and become_saver. */
	__atomic_store_n(&saver.state, state, __ATOMIC_RELEASE);
	syscall(SYS_futex, &saver.state, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

/* A saver that may allocate memory can need a lock that a waiting thread had when it crashed. */
static bool is_stuck(int *looks)
{
	enum { ENOUGH = 30 };
	pid_t thread = __atomic_load_n(&saver.thread, __ATOMIC_RELAXED);

	*looks = thread && fathom_process_copy_waits_for_lock(thread) ? *looks + 1 : 0;
	return *looks == ENOUGH;
}

void fathom_crash_saving_wait(void)
{
	enum { STEP_NS = 100000000, MOST_STEPS = 10 * MOST_SECONDS };
	const struct timespec step = { .tv_nsec = STEP_NS };
	int looks = 0;

	/* Plain system calls: this must not be a cancellation point. */
	for (int i = 0; i < MOST_STEPS && fathom_crash_saving_is_busy() && !is_stuck(&looks); i++)
		syscall(SYS_futex, &saver.state, FUTEX_WAIT_PRIVATE, SAVING, &step, NULL, 0);
}

static bool become_saver(void)
{
	int expected = NOBODY;

	while (!__atomic_compare_exchange_n(&saver.state, &expected, SAVING, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_ACQUIRE)) {
		if (expected == SAVED || fathom_crash_saving_is_self())
			return false;
		fathom_crash_saving_wait();
		if (fathom_crash_saving_is_busy())
			return false;
		expected = NOBODY;
	}
	__atomic_store_n(&saver.thread, own_thread(), __ATOMIC_RELAXED);
	return true;
}

/* The saver's stack is the copy's own: what the saver has there is left as it is. */
static int save_instead_of_saver(void *data)
{
	struct work *work = data;

	__atomic_store_n(&saver.thread, own_thread(), __ATOMIC_RELAXED);
	close_some();
	if (saver.stack)
		call_on_stack(saver.stack + HANDLER_BYTES + GUARD_BYTES + STACK_BYTES, work->save, work->data);
	else
		work->save(work->data);
	return 0;
}

bool fathom_crash_saving_take_over(void (*save)(void *), void *data)
{
	static bool has_tried;
	struct work work = { save, data };
	pid_t thread = __atomic_load_n(&saver.thread, __ATOMIC_RELAXED);

	if (!fathom_crash_saving_is_busy() || !thread || thread == own_thread() ||
	    !fathom_process_copy_waits_for_lock(thread) || __atomic_exchange_n(&has_tried, true, __ATOMIC_RELAXED))
		return false;
	return fathom_process_copy_run(save_instead_of_saver, &work, MOST_SECONDS) == 0;
}

enum fathom_saved fathom_crash_saving_run(void (*save)(void *), void *data, bool is_last)
{
	struct work work = { save, data };
	int cancel_state;
	sigset_t before;
	bool complete;

	if (!become_saver())
		return FATHOM_SAVED_BY_OTHER;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	release();
	complete = work_until_fault(&work);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	clean_up();
	pthread_setcancelstate(cancel_state, NULL);
	if (!is_last)
		hold_back();
	change_state(is_last ? SAVED : NOBODY);
	return complete ? FATHOM_SAVED : FATHOM_SAVED_IN_PART;
}
