/*
 * values: parameters of regions, and numbers of iterations, in records. Texts among the values are told by numbers,
 * dense from FATHOM_TRACE_FIRST_TEXT in each process.
 */
#ifndef FATHOM_TRACE_VALUES_H
#define FATHOM_TRACE_VALUES_H

#include <stdint.h>

#include "event/substrate.h"
#include "system/pool.h"

struct fathom_trace_writing;

/* Before them are the program's name and arguments. */
enum { FATHOM_TRACE_FIRST_TEXT = 2 };

/* Functions of the substrate's table. */
void fathom_trace_parameter(struct fathom_location *self, const struct fathom_parameter *parameter,
			    const struct fathom_parameter_value *value);
void fathom_trace_iteration(struct fathom_location *self, uint64_t number);

/* How many texts there are, and one; it does not end with a NUL. Context: finish. */
uint32_t fathom_trace_text_count(void);
const char *fathom_trace_text_at(uint32_t index, size_t *length);

/* All parameters of this process into a pool that is empty. 0 or -ENOMEM. Context: finish. */
int fathom_trace_parameters_list(struct fathom_pool *pool);

/* Rank 0: write the definitions of the union. Context: finish. */
void fathom_trace_parameters_write(struct fathom_trace_writing *w, const struct fathom_pool *pool);

#endif
