#include "driver/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void say(const char *format, va_list values)
{
	fputs("fathom: ", stderr);
	vfprintf(stderr, format, values);
	fputc('\n', stderr);
}

void fathom_say(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	say(format, values);
	va_end(values);
}

void fathom_die(int code, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	say(format, values);
	va_end(values);
	exit(code);
}
