#include "common/messages.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The actions of the two signals before fathom_stderr_hold. */
static struct sigaction pipe_before, limit_before;

void fathom_stderr_hold(void)
{
	const struct sigaction ignored = { .sa_handler = SIG_IGN };

	sigaction(SIGPIPE, &ignored, &pipe_before);
	sigaction(SIGXFSZ, &ignored, &limit_before);
}

void fathom_stderr_release(void)
{
	sigaction(SIGPIPE, &pipe_before, NULL);
	sigaction(SIGXFSZ, &limit_before, NULL);
}

static void say(const char *format, va_list values)
{
	fathom_stderr_hold();
	fputs("fathom: ", stderr);
	vfprintf(stderr, format, values);
	fputc('\n', stderr);
	fathom_stderr_release();
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
