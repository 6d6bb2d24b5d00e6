/* parameter_definitions: the parameters of regions, as definitions of a trace. */
#ifndef FATHOM_TRACE_PARAMETER_DEFINITIONS_H
#define FATHOM_TRACE_PARAMETER_DEFINITIONS_H

#include "system/definition_pool.h"

struct fathom_trace_writing;

/* Lists all parameters of this process in the pool, which is empty. 0 or -ENOMEM. Context: finish. */
int fathom_trace_parameters_list(struct fathom_pool *pool);

/* At rank 0: writes the parameters of the union. Errors are noted in w. Context: finish. */
void fathom_trace_parameters_write(struct fathom_trace_writing *w, const struct fathom_pool *pool);

#endif
