#include "tools/whatif/profile_bound.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "define/activity.h"
#include "tools/common/command.h"
#include "tools/common/efficiency.h"
#include "tools/common/experiment.h"
#include "tools/common/json_writer.h"
#include "tools/common/profile.h"
#include "tools/whatif/faster_kinds.h"

struct region_share {
	uint32_t region;	/* index */
	double share;		/* of the time of all threads, without what the region calls */
};

struct rule_share {
	double share;		/* of what the rule is about: bursts, or regions with all they call outside of MPI */
	double speed_up;
};

struct bounds {
	struct fathom_profile *profile;
	struct fathom_whatif_options *options;
	struct fathom_values time;
	struct region_share *regions;	/* of computation, the largest first */
	size_t region_count;
	struct rule_share *rules;	/* in the order of the rules */
	double together;		/* speed-up with all rules */
	char bursts[PATH_MAX];		/* file of the bursts of the run; "": there is none */
	struct fathom_kind_times times;	/* of the kinds that rules are about */
	struct fathom_efficiency efficiency;
};

static double amdahl(double share, double factor)
{
	return 1 / (1 - share * (1 - 1 / factor));
}

static int compare_shares(const void *a, const void *b)
{
	const struct region_share *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	return (x->region > y->region) - (x->region < y->region);
}

static bool is_computation(const struct bounds *bounds, uint32_t cnode)
{
	return fathom_profile_activity(bounds->profile, fathom_profile_region(bounds->profile, cnode)) ==
	       FATHOM_ACTIVITY_COMPUTATION;
}

static void add_regions(struct bounds *bounds)
{
	const struct fathom_cube *cube = bounds->profile->cube;
	double *sums = fathom_tool_alloc(cube->region_count + 1, sizeof(*sums));

	for (uint32_t c = 0; c < cube->cnode_count; c++)
		if (bounds->profile->counted[c] && is_computation(bounds, c))
			sums[cube->cnodes[c].region] += bounds->time.own[c];
	bounds->regions = fathom_tool_alloc(cube->region_count + 1, sizeof(*bounds->regions));
	for (uint32_t r = 0; r < cube->region_count; r++)
		if (sums[r] > 0 && bounds->time.total > 0)
			bounds->regions[bounds->region_count++] = (struct region_share){
				r, sums[r] / bounds->time.total };
	qsort(bounds->regions, bounds->region_count, sizeof(*bounds->regions), compare_shares);
	free(sums);
}

/* Adds up what each rule is about. Of nested regions with rules, the innermost one counts. */
static void add_rules(struct bounds *bounds)
{
	const struct fathom_cube *cube = bounds->profile->cube;
	struct fathom_speed_rules *rules = &bounds->options->rules;
	size_t *rule_of = fathom_tool_alloc(cube->cnode_count + 1, sizeof(*rule_of)), i;
	double rest = 1;

	bounds->rules = fathom_tool_alloc(rules->count + 1, sizeof(*bounds->rules));
	for (uint32_t c = 0; c < cube->cnode_count; c++) {	/* parents have smaller numbers */
		const struct fathom_cube_region *region = fathom_profile_region(bounds->profile, c);

		rule_of[c] = fathom_speed_rule_of(rules, region->name);
		if (!rule_of[c] && cube->cnodes[c].parent >= 0)
			rule_of[c] = rule_of[cube->cnodes[c].parent];
		if (rule_of[c] && bounds->profile->counted[c] && bounds->time.total > 0 && is_computation(bounds, c))
			bounds->rules[rule_of[c] - 1].share += bounds->time.own[c] / bounds->time.total;
	}
	for (i = 0; i < rules->count; i++) {
		if (rules->rules[i].kind && bounds->time.total > 0)
			bounds->rules[i].share = bounds->times.seconds[i] / bounds->time.total;
		bounds->rules[i].speed_up = amdahl(bounds->rules[i].share, rules->rules[i].factor);
		rest -= bounds->rules[i].share * (1 - 1 / rules->rules[i].factor);
	}
	bounds->together = 1 / rest;
	free(rule_of);
}

/* Finds the kinds that rules are about in the bursts of the run. 0, or -errno after an error message. */
static int find_kinds(struct bounds *bounds)
{
	struct fathom_speed_rules *rules = &bounds->options->rules;
	const struct fathom_speed_rule *kind = fathom_speed_rules_kind(rules);
	int err;

	if (!kind)
		return 0;
	if (!*bounds->bursts) {
		fathom_tool_error("--faster %s: kinds of bursts are found in OTF2 traces (FATHOM_MODE=trace), or in "
				  "the bursts that a run records (FATHOM_BURSTS=on); %s has neither",
				  kind->name, bounds->profile->path);
		return -EINVAL;
	}
	for (size_t i = 0; i < rules->count; i++) {
		if (rules->rules[i].kind)
			continue;
		fathom_tool_error("--faster %s: from a profile, not together with %s: the same time may be of both "
				  "(FATHOM_MODE=trace makes a trace, where they go together)",
				  rules->rules[i].name, kind->name);
		return -EINVAL;
	}
	err = fathom_kind_times_find(&bounds->times, bounds->bursts, &bounds->options->kinds, rules);
	if (err)
		return err;
	/* A burst and the profile read the clock at slightly different moments. */
	if (bounds->times.all_seconds > 1.01 * bounds->time.total) {
		fathom_tool_error("%s: its bursts take more time than %s has: they are of another run", bounds->bursts,
				  bounds->profile->path);
		return -EINVAL;
	}
	return 0;
}

/* --- output --- */

static const char *name_of(const struct bounds *bounds, const struct region_share *region)
{
	return bounds->profile->cube->regions[region->region].name;
}

static void print_rule(const struct bounds *bounds, size_t number, struct fathom_page *page)
{
	const struct fathom_speed_rule *rule = &bounds->options->rules.rules[number];
	const struct rule_share *share = &bounds->rules[number];

	printf("  --faster %s=%g: %.1f%% of the time, speed-up at most %.3f\n", rule->name, rule->factor,
	       100 * share->share, share->speed_up);
	if (!rule->kind)
		return;
	printf("    %" PRIu64 " burst%s in ", rule->bursts, rule->bursts == 1 ? "" : "s");
	fathom_page_name(page, rule->place, page->width - 30);
	putchar('\n');
}

/* Prints which bursts of the run are unknown, or that it has bursts which no option asks for. */
static void print_bursts(const struct bounds *bounds, struct fathom_page *page)
{
	const struct fathom_kind_times *times = &bounds->times;

	if (!fathom_speed_rules_kind(&bounds->options->rules)) {
		if (*bounds->bursts)
			fathom_page_paragraph(page, "The run recorded its bursts. fathom clusters finds their kinds, "
					      "and --faster cluster:N=F says what a faster kind can gain at most.", 0);
		return;
	}
	if (times->dropped)
		printf("  The run dropped %" PRIu64 " bursts: the bounds of kinds may be too low.\n", times->dropped);
	if (times->is_cut)
		printf("  Not all bursts were read: the bounds of kinds may be too low.\n");
}

static void print_text(const struct bounds *bounds, struct fathom_page *page)
{
	const struct fathom_speed_rules *rules = &bounds->options->rules;
	const struct fathom_efficiency *efficiency = &bounds->efficiency;
	size_t lines = bounds->region_count, i;

	if ((int64_t)lines > bounds->options->top)
		lines = (size_t)bounds->options->top;
	fathom_page_heading(page, "Speed-up at most", "from a profile: waiting may make it less");
	printf("  %7s  %8s  %8s  %8s  if this code were faster\n", "time", "2x", "10x", "at once");
	for (i = 0; i < lines; i++) {
		const struct region_share *region = &bounds->regions[i];

		printf("  %6.1f%%  %8.3f  %8.3f  %8.3f  ", 100 * region->share, amdahl(region->share, 2),
		       amdahl(region->share, 10), amdahl(region->share, INFINITY));
		fathom_page_name(page, name_of(bounds, region), page->width - 41);
		putchar('\n');
	}
	for (i = 0; i < rules->count; i++)
		print_rule(bounds, i, page);
	if (rules->count > 1)
		printf("  all of them: speed-up at most %.3f\n", bounds->together);
	if (efficiency->is_there && efficiency->balance > 0)
		printf("  with balanced work of the processes: at most %.3f\n", 1 / efficiency->balance);
	if (efficiency->is_there && efficiency->communication > 0)
		printf("  without waiting and transfer of the processes: at most %.3f\n",
		       1 / efficiency->communication);
	print_bursts(bounds, page);
	fathom_page_paragraph(page, "fathom report says of each of its findings how much faster the run could be "
			      "without it.", 0);
	fathom_page_paragraph(page, "A trace says more: FATHOM_MODE=trace, and fathom whatif of it replays the run.",
			      0);
}

static json_t *rule_object(const struct bounds *bounds, size_t number)
{
	const struct fathom_speed_rule *rule = &bounds->options->rules.rules[number];
	json_t *item = json_object();

	if (rule->kind) {
		fathom_json_set_number(item, "kind", rule->kind);
		fathom_json_set_number(item, "bursts", (double)rule->bursts);
		fathom_json_set_number(item, "seconds", bounds->times.seconds[number]);
		fathom_json_set_text(item, "path", rule->place);
	} else {
		fathom_json_set_text(item, "region", rule->name);
	}
	fathom_json_set_number(item, "factor", rule->factor);
	fathom_json_set_number(item, "share", bounds->rules[number].share);
	fathom_json_set_number(item, "speed_up", bounds->rules[number].speed_up);
	return item;
}

static void print_json(const struct bounds *bounds)
{
	const struct fathom_speed_rules *rules = &bounds->options->rules;
	const struct fathom_efficiency *efficiency = &bounds->efficiency;
	size_t i;

	printf("{\n\"format\": \"fathom-whatif-bound-1\"");
	fathom_json_member("profile", fathom_json_text(bounds->profile->path));
	fathom_json_begin_list("regions");
	for (i = 0; i < bounds->region_count; i++) {
		json_t *item = json_object();

		fathom_json_set_text(item, "region", name_of(bounds, &bounds->regions[i]));
		fathom_json_set_number(item, "share", bounds->regions[i].share);
		fathom_json_set_number(item, "speed_up_2", amdahl(bounds->regions[i].share, 2));
		fathom_json_set_number(item, "speed_up_most", amdahl(bounds->regions[i].share, INFINITY));
		fathom_json_item(i == 0, item);
	}
	fathom_json_end_list();
	fathom_json_begin_list("rules");
	for (i = 0; i < rules->count; i++)
		fathom_json_item(i == 0, rule_object(bounds, i));
	fathom_json_end_list();
	fathom_json_member("dropped_bursts", fathom_json_number((double)bounds->times.dropped));
	fathom_json_member("all_bursts_read", json_boolean(!bounds->times.is_cut));
	fathom_json_member("speed_up", fathom_json_number(bounds->together));
	fathom_json_member("balanced_speed_up", efficiency->is_there && efficiency->balance > 0 ?
			   fathom_json_number(1 / efficiency->balance) : json_null());
	fathom_json_member("without_communication_speed_up", efficiency->is_there && efficiency->communication > 0 ?
			   fathom_json_number(1 / efficiency->communication) : json_null());
	printf("\n}\n");
}

static int check_rules(const struct bounds *bounds)
{
	const struct fathom_speed_rules *rules = &bounds->options->rules;

	for (size_t i = 0; i < rules->count; i++) {
		if (rules->rules[i].is_used)
			continue;
		fathom_tool_error("--faster %s: no region of %s has this name", rules->rules[i].name,
				  bounds->profile->path);
		return -ENOENT;
	}
	return 0;
}

static int find_bounds(struct bounds *bounds)
{
	struct fathom_page page;
	int err;

	if (bounds->profile->time < 0) {
		fathom_tool_error("%s: has no times", bounds->profile->path);
		return -EINVAL;
	}
	err = fathom_profile_values(bounds->profile, (uint32_t)bounds->profile->time, &bounds->time);
	if (err)
		return err;
	err = fathom_efficiency_init(&bounds->efficiency, bounds->profile, &bounds->time);
	if (err)
		return err;
	err = find_kinds(bounds);
	if (err)
		return err;
	add_regions(bounds);
	add_rules(bounds);
	err = check_rules(bounds);
	if (err)
		return err;
	if (bounds->options->json) {
		print_json(bounds);
		return 0;
	}
	fathom_page_init(&page, bounds->options->width, bounds->options->colour);
	print_text(bounds, &page);
	fathom_page_fini(&page);
	return 0;
}

int fathom_profile_bound(const char *path, struct fathom_whatif_options *options)
{
	struct fathom_profile profile;
	struct bounds bounds = { .profile = &profile, .options = options };
	int err;

	if (fathom_whatif_options_need_trace(options)) {
		fathom_tool_error("%s: is a profile; from it, only --faster can be answered (FATHOM_MODE=trace makes a "
				  "trace)", path);
		return -EINVAL;
	}
	err = fathom_profile_open(&profile, path, -1);
	if (err)
		return err;
	if (!fathom_experiment_bursts_of(path, bounds.bursts))
		*bounds.bursts = '\0';
	err = find_bounds(&bounds);
	fathom_kind_times_fini(&bounds.times);
	fathom_values_free(&bounds.time);
	free(bounds.regions);
	free(bounds.rules);
	fathom_profile_close(&profile);
	return err;
}
