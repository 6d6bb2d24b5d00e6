#include "frames/location_events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "platform/compiler.h"

int fathom_location_events_open(struct fathom_location_events *events, struct fathom_otf2_archive *trace,
				uint32_t location, struct fathom_path_table *paths)
{
	const struct fathom_otf2_location *definition = fathom_otf2_at(&trace->defs, FATHOM_OTF2_LOCATION, location);
	uint64_t event_bytes = 0, definition_bytes;
	char path[PATH_MAX + 64];
	int err;

	memset(events, 0, sizeof(*events));
	events->trace = trace;
	events->location = definition;
	events->index = location;
	if (trace->source) {
		events->translation = &events->none;
		fathom_location_state_init(&events->state, paths, &trace->defs, events->translation);
		err = trace->source->seek(trace, location, 0);
		if (err)
			fathom_location_state_fini(&events->state);
		return err;
	}
	events->translation = &trace->translations[location];
	OTF2_Reader_GetChunkSize(trace->reader, &event_bytes, &definition_bytes);
	snprintf(path, sizeof(path), "%s/%" PRIu64 ".evt", trace->folder, definition->id);
	err = fathom_record_stream_open(&events->stream, path, event_bytes);
	if (err) {
		snprintf(trace->error, sizeof(trace->error), "%.1800s: %s", path,
			 err == -ENOTSUP ? "it was written on a machine with another order of bytes, which fathom "
			 "does not index" :
			 err == -EILSEQ ? "it has no events of OTF2, or is compressed" : strerror(-err));
		return err;
	}
	fathom_location_state_init(&events->state, paths, &trace->defs, events->translation);
	return 0;
}

void fathom_location_events_close(struct fathom_location_events *events)
{
	fathom_location_state_fini(&events->state);
	if (!events->trace->source)
		fathom_record_stream_close(&events->stream);
}

struct fathom_stream_position fathom_location_events_position(const struct fathom_location_events *events)
{
	if (events->trace->source)
		return (struct fathom_stream_position){ events->number, events->time };
	return fathom_record_stream_position(&events->stream);
}

int fathom_location_events_seek(struct fathom_location_events *events, struct fathom_stream_position position,
				uint64_t time)
{
	events->time = time;
	events->translation->interval = 0;
	if (!events->trace->source) {
		fathom_record_stream_seek(&events->stream, position);
		return 0;
	}
	events->number = position.offset;
	return events->trace->source->seek(events->trace, events->index, position.offset);
}

int fathom_location_events_decode(struct fathom_location_events *events, struct fathom_event_decoder *decoder,
				  struct fathom_otf2_event *event)
{
	if (!events->event)
		return fathom_event_decoder_take(decoder, &events->stream, &events->record, events->translation, event);
	*event = *events->event;
	return 0;
}

/* Sets the record to an event of another source, as far as the state and the counts need it. */
static void set_record(struct fathom_stream_record *record, const struct fathom_otf2_event *event)
{
	record->kind = (uint8_t)event->kind;
	record->ticks = event->time;
	record->fields[0] = event->ref;
	switch (event->kind) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND:
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV:
		record->fields[0] = event->peer;
		record->fields[1] = event->ref;
		record->fields[2] = event->tag;
		record->fields[3] = event->bytes;
		break;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
	case FATHOM_RECORD_THREAD_TASK_COMPLETE:
		record->fields[1] = event->peer;
		record->fields[2] = event->tag;
		break;
	default:
		break;
	}
}

static int next_of_source(struct fathom_location_events *events)
{
	int result = events->trace->source->next_event(events->trace, events->index, &events->event);

	if (result <= 0)
		return result;
	events->number++;
	set_record(&events->record, events->event);
	if (events->event->time > events->time)
		events->time = events->event->time;
	return 1;
}

int fathom_location_events_next(struct fathom_location_events *events)
{
	uint64_t time;
	int result;

	if (events->trace->source)
		return next_of_source(events);
	result = fathom_record_stream_next(&events->stream, &events->record);
	if (result < 0)
		snprintf(events->trace->error, sizeof(events->trace->error),
			 "%.1800s/%" PRIu64 ".evt: damaged at byte %" PRIu64, events->trace->folder,
			 events->location->id, events->stream.at);
	if (result <= 0)
		return result;
	time = fathom_otf2_global_time(events->translation, events->record.ticks);
	if (likely(time > events->time))
		events->time = time;
	return 1;
}

/* Counts a message that the location sent. */
static void count_send(struct fathom_location_events *events, struct fathom_tally *tally)
{
	uint32_t id = fathom_otf2_global_id(&events->translation->comms, events->record.fields[1]);
	const struct fathom_otf2_comm *comm = fathom_otf2_find(&events->trace->defs, FATHOM_OTF2_COMM, id);
	int64_t process = -1;

	tally->counts.sends++;
	tally->marks |= FATHOM_PREVIEW_SENDS;
	tally->counts.bytes_sent += events->record.fields[3];
	if (comm)
		process = fathom_otf2_comm_peer(&events->trace->defs, comm, events->location->process,
						(uint32_t)events->record.fields[0]);
	if (process >= 0)
		fathom_tally_add_partner(tally, (uint32_t)process, 1);
}

void fathom_location_events_count(struct fathom_location_events *events, struct fathom_tally *tally)
{
	tally->counts.events++;
	switch (events->record.kind) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND:
		count_send(events, tally);
		break;
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV:
		tally->counts.receives++;
		tally->marks |= FATHOM_PREVIEW_RECEIVES;
		tally->counts.bytes_received += events->record.fields[3];
		break;
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
		tally->counts.collectives++;
		tally->marks |= FATHOM_PREVIEW_COLLECTIVES;
		break;
	case FATHOM_RECORD_MPI_IRECV_REQUEST:
	case FATHOM_RECORD_MPI_COLLECTIVE_BEGIN:
		tally->marks |= FATHOM_PREVIEW_BEGINS;
		break;
	case FATHOM_RECORD_METRIC:
		tally->marks |= FATHOM_PREVIEW_METRICS;
		break;
	case FATHOM_RECORD_CALLING_CONTEXT_SAMPLE:
		tally->marks |= FATHOM_PREVIEW_SAMPLES;
		break;
	default:
		break;
	}
}
