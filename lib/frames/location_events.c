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
	fathom_record_stream_close(&events->stream);
}

int fathom_location_events_next(struct fathom_location_events *events)
{
	int result = fathom_record_stream_next(&events->stream, &events->record);
	uint64_t time;

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
