/*
 * definition_reader: reads the global definitions of a trace, record by record, and checks each.
 */
#ifndef FATHOM_LIB_OTF2_DEFINITION_READER_H
#define FATHOM_LIB_OTF2_DEFINITION_READER_H

#include "otf2/definition_index.h"
#include "otf2/faults.h"

/* Reads all definitions into defs. 0 or -EIO. faults takes what is wrong with them; it may be NULL. */
int fathom_otf2_defs_read(struct fathom_otf2_defs *defs, OTF2_Reader *reader, struct fathom_faults *faults);

#endif
