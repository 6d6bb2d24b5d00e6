#include "tools/clusters/burst_data.h"

#include <errno.h>

#include "bursts/recorded_bursts.h"
#include "callgraphs/graph_trace.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"

static bool take_burst(void *taker, const struct fathom_burst *burst)
{
	struct fathom_burst_data *data = taker;

	data->list.counter_count = data->extraction.counter_count;
	if (!fathom_burst_list_add(&data->list, burst)) {
		data->is_cut = true;
		data->cut_ticks = burst->begin;
		return false;
	}
	fathom_duration_histogram_add(&data->histogram,
				      fathom_otf2_seconds(&data->trace.defs, (double)(burst->end - burst->begin)));
	return true;
}

static bool take_event(void *taker, const struct fathom_otf2_event *event)
{
	struct fathom_burst_data *data = taker;

	fathom_progress_set(data->extraction.events);
	return fathom_burst_extraction_take(&data->extraction, event);
}

static void count_threads(struct fathom_burst_data *data)
{
	for (size_t i = 0; i < data->list.count; i++)
		data->thread_count += i == 0 || data->list.bursts[i].location != data->list.bursts[i - 1].location;
}

/* Reads the bursts of a trace. 0, or -errno after an error message. */
static int read_trace(struct fathom_burst_data *data, const char *anchor, size_t limit)
{
	int err = fathom_trace_open(&data->trace, anchor);

	data->trace.part = data->part;
	data->trace.part_count = data->part_count;
	if (!err)
		err = fathom_otf2_read_definitions(&data->trace, NULL);
	if (err) {
		fathom_tool_error("%s", data->trace.error);
		return err;
	}
	fathom_burst_extraction_init(&data->extraction, &data->trace, take_burst, data);
	fathom_burst_list_init(&data->list, data->extraction.counter_count, limit);
	fathom_progress_begin("reading events", fathom_otf2_event_count(&data->trace));
	err = fathom_otf2_read_events(&data->trace, NULL, take_event, data);
	fathom_progress_end();
	if (err) {
		fathom_tool_error("%s", data->trace.error);
		return err;
	}
	fathom_burst_extraction_finish(&data->extraction);
	return 0;
}

/* Reads the bursts that a program recorded. 0, or -errno after an error message. */
static int read_recorded(struct fathom_burst_data *data, const char *path, size_t limit)
{
	int err;

	data->trace.part = data->part;
	data->trace.part_count = data->part_count;
	fathom_burst_list_init(&data->list, 0, limit);
	err = fathom_recorded_bursts_read(&data->extraction, &data->trace, path, take_burst, data);
	if (err)
		fathom_tool_error("%s", data->trace.error);
	return err;
}

int fathom_burst_data_read(struct fathom_burst_data *data, const char *path, size_t limit)
{
	bool is_recorded = fathom_recorded_bursts_is_file(path);
	int err = is_recorded ? read_recorded(data, path, limit) : read_trace(data, path, limit);

	if (err)
		return err;
	fathom_burst_list_sort(&data->list, data->extraction.location_count);
	count_threads(data);
	if (data->list.count == 0 && data->part_count == 0) {
		fathom_tool_error("%s: no thread of the %s computed in a region: there are no bursts", path,
				  is_recorded ? "run" : "trace");
		return -ENODATA;
	}
	return 0;
}

void fathom_burst_data_fini(struct fathom_burst_data *data)
{
	fathom_burst_list_fini(&data->list);
	if (data->extraction.locations)
		fathom_burst_extraction_fini(&data->extraction);
	fathom_otf2_close(&data->trace);
}

double fathom_burst_seconds(const struct fathom_burst_data *data, size_t burst)
{
	const struct fathom_listed_burst *listed = &data->list.bursts[burst];

	return fathom_otf2_seconds(&data->trace.defs, (double)(listed->end - listed->begin));
}

double fathom_burst_time(const struct fathom_burst_data *data, uint64_t ticks)
{
	uint64_t offset = data->trace.defs.offset;

	return ticks < offset ? 0 : fathom_otf2_seconds(&data->trace.defs, (double)(ticks - offset));
}

uint32_t fathom_burst_process(const struct fathom_burst_data *data, uint32_t location, uint32_t *thread)
{
	const struct fathom_otf2_defs *defs = &data->trace.defs;
	const struct fathom_otf2_location *definition = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, location);

	*thread = 0;
	for (uint32_t l = 0; l < location; l++) {
		const struct fathom_otf2_location *other = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, l);

		*thread += other->process == definition->process && other->type == OTF2_LOCATION_TYPE_CPU_THREAD;
	}
	return definition->process;
}
