#include "trace/definitions/attribute_definitions.h"

#include "trace/definitions/definition_writer.h"
#include "trace/mpi_objects.h"

void fathom_trace_attributes_write(struct fathom_trace_writing *w)
{
	DEFINE(OTF2_GlobalDefWriter_WriteAttribute, FATHOM_TRACE_ATTRIBUTE_PROCESS, fathom_trace_text(w, "ProcessId"),
	       fathom_trace_text(w, "Id of the process in the operating system"), OTF2_TYPE_UINT64);
	DEFINE(OTF2_GlobalDefWriter_WriteAttribute, FATHOM_TRACE_ATTRIBUTE_THREAD, fathom_trace_text(w, "ThreadId"),
	       fathom_trace_text(w, "Id of the thread in the operating system"), OTF2_TYPE_UINT64);
	DEFINE(OTF2_GlobalDefWriter_WriteAttribute, FATHOM_TRACE_ATTRIBUTE_NEIGHBORS,
	       fathom_trace_text(w, "FATHOM::NEIGHBORS"),
	       fathom_trace_text(w, "Ranks in the communicator that the process receives from; ranks that it sends to"),
	       OTF2_TYPE_STRING);
}
