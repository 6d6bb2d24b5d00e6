/*
 * workers: the processes that answer requests together, if mpirun has started several: the first one is the server, and
 * divides the rows and locations of the trace over all. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_SERVE_WORKERS_H
#define FATHOM_TOOLS_SERVE_WORKERS_H

#include "comm/comm.h"
#include "tools/serve/parts.h"

/* Makes the whole answer to a request, together with the other processes of comm. The first process calls this; the
 * caller releases the part with fathom_part_fini. */
void fathom_workers_ask(struct fathom_comm *comm, struct fathom_trace_frames *frames,
			const struct fathom_trace_picture *picture, const struct fathom_request *request,
			struct fathom_part *part);

/* Answers the requests of the first process until it ends them. The other processes call this. */
void fathom_workers_work(struct fathom_comm *comm, struct fathom_trace_frames *frames,
			 const struct fathom_trace_picture *picture);

/* Ends the other processes' work. The first process calls this. */
void fathom_workers_end(struct fathom_comm *comm);

#endif
