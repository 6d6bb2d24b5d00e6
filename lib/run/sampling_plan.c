#include "run/sampling_plan.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "event/sample.h"
#include "event/state.h"
#include "metric/metric_lookup.h"
#include "platform/log.h"
#include "platform/sampling_setting.h"
#include "run/experiment.h"
#include "sample/sampling.h"

static const char prefix[] = "perf::";

/* What was found at the start; constant afterwards except for facts. */
static struct {
	struct fathom_sampled_event sources[FATHOM_SAMPLING_EVENTS];
	uint32_t source_count;
	struct fathom_sample_event events[FATHOM_SAMPLING_EVENTS];	/* by number; the first one is processor time */
	struct fathom_metric_event found[FATHOM_SAMPLING_EVENTS];	/* has the texts of events */
	uint32_t event_count;
	uint32_t rate;
	struct fathom_sampling facts;	/* for results */
} plan;

/* Events of PAPI, and what counts them with perf events of the kernel. */
static const struct {
	const char *papi, *perf;
} presets[] = {
	{ "PAPI_TOT_CYC", "CYCLES" },
	{ "PAPI_REF_CYC", "REF-CYCLES" },
	{ "PAPI_TOT_INS", "INSTRUCTIONS" },
	{ "PAPI_BR_INS", "BRANCH-INSTRUCTIONS" },
	{ "PAPI_BR_MSP", "BRANCH-MISSES" },
	{ "PAPI_L1_DCM", "L1-DCACHE-LOAD-MISSES" },
	{ "PAPI_L1_ICM", "L1-ICACHE-LOAD-MISSES" },
	{ "PAPI_L3_TCA", "CACHE-REFERENCES" },
	{ "PAPI_L3_TCM", "CACHE-MISSES" },
	{ "PAPI_TLB_DM", "DTLB-LOAD-MISSES" },
	{ "PAPI_TLB_IM", "ITLB-LOAD-MISSES" },
};
enum { PRESET_COUNT = sizeof(presets) / sizeof(*presets) };

/* Writes the name that lib/metric has for the event: perf spells its events in small letters and without a prefix. */
static void name_in_full(const char *name, char *text, size_t bytes)
{
	size_t length;

	for (int i = 0; i < PRESET_COUNT; i++) {
		if (!strcmp(presets[i].papi, name)) {
			fathom_format(text, bytes, "%s%s", prefix, presets[i].perf);
			return;
		}
	}
	if (strstr(name, "::") || !strncmp(name, "PAPI_", 5)) {
		fathom_format(text, bytes, "%s", name);
		return;
	}
	length = (size_t)fathom_format(text, bytes, "%s%s", prefix, name);
	if (name[0] == 'r' && strspn(name + 1, "0123456789abcdef") == strlen(name + 1))
		return;		/* the number of an event of the processor */
	for (size_t i = sizeof(prefix) - 1; i < length && i + 1 < bytes && text[i] != ':'; i++)
		text[i] = text[i] == '_' ? '-' : (char)toupper((unsigned char)text[i]);
}

/* Returns whether the event can be opened for samples on this machine; if not, with the reason in why. */
static bool is_here(const struct fathom_sampled_event *sampled, const struct fathom_metric_event *event,
		    struct fathom_metric_why *why)
{
	struct fathom_metric_reader reader = { .source = event->source, .count = 1, .events = { event } };
	struct fathom_source source = { .event = sampled };
	int err = fathom_source_perf.open(&source);

	if (!err) {
		fathom_source_perf.close(&source);
		return true;
	}
	/* To count it fails for the same reason, and tells it. */
	if (!event->source->open(&reader, why)) {
		event->source->close(&reader);
		fathom_format(why->text, sizeof(why->text), "it can only be counted here (%s)", strerrordesc_np(-err));
	}
	return false;
}

struct possible {
	char text[512];
	size_t length;
};

/* Appends the name if this machine can sample the event. */
static void add_possible(void *context, const char *name)
{
	struct possible *possible = context;
	struct fathom_sampled_event sampled = { .period = 1000000 };
	struct fathom_metric_event event;
	struct fathom_metric_why why;

	if (fathom_metric_find(name, &event, &why) ||
	    !fathom_metric_perf_sampled(&event, &sampled.type, &sampled.config) || !is_here(&sampled, &event, &why))
		return;
	name += sizeof(prefix) - 1;
	if (possible->length + strlen(name) + 3 > sizeof(possible->text))
		return;
	fathom_format(possible->text + possible->length, sizeof(possible->text) - possible->length, ", %s", name);
	for (; possible->text[possible->length]; possible->length++)
		possible->text[possible->length] = (char)tolower((unsigned char)possible->text[possible->length]);
}

static void say_missing(const char *name, const struct fathom_metric_why *why)
{
	struct possible possible = { .length = 0 };

	if (!fathom_experiment_is_first_rank())
		return;
	fathom_metric_perf.list(add_possible, &possible);
	fathom_log(FATHOM_LOG_SAY, "FATHOM_SAMPLING: %s is not sampled: %s; the run goes on without it (possible here: "
		   "a rate%s)", name, why->text, possible.text);
}

/* Adds the event that the setting calls name. Returns 0, or -EINVAL with a line in error. */
static int add_event(const char *name, uint64_t period, char *error, size_t bytes)
{
	struct fathom_metric_event *event = &plan.found[plan.event_count];
	struct fathom_sampled_event *sampled = &plan.sources[plan.source_count];
	struct fathom_metric_why why;
	char full[sizeof(event->name)];
	int err;

	name_in_full(name, full, sizeof(full));
	err = fathom_metric_find(full, event, &why);
	if (err == -ENOENT) {
		fathom_format(error, bytes, "FATHOM_SAMPLING names \"%s\": no event is called so, here or elsewhere "
			      "(fathom metrics lists those of perf)", name);
		return -EINVAL;
	}
	if (err || !fathom_metric_perf_sampled(event, &sampled->type, &sampled->config)) {
		fathom_format(error, bytes, "FATHOM_SAMPLING names \"%s\": only events of perf that happen in programs "
			      "can be sampled (fathom metrics lists them)", name);
		return -EINVAL;
	}
	sampled->period = period;
	if (!is_here(sampled, event, &why)) {
		say_missing(name, &why);
		return 0;
	}
	fathom_format(event->name, sizeof(event->name), "%s", name);
	fathom_format(sampled->name, sizeof(sampled->name), "%s", name);
	sampled->number = plan.event_count;
	plan.source_count++;
	plan.events[plan.event_count++] = (struct fathom_sample_event){ event->name, event->unit, event->description };
	return 0;
}

int fathom_sampling_plan_start(char *error, size_t bytes)
{
	struct fathom_sampling_setting setting;
	int err;

	if (!fathom_sampling_setting_read(fathom.settings.sampling, &setting) || !fathom.substrate->sample)
		return 0;
	if (!setting.rate && !setting.event_count && fathom.settings.trace_samples &&
	    (fathom.settings.mode & FATHOM_MODE_TRACE)) {
		fathom_format(error, bytes, "FATHOM_TRACE_SAMPLES is %lu, but FATHOM_SAMPLING=off takes no samples",
			      (unsigned long)fathom.settings.trace_samples);
		return -EINVAL;
	}
	plan.rate = setting.rate;
	plan.events[plan.event_count++] = (struct fathom_sample_event){ "time", "sec", "Processor time" };
	if (setting.rate)
		fathom_source_time_event(&plan.sources[plan.source_count++], setting.rate);
	for (uint32_t i = 0; i < setting.event_count; i++) {
		err = add_event(setting.events[i].name, setting.events[i].period, error, bytes);
		if (err)
			return err;
	}
	if (!plan.source_count)
		return 0;
	/* The kernel may send SIGIO in place of a perf event's signal (fathom_sampling_recover). Only fathom's handler
	 * can tell it from a SIGIO for the program. */
	err = fathom_sampling_start(plan.sources, plan.source_count, fathom.settings.signals);
	if (err)
		fathom_log(FATHOM_LOG_INFO, "no samples are taken: %s", strerrordesc_np(-err));
	return 0;
}

const struct fathom_sampling *fathom_sampling_plan_describe(void)
{
	struct fathom_sampling_counts counts = fathom_sampling_count();

	if (!plan.source_count || (!counts.source && !counts.taken))
		return NULL;
	plan.facts.source = counts.source;
	plan.facts.rate = plan.rate;
	plan.facts.dropped = counts.dropped;
	plan.facts.events = plan.events;
	plan.facts.event_count = plan.event_count;
	return &plan.facts;
}
