/*
 * log: prints all messages of fathom to stderr.
 *
 * Each message is one line that begins with "fathom: " and is written by one write(2), so that lines of many ranks do
 * not mix. If stderr cannot be written to (a pipe without a reader, a file at its limit), the line is lost and the
 * program continues. fathom does not use stdio, because it must not flush streams of the program, and because signal
 * handlers print messages. Formats may contain %s %.*s %d %u %ld %lu %lld %llu %zu %x %lx %c %% and %f with one
 * decimal (%.1f); %d %u %x also with a width, filled with blanks or zeros.
 */
#ifndef FATHOM_PLATFORM_LOG_H
#define FATHOM_PLATFORM_LOG_H

#include <stdarg.h>
#include <stddef.h>

#include "platform/compiler.h"

enum fathom_log_level {
	FATHOM_LOG_ERROR,	/* something was lost or refused */
	FATHOM_LOG_SAY,		/* the few lines that each user sees */
	FATHOM_LOG_INFO,	/* FATHOM_VERBOSE=1 */
	FATHOM_LOG_DEBUG,	/* FATHOM_VERBOSE=2 */
};

/* Prints a line, unless its level is above the present level. Context: signal. */
FATHOM_API void fathom_log(enum fathom_log_level level, const char *format, ...) FATHOM_PRINTF(2, 3);

/* Sets the present level, which is FATHOM_LOG_SAY at the start. Context: start. */
void fathom_log_set_level(enum fathom_log_level level);

/* Format a text like snprintf, without locks, allocation and locale, for the formats above. Return the length of the
 * complete text. Context: signal. */
FATHOM_API int fathom_format(char *text, size_t bytes, const char *format, ...) FATHOM_PRINTF(3, 4);
int fathom_vformat(char *text, size_t bytes, const char *format, va_list arguments);

#endif
