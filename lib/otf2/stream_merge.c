#include "otf2/stream_merge.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/event_decoder.h"
#include "otf2/memory.h"

struct source {			/* a location that has a next record */
	struct fathom_record_stream stream;
	struct fathom_stream_record record;	/* the next one */
	uint64_t time;			/* its global time */
	uint32_t location;		/* index */
};

struct merging {
	const struct fathom_stream_merge *merge;
	struct source *sources;
	uint32_t *heap;			/* numbers of sources; heap[i] does not come after heap[2 * i + 1] and
					 * heap[2 * i + 2] */
	uint32_t count;			/* sources in the heap */
	struct fathom_event_decoder decoder;
};

static struct fathom_otf2_translation *translation_of(const struct merging *merging, const struct source *source)
{
	return &merging->merge->translations[source->location];
}

static int fail(const struct merging *merging, const struct source *source, int err)
{
	const struct fathom_stream_merge *merge = merging->merge;
	const struct fathom_otf2_location *location = fathom_otf2_at(merge->defs, FATHOM_OTF2_LOCATION,
								     source->location);

	snprintf(merge->error, merge->error_bytes, "%.1700s/%" PRIu64 ".evt: %s", merge->folder, location->id,
		 err == -EILSEQ ? "damaged, or compressed" :
		 err == -ENOTSUP ? "for this file, OTF2's library is needed, which opens a file for each location: "
				   "raise the limit of open files (ulimit -n)" : strerror(-err));
	return err;
}

/* --- the heap ---------------------------------------------------------------------------------------------- */

static bool comes_before(const struct merging *merging, uint32_t a, uint32_t b)
{
	const struct source *x = &merging->sources[a], *y = &merging->sources[b];

	return x->time != y->time ? x->time < y->time : x->location < y->location;
}

static void sink(struct merging *merging, uint32_t at)
{
	uint32_t *heap = merging->heap, moved = heap[at];

	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child + 1 < merging->count && comes_before(merging, heap[child + 1], heap[child]))
			child++;
		if (child >= merging->count || !comes_before(merging, heap[child], moved))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

/* --- reading ----------------------------------------------------------------------------------------------- */

/* Reads the next record of a source. 1: there is one; 0: there is none; or -errno with a line in the trace's error. */
static int advance(struct merging *merging, struct source *source)
{
	int result = fathom_record_stream_next(&source->stream, &source->record);

	if (result > 0)
		source->time = fathom_otf2_global_time(translation_of(merging, source), source->record.ticks);
	return result < 0 ? fail(merging, source, result) : result;
}

/* Opens the event file of a location. It becomes a source if it has an event. */
static int open_source(struct merging *merging, uint32_t index)
{
	const struct fathom_stream_merge *merge = merging->merge;
	const struct fathom_otf2_location *location = fathom_otf2_at(merge->defs, FATHOM_OTF2_LOCATION, index);
	struct source *source = &merging->sources[merging->count];
	char path[PATH_MAX + 32];
	int result;

	snprintf(path, sizeof(path), "%s/%" PRIu64 ".evt", merge->folder, location->id);
	source->location = index;
	result = fathom_record_stream_open(&source->stream, path, merge->chunk_bytes);
	if (result)
		return fail(merging, source, result);
	result = advance(merging, source);
	if (result > 0) {
		merging->heap[merging->count] = merging->count;
		merging->count++;
	} else {
		fathom_record_stream_close(&source->stream);
	}
	return result < 0 ? result : 0;
}

static int open_sources(struct merging *merging)
{
	const struct fathom_stream_merge *merge = merging->merge;
	size_t locations = fathom_otf2_count(merge->defs, FATHOM_OTF2_LOCATION);
	int err = 0;

	merging->sources = fathom_otf2_memory_alloc(locations + 1, sizeof(*merging->sources));
	merging->heap = fathom_otf2_memory_alloc(locations + 1, sizeof(*merging->heap));
	for (uint32_t i = 0; !err && i < locations; i++)
		if (merge->is_read[i])
			err = open_source(merging, i);
	for (uint32_t i = merging->count / 2; i-- > 0;)
		sink(merging, i);
	return err;
}

/* Passes on the first event of all, and steps over it. */
static int take_first(struct merging *merging, fathom_otf2_take *take, void *taker)
{
	struct source *source = &merging->sources[merging->heap[0]];
	struct fathom_otf2_event event;
	int result = fathom_event_decoder_take(&merging->decoder, &source->stream, &source->record,
					       translation_of(merging, source), &event);

	if (result)
		return fail(merging, source, result);
	event.location = source->location;
	if (!take(taker, &event))
		return -EINTR;
	fathom_record_stream_release(&source->stream);
	result = advance(merging, source);
	if (result < 0)
		return result;
	if (result == 0) {
		fathom_record_stream_close(&source->stream);
		merging->heap[0] = merging->heap[--merging->count];
	}
	if (merging->count)
		sink(merging, 0);
	return 0;
}

int fathom_stream_merge_read(const struct fathom_stream_merge *merge, fathom_otf2_take *take, void *taker)
{
	struct merging merging = { .merge = merge };
	int err = open_sources(&merging);

	while (!err && merging.count)
		err = take_first(&merging, take, taker);
	for (uint32_t i = 0; i < merging.count; i++)
		fathom_record_stream_close(&merging.sources[merging.heap[i]].stream);
	fathom_event_decoder_fini(&merging.decoder);
	free(merging.sources);
	free(merging.heap);
	return err;
}
