#include "tools/algebra/operation.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "cube/derived.h"
#include "cube/dtype.h"
#include "cube/writer/writer.h"
#include "platform/arena.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"

static const struct { const char *name, *what; } operations[] = {
	[FATHOM_OPERATION_DIFF] = { "diff", "the second side minus the first" },
	[FATHOM_OPERATION_MEAN] = { "mean", "the mean" },
	[FATHOM_OPERATION_DEVIATION] = { "deviation", "the standard deviation" },
	[FATHOM_OPERATION_MAX] = { "max", "the maximum" },
	[FATHOM_OPERATION_MIN] = { "min", "the minimum" },
	[FATHOM_OPERATION_MERGE] = { "merge", "all metrics, each of the first profile that has it" },
	[FATHOM_OPERATION_MERGE_MEAN] = { "merge", "all metrics, each the mean of the profiles that have it" },
	[FATHOM_OPERATION_SIDE] = { "side", "the values of one profile" },
	[FATHOM_OPERATION_CUT] = { "cut", "a part" },
};

/* How the values of a metric of the result are made. */
struct metric_plan {
	bool is_raw;		/* rows are copied bit by bit from input `source` */
	bool is_extreme;	/* minima or maxima, whose neutral value is "never" */
	bool wants_own;		/* own values are computed, else stored ones */
	uint32_t source;
	uint32_t count;		/* inputs that have the metric */
};

struct operation {
	struct fathom_algebra *algebra;
	enum fathom_operation kind;
	uint32_t first_count;		/* inputs of the first side; of SIDE, the input */
	struct metric_plan *plans;	/* by metric of the result */
	struct fathom_arena texts;
	char left_out[1024];		/* names of metrics that the result lacks */
	size_t left_out_count;
	bool sums_tuples;
	/* Rows while values are computed, one number for each location. */
	double *doubles;
	long double *values, *row, *result, *squares;
	char *raw;
	uint32_t *seen;			/* by column: inputs with a value of an extreme */
};

/* The result that is being written; an exit handler removes it if the program ends before it is complete. */
static struct fathom_cube_writer *unfinished;

static void abandon(void)
{
	if (unfinished)
		fathom_cube_writer_abandon(unfinished);
	unfinished = NULL;
}

static bool is_extreme_type(enum fathom_cube_dtype dtype)
{
	return dtype == FATHOM_CUBE_MINDOUBLE || dtype == FATHOM_CUBE_MAXDOUBLE;
}

static bool is_count_type(enum fathom_cube_dtype dtype)
{
	return dtype >= FATHOM_CUBE_UINT64 && dtype <= FATHOM_CUBE_INT8;
}

static const char *keep(struct operation *operation, const char *text)
{
	const char *copy = fathom_arena_copy(&operation->texts, text, strlen(text));

	if (!copy)
		fathom_tool_out_of_memory(strlen(text));
	return copy;
}

/* --- metrics --------------------------------------------------------------------------------------- */

static void leave_out(struct operation *operation, const char *name)
{
	size_t length = strlen(operation->left_out);

	for (const char *at = operation->left_out; (at = strstr(at, name)) != NULL; at++)
		if (strchr(", ", at[strlen(name)]))	/* the end of the text counts */
			return;
	operation->left_out_count++;
	if (length + strlen(name) + 3 < sizeof(operation->left_out))
		snprintf(operation->left_out + length, sizeof(operation->left_out) - length, "%s%s",
			 length ? ", " : "", name);
}

/* Returns whether the operation computes numbers, so that a metric must be known to all sides. */
static bool copies_values(enum fathom_operation kind)
{
	return kind == FATHOM_OPERATION_MERGE || kind == FATHOM_OPERATION_CUT;
}

/* Returns whether the values of a metric come from one input, metric_plan.source. */
static bool has_one_source(enum fathom_operation kind)
{
	return copies_values(kind) || kind == FATHOM_OPERATION_SIDE;
}

static bool is_linear(enum fathom_operation kind)
{
	return kind != FATHOM_OPERATION_SIDE && kind != FATHOM_OPERATION_MAX && kind != FATHOM_OPERATION_MIN &&
	       kind != FATHOM_OPERATION_DEVIATION;
}

/* Finds the metric in each input. Returns whether the result can have it. */
static bool can_have(const struct operation *operation, const struct fathom_cube_metric *metric, int32_t *numbers)
{
	const struct fathom_algebra *algebra = operation->algebra;
	bool has_first = false, has_second = false, is_extreme = is_extreme_type(metric->dtype);

	for (uint32_t i = 0; i < algebra->count; i++) {
		const struct fathom_cube *cube = algebra->inputs[i].profile.cube;

		numbers[i] = fathom_cube_metric_by_name(cube, metric->uniq_name);
		if (numbers[i] >= 0 && (!fathom_profile_can_read(&cube->metrics[numbers[i]]) ||
					is_extreme_type(cube->metrics[numbers[i]].dtype) != is_extreme))
			numbers[i] = -1;
		has_first |= numbers[i] >= 0 && i < operation->first_count;
		has_second |= numbers[i] >= 0 && i >= operation->first_count;
	}
	if (operation->kind == FATHOM_OPERATION_DIFF)
		return has_first && has_second && !is_extreme;
	if (operation->kind == FATHOM_OPERATION_DEVIATION && is_extreme)
		return false;
	return has_first || has_second;
}

/* Returns whether rows of a tuple metric can be copied as they are. */
static bool keeps_tuples(const struct operation *operation, const struct fathom_algebra_input *input)
{
	return copies_values(operation->kind) && operation->algebra->columns == FATHOM_COLUMNS_SAME &&
	       !input->is_absorbed;
}

/* Decides the type of the result's metric, and how its values are made. */
static struct metric_plan plan_metric(struct operation *operation, struct fathom_cube_metric *metric,
				      const int32_t *numbers)
{
	const struct fathom_algebra *algebra = operation->algebra;
	struct metric_plan plan = { .is_extreme = is_extreme_type(metric->dtype), .source = UINT32_MAX };
	bool all_inclusive = true, same_type = true, has_tuple = false;

	for (uint32_t i = 0; i < algebra->count; i++) {
		const struct fathom_cube_metric *other = &algebra->inputs[i].profile.cube->metrics[numbers[i] < 0 ? 0 :
												   numbers[i]];

		if (numbers[i] < 0)
			continue;
		if (plan.source == UINT32_MAX) {
			plan.source = i;
			metric->dtype = other->dtype;
		}
		plan.count++;
		if (operation->kind == FATHOM_OPERATION_MERGE && i != plan.source)
			continue;
		all_inclusive &= other->type == FATHOM_CUBE_INCLUSIVE;
		same_type &= other->dtype == metric->dtype;
		has_tuple |= other->dtype == FATHOM_CUBE_TUPLE;
	}
	plan.wants_own = !plan.is_extreme && (!all_inclusive || !is_linear(operation->kind));
	metric->type = plan.wants_own || plan.is_extreme ? FATHOM_CUBE_EXCLUSIVE : FATHOM_CUBE_INCLUSIVE;
	if (operation->kind == FATHOM_OPERATION_SIDE)
		plan.source = operation->first_count;
	if (copies_values(operation->kind)) {
		const struct fathom_algebra_input *source = &algebra->inputs[plan.source];

		plan.wants_own = false;
		metric->type = source->profile.cube->metrics[numbers[plan.source]].type;
		plan.is_raw = algebra->columns == FATHOM_COLUMNS_SAME && !source->is_absorbed;
	}
	if (has_tuple && !keeps_tuples(operation, &algebra->inputs[plan.source])) {
		metric->dtype = FATHOM_CUBE_DOUBLE;
		operation->sums_tuples = true;
	} else if (has_tuple || plan.is_extreme) {
		return plan;
	} else if (operation->kind == FATHOM_OPERATION_DIFF && operation->algebra->count == 2 &&
		   is_count_type(metric->dtype) && same_type) {
		metric->dtype = FATHOM_CUBE_INT64;
	} else if (!same_type || !(copies_values(operation->kind) || operation->kind == FATHOM_OPERATION_MAX ||
				   operation->kind == FATHOM_OPERATION_MIN)) {
		metric->dtype = FATHOM_CUBE_DOUBLE;
	}
	return plan;
}

/* Returns the number of the metric in the result that contains one of an input; -1: none does. */
static int32_t parent_of(const struct fathom_cube *cube, const struct fathom_cube *from, int32_t parent)
{
	for (; parent >= 0; parent = from->metrics[parent].parent)
		for (uint32_t m = 0; m < cube->metric_count; m++)
			if (strcmp(cube->metrics[m].uniq_name, from->metrics[parent].uniq_name) == 0)
				return (int32_t)m;
	return -1;
}

/* Adds the metrics of an input that the result lacks, in the order in which they are found. */
static void add_metrics(struct operation *operation, const struct fathom_cube *from,
			int32_t (*numbers)[FATHOM_ALGEBRA_INPUTS_MOST])
{
	struct fathom_cube *cube = &operation->algebra->cube;

	for (uint32_t m = 0; m < from->metric_count; m++) {
		struct fathom_cube_metric metric = from->metrics[m];
		bool is_known = false;

		for (uint32_t k = 0; k < cube->metric_count; k++)
			is_known |= strcmp(cube->metrics[k].uniq_name, metric.uniq_name) == 0;
		if (is_known || (metric.type == FATHOM_CUBE_DERIVED && fathom_derived_is_known(from, m)))
			continue;
		if (metric.is_void || !can_have(operation, &metric, numbers[cube->metric_count])) {
			leave_out(operation, metric.uniq_name);
			continue;
		}
		metric.parent = parent_of(cube, from, metric.parent);
		operation->plans[cube->metric_count] = plan_metric(operation, &metric, numbers[cube->metric_count]);
		cube->metrics[cube->metric_count++] = metric;
	}
}

/* Writes the metrics below parent, those to be shown or the others, to order. */
static void order_below(const struct fathom_cube *cube, int32_t parent, bool ghost, uint32_t *order, uint32_t *count)
{
	for (uint32_t m = 0; m < cube->metric_count; m++)
		if (cube->metrics[m].parent == parent && cube->metrics[m].ghost == ghost) {
			order[(*count)++] = m;
			order_below(cube, (int32_t)m, ghost, order, count);
		}
}

/* Puts the metrics into the order of a file: in pre-order, those that are not shown last. */
static void order_metrics(struct operation *operation, int32_t (*numbers)[FATHOM_ALGEBRA_INPUTS_MOST])
{
	struct fathom_algebra *algebra = operation->algebra;
	struct fathom_cube *cube = &algebra->cube;
	uint32_t *order = fathom_tool_alloc(cube->metric_count, sizeof(*order)), count = 0;
	int32_t *place = fathom_tool_alloc(cube->metric_count, sizeof(*place));
	size_t room = (size_t)cube->metric_count + FATHOM_DERIVED_MOST;
	struct fathom_cube_metric *metrics = fathom_tool_alloc(room, sizeof(*metrics));
	struct metric_plan *plans = fathom_tool_alloc(room, sizeof(*plans));

	for (uint32_t m = 0; m < cube->metric_count; m++) {
		int32_t parent = cube->metrics[m].parent;

		if (parent >= 0 && cube->metrics[m].ghost != cube->metrics[parent].ghost)
			cube->metrics[m].parent = -1;
	}
	order_below(cube, -1, false, order, &count);
	order_below(cube, -1, true, order, &count);
	for (uint32_t i = 0; i < algebra->count; i++) {
		/* Another operation on the same inputs may have been before. */
		free(algebra->inputs[i].metric);
		algebra->inputs[i].metric = fathom_tool_alloc(count, sizeof(int32_t));
	}
	for (uint32_t m = 0; m < count; m++)
		place[order[m]] = (int32_t)m;
	for (uint32_t m = 0; m < count; m++) {
		metrics[m] = cube->metrics[order[m]];
		metrics[m].parent = metrics[m].parent < 0 ? -1 : place[metrics[m].parent];
		plans[m] = operation->plans[order[m]];
		for (uint32_t i = 0; i < algebra->count; i++)
			algebra->inputs[i].metric[m] = numbers[order[m]][i];
	}
	free(cube->metrics);
	free(operation->plans);
	free(order);
	free(place);
	cube->metrics = metrics;
	operation->plans = plans;
}

/* Makes the metrics of the result. 0, or -EINVAL after an error message: there are none. */
static int make_metrics(struct operation *operation)
{
	struct fathom_algebra *algebra = operation->algebra;
	struct fathom_cube *cube = &algebra->cube;
	int32_t (*numbers)[FATHOM_ALGEBRA_INPUTS_MOST];
	size_t most = 1;

	for (uint32_t i = 0; i < algebra->count; i++)
		most += algebra->inputs[i].profile.cube->metric_count;
	free(cube->metrics);
	cube->metric_count = 0;
	cube->metrics = fathom_tool_alloc(most, sizeof(*cube->metrics));
	operation->plans = fathom_tool_alloc(most, sizeof(*operation->plans));
	numbers = fathom_tool_alloc(most, sizeof(*numbers));
	for (uint32_t i = 0; i < algebra->count; i++)
		add_metrics(operation, algebra->inputs[i].profile.cube, numbers);
	if (cube->metric_count)
		order_metrics(operation, numbers);
	free(numbers);
	if (!cube->metric_count) {
		fathom_tool_error("%s: the profiles have no metric that %s can be computed of", algebra->inputs[0].path,
				  operations[operation->kind].what);
		return -EINVAL;
	}
	/* A formula of differences is no difference of formulas. */
	if (operation->kind != FATHOM_OPERATION_DIFF && operation->kind != FATHOM_OPERATION_DEVIATION &&
	    fathom_cube_is_ours(algebra->inputs[0].profile.cube) && fathom_derived_add(cube, &operation->texts))
		fathom_tool_out_of_memory(0);
	return 0;
}

/* --- attributes ------------------------------------------------------------------------------------ */

/* Returns whether an attribute holds for the result, too. Facts about one run do not hold for several runs, and maps of
 * iterations name call paths by their numbers. */
static bool holds_for_result(enum fathom_operation kind, const char *key)
{
	static const char *const general[] = { "CubePL Version", "Cube anchor.xml syntax version", "CUBE_CT_AGGR",
					       "fathom::program", "fathom::arguments", "fathom::metrics",
					       "fathom::sampled_call_paths" };

	if (strcmp(key, "Creator") == 0 || strcmp(key, FATHOM_CUBE_THREADS) == 0 ||
	    strncmp(key, "fathom::iterations", strlen("fathom::iterations")) == 0 ||
	    strncmp(key, FATHOM_CUBE_ALGEBRA, strlen(FATHOM_CUBE_ALGEBRA)) == 0)
		return false;
	if (kind == FATHOM_OPERATION_CUT)	/* events and samples are of the whole run */
		return strncmp(key, "fathom::wait_", strlen("fathom::wait_")) != 0;
	if (kind == FATHOM_OPERATION_DIFF && strcmp(key, "fathom::sampled_call_paths") == 0)
		return false;
	for (size_t i = 0; i < sizeof(general) / sizeof(*general); i++)
		if (strcmp(key, general[i]) == 0)
			return true;
	return false;
}

static void add_attribute(struct fathom_cube *cube, const char *key, const char *value)
{
	cube->attributes[cube->attribute_count++] = (struct fathom_cube_attribute){ key, value };
}

static void make_attributes(struct operation *operation)
{
	struct fathom_algebra *algebra = operation->algebra;
	const struct fathom_cube *first = algebra->inputs[0].profile.cube;
	const char *threads = fathom_cube_attribute(first, FATHOM_CUBE_THREADS);
	char *names = fathom_tool_alloc(algebra->count, PATH_MAX + 2);
	struct fathom_cube *cube = &algebra->cube;
	size_t length = 0;

	free(cube->attributes);
	cube->attribute_count = 0;
	cube->attributes = fathom_tool_alloc(first->attribute_count + 4, sizeof(*cube->attributes));
	for (uint32_t a = 0; a < first->attribute_count; a++)
		if (holds_for_result(operation->kind, first->attributes[a].key))
			add_attribute(cube, first->attributes[a].key, first->attributes[a].value);
	/* A reader shows the times of other tools' files by their own rules, so their creator stays. */
	if (fathom_cube_is_ours(first) || !fathom_cube_attribute(first, "Creator"))
		add_attribute(cube, "Creator", "fathom " PACKAGE_VERSION);
	else
		add_attribute(cube, "Creator", fathom_cube_attribute(first, "Creator"));
	if (algebra->columns != FATHOM_COLUMNS_SAME || operation->sums_tuples)
		add_attribute(cube, FATHOM_CUBE_THREADS, "sum");
	else if (threads)
		add_attribute(cube, FATHOM_CUBE_THREADS, threads);
	for (uint32_t i = 0; i < algebra->count; i++)
		length += (size_t)sprintf(names + length, "%s%s", i ? ", " : "", algebra->inputs[i].path);
	add_attribute(cube, FATHOM_CUBE_ALGEBRA, operations[operation->kind].name);
	add_attribute(cube, FATHOM_CUBE_ALGEBRA_INPUTS, keep(operation, names));
	free(names);
}

/* --- values ---------------------------------------------------------------------------------------- */

/* Returns whether a call path of an input adds its value of the metric: visits of a call path that is put into its
 * caller are no visits of the caller, nor are its extremes. */
static bool is_added(const struct operation *operation, const struct fathom_algebra_input *input, uint32_t metric,
		     uint32_t cnode)
{
	const struct fathom_cube_metric *definition = &operation->algebra->cube.metrics[metric];

	if (!input->is_absorbed || !input->is_absorbed[cnode])
		return true;
	return !is_extreme_type(definition->dtype) && definition->type != FATHOM_CUBE_INCLUSIVE &&
	       strcmp(definition->uniq_name, "visits") != 0 && strcmp(definition->uniq_name, "num_threads") != 0;
}

static bool is_input_present(const struct operation *operation, const struct fathom_algebra_input *input,
			     uint32_t metric, uint32_t cnode)
{
	const struct fathom_profile *profile = &input->profile;

	for (int32_t c = input->metric[metric] < 0 ? -1 : input->first[cnode]; c >= 0; c = input->next[c]) {
		if (!is_added(operation, input, metric, (uint32_t)c))
			continue;
		if (fathom_cube_reader_present(profile->reader, (uint32_t)input->metric[metric], (uint32_t)c))
			return true;
		/* The own value of an inclusive metric is computed from those of the call paths below. */
		for (uint32_t k = profile->first_child[c];
		     operation->plans[metric].wants_own && k < profile->first_child[c + 1]; k++)
			if (fathom_cube_reader_present(profile->reader, (uint32_t)input->metric[metric],
						       profile->child[k]))
				return true;
	}
	return false;
}

static bool is_present(void *context, uint32_t metric, uint32_t cnode)
{
	const struct operation *operation = context;
	const struct fathom_algebra *algebra = operation->algebra;
	const struct metric_plan *plan = &operation->plans[metric];

	if (algebra->cube.metrics[metric].type == FATHOM_CUBE_DERIVED)
		return false;
	if (has_one_source(operation->kind))
		return is_input_present(operation, &algebra->inputs[plan->source], metric, cnode);
	for (uint32_t i = 0; i < algebra->count; i++)
		if (is_input_present(operation, &algebra->inputs[i], metric, cnode))
			return true;
	return false;
}

static void copy_doubles(struct operation *operation, uint32_t count)
{
	for (uint32_t l = 0; l < count; l++)
		operation->values[l] = operation->doubles[l];
}

/* Reads the row of one call path of an input into operation->values, by location. */
static int read_member(struct operation *operation, struct fathom_algebra_input *input, uint32_t metric, uint32_t cnode)
{
	uint32_t number = (uint32_t)input->metric[metric], count = input->profile.cube->location_count;
	const struct fathom_cube_metric *stored = &input->profile.cube->metrics[number];
	bool is_own = operation->plans[metric].wants_own && stored->type == FATHOM_CUBE_INCLUSIVE;
	struct fathom_cube_error error = { { 0 } };
	int err;

	if (!is_own && (stored->dtype == FATHOM_CUBE_UINT64 || stored->dtype == FATHOM_CUBE_INT64)) {
		err = fathom_cube_reader_raw_row(input->profile.reader, number, cnode, operation->raw, &error);
		for (uint32_t l = 0; l < count && !err; l++)
			operation->values[l] = stored->dtype == FATHOM_CUBE_UINT64 ?
				(long double)((const uint64_t *)operation->raw)[l] :
				(long double)((const int64_t *)operation->raw)[l];
	} else if (is_own) {
		err = fathom_profile_own_row(&input->profile, number, cnode, operation->doubles);
		copy_doubles(operation, count);
		return err;
	} else {
		err = fathom_cube_reader_row(input->profile.reader, number, cnode, operation->doubles, &error);
		copy_doubles(operation, count);
	}
	if (err)
		fathom_tool_error("%s", error.text);
	return err;
}

/* Puts two values of a minimum or maximum together. */
static long double extreme_of(enum fathom_cube_dtype dtype, long double a, long double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return dtype == FATHOM_CUBE_MINDOUBLE ? fminl(a, b) : fmaxl(a, b);
}

/* Computes the row of an input at a call path of the result, by column, in operation->row. "Never" is NaN. */
static int read_input(struct operation *operation, struct fathom_algebra_input *input, uint32_t metric, uint32_t cnode)
{
	const struct fathom_cube *cube = &operation->algebra->cube;
	enum fathom_cube_dtype dtype = cube->metrics[metric].dtype;
	bool is_extreme = operation->plans[metric].is_extreme;
	uint32_t locations = input->profile.cube->location_count;

	for (uint32_t l = 0; l < cube->location_count; l++)
		operation->row[l] = is_extreme ? NAN : 0;
	for (int32_t c = input->first[cnode]; c >= 0; c = input->next[c]) {
		int err;

		if (!is_added(operation, input, metric, (uint32_t)c))
			continue;
		err = read_member(operation, input, metric, (uint32_t)c);
		if (err)
			return err;
		for (uint32_t l = 0; l < locations; l++) {
			long double *value = &operation->row[input->column ? input->column[l] : l];

			if (!is_extreme)
				*value += operation->values[l];
			else if (!fathom_value_is_never((double)operation->values[l]))
				*value = extreme_of(dtype, *value, operation->values[l]);
		}
	}
	return 0;
}

/* Adds the row of an input to the result. The counts are of the inputs of each side that have the metric. */
static void combine(struct operation *operation, bool is_extreme, bool is_second, double first_count,
		    double second_count)
{
	for (uint32_t l = 0; l < operation->algebra->cube.location_count; l++) {
		long double value = operation->row[l], *result = &operation->result[l], before = *result;

		if (is_extreme && isnan(value))
			continue;
		operation->seen[l]++;
		switch (operation->kind) {
		case FATHOM_OPERATION_DIFF:
			*result += is_second ? value / second_count : -value / first_count;
			break;
		case FATHOM_OPERATION_MAX:
			*result = operation->seen[l] == 1 ? value : fmaxl(*result, value);
			break;
		case FATHOM_OPERATION_MIN:
			*result = operation->seen[l] == 1 ? value : fminl(*result, value);
			break;
		case FATHOM_OPERATION_DEVIATION:	/* Welford: result is the mean so far */
			*result += (value - before) / operation->seen[l];
			operation->squares[l] += (value - before) * (value - *result);
			break;
		default:
			*result += value;
		}
	}
}

/* Turns what combine has added up into the values of the row. */
static void finish_row(struct operation *operation, const struct metric_plan *plan)
{
	bool is_mean = operation->kind == FATHOM_OPERATION_MEAN || operation->kind == FATHOM_OPERATION_MERGE_MEAN;

	for (uint32_t l = 0; l < operation->algebra->cube.location_count; l++) {
		long double *result = &operation->result[l];

		if (operation->kind == FATHOM_OPERATION_DEVIATION)
			*result = operation->seen[l] > 1 ? sqrtl(operation->squares[l] / (operation->seen[l] - 1)) : 0;
		else if (plan->is_extreme && !operation->seen[l])
			*result = NAN;
		else if (is_mean && operation->seen[l])
			*result /= operation->seen[l];
	}
}

static int put_row(struct operation *operation, uint32_t metric, uint32_t cnode, const char *output)
{
	const struct fathom_cube *cube = &operation->algebra->cube;
	enum fathom_cube_dtype dtype = cube->metrics[metric].dtype;
	uint32_t bytes = fathom_cube_value_bytes(&cube->metrics[metric]);
	int err;

	for (uint32_t l = 0; l < cube->location_count; l++) {
		long double value = operation->result[l];
		char *to = operation->raw + (size_t)l * bytes;

		switch (dtype) {
		case FATHOM_CUBE_UINT64: *(uint64_t *)to = value > 0 ? (uint64_t)value : 0; break;
		case FATHOM_CUBE_INT64: *(int64_t *)to = (int64_t)value; break;
		case FATHOM_CUBE_UINT32: *(uint32_t *)to = value > 0 ? (uint32_t)value : 0; break;
		case FATHOM_CUBE_INT32: *(int32_t *)to = (int32_t)value; break;
		case FATHOM_CUBE_UINT16: *(uint16_t *)to = value > 0 ? (uint16_t)value : 0; break;
		case FATHOM_CUBE_INT16: *(int16_t *)to = (int16_t)value; break;
		case FATHOM_CUBE_UINT8: *(uint8_t *)to = value > 0 ? (uint8_t)value : 0; break;
		case FATHOM_CUBE_INT8: *(int8_t *)to = (int8_t)value; break;
		default: *(double *)to = isnan(value) ? fathom_cube_dtype_neutral(dtype) : (double)value;
		}
	}
	err = fathom_cube_writer_put(unfinished, metric, cnode, 0, cube->location_count, operation->raw);
	if (err)
		fathom_tool_error("%s: %s", output, strerror(-err));
	return err;
}

/* Copies a row bit by bit, if it is of one call path. Returns 1 if it cannot be copied. */
static int copy_row(struct operation *operation, uint32_t metric, uint32_t cnode, const char *output)
{
	const struct metric_plan *plan = &operation->plans[metric];
	struct fathom_algebra_input *input = &operation->algebra->inputs[plan->source];
	struct fathom_cube_error error;
	int32_t member = input->first[cnode];
	int err;

	if (!plan->is_raw || member < 0 || input->next[member] >= 0)
		return 1;
	err = fathom_cube_reader_raw_row(input->profile.reader, (uint32_t)input->metric[metric], (uint32_t)member,
					 operation->raw, &error);
	if (err) {
		fathom_tool_error("%s", error.text);
		return err;
	}
	err = fathom_cube_writer_put(unfinished, metric, cnode, 0, operation->algebra->cube.location_count,
				     operation->raw);
	if (err)
		fathom_tool_error("%s: %s", output, strerror(-err));
	return err;
}

static int write_row(struct operation *operation, uint32_t metric, uint32_t cnode, const char *output)
{
	struct fathom_algebra *algebra = operation->algebra;
	const struct metric_plan *plan = &operation->plans[metric];
	uint32_t first_count = 0, locations = algebra->cube.location_count;
	int err = copy_row(operation, metric, cnode, output);

	if (err <= 0)
		return err;
	for (uint32_t i = 0; i < operation->first_count && i < algebra->count; i++)
		first_count += algebra->inputs[i].metric[metric] >= 0;
	memset(operation->seen, 0, locations * sizeof(*operation->seen));
	for (uint32_t l = 0; l < locations; l++)
		operation->result[l] = operation->squares[l] = 0;
	for (uint32_t i = 0; i < algebra->count; i++) {
		if (algebra->inputs[i].metric[metric] < 0 || (has_one_source(operation->kind) && i != plan->source))
			continue;
		err = read_input(operation, &algebra->inputs[i], metric, cnode);
		if (err)
			return err;
		combine(operation, plan->is_extreme, i >= operation->first_count, first_count,
			plan->count - first_count);
	}
	finish_row(operation, plan);
	return put_row(operation, metric, cnode, output);
}

/* --- the file -------------------------------------------------------------------------------------- */

static void allocate_rows(struct operation *operation)
{
	size_t most = operation->algebra->cube.location_count;

	for (uint32_t i = 0; i < operation->algebra->count; i++)
		if (operation->algebra->inputs[i].profile.cube->location_count > most)
			most = operation->algebra->inputs[i].profile.cube->location_count;
	operation->doubles = fathom_tool_alloc(most, sizeof(*operation->doubles));
	operation->values = fathom_tool_alloc(most, sizeof(*operation->values));
	operation->row = fathom_tool_alloc(most, sizeof(*operation->row));
	operation->result = fathom_tool_alloc(most, sizeof(*operation->result));
	operation->squares = fathom_tool_alloc(most, sizeof(*operation->squares));
	operation->raw = fathom_tool_alloc(most, sizeof(struct fathom_cube_tuple));	/* the largest type */
	operation->seen = fathom_tool_alloc(most, sizeof(*operation->seen));
}

static void operation_fini(struct operation *operation)
{
	free(operation->doubles);
	free(operation->values);
	free(operation->row);
	free(operation->result);
	free(operation->squares);
	free(operation->raw);
	free(operation->seen);
	free(operation->plans);
	fathom_arena_fini(&operation->texts);
}

/* Returns when the newest input was written: equal inputs give equal files. */
static int64_t newest_change(const struct fathom_algebra *algebra)
{
	int64_t newest = 0;
	struct stat status;

	for (uint32_t i = 0; i < algebra->count; i++)
		if (!stat(algebra->inputs[i].path, &status) && status.st_mtime > newest)
			newest = status.st_mtime;
	return newest;
}

static void say_result(const struct operation *operation, const char *output)
{
	const struct fathom_algebra *algebra = operation->algebra;

	printf("%s: %s of %u profile%s, %u metrics, %u call paths, %u location%s\n", output,
	       operations[operation->kind].what, algebra->count, algebra->count == 1 ? "" : "s",
	       algebra->cube.metric_count, algebra->cube.cnode_count, algebra->cube.location_count,
	       algebra->cube.location_count == 1 ? "" : "s");
	if (algebra->columns == FATHOM_COLUMNS_WHOLE)
		printf("%s: the profiles have different processes: values are sums over all processes and threads\n",
		       output);
	if (algebra->columns == FATHOM_COLUMNS_PROCESSES)
		printf("%s: the profiles have different threads: values are sums over the threads of each process\n",
		       output);
	if (operation->sums_tuples)
		printf("%s: of statistics over threads, the sums are used\n", output);
	if (operation->left_out_count)
		printf("%s: without metrics that this cannot be computed for: %s%s\n", output, operation->left_out,
		       strlen(operation->left_out) + 200 > sizeof(operation->left_out) ? ", ..." : "");
}

static int write_profile(struct operation *operation, const char *output)
{
	struct fathom_algebra *algebra = operation->algebra;
	int err = fathom_cube_writer_open(&unfinished, output, &algebra->cube, is_present, operation,
					  newest_change(algebra));

	if (err) {
		fathom_tool_error("%s: cannot be made: %s", output, strerror(-err));
		return err;
	}
	allocate_rows(operation);
	fathom_progress_begin("computing values", (uint64_t)algebra->cube.metric_count * algebra->cube.cnode_count);
	for (uint32_t m = 0; m < algebra->cube.metric_count && !err; m++)
		for (uint32_t c = 0; c < algebra->cube.cnode_count && !err; c++) {
			fathom_progress_step();
			if (is_present(operation, m, c))
				err = write_row(operation, m, c, output);
		}
	fathom_progress_end();
	if (err) {
		abandon();
		return err;
	}
	err = fathom_cube_writer_close(unfinished);
	unfinished = NULL;
	if (err)
		fathom_tool_error("%s: %s", output, strerror(-err));
	return err;
}

int fathom_operation_write(struct fathom_algebra *algebra, enum fathom_operation kind, uint32_t first_count,
			   const char *output)
{
	static bool is_registered;
	struct operation operation = {
		.algebra = algebra, .kind = kind,
		.first_count = kind == FATHOM_OPERATION_DIFF || kind == FATHOM_OPERATION_SIDE ? first_count :
			       algebra->count,
	};
	int err = make_metrics(&operation);

	if (!is_registered)
		atexit(abandon);
	is_registered = true;
	if (!err) {
		make_attributes(&operation);
		err = write_profile(&operation, output);
	}
	if (!err && !algebra->hides_lines)
		say_result(&operation, output);
	operation_fini(&operation);
	return err;
}

void fathom_operation_check_output(const char *output)
{
	size_t length = strlen(output);
	struct stat status;

	if (length < 7 || strcmp(output + length - 6, ".cubex") != 0)
		fathom_tool_usage_error("-o %s: the name must end in .cubex", output);
	if (lstat(output, &status) == 0) {
		fathom_tool_error("%s: exists already (remove it, or choose another name with -o)", output);
		exit(FATHOM_TOOL_FAILURE);
	}
}

int fathom_operation_run(char *const *targets, int count, enum fathom_operation operation, uint32_t first_count,
			 const char *output)
{
	static struct fathom_algebra algebra;
	int err;

	fathom_operation_check_output(output);
	err = fathom_algebra_open(&algebra, targets, count);
	if (!err) {
		fathom_algebra_match(&algebra);
		err = fathom_operation_write(&algebra, operation, first_count, output);
	}
	fathom_algebra_fini(&algebra);
	return err;
}
