/*
 * libfathom-papi, the source of PAPI's events: presets, native events of the processor, and events of other components,
 * among them counters that libraries export (software-defined events).
 *
 * Events of different components cannot be in one event set, so a reader has a set for each component. Events of the
 * component perf_event count for a thread; all others count for the process.
 */
#include <errno.h>
#include <papi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "metric/counter_source.h"
#include "platform/compiler.h"
#include "platform/log.h"

static const struct fathom_metric_source source;

static unsigned long own_thread(void)
{
	return (unsigned long)pthread_self();
}

FATHOM_API const struct fathom_metric_source *fathom_metric_papi_source(struct fathom_metric_why *why)
{
	int version = PAPI_library_init(PAPI_VER_CURRENT);

	if (version != PAPI_VER_CURRENT || PAPI_thread_init(own_thread) != PAPI_OK) {
		fathom_format(why->text, sizeof(why->text), "PAPI does not start: %s",
			      version < 0 ? PAPI_strerror(version) : "it is of another version");
		return NULL;
	}
	return &source;
}

/* --- names --------------------------------------------------------------------------------------- */

/* Returns the reason why a component is disabled; NULL: it is enabled. */
static const char *reason_of(const PAPI_component_info_t *info)
{
	return info && info->disabled && info->disabled != PAPI_EDELAY_INIT ? info->disabled_reason : NULL;
}

static const PAPI_component_info_t *component_by_name(const char *name, size_t length)
{
	for (int i = 0; i < PAPI_num_components(); i++) {
		const PAPI_component_info_t *info = PAPI_get_component_info(i);

		if (info && strlen(info->name) == length && !strncmp(info->name, name, length))
			return info;
	}
	return NULL;
}

/*
 * Explains a name that PAPI does not know: the part before the colons may be a component or a processor of another
 * machine, where the name may be right. Never returns 0.
 */
static int explain_unknown(const char *name, struct fathom_metric_why *why)
{
	const char *end = strstr(name, ":::");
	const PAPI_component_info_t *info;

	if (!end && !strncmp(name, "PAPI_", 5))
		return -ENOENT;
	if (!end && (!strstr(name, "::") || !strncmp(name, "perf::", 6)))
		return -ENOENT;
	/* Events of the processor, or of a component that PAPI was built without. */
	info = end ? component_by_name(name, (size_t)(end - name)) : component_by_name("perf_event", 10);
	if (!info) {
		fathom_format(why->text, sizeof(why->text), "this PAPI has no component %.*s",
			      end ? (int)(end - name) : 10, end ? name : "perf_event");
		return -ENOTSUP;
	}
	if (reason_of(info))
		fathom_format(why->text, sizeof(why->text), "PAPI's component %s is off (%s)", info->name,
			      reason_of(info));
	else
		fathom_format(why->text, sizeof(why->text), "PAPI's component %s has no such event on this machine",
			      info->name);
	return -ENOTSUP;
}

static int describe(struct fathom_metric_event *event, int code, struct fathom_metric_why *why)
{
	PAPI_event_info_t info;
	char *unit = event->texts, *text = event->texts + 32;

	memset(&info, 0, sizeof(info));
	if (PAPI_get_event_info(code, &info) != PAPI_OK)
		info.units[0] = '\0';
	if (info.data_type == PAPI_DATATYPE_FP64) {
		fathom_format(why->text, sizeof(why->text), "its values are fractions");
		return -ENOTSUP;
	}
	fathom_format(unit, 32, "%.*s", 31, *info.units ? info.units : "occ");
	fathom_format(text, sizeof(event->texts) - 32, "%.*s", (int)sizeof(event->texts) - 33,
		      *info.long_descr ? info.long_descr : event->name);
	event->unit = unit;
	event->description = text;
	return 0;
}

static int find(struct fathom_metric_event *event, struct fathom_metric_why *why)
{
	const PAPI_component_info_t *info;
	int code, component;

	if (PAPI_event_name_to_code(event->name, &code) != PAPI_OK)
		return explain_unknown(event->name, why);
	component = PAPI_get_event_component(code);
	info = PAPI_get_component_info(component < 0 ? 0 : component);
	if (reason_of(info)) {
		fathom_format(why->text, sizeof(why->text), "PAPI's component %s is off (%s)", info->name,
			      reason_of(info));
		return -ENOTSUP;
	}
	if (PAPI_query_event(code) != PAPI_OK) {
		fathom_format(why->text, sizeof(why->text), "PAPI has no such counter on this processor");
		return -ENOTSUP;
	}
	event->origin = FATHOM_METRIC_ORIGIN_PAPI;
	event->is_process = info && strcmp(info->name, "perf_event") != 0;
	/* The counter of a library may decrease. */
	event->is_signed = event->is_process;
	event->data[0] = (uint64_t)(uint32_t)code;
	event->data[1] = (uint64_t)(uint32_t)component;
	/* The counter of a library reads -1 until the library exports it. */
	event->data[2] = info && !strcmp(info->name, "sde");
	return describe(event, code, why);
}

/* All names of PAPI, copied because a query for one of them would disturb the walk over the names. */
struct names {
	char (*texts)[128];
	size_t count, room;
};

static void keep(struct names *names, const char *name)
{
	if (names->count == names->room) {
		size_t room = names->room ? names->room * 2 : 256;
		void *texts = realloc(names->texts, room * sizeof(*names->texts));

		if (!texts)
			return;
		names->texts = texts;
		names->room = room;
	}
	if (strlen(name) < sizeof(*names->texts))
		strcpy(names->texts[names->count++], name);
}

static void list_component(struct names *names, int component)
{
	const PAPI_component_info_t *info = PAPI_get_component_info(component);
	int code = (int)PAPI_NATIVE_MASK, err;
	PAPI_event_info_t event;

	if (!info || reason_of(info))
		return;
	for (err = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component); err == PAPI_OK;
	     err = PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component))
		if (PAPI_get_event_info(code, &event) == PAPI_OK)
			keep(names, event.symbol);
}

static void list(void (*each)(void *context, const char *name), void *context)
{
	int code = (int)PAPI_PRESET_MASK;
	struct names names = { .count = 0 };
	PAPI_event_info_t event;

	if (PAPI_enum_event(&code, PAPI_ENUM_FIRST) == PAPI_OK)
		do
			if (PAPI_get_event_info(code, &event) == PAPI_OK)
				keep(&names, event.symbol);
		while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
	for (int i = 0; i < PAPI_num_components(); i++)
		list_component(&names, i);
	for (size_t i = 0; i < names.count; i++)
		each(context, names.texts[i]);
	free(names.texts);
}

/* --- counting ------------------------------------------------------------------------------------ */

/* Returns the component of an event set. A reader has data[0] event sets, in fds, and their components in pages. */
static int component_of_set(const struct fathom_metric_reader *reader, int set)
{
	return (int)(intptr_t)reader->pages[set];
}

static bool is_of_set(const struct fathom_metric_reader *reader, uint32_t event, int set)
{
	return (int)reader->events[event]->data[1] == component_of_set(reader, set);
}

static void close_sets(struct fathom_metric_reader *reader)
{
	long long values[FATHOM_METRIC_MOST_STRICT];

	while (reader->data[0]) {
		int set = reader->fds[--reader->data[0]];

		PAPI_stop(set, values);
		PAPI_cleanup_eventset(set);
		PAPI_destroy_eventset(&set);
	}
	/* PAPI fails if the thread that started PAPI calls this function. */
	if (!reader->events[0]->is_process && gettid() != getpid())
		PAPI_unregister_thread();
}

static void explain(struct fathom_metric_reader *reader, int err, struct fathom_metric_why *why)
{
	char fit[160] = "";
	size_t length = 0;

	if ((err != PAPI_ECNFLCT && err != PAPI_ECOUNT) || !reader->failed) {
		fathom_format(why->text, sizeof(why->text), "PAPI cannot count it here (%s)", PAPI_strerror(err));
		return;
	}
	for (uint32_t i = 0; i < reader->failed && length < sizeof(fit); i++)
		length += (size_t)fathom_format(fit + length, sizeof(fit) - length, "%s%s", i ? ", " : "",
						reader->events[i]->name);
	fathom_format(why->text, sizeof(why->text), "too many at once; %s fit (others in another run, see fathom merge "
		      "--holistic, or FATHOM_METRICS_MULTIPLEX=on)", fit);
}

/* Returns the set of an event's component; creates it if there is none. Negative: PAPI's error. */
static int set_for(struct fathom_metric_reader *reader, uint32_t event)
{
	int component = (int)reader->events[event]->data[1], set = PAPI_NULL, err;

	for (int i = 0; i < reader->data[0]; i++)
		if (component_of_set(reader, i) == component)
			return reader->fds[i];
	err = PAPI_create_eventset(&set);
	if (err == PAPI_OK && reader->is_multiplexed && !reader->events[event]->is_process) {
		static bool has_begun;

		if (!has_begun)
			PAPI_multiplex_init();
		has_begun = true;
		err = PAPI_assign_eventset_component(set, component);
		if (err == PAPI_OK)
			err = PAPI_set_multiplex(set);
	}
	if (err != PAPI_OK)
		return err;
	reader->pages[reader->data[0]] = (void *)(intptr_t)component;
	reader->fds[reader->data[0]++] = set;
	return set;
}

static int open_sets(struct fathom_metric_reader *reader, struct fathom_metric_why *why)
{
	int err = PAPI_OK;

	reader->data[0] = 0;
	if (!reader->events[0]->is_process)
		PAPI_register_thread();
	for (uint32_t i = 0; err == PAPI_OK && i < reader->count; i++) {
		int set = set_for(reader, i);

		reader->failed = i;
		err = set < 0 ? set : PAPI_add_event(set, (int)reader->events[i]->data[0]);
	}
	for (int set = 0; err == PAPI_OK && set < reader->data[0]; set++) {
		err = PAPI_start(reader->fds[set]);
		for (uint32_t i = 0; err != PAPI_OK && i < reader->count; i++)
			if (is_of_set(reader, i, set))
				reader->failed = i;
	}
	if (err == PAPI_OK)
		return 0;
	explain(reader, err, why);
	close_sets(reader);
	return -ENOTSUP;
}

static void read_sets(struct fathom_metric_reader *reader, uint64_t *values)
{
	long long read[FATHOM_METRIC_MOST_STRICT];

	for (int set = 0; set < reader->data[0]; set++) {
		uint32_t at = 0;

		if (PAPI_read(reader->fds[set], read) != PAPI_OK)
			continue;
		for (uint32_t i = 0; i < reader->count; i++) {
			if (!is_of_set(reader, i, set))
				continue;
			if (read[at] != -1 || !reader->events[i]->data[2])
				values[reader->events[i]->id] = (uint64_t)read[at];
			at++;
		}
	}
}

static const struct fathom_metric_source source = {
	.name = "papi",
	.find = find,
	.open = open_sets,
	.read = read_sets,
	.close = close_sets,
	.list = list,
};
