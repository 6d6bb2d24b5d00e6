/*
 * definition_calls: gives stored definitions to OTF2's writer, or to the callbacks that OTF2's reader would call.
 * Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_DEFINITION_CALLS_H
#define FATHOM_OTF2_DEFINITION_CALLS_H

#include "otf2/definition_callbacks.h"
#include "otf2/definition_records.h"

/* Calls the callback of the record's kind with its fields; the first argument of the callback is data. Returns whether
 * the callback succeeded. */
bool fathom_definition_call(const struct fathom_definition *record, const struct fathom_definition_callbacks *callbacks,
			    void *data);

/* Writes a record with OTF2's library. Returns whether the library took it. */
bool fathom_definition_write(OTF2_GlobalDefWriter *writer, const struct fathom_definition *record);

#endif
