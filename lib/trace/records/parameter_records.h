/* parameter_records: parameters of regions, and numbers of iterations, in records. Records refer to texts by number.
 * The texts of a process are numbered from FATHOM_TRACE_FIRST_TEXT on. */
#ifndef FATHOM_TRACE_PARAMETER_RECORDS_H
#define FATHOM_TRACE_PARAMETER_RECORDS_H

#include <stdint.h>

#include "event/location.h"
#include "event/result.h"
#include "system/definition_pool.h"
#include "trace/copied_roots.h"

struct fathom_parameter;
struct fathom_parameter_value;

/* Strings 0 and 1 of each process are the program's name and its arguments. */
enum { FATHOM_TRACE_FIRST_TEXT = 2 };

/* A text that is the value of a parameter, or that lists the neighbours of a process in a communicator. */
struct fathom_trace_text {
	struct fathom_trace_text *next;	/* the text that was added after this one */
	uint64_t hash;
	uint32_t index;			/* its number in records, less FATHOM_TRACE_FIRST_TEXT */
	uint32_t length;
	char bytes[];
};

/* Returns the number of a text in records; adds the text if it is new. 0: no memory. Context: birth. Takes the lock of
 * texts. */
uint32_t fathom_trace_text_number(const char *text, size_t length);

/* Adds a text of a process that was killed; the caller does this in the order of their numbers. 0 or -ENOMEM.
 * Context: finish. */
int fathom_trace_text_restore(const char *text, uint32_t length);

/* Returns the number of strings that records may refer to. Context: finish. */
uint32_t fathom_trace_text_count(void);

/* The functions parameter and iteration of the substrate's table: the innermost region has a value of a parameter, or
 * is an iteration, which is recorded as a parameter "iteration". Context: hook; birth for a new text. */
void fathom_trace_parameter(struct fathom_location *self, const struct fathom_parameter *parameter,
			    const struct fathom_parameter_value *value);
void fathom_trace_iteration(struct fathom_location *self, uint64_t number);

/* Lists the strings that records refer to in the pool, which is empty: the program's name and arguments, then all
 * texts. Each has one character in front that distinguishes equal strings. 0 or -ENOMEM. Context: finish. */
int fathom_trace_strings_list(struct fathom_pool *pool, struct fathom_arena *arena, const struct fathom_result *result);

/* Copies the texts for a run snapshot. Context: the helper. */
void fathom_trace_texts_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);

#endif
