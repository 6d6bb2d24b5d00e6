/*
 * command_output: what another command of fathom prints.
 */
#ifndef FATHOM_TOOLS_VIEW_COMMAND_OUTPUT_H
#define FATHOM_TOOLS_VIEW_COMMAND_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>

/* Runs a command that prints JSON, and returns that. arguments: "fathom-report" or another one in the directory of this
 * program, its arguments, NULL. If is_silent, its messages are not shown. NULL: it failed, or printed no JSON. Context:
 * tool. */
json_t *fathom_command_json(const char *const *arguments, bool is_silent);

#endif
