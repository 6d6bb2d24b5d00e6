#include "sample/sampling_signal.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/compiler.h"

/* The kernel's own form of struct sigaction: sigaction of the C library refuses the signal. */
struct kernel_action {
	void (*handler)(int, siginfo_t *, void *);
	unsigned long flags;
#if defined(__x86_64__)
	void (*restorer)(void);
#endif
	uint64_t mask;
};

enum { MASK_BYTES = sizeof(uint64_t) };

static fathom_sampling_handler *take_sample;

/* The handler that the C library has installed; NULL: none. */
static void (*libc_handler)(int, siginfo_t *, void *);

#if defined(__x86_64__)
#define KERNEL_HAS_RESTORER 0x04000000ul

/* Returns from the handler. Debuggers and unwinders know these instructions. */
void fathom_sampling_return(void) FATHOM_HIDDEN;
__asm__(".pushsection .text\n"
	".balign 16\n"
	"\tnop\n"		/* unwinders look for the function at the address before the return address */
	".globl fathom_sampling_return\n"
	".hidden fathom_sampling_return\n"
	".type fathom_sampling_return, @function\n"
	"fathom_sampling_return:\n"
	"\tmovq $15, %rax\n"	/* rt_sigreturn */
	"\tsyscall\n"
	".size fathom_sampling_return, . - fathom_sampling_return\n"
	".popsection\n");
#endif

static void on_signal(int number, siginfo_t *info, void *context)
{
	int error = errno;

	if (!take_sample(info, context) && libc_handler)
		libc_handler(number, info, context);
	errno = error;
}

static int set_action(const struct kernel_action *action, struct kernel_action *old)
{
	return syscall(SYS_rt_sigaction, FATHOM_SAMPLING_SIGNAL, action, old, MASK_BYTES) ? -errno : 0;
}

/* The signals of crashes stay open: blocked, they would end the process at once and the measurement with it. */
static uint64_t blocked_in_handler(void)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };
	uint64_t mask = ~(uint64_t)0;

	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		mask &= ~((uint64_t)1 << (crashes[i] - 1));
	return mask;
}

static int install(struct kernel_action *old)
{
	struct kernel_action action = {
		.handler = on_signal,
		.flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
		.mask = blocked_in_handler(),
	};

#if defined(__x86_64__)
	action.flags |= KERNEL_HAS_RESTORER;
	action.restorer = fathom_sampling_return;
#endif
	return set_action(&action, old);
}

/* SIG_DFL and SIG_IGN are 0 and 1. */
static void note_handler(const struct kernel_action *old)
{
	if (old->handler != on_signal)
		libc_handler = (uintptr_t)old->handler > 1 ? old->handler : NULL;
}

int fathom_sampling_signal_init(fathom_sampling_handler *handler)
{
	const uint64_t mask = (uint64_t)1 << (FATHOM_SAMPLING_SIGNAL - 1);
	struct kernel_action old = { 0 };
	int err;

	take_sample = handler;
	err = install(&old);
	if (err)
		return err;
	note_handler(&old);
	syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, NULL, MASK_BYTES);
	return 0;
}

bool fathom_sampling_signal_keep(void)
{
	struct kernel_action now = { 0 };

	if (set_action(NULL, &now) || now.handler == on_signal)
		return false;
	note_handler(&now);
	return install(&now) == 0;
}

/* --- system calls ---------------------------------------------------------------------------------- */

#if defined(__x86_64__)
/* The calls that wait, return EINTR in spite of SA_RESTART, and can be repeated with the same arguments. */
static bool can_be_repeated(uint32_t call)
{
	switch (call) {
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_poll:
	case SYS_ppoll:
	case SYS_select:
	case SYS_pselect6:
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
	case SYS_futex:
	case SYS_pause:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
	case SYS_accept:
	case SYS_accept4:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_semop:
	case SYS_semtimedop:
	case SYS_msgrcv:
	case SYS_msgsnd:
		return true;
	}
	return false;
}

/* Returns whether the thread handles another signal as soon as this handler returns. */
static bool has_other_signal(const ucontext_t *context)
{
	uint64_t pending = 0, blocked;

	memcpy(&blocked, &context->uc_sigmask, sizeof(blocked));
	return syscall(SYS_rt_sigpending, &pending, MASK_BYTES) || (pending & ~blocked);
}

void fathom_sampling_signal_restart_call(ucontext_t *context)
{
	/* "mov $number, %eax; syscall": the only form in which the number of the call can be known. */
	enum { MOV_BYTES = 5, BYTES = 7, PAGE_BYTES = 4096 };
	greg_t *registers = context->uc_mcontext.gregs;
	const uint8_t *code = (const uint8_t *)(uintptr_t)registers[REG_RIP] - BYTES;
	uint32_t call;
	int saved = errno;

	if (registers[REG_RAX] != -EINTR || registers[REG_RIP] % PAGE_BYTES < BYTES)
		return;
	if (code[0] != 0xb8 || code[MOV_BYTES] != 0x0f || code[MOV_BYTES + 1] != 0x05)
		return;
	memcpy(&call, code + 1, sizeof(call));
	if (can_be_repeated(call) && !has_other_signal(context))
		registers[REG_RIP] -= BYTES;
	errno = saved;
}
#else
void fathom_sampling_signal_restart_call(ucontext_t *context)
{
	(void)context;
}
#endif
