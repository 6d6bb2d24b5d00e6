/* requests: the open requests of messages and of collective operations (check->requests). */
#ifndef FATHOM_TOOLS_CHECK_REQUESTS_H
#define FATHOM_TOOLS_CHECK_REQUESTS_H

#include "tools/check/check.h"

/* Notes the begin of a request. The caller gets post back when the request completes; post may be NULL. */
struct fathom_check_request *fathom_check_request_begin(struct fathom_check *check,
							const struct fathom_otf2_event *event,
							enum fathom_check_request_kind kind, void *post);

/* Removes the request that an event completes, and sets *post to the pointer given at its begin. False after a fault
 * was reported: there is no open request of that kind. */
bool fathom_check_request_end(struct fathom_check *check, const struct fathom_otf2_event *event,
			      enum fathom_check_request_kind kind, void **post);

#endif
