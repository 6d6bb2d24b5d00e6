#include "tools/whatif/predicted_trace.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgraphs/graph_trace.h"
#include "otf2/archive_writer.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"

struct writing {
	const struct fathom_trace_program *made;
	const struct fathom_replay_result *result;
	struct fathom_otf2_archive trace;	/* the measured one, read again */
	struct fathom_otf2_archive_writer writer;
	size_t *next_points;			/* by location: the first point behind the last event */
	uint64_t first, last;			/* times that were written */
	uint64_t events;
	int err;
};

/* Returns the time in the prediction of an event of a location. Times between two points are in proportion; the threads
 * that do not call MPI follow the one of their process that does. */
static uint64_t predicted_time(struct writing *writing, uint32_t location, uint64_t time)
{
	const struct fathom_replay_program *program = &writing->made->program;
	const struct fathom_otf2_location *is = fathom_otf2_at(&writing->trace.defs, FATHOM_OTF2_LOCATION, location);
	const struct fathom_replay_points *points = &writing->result->points[is->process];
	size_t *next = &writing->next_points[location];
	const struct fathom_replay_point *before, *after;
	double part;

	if (points->count == 0)
		return time;
	/* A point at the time of the event counts if the event may be the one of the point: its last one does. */
	while (*next < points->count && points->points[*next].measured <= time)
		++*next;
	before = *next ? &points->points[*next - 1] : &points->points[0];
	after = *next < points->count ? &points->points[*next] : before;
	if (after->measured > before->measured && time > before->measured)
		part = (double)(time - before->measured) / (double)(after->measured - before->measured) *
		       (after->replayed - before->replayed);
	else
		part = ((double)time - (double)before->measured) * program->tick_seconds;
	part = (before->replayed + part) / program->tick_seconds;
	return program->begin + (part > 0 ? (uint64_t)(part + .5) : 0);
}

static bool take_event(void *data, const struct fathom_otf2_event *event)
{
	struct writing *writing = data;
	const struct fathom_otf2_location *location = fathom_otf2_at(&writing->trace.defs, FATHOM_OTF2_LOCATION,
								     event->location);
	struct fathom_otf2_event moved = *event;

	fathom_progress_set(++writing->events);
	if (location->process < writing->made->program.task_count)
		moved.time = predicted_time(writing, event->location, event->time);
	if (event->kind == FATHOM_RECORD_BUFFER_FLUSH)	/* the end of the flush moves with its begin */
		moved.id += moved.time - event->time;
	if (moved.time < writing->first)
		writing->first = moved.time;
	if (moved.time > writing->last)
		writing->last = moved.time;
	writing->err = fathom_otf2_writer_put(&writing->writer, &moved);
	return !writing->err;
}

static int finish(struct writing *writing)
{
	const struct fathom_otf2_defs *defs = &writing->trace.defs;
	struct fathom_otf2_selection selection;
	bool *comms = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_COMM) + 1, sizeof(bool));
	bool *windows = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_WINDOW) + 1, sizeof(bool));
	struct fathom_otf2_definition_changes changes = {
		.selection = &selection, .offset = writing->first, .length = writing->last - writing->first,
		.unannounced_comms = comms, .unannounced_windows = windows,
	};
	int err;

	fathom_otf2_selection_init(&selection, &writing->trace.defs, NULL);
	err = fathom_otf2_writer_end_events(&writing->writer, &selection, writing->first, writing->last);
	for (uint32_t i = 0; !err && i < writing->trace.property_count; i++)
		fathom_otf2_writer_set_property(&writing->writer, writing->trace.properties[i].name,
						writing->trace.properties[i].value);
	if (!err)
		err = fathom_otf2_writer_finish(&writing->writer, &writing->trace, &changes);
	fathom_otf2_selection_fini(&selection);
	free(comms);
	free(windows);
	return err;
}

static int remove_one(const char *path, const struct stat *status, int flag, struct FTW *walk)
{
	(void)status; (void)flag; (void)walk;
	return remove(path);
}

/* Reads the measured trace again and writes its events. */
static int write_archive(struct writing *writing, const char *directory)
{
	int err;

	if (mkdir(directory, 0777) < 0) {
		err = -errno;
		fathom_tool_error("%s: %s%s", directory, strerror(errno),
				  errno == EEXIST ? " (the result is always a new directory)" : "");
		return err;
	}
	writing->next_points = fathom_tool_alloc(writing->made->location_count + 1, sizeof(*writing->next_points));
	err = fathom_otf2_writer_open(&writing->writer, directory, &writing->trace);
	fathom_progress_begin("writing events", fathom_otf2_event_count(&writing->trace));
	if (!err)
		err = fathom_otf2_read_events(&writing->trace, NULL, take_event, writing);
	fathom_progress_end();
	if (writing->err)
		err = writing->err;
	if (!err && writing->first > writing->last)
		writing->first = writing->last = writing->trace.defs.offset;
	if (!err)
		err = finish(writing);
	if (err) {
		fathom_tool_error("%s: %s", directory, *writing->writer.error ? writing->writer.error :
										writing->trace.error);
		nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	}
	fathom_otf2_writer_close(&writing->writer);
	free(writing->next_points);
	return err;
}

int fathom_predicted_trace_write(const struct fathom_trace_program *made, const struct fathom_replay_result *result,
				 const char *directory)
{
	struct writing writing = { .made = made, .result = result, .first = UINT64_MAX };
	int err = fathom_trace_open(&writing.trace, made->trace->anchor);

	if (err) {
		fathom_tool_error("%s", writing.trace.error);
		return err;
	}
	err = fathom_otf2_read_definitions(&writing.trace, NULL);
	if (err)
		fathom_tool_error("%s", writing.trace.error);
	else
		err = write_archive(&writing, directory);
	fathom_otf2_close(&writing.trace);
	return err;
}
