/*
 * common_operation: the last operation in which a location and another process synchronised.
 *
 * Both were at the same point of the program there. What each of them did since then tells why one of them is late.
 */
#ifndef FATHOM_WAITS_COMMON_OPERATION_H
#define FATHOM_WAITS_COMMON_OPERATION_H

#include "waits/search_state.h"

/*
 * Returns the record of the last operation before record in which the location and the process with this rank
 * synchronised; with the rank of its own process, the last one of the threads of a team. It looks at most 1000 records
 * back and then returns the operation there; FATHOM_WAITS_FROM_BEGIN: it came to the begin of the location. members
 * remembers which ranks are members of which communicators; it is empty before the first call, and the caller frees it.
 * The causes of all waiting must be known. Context: finish.
 */
uint32_t fathom_waits_last_common(struct fathom_waits_key_table *members, const struct fathom_waits_state *state,
				  const struct fathom_waits_location_state *location, uint32_t record, uint32_t rank);

#endif
