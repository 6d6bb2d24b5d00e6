#include "metric/metric_lookup.h"

#include <errno.h>
#include <string.h>

#include "metric/metric_groups.h"
#include "platform/log.h"

static const struct fathom_metric_source *const sources[] = {
	&fathom_metric_perf,
	&fathom_metric_rusage,
	&fathom_metric_proc,
	&fathom_metric_energy,
};
enum { SOURCE_COUNT = sizeof(sources) / sizeof(*sources) };

const struct fathom_metric_source *fathom_metric_source_by_number(uint32_t number)
{
	return number < SOURCE_COUNT ? sources[number] : NULL;
}

/* --- refusals ------------------------------------------------------------------------------------ */

void fathom_metric_refuse(struct fathom_metric_refused *refused, const char *name, const char *why)
{
	if (refused->count == sizeof(refused->one) / sizeof(*refused->one)) {
		refused->lost++;
		return;
	}
	fathom_format(refused->one[refused->count].name, sizeof(refused->one->name), "%s", name);
	fathom_format(refused->one[refused->count].why, sizeof(refused->one->why), "%s", why);
	refused->count++;
}

static bool is_said(const struct fathom_metric_refused *refused, uint32_t number)
{
	for (uint32_t i = 0; i < number; i++)
		if (!strcmp(refused->one[i].why, refused->one[number].why))
			return true;
	return false;
}

void fathom_metric_say_refused(const struct fathom_metric_refused *refused, uint32_t kept)
{
	char names[1024];

	for (uint32_t i = 0; i < refused->count; i++) {
		size_t length = 0;
		uint32_t count = 0;

		if (is_said(refused, i))
			continue;
		for (uint32_t j = i; j < refused->count && length < sizeof(names); j++) {
			if (strcmp(refused->one[j].why, refused->one[i].why))
				continue;
			length += (size_t)fathom_format(names + length, sizeof(names) - length, "%s%s",
							count++ ? ", " : "", refused->one[j].name);
		}
		fathom_log(FATHOM_LOG_SAY, "FATHOM_METRICS: %s %s not counted: %s; the run continues without %s", names,
			   count == 1 ? "is" : "are", refused->one[i].why, count == 1 ? "it" : "them");
	}
	if (refused->lost)
		fathom_log(FATHOM_LOG_SAY, "FATHOM_METRICS: %u more are not counted", refused->lost);
	if (!kept)
		fathom_log(FATHOM_LOG_SAY, "FATHOM_METRICS: none of these can be counted here; time and visits are "
			   "measured as usual (fathom metrics lists the counters of this machine)");
}

/* --- names --------------------------------------------------------------------------------------- */

struct listed_name {
	const char *wanted;
	char found[128];
};

/* Notes a name of a source if it equals the wanted one except for '_' in place of '-'. */
static void compare_listed(void *context, const char *name)
{
	struct listed_name *search = context;
	size_t i = 0;

	while (name[i] && (name[i] == search->wanted[i] || (name[i] == '-' && search->wanted[i] == '_')))
		i++;
	if (!name[i] && !search->wanted[i])
		fathom_format(search->found, sizeof(search->found), "%s", name);
}

/* Returns the name as its source lists it. Profiles spell names with '_', as CUBE4 demands; such a name is accepted,
 * too. */
static const char *as_listed(const char *name, struct listed_name *search)
{
	search->wanted = name;
	search->found[0] = '\0';
	for (int i = 0; i < SOURCE_COUNT && strchr(name, '_') && strstr(name, "::"); i++)
		sources[i]->list(compare_listed, search);
	return *search->found ? search->found : name;
}

int fathom_metric_find(const char *name, struct fathom_metric_event *event, struct fathom_metric_why *why)
{
	const struct fathom_metric_source *papi;
	struct listed_name search;

	name = as_listed(name, &search);
	memset(event, 0, sizeof(*event));
	if (strlen(name) >= sizeof(event->name))
		return -ENOENT;
	fathom_format(event->name, sizeof(event->name), "%s", name);
	*why->text = '\0';
	for (int i = 0; i < SOURCE_COUNT; i++) {
		int err = sources[i]->find(event, why);

		event->source = sources[i];
		if (err != -ENOENT)
			return err;
		/* A name that begins with the name of a source belongs to that source only. */
		if (!strncmp(name, sources[i]->name, strlen(sources[i]->name)) && sources[i] != &fathom_metric_perf &&
		    strstr(name, "::"))
			return -ENOENT;
	}
	papi = fathom_metric_load_papi(NULL, why);
	event->source = papi;
	return papi ? papi->find(event, why) : -ENOTSUP;
}

/* Adds one name of the list. Group members that do not exist on this machine are refused like unavailable events. */
static int add(const char *name, struct fathom_metric_event *events, uint32_t *count,
	       struct fathom_metric_refused *refused)
{
	struct fathom_metric_event event;
	struct fathom_metric_why why;
	int err;

	for (uint32_t i = 0; i < *count; i++)
		if (!strcmp(events[i].name, name))
			return 0;
	err = fathom_metric_find(name, &event, &why);
	if (err == -ENOENT)
		return err;
	for (uint32_t i = 0; i < *count; i++)	/* the list contains the event already, with another spelling */
		if (!strcmp(events[i].name, event.name))
			return 0;
	if (!err && *count == FATHOM_METRIC_MOST_STRICT) {
		fathom_format(why.text, sizeof(why.text), "too many at once; the %u before it fit (others in another "
			      "run, see fathom merge --holistic)", (unsigned)FATHOM_METRIC_MOST_STRICT);
		err = -ENOSPC;
	}
	if (err)
		fathom_metric_refuse(refused, name, why.text);
	else
		events[(*count)++] = event;
	return 0;
}

static int add_group(const struct fathom_metric_group *group, struct fathom_metric_event *events, uint32_t *count,
		     struct fathom_metric_refused *refused)
{
	for (const char *const *name = group->events; *name; name++)
		add(*name, events, count, refused);
	return 0;
}

int fathom_metric_find_all(const char *list, struct fathom_metric_event *events, uint32_t *count,
			   struct fathom_metric_refused *refused, char *error, size_t error_bytes)
{
	char name[128], groups[128];

	*count = 0;
	while (*list) {
		size_t length = strcspn(list, ",");
		const struct fathom_metric_group *group = NULL;
		int err = -ENOENT;

		fathom_format(name, sizeof(name), "%.*s", (int)length, list);
		if (*name == '@')
			group = fathom_metric_group_find(name);
		if (group)
			err = add_group(group, events, count, refused);
		else if (*name != '@' && length && length < sizeof(name))
			err = add(name, events, count, refused);
		if (err && *name == '@')
			fathom_format(error, error_bytes, "FATHOM_METRICS names %s: there is no such group (there are "
				      "%s)", name, fathom_metric_group_names(groups, sizeof(groups)));
		else if (err)
			fathom_format(error, error_bytes, "FATHOM_METRICS names \"%.*s\": no counter has this name, "
				      "here or elsewhere (fathom metrics lists the counters of this "
				      "machine)", (int)length, list);
		if (err)
			return -EINVAL;
		list += length + (list[length] == ',');
		if (list[-1] == ',' && !*list) {
			fathom_format(error, error_bytes, "FATHOM_METRICS ends with a comma: a name is missing");
			return -EINVAL;
		}
	}
	return 0;
}
