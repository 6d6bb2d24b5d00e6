/*
 * messages: the messages of the command itself, on stderr, each a line that begins with "fathom: ".
 */
#ifndef FATHOM_INSTRUMENT_MESSAGES_H
#define FATHOM_INSTRUMENT_MESSAGES_H

/* Exit codes of the command itself. If the command becomes another program, that program's exit code is returned. */
enum fathom_exit {
	FATHOM_EXIT_FAILED = 1,
	FATHOM_EXIT_USAGE = 2,
	FATHOM_EXIT_NOT_EXECUTABLE = 126,	/* these two as in shells */
	FATHOM_EXIT_NOT_FOUND = 127,
};

/* Prints a message. */
void fathom_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Between hold and release, a write to stderr that fails (a pipe without reader, a file at its size limit) does not end
 * the process: a message must not keep the command from starting the program.
 */
void fathom_stderr_hold(void);
void fathom_stderr_release(void);

/* Prints a message and ends the process with this exit code. */
_Noreturn void fathom_die(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
