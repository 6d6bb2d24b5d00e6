/*
 * mpi_call: what OTF2 says of MPI calls. Any context.
 */
#ifndef FATHOM_TOOLS_IMPORT_MPI_CALL_H
#define FATHOM_TOOLS_IMPORT_MPI_CALL_H

#include <otf2/otf2.h>
#include <stdbool.h>

/* Returns OTF2's role for the word that profiles have for it ("point2point"); another word is that of a function. */
OTF2_RegionRole fathom_mpi_call_role(const char *word);

/* Finds the operation of a collective call that blocks ("MPI_Bcast"). False: the call is none. */
bool fathom_mpi_call_operation(const char *name, OTF2_CollectiveOp *operation);

#endif
