#include "tools/check/requests.h"

#include <inttypes.h>

#include "tools/check/fault_reports.h"

struct fathom_check_request *fathom_check_request_begin(struct fathom_check *check,
							const struct fathom_otf2_event *event,
							enum fathom_check_request_kind kind, void *post)
{
	uint32_t process = fathom_check_process(check, event->location);
	struct fathom_check_request *request = fathom_table_find(&check->requests, process, event->id, 0);

	if (request) {
		fathom_check_fault(check, FATHOM_FAULT_REQUEST, event,
				   "request %" PRIu64 " begins, but one of that number "
				   "is still open", event->id);
		return NULL;
	}
	request = fathom_table_add(&check->requests, process, event->id, 0);
	request->kind = kind;
	request->post = post;
	request->location = event->location;
	request->time = event->time;
	request->event = check->locations[event->location].count;
	return request;
}

bool fathom_check_request_end(struct fathom_check *check, const struct fathom_otf2_event *event,
			      enum fathom_check_request_kind kind, void **post)
{
	static const char *const names[] = { "send", "receive", "collective" };
	uint32_t process = fathom_check_process(check, event->location);
	struct fathom_check_request *request = fathom_table_find(&check->requests, process, event->id, 0);

	*post = NULL;
	if (!request || request->kind != kind) {
		fathom_check_fault(check, FATHOM_FAULT_REQUEST, event,
				   "a %s completes with request %" PRIu64 ", which %s%s",
				   names[kind], event->id, request ? "is that of a " : "is not open",
				   request ? names[request->kind] : "");
		return false;
	}
	*post = request->post;
	fathom_table_remove(&check->requests, request);
	return true;
}
