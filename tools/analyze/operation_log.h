/*
 * operation_log: the operation log of a location (lib/waits/operation.h), while it is being made from a trace.
 *
 * A log begins in memory. Beyond a bound it continues in a temporary file that has no name any more and is mapped into
 * memory, so that the kernel can write it out when memory is needed. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_ANALYZE_OPERATION_LOG_H
#define FATHOM_TOOLS_ANALYZE_OPERATION_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "waits/operation.h"

struct fathom_operation_log {
	struct fathom_waits_record *records;
	uint32_t count;
	size_t room;		/* in records */
	int file;		/* the temporary file + 1; 0: the log is in memory */
	uint64_t lost;		/* number of operations that were dropped because the log is full */
};

/* All zero is an empty log. Frees a log. */
void fathom_operation_log_fini(struct fathom_operation_log *log);

/* Returns the directory for temporary files: TMPDIR or /tmp. */
const char *fathom_operation_log_folder(void);

/* Appends an operation with its first part. Returns its number; FATHOM_WAITS_NO_RECORD: the log is full. */
uint32_t fathom_operation_log_begin(struct fathom_operation_log *log, uint64_t call_path, uint64_t begin,
				    const struct fathom_waits_part *part);

/* Adds a part to the last operation of the log. */
void fathom_operation_log_part(struct fathom_operation_log *log, uint32_t operation,
			       const struct fathom_waits_part *part);

/* Notes the time at which an operation is left. */
void fathom_operation_log_end(struct fathom_operation_log *log, uint32_t operation, uint64_t end);

/* Appends a time map. */
void fathom_operation_log_map(struct fathom_operation_log *log, const struct fathom_waits_map_entry *entries,
			      uint32_t count);

#endif
