/* processor_count: the number of processors that a run may use, which is a property of its trace. */
#ifndef FATHOM_TRACE_PROCESSOR_COUNT_H
#define FATHOM_TRACE_PROCESSOR_COUNT_H

#include <otf2/otf2.h>
#include <stdint.h>

#include "comm/comm.h"

/* Called by all processes of comm, whose node is host: adds up the processors of all nodes, in thousandths, at rank 0.
 * 0 there: the processors of a node are unknown. threads: number of threads of this process. 0 or -errno: comm is
 * broken. Context: finish. */
int fathom_processor_count_sum(struct fathom_comm *comm, const char *host, uint32_t threads, uint64_t *millis);

/* Writes the property of so many thousandths, unless they are 0. 0 or OTF2's error. Context: finish. */
OTF2_ErrorCode fathom_processor_count_write(OTF2_Archive *archive, uint64_t millis);

#endif
