/*
 * kernel_call: a system call without the C library. It is not a cancellation point and does not change errno. On x86-64
 * it changes no register except rcx and the register of its result, so that hooks that keep most registers can use it
 * (platform/vectors.h).
 */
#ifndef FATHOM_METRIC_KERNEL_CALL_H
#define FATHOM_METRIC_KERNEL_CALL_H

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Makes the system call of that number with up to three arguments. Returns its result, or -errno. Context: hook. */
static inline long fathom_kernel_call(long number, long first, void *second, long third)
{
#if defined(__x86_64__) && defined(__LP64__)
	long result, r11;

	__asm__ volatile("movq %%r11, %1\n\t"
			 "syscall\n\t"
			 "movq %1, %%r11"
			 : "=a"(result), "=&r"(r11)
			 : "0"(number), "D"(first), "S"(second), "d"(third)
			 : "rcx", "memory");
	return result;
#else
	int saved = errno;
	long result = syscall(number, first, second, third);

	if (result < 0)
		result = -errno;
	errno = saved;
	return result;
#endif
}

#endif
