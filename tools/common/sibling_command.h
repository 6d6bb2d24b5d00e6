/* sibling_command: runs another command of fathom, which is in the directory of this program. Context: tool. */
#ifndef FATHOM_TOOLS_COMMON_SIBLING_COMMAND_H
#define FATHOM_TOOLS_COMMON_SIBLING_COMMAND_H

#include <stdbool.h>

/*
 * Runs the program with that name ("fathom-restore") and waits for its end; it is not measured. arguments[0] is not
 * read, and NULL ends them. subject: the file or directory that an error message names. is_silent: its standard output
 * is dropped. Returns the exit code; -1, after an error message: the program could not be run or was ended by a signal.
 */
int fathom_sibling_run(const char *name, char *const *arguments, const char *subject, bool is_silent);

#endif
