/*
 * definition_reader: reads the global definitions of a trace, record by record, and checks them.
 */
#ifndef FATHOM_LIB_OTF2_DEFINITION_READER_H
#define FATHOM_LIB_OTF2_DEFINITION_READER_H

#include "otf2/definition_index.h"
#include "otf2/definition_records.h"
#include "otf2/faults.h"

/* Reads all definitions into defs. Returns 0 or -EIO. Faults that are found go to faults, which may be NULL.
 * Context: tool. */
int fathom_otf2_defs_read(struct fathom_otf2_defs *defs, OTF2_Reader *reader, struct fathom_faults *faults);

/* Takes all definitions of a list into defs, in their order. Faults as above. Context: tool. */
void fathom_otf2_defs_take(struct fathom_otf2_defs *defs, const struct fathom_definition_list *list,
			   struct fathom_faults *faults);

#endif
