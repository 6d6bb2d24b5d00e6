#include "tools/check/files.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/check/check.h"
#include "tools/check/fault_reports.h"
#include "tools/common/command.h"

struct handle {
	struct fathom_table_entry entry;	/* process, handle */
	bool open, said;
};

struct operation {
	struct fathom_table_entry entry;	/* process, handle, id */
	uint64_t bytes, time;
	uint32_t location;
};

struct fathom_check_files {
	struct fathom_table handles, operations;
};

void fathom_check_files_init(struct fathom_check *check)
{
	check->files = fathom_tool_alloc(1, sizeof(*check->files));
	fathom_table_init(&check->files->handles, sizeof(struct handle));
	fathom_table_init(&check->files->operations, sizeof(struct operation));
}

static const char *handle_name(const struct fathom_check *check, uint64_t id, char name[300])
{
	return fathom_otf2_name(&check->trace.defs, FATHOM_OTF2_HANDLE, id, name, 300);
}

static struct handle *handle_of(struct fathom_check *check, uint32_t process, uint64_t id)
{
	const struct fathom_otf2_plain *definition = fathom_otf2_find(&check->trace.defs, FATHOM_OTF2_HANDLE, id);
	struct handle *handle = fathom_table_find(&check->files->handles, process, id, 0);

	if (handle)
		return handle;
	handle = fathom_table_add(&check->files->handles, process, id, 0);
	handle->open = definition && definition->number & OTF2_IO_HANDLE_FLAG_PRE_CREATED;
	return handle;
}

static void open_handle(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process,
			uint64_t id)
{
	struct handle *handle = handle_of(check, process, id);
	char name[300];

	if (handle->open)
		fathom_check_fault(check, FATHOM_FAULT_IO_HANDLE, event, "%s is created, but is already open",
				   handle_name(check, id, name));
	handle->open = true;
}

/* Checks that the handle is open. False: it is not; the fault is reported once for each handle. */
static bool use_handle(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process)
{
	struct handle *handle = handle_of(check, process, event->ref);
	char name[300];

	if (!handle->open && !handle->said) {
		handle->said = true;
		fathom_check_fault(check, FATHOM_FAULT_IO_HANDLE, event, "%s is not open",
				   handle_name(check, event->ref, name));
	}
	return handle->open;
}

static void begin(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process)
{
	struct fathom_table *operations = &check->files->operations;
	struct operation *operation = fathom_table_find(operations, process, event->ref, event->id);
	char name[300];

	if (operation)
		fathom_check_fault(check, FATHOM_FAULT_IO_OPERATION, event,
				   "operation %" PRIu64 " on %s begins, but one of that "
				   "number is still under way", event->id, handle_name(check, event->ref, name));
	else
		operation = fathom_table_add(operations, process, event->ref, event->id);
	operation->bytes = event->bytes;
	operation->time = event->time;
	operation->location = event->location;
}

static void go_on(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process)
{
	struct fathom_table *operations = &check->files->operations;
	struct operation *operation = fathom_table_find(operations, process, event->ref, event->id);
	char name[300];

	if (!operation) {
		fathom_check_fault(check, FATHOM_FAULT_IO_OPERATION, event,
				   "operation %" PRIu64 " on %s is not under way",
				   event->id, handle_name(check, event->ref, name));
		return;
	}
	if (event->kind == FATHOM_RECORD_IO_OPERATION_COMPLETE && event->bytes != OTF2_UNDEFINED_UINT64 &&
	    event->bytes > operation->bytes)
		fathom_check_fault(check, FATHOM_FAULT_IO_OPERATION, event, "operation %" PRIu64 " on %s moved %" PRIu64
				   " bytes of %" PRIu64 " wanted", event->id, handle_name(check, event->ref, name),
				   event->bytes,
				   operation->bytes);
	if (event->kind == FATHOM_RECORD_IO_OPERATION_COMPLETE || event->kind == FATHOM_RECORD_IO_OPERATION_CANCELLED)
		fathom_table_remove(operations, operation);
}

void fathom_check_files_event(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	uint32_t process = fathom_check_process(check, event->location);

	switch (event->kind) {
	case FATHOM_RECORD_IO_CREATE_HANDLE: open_handle(check, event, process, event->ref); break;
	case FATHOM_RECORD_IO_DUPLICATE_HANDLE:
		use_handle(check, event, process);
		open_handle(check, event, process, event->other);
		break;
	case FATHOM_RECORD_IO_DESTROY_HANDLE:
		if (use_handle(check, event, process))
			handle_of(check, process, event->ref)->open = false;
		break;
	case FATHOM_RECORD_IO_DELETE_FILE: break;
	case FATHOM_RECORD_IO_OPERATION_BEGIN:
		use_handle(check, event, process);
		begin(check, event, process);
		break;
	case FATHOM_RECORD_IO_OPERATION_TEST:
	case FATHOM_RECORD_IO_OPERATION_ISSUED:
	case FATHOM_RECORD_IO_OPERATION_COMPLETE:
	case FATHOM_RECORD_IO_OPERATION_CANCELLED: go_on(check, event, process); break;
	default: use_handle(check, event, process); break;
	}
}

void fathom_check_files_finish(struct fathom_check *check)
{
	const struct operation *operation = NULL;
	char name[300];

	while ((operation = fathom_table_next(&check->files->operations, operation)) != NULL)
		fathom_check_fault_at(check, FATHOM_FAULT_IO_OPERATION, operation->location, operation->time,
				      "operation %" PRIu64 " on %s never completes", operation->entry.key[2],
				      handle_name(check, operation->entry.key[1], name));
	fathom_table_fini(&check->files->handles);
	fathom_table_fini(&check->files->operations);
	free(check->files);
	check->files = NULL;
}
