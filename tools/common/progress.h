/*
 * progress: a line on the terminal that says how far a command is, if the command takes longer than two seconds.
 *
 * The line is written to stderr, only if stderr is a terminal, at most five times a second, and it is removed when the
 * work is done or an error message is printed. There is one line, so these functions need no object. Context of all
 * functions: tool, one thread.
 */
#ifndef FATHOM_TOOLS_COMMON_PROGRESS_H
#define FATHOM_TOOLS_COMMON_PROGRESS_H

#include <stdint.h>

/* Begins a piece of work that has total steps; it replaces the piece before. If the number of steps is not known, total
 * is 0, and the line says the seconds since the first piece began. The delay counts from there, too. what ("reading
 * events") must stay until the end of the work. */
void fathom_progress_begin(const char *what, uint64_t total);

/* Says that so many steps are done. The call is cheap enough for each event of a trace. */
void fathom_progress_set(uint64_t done);

/* Says that one more step is done. */
void fathom_progress_step(void);

/* Ends the work, and removes the line. */
void fathom_progress_end(void);

/* Removes the line before other output to the terminal; the next step may show it again. */
void fathom_progress_clear(void);

/* Changes the delay of two seconds; for tests. With 0 every step is shown. */
void fathom_progress_set_delay(uint64_t delay_ns);

#endif
