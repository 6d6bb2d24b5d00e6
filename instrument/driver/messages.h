/*
 * messages: the lines in which the command speaks for itself, on stderr, with its name in front.
 */
#ifndef FATHOM_DRIVER_MESSAGES_H
#define FATHOM_DRIVER_MESSAGES_H

/* Exit codes of the command itself; otherwise it ends as the program it turned into ends. */
enum fathom_exit {
	FATHOM_EXIT_FAILED = 1,
	FATHOM_EXIT_USAGE = 2,
	FATHOM_EXIT_NOT_EXECUTABLE = 126,	/* these two as the shells do */
	FATHOM_EXIT_NOT_FOUND = 127,
};

void fathom_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/*
 * Between these two, a write to a stderr that nobody reads, or that is a file at its limit, fails and ends nothing:
 * what fathom says must not keep it from starting the program.
 */
void fathom_stderr_hold(void);
void fathom_stderr_release(void);

_Noreturn void fathom_die(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
