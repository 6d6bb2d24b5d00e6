/*
 * parameter_records: parameters of regions, and numbers of iterations, in records. Texts among the values are told by
 * numbers, dense from FATHOM_TRACE_FIRST_TEXT in each process.
 */
#ifndef FATHOM_TRACE_PARAMETER_RECORDS_H
#define FATHOM_TRACE_PARAMETER_RECORDS_H

#include <stdint.h>

#include "event/substrate.h"
#include "system/definition_pool.h"

struct fathom_trace_writing;

/* Before them are the program's name and arguments. */
enum { FATHOM_TRACE_FIRST_TEXT = 2 };

/* Functions of the substrate's table. */
void fathom_trace_parameter(struct fathom_location *self, const struct fathom_parameter *parameter,
			    const struct fathom_parameter_value *value);
void fathom_trace_iteration(struct fathom_location *self, uint64_t number);

/* The strings that records name, into a pool that is empty: the program's name and arguments, then all texts; each
 * behind one more character. 0 or -ENOMEM. Context: finish. */
int fathom_trace_strings_list(struct fathom_pool *pool, struct fathom_arena *arena, const struct fathom_result *result);

/* All parameters of this process into a pool that is empty. 0 or -ENOMEM. Context: finish. */
int fathom_trace_parameters_list(struct fathom_pool *pool);

/* Rank 0: write the definitions of the union. Context: finish. */
void fathom_trace_parameters_write(struct fathom_trace_writing *w, const struct fathom_pool *pool);

#endif
