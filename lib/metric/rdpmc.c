#include "metric/rdpmc.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <ucontext.h>

volatile bool fathom_rdpmc_has_trapped;

#if defined(__x86_64__)

enum { RDPMC_BYTES = 2 };

/* The table that fathom_rdpmc fills: each entry is the distance from itself to an instruction. The linker defines
 * the two names. With asm labels instead, GCC would ignore that they are hidden, and the library would export them. */
extern FATHOM_HIDDEN const int32_t __start_fathom_rdpmc[], __stop_fathom_rdpmc[];

static bool is_in_table(uintptr_t address)
{
	for (const int32_t *entry = __start_fathom_rdpmc; entry < __stop_fathom_rdpmc; entry++)
		if ((uintptr_t)entry + (uintptr_t)(intptr_t)*entry == address)
			return true;
	return false;
}

bool fathom_rdpmc_recover(int signal, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	if ((signal != SIGSEGV && signal != SIGILL) || !is_in_table((uintptr_t)registers[REG_RIP]))
		return false;
	fathom_rdpmc_has_trapped = true;
	registers[REG_RIP] += RDPMC_BYTES;
	registers[REG_RAX] = 0;
	registers[REG_RDX] = 0;
	return true;
}

/* Returns whether valgrind executes this program: the sequence of instructions does nothing on a processor, and is a
 * request to valgrind ("RUNNING_ON_VALGRIND" of its manual, chapter "The Client Request mechanism"). */
static bool is_valgrind(void)
{
	static const uint64_t request[6] = { 0x1001 };
	uint64_t answer = 0;

	__asm__ volatile("rolq $3, %%rdi\n\t"
			 "rolq $13, %%rdi\n\t"
			 "rolq $61, %%rdi\n\t"
			 "rolq $51, %%rdi\n\t"
			 "xchgq %%rbx, %%rbx"
			 : "+d"(answer) : "a"(request) : "rdi", "cc", "memory");
	return answer != 0;
}

/* The C library's internal name, which no library interposes. */
extern int __sigaction(int number, const struct sigaction *action, struct sigaction *old);

static const int trap_signals[] = { SIGSEGV, SIGILL };
enum { TRAP_COUNT = sizeof(trap_signals) / sizeof(*trap_signals) };

static struct sigaction before[TRAP_COUNT];

/* Handles a trap. If another thread caused the trap, this function restores the previous handler, and the same
 * instruction traps again and calls that handler. */
static void on_trap(int number, siginfo_t *info, void *context)
{
	(void)info;
	if (!fathom_rdpmc_recover(number, context))
		__sigaction(number, &before[number == SIGILL], NULL);
}

bool fathom_rdpmc_works(uint32_t number)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };
	sigset_t traps, mask;

	if (fathom_rdpmc_has_trapped || is_valgrind())
		return false;
	sigemptyset(&traps);
	for (int i = 0; i < TRAP_COUNT; i++) {
		__sigaction(trap_signals[i], &action, &before[i]);
		sigaddset(&traps, trap_signals[i]);
	}
	/* A signal that an instruction raises ends the process if it is blocked. */
	pthread_sigmask(SIG_UNBLOCK, &traps, &mask);
	(void)fathom_rdpmc(number);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	for (int i = 0; i < TRAP_COUNT; i++)
		__sigaction(trap_signals[i], &before[i], NULL);
	return !fathom_rdpmc_has_trapped;
}

#else

bool fathom_rdpmc_recover(int signal, void *context)
{
	(void)signal, (void)context;
	return false;
}

bool fathom_rdpmc_works(uint32_t number)
{
	(void)number;
	return false;
}

#endif
