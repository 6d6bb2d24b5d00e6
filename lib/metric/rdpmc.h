/*
 * rdpmc: reads a counter of the processor by the instruction of that name, where that is possible.
 *
 * The kernel decides whether programs may execute rdpmc; where they may not, it raises SIGSEGV. Valgrind and other
 * emulators do not know the instruction and raise SIGILL. So the instruction is tried once before it is used, and
 * a trap that comes later is caught by the handler of fatal signals.
 */
#ifndef FATHOM_METRIC_RDPMC_H
#define FATHOM_METRIC_RDPMC_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

/* True once the instruction has trapped after it had worked: no thread executes it again. Written by
 * fathom_rdpmc_recover. */
extern FATHOM_HIDDEN volatile bool fathom_rdpmc_has_trapped;

#if defined(__x86_64__)
/* Returns the value of counter `number`, in as many bits as the counter has. The address of the instruction is put
 * into a table of the instructions that may trap. Context: hook. */
static inline uint64_t fathom_rdpmc(uint32_t number)
{
	uint64_t low, high;

	__asm__ volatile("1:\trdpmc\n\t"
			 ".pushsection fathom_rdpmc, \"a\", @progbits\n\t"
			 ".balign 4\n\t"
			 ".long 1b - .\n\t"
			 ".popsection"
			 : "=a"(low), "=d"(high) : "c"(number));
	return high << 32 | low;
}
#endif

/* Returns whether this process can execute rdpmc on counter `number`: not under valgrind, and not if it traps.
 * Context: start. */
bool fathom_rdpmc_works(uint32_t number);

/*
 * If fathom_rdpmc raised the signal: notes that the instruction traps, lets the thread continue behind the
 * instruction, and returns true. context: the third argument of the signal handler. Context: signal.
 */
bool fathom_rdpmc_recover(int signal, void *context);

#endif
