/*
 * To be preloaded: a system that does not let code be written through /proc/self/mem, and, where REFUSE=all, makes no
 * page of code writable either.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static long plain(long number, long a, long b, long c, long d)
{
	long result;
	register long fourth __asm__("r10") = d;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
			 : "rcx", "r11", "memory");
	if (result >= 0 || result < -4095)
		return result;
	errno = (int)-result;
	return -1;
}

long syscall(long number, ...)
{
	long a[4];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_openat && !strcmp((const char *)a[1], "/proc/self/mem")) {
		errno = EACCES;
		return -1;
	}
	return plain(number, a[0], a[1], a[2], a[3]);
}

int mprotect(void *address, size_t bytes, int protection)
{
	const char *refuse = getenv("REFUSE");

	if (refuse && !strcmp(refuse, "all") && (protection & PROT_EXEC) && (protection & PROT_WRITE)) {
		errno = EACCES;
		return -1;
	}
	return (int)plain(SYS_mprotect, (long)address, (long)bytes, protection, 0);
}
