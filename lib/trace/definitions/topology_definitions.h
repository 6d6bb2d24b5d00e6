/* topology_definitions: the topologies that the program describes by fathom's API, in the definitions of a trace. */
#ifndef FATHOM_TRACE_TOPOLOGY_DEFINITIONS_H
#define FATHOM_TRACE_TOPOLOGY_DEFINITIONS_H

#include <stdint.h>

#include "config.h"
#include "system/definition_pool.h"

struct fathom_trace;
struct fathom_trace_writing;

#ifndef FATHOM_WITHOUT_TOPOLOGIES

/* Lists the topologies and positions of this process in the pool. list has the traces of its count locations by id.
 * 0 or -ENOMEM. Context: finish. */
int fathom_trace_topologies_list(struct fathom_pool *pool, uint32_t rank, const struct fathom_trace **list,
				 uint32_t count);

/* At rank 0, after fathom_trace_write_comms: writes the topologies of the union. Errors are noted in w. Context:
 * finish. */
void fathom_trace_topologies_write(struct fathom_trace_writing *w, const struct fathom_pool *pool);

#else

/* configure --without-topologies: the pool stays empty. */
static inline int fathom_trace_topologies_list(struct fathom_pool *pool, uint32_t rank,
					       const struct fathom_trace **list, uint32_t count)
{
	(void)pool;
	(void)rank;
	(void)list;
	(void)count;
	return 0;
}

static inline void fathom_trace_topologies_write(struct fathom_trace_writing *w, const struct fathom_pool *pool)
{
	(void)w;
	(void)pool;
}

#endif

#endif
