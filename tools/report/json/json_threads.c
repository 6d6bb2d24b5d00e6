#include "tools/report/json/json_threads.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/efficiency.h"
#include "tools/common/json_writer.h"
#include "tools/report/findings/findings.h"
#include "tools/report/region_search.h"
#include "tools/report/report.h"
#include "tools/report/thread_columns.h"

static const char *const use_names[FATHOM_USE_COUNT] = { "work", "barrier", "locks", "management", "other" };

static json_t *uses(const double use[FATHOM_USE_COUNT])
{
	json_t *object = json_object();
	int u;

	for (u = 0; u < FATHOM_USE_COUNT; u++)
		fathom_json_set_number(object, use_names[u], use[u]);
	return object;
}

/* Prints the columns of the file, each of which stands for one thread or several. */
static void put_locations(const struct fathom_report *report)
{
	const struct fathom_profile *profile = &report->profile;
	const struct fathom_cube *cube = profile->cube;
	uint32_t l;

	fathom_json_begin_list("locations");
	for (l = 0; l < cube->location_count; l++) {
		const struct fathom_cube_location location = fathom_cube_location(cube, l);
		json_t *object = json_object();

		fathom_json_set_text(object, "name", location.name);
		fathom_json_set_text(object, "kind", location.type);
		json_object_set_new(object, "rank", json_integer(cube->groups[location.group].rank));
		json_object_set_new(object, "thread", json_integer(location.rank));
		fathom_json_set_number(object, "threads", fathom_threads_weight(profile, l));
		if (location.threads)
			fathom_json_set_text(object, "members", location.threads);
		fathom_json_item(l == 0, object);
	}
	fathom_json_end_list();
}

static void put_teams(const struct fathom_report *report)
{
	uint32_t i;

	fathom_json_begin_list("parallel_regions");
	for (i = 0; i < report->teams.count; i++) {
		const struct fathom_team_region *region = &report->teams.regions[i];
		double balance = fathom_team_balance(region);
		json_t *object = json_object();

		json_object_set_new(object, "region", json_integer(region->region));
		fathom_json_set_text(object, "name", report->profile.cube->regions[region->region].name);
		fathom_json_set_number(object, "time", region->seconds);
		fathom_json_set_number(object, "visits", region->visits);
		fathom_json_set_number(object, "least_threads", region->least_threads);
		fathom_json_set_number(object, "most_threads", region->most_threads);
		fathom_json_set_known(object, "balance", balance >= 0, balance);
		fathom_json_set_known(object, "to_save", balance >= 0, fathom_team_savable(region));
		json_object_set_new(object, "use", uses(region->use));
		fathom_json_set_number(object, "idle", region->idle);
		fathom_json_item(i == 0, object);
	}
	fathom_json_end_list();
}

static void put_tasks(const struct fathom_report *report)
{
	uint32_t i, k;

	fathom_json_begin_list("tasks");
	for (i = 0; i < report->tasks.count; i++) {
		const struct fathom_task_construct *construct = &report->tasks.constructs[i];
		bool has_extremes = construct->least <= construct->most;
		json_t *object = json_object(), *places = json_array();

		json_object_set_new(object, "region", json_integer(construct->region));
		fathom_json_set_text(object, "name", report->profile.cube->regions[construct->region].name);
		fathom_json_set_number(object, "instances", construct->instances);
		fathom_json_set_number(object, "time", construct->seconds);
		fathom_json_set_known(object, "minimum", has_extremes, construct->least);
		fathom_json_set_known(object, "maximum", has_extremes, construct->most);
		json_object_set_new(object, "use", uses(construct->use));
		fathom_json_set_number(object, "created", construct->created);
		fathom_json_set_number(object, "creation_time", construct->creation_seconds);
		fathom_json_set_number(object, "pieces", construct->pieces);
		for (k = 0; k < construct->place_count; k++) {
			json_t *place = json_object();

			json_object_set_new(place, "region", json_integer(construct->places[k].region));
			fathom_json_set_text(place, "name",
					     report->profile.cube->regions[construct->places[k].region].name);
			fathom_json_set_number(place, "time", construct->places[k].seconds);
			json_array_append_new(places, place);
		}
		json_object_set_new(object, "ran_in", places);
		fathom_json_item(i == 0, object);
	}
	fathom_json_end_list();
}

static void put_findings(struct fathom_report *report)
{
	struct fathom_finding findings[FATHOM_FINDING_ROOM];
	uint32_t count = fathom_report_find_problems(report, findings), i;

	fathom_json_begin_list("findings");
	for (i = 0; i < count; i++) {
		const struct fathom_cube_region *region = fathom_profile_region(&report->profile, findings[i].cnode);
		json_t *object = json_object();
		double bound;

		fathom_json_set_text(object, "kind", findings[i].kind);
		if (findings[i].cause)
			fathom_json_set_text(object, "cause", findings[i].cause);
		json_object_set_new(object, "call_path", json_integer(findings[i].cnode));
		fathom_json_set_text(object, "name", region->name);
		fathom_json_set_text(object, "file", region->file);
		json_object_set_new(object, "line", region->begin_line > 0 ? json_integer(region->begin_line) :
									     json_null());
		fathom_json_set_text(object, "ranks", findings[i].ranks);
		fathom_json_set_number(object, "seconds", findings[i].seconds);
		fathom_json_set_number(object, "share", report->time.total > 0 ?
				       findings[i].seconds / report->time.total : 0);
		bound = fathom_finding_bound(report, &findings[i]);
		fathom_json_set_known(object, "speed_up_at_most", bound > 0, bound);
		fathom_json_set_text(object, "text", findings[i].text);
		fathom_json_item(i == 0, object);
	}
	fathom_json_end_list();
}

static void put_factor(json_t *object, const char *name, double factor)
{
	json_object_set_new(object, name, factor < 0 ? json_null() : json_real(factor));
}

static void put_efficiency(struct fathom_report *report)
{
	struct fathom_efficiency efficiency;
	json_t *object;

	if (fathom_efficiency_init(&efficiency, &report->profile, &report->time) || !efficiency.is_there) {
		fathom_json_member("efficiency", json_null());
		return;
	}
	object = json_object();
	put_factor(object, "parallel", efficiency.parallel);
	put_factor(object, "mpi", efficiency.mpi);
	put_factor(object, "load_balance", efficiency.balance);
	put_factor(object, "communication", efficiency.communication);
	put_factor(object, "serialisation", efficiency.serialisation);
	put_factor(object, "transfer", efficiency.transfer);
	put_factor(object, "threads", efficiency.threads);
	fathom_json_set_number(object, "run_time", efficiency.seconds);
	fathom_json_set_number(object, "init_time", efficiency.init_seconds);
	fathom_json_member("efficiency", object);
}

/* --- values of a region by thread (--threads) ------------------------------------------------------- */

static json_t *columns_of(struct fathom_report *report, uint32_t cnode)
{
	uint32_t count, i;
	struct fathom_column *columns = fathom_report_columns(report, cnode, &count);
	json_t *list = json_array();

	for (i = 0; columns && i < count; i++) {
		json_t *object = json_object();

		json_object_set_new(object, "location", json_integer(columns[i].location));
		fathom_json_set_number(object, "threads", columns[i].threads);
		fathom_json_set_number(object, "visits", columns[i].visits);
		fathom_json_set_number(object, "time", columns[i].time);
		fathom_json_set_number(object, "own", columns[i].own);
		if (report->options.metric) {	/* a ratio may be without a value */
			fathom_json_set_known(object, "value", !fathom_value_is_never(columns[i].value),
					      columns[i].value);
			fathom_json_set_known(object, "own_value", !fathom_value_is_never(columns[i].own_value),
					      columns[i].own_value);
		}
		json_array_append_new(list, object);
	}
	free(columns);
	return list;
}

static int add_statistics(struct fathom_report *report, json_t *object, int32_t metric, uint32_t cnode)
{
	struct fathom_statistics statistics;
	int err = 0;

	if (metric >= 0 &&
	    fathom_threads_statistics(&report->profile, (uint32_t)metric, cnode, &statistics, &err))
		json_object_set_new(object, report->profile.cube->metrics[metric].uniq_name,
				    fathom_json_statistics(&statistics));
	return err;
}

static int put_threads(struct fathom_report *report)
{
	bool *matches = fathom_tool_alloc(report->profile.cube->region_count, sizeof(bool));
	uint32_t *cnodes = NULL, count = 0, i;
	int err = fathom_report_find_regions(report, report->options.threads, matches);

	if (!err)
		count = fathom_report_places(report, matches, &cnodes);
	fathom_json_begin_list("threads_in");
	for (i = 0; !err && i < count && !fathom_tool_output_lost(); i++) {
		json_t *object = json_object(), *statistics = json_object();

		json_object_set_new(object, "call_path", json_integer(cnodes[i]));
		fathom_json_set_text(object, "name", fathom_profile_region(&report->profile, cnodes[i])->name);
		json_object_set_new(object, "columns", columns_of(report, cnodes[i]));
		err = add_statistics(report, statistics, report->profile.visits, cnodes[i]);
		if (!err)
			err = add_statistics(report, statistics, report->profile.time, cnodes[i]);
		json_object_set_new(object, "statistics", statistics);
		fathom_json_item(i == 0, object);
	}
	fathom_json_end_list();
	free(cnodes);
	free(matches);
	return err;
}

int fathom_report_json_threads(struct fathom_report *report)
{
	put_locations(report);
	put_teams(report);
	put_tasks(report);
	put_findings(report);
	put_efficiency(report);
	return report->options.threads ? put_threads(report) : 0;
}
