/*
 * callees: what is known of the functions that code calls.
 */
#ifndef FATHOM_SYMBOLS_CALLEES_H
#define FATHOM_SYMBOLS_CALLEES_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_source_functions;

/*
 * Returns whether the function that begins at that address is known never to return: by its name, also if the address
 * is an entry of the procedure linkage table, or by the debug information. Without this, code behind a call of abort
 * would seem to be reached from the call. Context: finish.
 */
bool fathom_callee_never_returns(struct fathom_source_functions *functions, uint64_t address);

/* Returns the linker name of the function that begins at that address, or, of an entry of the procedure linkage table,
 * of the function that it leads to. NULL: not known. It lives as long as the file is open. Context: finish. */
const char *fathom_callee_name(struct fathom_source_functions *functions, uint64_t address);

#endif
