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

static long plain(long number, const long *a)
{
	long result;
	register long fourth __asm__("r10") = a[3];
	register long fifth __asm__("r8") = a[4];
	register long sixth __asm__("r9") = a[5];

	__asm__ volatile("syscall" : "=a"(result)
			 : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "rcx", "r11", "memory");
	if (result >= 0 || result < -4095)
		return result;
	errno = (int)-result;
	return -1;
}

long syscall(long number, ...)
{
	long a[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_openat && !strcmp((const char *)a[1], "/proc/self/mem")) {
		errno = EACCES;
		return -1;
	}
	return plain(number, a);
}

int mprotect(void *address, size_t bytes, int protection)
{
	const char *refuse = getenv("REFUSE");

	if (refuse && !strcmp(refuse, "all") && (protection & PROT_EXEC) && (protection & PROT_WRITE)) {
		errno = EACCES;
		return -1;
	}
	return (int)plain(SYS_mprotect, (const long[6]){ (long)address, (long)bytes, protection });
}
