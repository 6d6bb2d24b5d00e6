/*
 * log: everything fathom says to people goes through here, to stderr, one line each,
 * with "fathom: " in front, by one write(2), so lines of many ranks do not mix. Where stderr cannot be written to (a
 * pipe without a reader, a file at its limit), the line is lost and the program goes on.
 *
 * No stdio: the program's own streams are not ours to flush, and a line may have to be
 * said from a signal handler. Understood are %s %.*s %d %u %ld %lu %lld %llu %zu %x %lx %c
 * %% and %f with one decimal (%.1f); %d %u %x also with a width, filled with blanks or zeros.
 */
#ifndef FATHOM_PLATFORM_LOG_H
#define FATHOM_PLATFORM_LOG_H

#include <stdarg.h>
#include <stddef.h>

#include "platform/compiler.h"

enum fathom_log_level {
	FATHOM_LOG_ERROR,	/* something was lost or refused */
	FATHOM_LOG_SAY,		/* the few lines every user sees */
	FATHOM_LOG_INFO,	/* FATHOM_VERBOSE=1 */
	FATHOM_LOG_DEBUG,	/* FATHOM_VERBOSE=2 */
};

/* Say a line. Lines above the level in force are not said. Context: signal. */
FATHOM_API void fathom_log(enum fathom_log_level level, const char *format, ...) FATHOM_PRINTF(2, 3);

/* Lines up to this level are said; FATHOM_LOG_SAY at the start. Context: start. */
void fathom_log_set_level(enum fathom_log_level level);

/* snprintf without locks, allocation or locale, for the formats above. Returns the length
 * the text has or would have. Context: signal. */
FATHOM_API int fathom_format(char *text, size_t bytes, const char *format, ...) FATHOM_PRINTF(3, 4);
int fathom_vformat(char *text, size_t bytes, const char *format, va_list arguments);

#endif
