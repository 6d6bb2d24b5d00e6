/*
 * definition_copy: copies the global definitions of a trace, record by record in their order, into another trace.
 */
#ifndef FATHOM_OTF2_DEFINITION_COPY_H
#define FATHOM_OTF2_DEFINITION_COPY_H

#include "otf2/definition_records.h"
#include "otf2/selection.h"

/* What differs in the copy. */
struct fathom_otf2_definition_changes {
	struct fathom_otf2_selection *selection;
	uint64_t offset, length;	/* of the clock */
	const uint64_t *events;		/* by location: number of events in the copy */
	/* By index: the copy has not all records of its creation, so its definition does not announce them. */
	const bool *unannounced_comms, *unannounced_windows;
	/* Writes definitions that the source does not have, behind all others; NULL: there are none. 0 or -EIO. Called
	 * by fathom_otf2_writer_finish. */
	int (*add)(void *adder, OTF2_GlobalDefWriter *writer);
	void *adder;
};

/* Reads the global definitions again with reader, whose definitions have been read before, and writes them. 0 or -EIO.
 * Context: tool. */
int fathom_otf2_copy_definitions(OTF2_Reader *reader, OTF2_GlobalDefWriter *writer,
				 const struct fathom_otf2_definition_changes *changes);

/* Writes the definitions of a list, which is that of the trace of the selection. 0 or -EIO. Context: tool. */
int fathom_otf2_copy_definition_list(const struct fathom_definition_list *list, OTF2_GlobalDefWriter *writer,
				     const struct fathom_otf2_definition_changes *changes);

#endif
