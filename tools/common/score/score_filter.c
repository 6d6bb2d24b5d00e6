#include "tools/common/score/score_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/common/score/score_size.h"

/* Without --limit a function is dropped if it makes at least this share of the trace and a visit takes less time than
 * this. */
#define WORTH_SHARE 0.01
#define WORTH_SECONDS 1e-6

/* With --limit a function is kept if it makes less than this share of the trace. */
#define LEAST_SHARE 0.0005

/* --- choosing ---------------------------------------------------------------------------------------- */

static bool is_worth_it(const struct fathom_score *score, const struct fathom_score_name *name)
{
	if (!name->can_drop || name->relevant || name->cost.bytes <= 0)
		return false;
	if (score->options.limit > 0)
		return name->cost.bytes >= LEAST_SHARE * score->total.bytes;
	return name->cost.bytes >= WORTH_SHARE * score->total.bytes &&
	       (score->profile.time < 0 || name->seconds < WORTH_SECONDS * name->visits);
}

/* Subtracts the records of a name from the remaining bytes of each process. */
static int take_off(struct fathom_score *score, struct fathom_score_rows *rows, uint32_t number)
{
	const struct fathom_cube *cube = score->profile.cube;
	int err = 0;

	for (uint32_t c = 0; !err && c < cube->cnode_count; c++) {
		if (score->name_of[cube->cnodes[c].region] != number || !fathom_score_read(score, rows, c, &err))
			continue;
		for (uint32_t l = 0; l < cube->location_count; l++) {
			struct fathom_score_values facts = fathom_score_values(rows, l);

			score->processes[fathom_cube_location_group(cube, l)].rest -=
				fathom_score_judge(score, c, &facts).bytes;
		}
	}
	return err;
}

static double largest_rest(const struct fathom_score *score)
{
	double most = 0;

	for (uint32_t g = 0; g < score->process_count; g++)
		if (score->processes[g].rest > most)
			most = score->processes[g].rest;
	return most;
}

int fathom_score_choose(struct fathom_score *score)
{
	struct fathom_score_rows rows;
	double limit = score->options.limit;
	int err = 0;

	fathom_score_rows_init(score, &rows);
	score->rest_most = largest_rest(score);
	for (uint32_t i = 0; !err && i < score->name_count && !(limit > 0 && score->rest_most <= limit); i++) {
		struct fathom_score_name *name = &score->names[score->order[i]];

		if (!is_worth_it(score, name))
			continue;
		name->dropped = true;
		score->dropped_count++;
		score->dropped.bytes += name->cost.bytes;
		score->dropped.events += name->cost.events;
		err = take_off(score, &rows, score->order[i]);
		score->rest_most = largest_rest(score);
	}
	fathom_score_rows_fini(&rows);
	score->over_limit = limit > 0 && score->rest_most > limit;
	return err;
}

const char *fathom_score_linker_name(const struct fathom_cube_region *region)
{
	return *region->mangled ? region->mangled : region->name;
}

void fathom_score_print_rule(const struct fathom_filter_rule *rule)
{
	static const struct {
		uint8_t kinds;
		const char *word;
	} kinds[] = {
		{ FATHOM_FILTER_FUNCTION, " function" }, { FATHOM_FILTER_USER, " user" }, { FATHOM_FILTER_MPI, " mpi" },
		{ FATHOM_FILTER_OPENMP, " openmp" }, { FATHOM_FILTER_THREAD, " thread" }, { FATHOM_FILTER_IO, " io" },
	};
	static const char *const abouts[] = { "", " mangled", " file", " object" };

	printf("%s", rule->include ? "include" : "exclude");
	if (rule->ranks)
		printf(" rank %s", rule->ranks);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (rule->kinds == kinds[i].kinds)
			printf("%s", kinds[i].word);
	printf("%s %s", abouts[rule->about], rule->pattern);
}

/* --- applying ---------------------------------------------------------------------------------------- */

struct fathom_filter_subject fathom_score_subject(const struct fathom_cube_region *region)
{
	static const struct {
		const char *paradigm;
		enum fathom_filter_kind kind;
	} kinds[] = {
		{ "compiler", FATHOM_FILTER_FUNCTION }, { "user", FATHOM_FILTER_USER }, { "mpi", FATHOM_FILTER_MPI },
		{ "openmp", FATHOM_FILTER_OPENMP }, { "pthread", FATHOM_FILTER_THREAD }, { "io", FATHOM_FILTER_IO },
		{ "measurement", 0 },	/* the program as a whole, which no rule can exclude */
	};
	struct fathom_filter_subject subject = {
		.kind = FATHOM_FILTER_OTHER,
		.name = region->name,
		.mangled = *region->mangled ? region->mangled : NULL,
		.file = *region->file ? region->file : NULL,
		.rank = -1,
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(region->paradigm, kinds[i].paradigm))
			subject.kind = kinds[i].kind;
	return subject;
}

int fathom_score_apply(struct fathom_score *score)
{
	struct fathom_score_rows rows;
	int err = 0;

	fathom_score_rows_init(score, &rows);
	for (uint32_t i = 0; !err && i < score->name_count; i++) {
		struct fathom_score_name *name = &score->names[score->order[i]];
		struct fathom_filter_subject subject =
			fathom_score_subject(&score->profile.cube->regions[name->region]);

		if (fathom_filter_ask(&score->rules, &subject, NULL) != FATHOM_FILTER_EXCLUDE)
			continue;
		name->dropped = true;
		score->dropped_count++;
		score->dropped.bytes += name->cost.bytes;
		score->dropped.events += name->cost.events;
		err = take_off(score, &rows, score->order[i]);
	}
	fathom_score_rows_fini(&rows);
	score->rest_most = largest_rest(score);
	return err;
}

/* --- writing ----------------------------------------------------------------------------------------- */

/* Writes a name as a pattern that matches only this name. */
static void write_pattern(FILE *file, const char *name)
{
	for (; *name; name++) {
		if (strchr("*?[]\\", *name))
			putc('\\', file);
		putc(*name, file);
	}
	putc('\n', file);
}

static void write_rule(FILE *file, const struct fathom_score *score, const struct fathom_score_name *name)
{
	const struct fathom_cube_region *region = &score->profile.cube->regions[name->region];
	char share[FATHOM_NUMBER_BYTES], visits[FATHOM_NUMBER_BYTES], each[FATHOM_NUMBER_BYTES];

	fprintf(file, "\n# %s of the trace, %s visits",
		fathom_number_percent(share, name->cost.bytes, score->total.bytes),
		fathom_number_count(visits, name->visits));
	if (score->profile.time >= 0)
		fprintf(file, " of %s", fathom_number_seconds(each, name->seconds / name->visits));
	if (strcmp(region->name, fathom_score_linker_name(region)) != 0)
		fprintf(file, ": %s", region->name);
	fprintf(file, "\nexclude ");
	write_pattern(file, fathom_score_linker_name(region));
}

static void write_rules(FILE *file, const struct fathom_score *score)
{
	char before[FATHOM_NUMBER_BYTES], after[FATHOM_NUMBER_BYTES];

	fprintf(file, "# Functions on no path to communication or synchronization, by fathom score.\n"
		      "# Trace of the largest process: %s, with this filter %s.\n"
		      "# Use: fathom --filter=FILE gcc ..., or FATHOM_FILTER=FILE when the program runs\n",
		fathom_number_bytes(before, score->processes[score->largest].cost.bytes),
		fathom_number_bytes(after, score->rest_most));
	for (uint32_t i = 0; i < score->name_count; i++)
		if (score->names[score->order[i]].dropped)
			write_rule(file, score, &score->names[score->order[i]]);
}

/* Writes a function that stays as TAU may name it: alone, with its parameters, and with its type in front. */
static void write_tau_name(FILE *file, const char *name)
{
	const char *open = strchr(name, '(');
	int length = open && open > name ? (int)(open - name) : (int)strlen(name);

	fprintf(file, "%.*s\n%.*s(#\n\"# %.*s(#\"\n", length, name, length, name, length, name);
}

/* Writes an include list for TAU, which instruments only the functions in it. */
static void write_tau_list(FILE *file, const struct fathom_score *score)
{
	fputs("# Functions on paths to communication or synchronization, and others that are worth a trace, by fathom\n"
	      "# score. Use: tau_cc.sh -optTauSelectFile=FILE, or TAU_SELECT_FILE=FILE\nBEGIN_INCLUDE_LIST\n", file);
	for (uint32_t i = 0; i < score->name_count; i++) {
		const struct fathom_score_name *name = &score->names[i];
		const struct fathom_cube_region *region = &score->profile.cube->regions[name->region];

		if (name->can_drop && !name->dropped)
			write_tau_name(file, region->name);
	}
	fputs("END_INCLUDE_LIST\n", file);
}

/* Writes a filter of Score-P. */
static void write_scorep(FILE *file, const struct fathom_score *score)
{
	fputs("# Functions on no path to communication or synchronization, by fathom score.\n"
	      "# Use: SCOREP_FILTERING_FILE=FILE\nSCOREP_REGION_NAMES_BEGIN\n", file);
	for (uint32_t i = 0; i < score->name_count; i++) {
		const struct fathom_score_name *name = &score->names[score->order[i]];
		const struct fathom_cube_region *region = &score->profile.cube->regions[name->region];

		if (!name->dropped)
			continue;
		fprintf(file, "  EXCLUDE %s", strcmp(fathom_score_linker_name(region), region->name) ? "MANGLED " : "");
		write_pattern(file, fathom_score_linker_name(region));
	}
	fputs("SCOREP_REGION_NAMES_END\n", file);
}

int fathom_score_write(const struct fathom_score *score)
{
	static void (*const write[])(FILE *file, const struct fathom_score *score) = {
		[FATHOM_SCORE_AS_FATHOM] = write_rules, [FATHOM_SCORE_AS_TAU] = write_tau_list,
		[FATHOM_SCORE_AS_SCOREP] = write_scorep,
	};
	const char *path = score->options.filter;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), err = 0;
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (!file) {
		err = -errno;
		fathom_tool_error("%s: %s", path, strerror(-err));
		if (fd < 0)
			return err;
		goto remove;
	}
	write[score->options.as](file, score);
	if (ferror(file))
		err = -EIO;
	if (fclose(file) || err) {
		err = err ? err : -errno;
		fathom_tool_error("%s: %s", path, strerror(-err));
		fd = -1;
		goto remove;
	}
	return 0;

remove:
	if (fd >= 0)
		close(fd);
	unlink(path);
	return err;
}
