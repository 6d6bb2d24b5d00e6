/* A fortified longjmp would take the jump from the saving thread's own stack to the thread's stack for an error. */
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
#include "platform/lock.h"
#include "run/process_copy.h"
#include "run/signals/signal_handlers.h"

/*
 * STACK_BYTES: the libraries that find the names of functions may need as much stack as an initial thread usually has.
 * HANDLER_BYTES: stack for the handler of a fault in the saving. RESERVE_BYTES: memory for a result of some 10000 call
 * paths and for the libraries that find names. GUARD_BYTES: at least one page on every processor.
 */
enum { STACK_BYTES = 8 << 20, HANDLER_BYTES = 128 << 10, RESERVE_BYTES = 48 << 20, GUARD_BYTES = 64 << 10 };
enum { MAPPED_BYTES = HANDLER_BYTES + GUARD_BYTES + STACK_BYTES };

enum { MOST_SECONDS = 60 };

enum state {
	STATE_IDLE,
	STATE_SAVING,
	STATE_DONE,		/* saved, and nothing may be saved any more */
};

/* The signals of faults, for which fathom's handler is installed during the saving. SIGTRAP and SIGSYS are not among
 * them, because debuggers and sandboxes need their own handlers. */
static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
enum { FAULT_COUNT = sizeof(faults) / sizeof(*faults) };

static struct {
	int state;			/* enum state; a futex: threads wait for a change of it */
	pid_t thread;			/* the saving thread; 0: there is none, or it has not written its id yet */
	char *stack;			/* lowest address of both stacks, see fathom_crash_saving_init; NULL: none */
	void *reserve;			/* memory kept from the program; NULL: there is none now */
	size_t reserve_bytes;
	bool can_jump;			/* return_point is valid */
	jmp_buf return_point;		/* where fathom_crash_saving_give_up jumps to */
	struct sigaction actions[FAULT_COUNT];	/* of the program; they are restored after the saving */
	bool has_alternate;		/* the handler's stack is the alternate stack now */
	stack_t alternate;		/* the alternate stack that the thread had before the saving */
} saving;

static pid_t thread_id(void)
{
	return (pid_t)syscall(SYS_gettid);
}

bool fathom_crash_saving_is_self(void)
{
	return __atomic_load_n(&saving.thread, __ATOMIC_RELAXED) == thread_id();
}

bool fathom_crash_saving_is_busy(void)
{
	return __atomic_load_n(&saving.state, __ATOMIC_ACQUIRE) == STATE_SAVING;
}

/* --- memory and stack ------------------------------------------------------------------------------ */

static void *map_pages(size_t bytes)
{
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

/* Returns whether the resource is limited, and lowers *bytes to the limit. */
static bool is_limited(int resource, size_t *bytes)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return false;
	if (limit.rlim_cur < *bytes)
		*bytes = limit.rlim_cur;
	return true;
}

/* Where memory is limited (ulimit -v, ulimit -d), keeps a part of it from the program: at most a sixteenth. */
static void reserve_memory(void)
{
	size_t limit = (size_t)RESERVE_BYTES * 16;
	bool is_needed = is_limited(RLIMIT_AS, &limit);

	is_needed = is_limited(RLIMIT_DATA, &limit) || is_needed;
	if (!is_needed || saving.reserve)
		return;
	saving.reserve_bytes = limit / 16 & ~(size_t)(GUARD_BYTES - 1);
	saving.reserve = saving.reserve_bytes ? map_pages(saving.reserve_bytes) : NULL;
}

static void release_memory(void)
{
	if (saving.reserve)
		munmap(saving.reserve, saving.reserve_bytes);
	saving.reserve = NULL;
}

/* The mapped pages are, from the lowest address: the handler's stack, guard pages, and the saving thread's stack. */
void fathom_crash_saving_init(void)
{
	saving.stack = map_pages(MAPPED_BYTES);
	if (saving.stack)
		mprotect(saving.stack + HANDLER_BYTES, GUARD_BYTES, PROT_NONE);
	reserve_memory();
}

/* Calls function(data) on the stack that ends at top; on processors other than these two, on the caller's stack. */
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

/* To write a result takes a few descriptors at once, including those of libraries. */
enum { ENOUGH_DESCRIPTORS = 8 };

/* Returns whether ENOUGH_DESCRIPTORS files can be opened. */
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

/* Returns whether the descriptor is of a file, pipe, socket or device. The descriptors that fathom opens for counters
 * have no file type. */
static bool is_program_file(int fd)
{
	struct stat facts;

	return fstat(fd, &facts) == 0 && (facts.st_mode & S_IFMT) != 0;
}

/* Closes the program's standard input and output, and the files that the program has opened last. Called in a copy of
 * the process, where the program does not need them. */
static void close_descriptors(void)
{
	enum { MOST_CHECKED = 4096 };
	struct rlimit limit;
	int closed = 0, fd;

	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > INT32_MAX)
		return;
	fd = (int)limit.rlim_cur - 1;
	for (int i = 0; i < MOST_CHECKED && fd > STDERR_FILENO && closed < ENOUGH_DESCRIPTORS; i++, fd--) {
		if (is_program_file(fd)) {
			close(fd);
			closed++;
		}
	}
}

struct save_call {
	void (*save)(void *);
	void *data;
};

static int save_in_copy(void *data)
{
	const struct save_call *call = data;

	close_descriptors();
	call->save(call->data);
	return 0;
}

static void save_here_or_in_copy(void *data)
{
	struct save_call *call = data;

	if (has_descriptors() || fathom_process_copy_run(save_in_copy, call, MOST_SECONDS) < 0)
		call->save(call->data);
}

/* --- the saving thread ------------------------------------------------------------------------------ */

void fathom_crash_saving_give_up(void)
{
	if (!saving.can_jump)
		return;
	saving.can_jump = false;
	longjmp(saving.return_point, 1);
}

/* Installs the handler for faults, with an alternate stack of its own: the saving may have been called from a handler
 * that runs on the thread's alternate stack. */
static void prepare_for_faults(void)
{
	stack_t handler_stack = { .ss_sp = saving.stack, .ss_size = HANDLER_BYTES };

	saving.has_alternate = saving.stack && sigaltstack(&handler_stack, &saving.alternate) == 0;
	for (int i = 0; i < FAULT_COUNT; i++)
		fathom_signal_handlers_catch(faults[i], &saving.actions[i]);
}

static void save_with_signals_blocked(void *data)
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

/* Runs the call on the saving thread's own stack. Returns false if a fault ended it. */
static __attribute__((noinline)) bool save_until_fault(struct save_call *call)
{
	if (_setjmp(saving.return_point))
		return false;
	saving.can_jump = true;
	if (saving.stack)
		call_on_stack(saving.stack + MAPPED_BYTES, save_with_signals_blocked, call);
	else
		save_with_signals_blocked(call);
	return true;
}

/* Restores the program's handlers and the thread's alternate stack. */
static void restore_thread(void)
{
	saving.can_jump = false;
	for (int i = 0; i < FAULT_COUNT; i++)
		fathom_signal_handlers_set(faults[i], &saving.actions[i], NULL);
	if (saving.has_alternate)
		sigaltstack(&saving.alternate, NULL);
}

/* Ends the saving and notifies the waiting threads. */
static void change_state(int state)
{
	__atomic_store_n(&saving.thread, 0, __ATOMIC_RELAXED);
	/* Pairs with the acquire in fathom_crash_saving_is_busy and become_saving_thread. */
	__atomic_store_n(&saving.state, state, __ATOMIC_RELEASE);
	syscall(SYS_futex, &saving.state, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

/* Returns whether the saving thread has waited for a lock in 30 checks in a row. If it may allocate memory, it can need
 * a lock that a waiting thread held when it crashed. */
static bool is_stuck(int *checks)
{
	enum { ENOUGH = 30 };
	pid_t thread = __atomic_load_n(&saving.thread, __ATOMIC_RELAXED);

	*checks = thread && fathom_lock_is_awaited_by(thread) ? *checks + 1 : 0;
	return *checks == ENOUGH;
}

void fathom_crash_saving_wait(void)
{
	enum { STEP_NS = 100000000, MOST_STEPS = 10 * MOST_SECONDS };
	const struct timespec step = { .tv_nsec = STEP_NS };
	int checks = 0;

	/* A plain system call is no cancellation point. */
	for (int i = 0; i < MOST_STEPS && fathom_crash_saving_is_busy() && !is_stuck(&checks); i++)
		syscall(SYS_futex, &saving.state, FUTEX_WAIT_PRIVATE, STATE_SAVING, &step, NULL, 0);
}

/* Returns false if nothing may be saved any more, or another saving is not over after the wait, or the calling thread
 * is the saving thread already. */
static bool become_saving_thread(void)
{
	int expected = STATE_IDLE;

	while (!__atomic_compare_exchange_n(&saving.state, &expected, STATE_SAVING, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_ACQUIRE)) {
		if (expected == STATE_DONE || fathom_crash_saving_is_self())
			return false;
		fathom_crash_saving_wait();
		if (fathom_crash_saving_is_busy())
			return false;
		expected = STATE_IDLE;
	}
	__atomic_store_n(&saving.thread, thread_id(), __ATOMIC_RELAXED);
	return true;
}

/* Runs in a copy of the process. The copy has a stack of the saving thread of its own, so the data of the saving thread
 * in this process stay as they are. */
static int save_in_place_of_saving_thread(void *data)
{
	struct save_call *call = data;

	__atomic_store_n(&saving.thread, thread_id(), __ATOMIC_RELAXED);
	close_descriptors();
	if (saving.stack)
		call_on_stack(saving.stack + MAPPED_BYTES, call->save, call->data);
	else
		call->save(call->data);
	return 0;
}

bool fathom_crash_saving_take_over(void (*save)(void *), void *data)
{
	static bool has_tried;
	struct save_call call = { save, data };
	pid_t thread = __atomic_load_n(&saving.thread, __ATOMIC_RELAXED);

	if (!fathom_crash_saving_is_busy() || !thread || thread == thread_id() ||
	    !fathom_lock_is_awaited_by(thread) || __atomic_exchange_n(&has_tried, true, __ATOMIC_RELAXED))
		return false;
	return fathom_process_copy_run(save_in_place_of_saving_thread, &call, MOST_SECONDS) == 0;
}

enum fathom_saved fathom_crash_saving_run(void (*save)(void *), void *data, bool is_last)
{
	struct save_call call = { save, data };
	int cancel_state;
	sigset_t before;
	bool complete;

	if (!become_saving_thread())
		return FATHOM_SAVED_BY_OTHER;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	release_memory();
	complete = save_until_fault(&call);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	restore_thread();
	pthread_setcancelstate(cancel_state, NULL);
	if (!is_last)
		reserve_memory();
	change_state(is_last ? STATE_DONE : STATE_IDLE);
	return complete ? FATHOM_SAVED : FATHOM_SAVED_IN_PART;
}
