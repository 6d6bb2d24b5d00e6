/* attribute_definitions: the attributes that records of any program may have, in the definitions of a trace. */
#ifndef FATHOM_TRACE_ATTRIBUTE_DEFINITIONS_H
#define FATHOM_TRACE_ATTRIBUTE_DEFINITIONS_H

struct fathom_trace_writing;

/* At rank 0: writes the attributes of program and thread begins, and of neighbourhood operations. The attribute of file
 * operations is written with the files (mpi_objects.h). Errors are noted in w. Context: finish. */
void fathom_trace_attributes_write(struct fathom_trace_writing *w);

#endif
