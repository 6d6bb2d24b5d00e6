/*
 * matched_runs: the values of one metric in several profiles, by regions and call paths that the profiles have in
 * common.
 *
 * Regions match by their names (match_key.h). Lines are not compared: "!$omp parallel @omp.c:4" matches
 * "!$omp parallel @omp.c:7", and if there are several of them below one call path, they match in the order of their
 * lines. The roots of the programs match whatever the programs are called. Call paths
 * match if their callers, regions and parameters match. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_MATCHED_RUNS_H
#define FATHOM_TOOLS_COMMON_MATCHED_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "cube/cube.h"
#include "tools/common/hash_index.h"

enum { FATHOM_MATCHED_RUNS_MOST = 64 };

/* The values of a region or call path in one run: seconds (or the metric's unit) per process. */
struct fathom_run_value {
	double own, inclusive;
	double variance;	/* of own, because samples estimate it; 0: it was measured */
	double visits;		/* per process */
	bool is_present;
};

struct fathom_matched_item {	/* a region or a call path */
	const char *name;	/* of the region, as in the first run that has it */
	const char *key;	/* what is compared */
	const char *file, *paradigm, *role;
	int32_t line;		/* in the first run that has it */
	enum fathom_activity activity;
	int32_t parent;		/* of a call path: the caller's number; -1: a root */
	uint32_t region;	/* of a call path */
	struct fathom_cube_parameter *parameters;	/* of a call path; NULL: it has none */
	uint32_t parameter_count;
	struct fathom_run_value *values;	/* by run */
};

struct fathom_matched_list {
	struct fathom_matched_item *items;
	size_t count, room;
	struct fathom_index index;
};

struct fathom_matched_run {
	char *path;
	char *program;
	double wall_time;	/* seconds; -1: not known */
	double total;		/* of the metric, per process */
	uint32_t processes, threads;	/* threads: of all processes together */
	uint32_t *call_paths;	/* by cnode of the file: the number in the list of call paths */
};

struct fathom_matched_runs {
	struct fathom_matched_run runs[FATHOM_MATCHED_RUNS_MOST];
	uint32_t count;
	struct fathom_matched_list regions, call_paths;
	char *metric, *title, *unit;
};

/* Reads the profile that target names, as the next run. metric: the metric's unique name. 0, or -errno after an error
 * message. */
int fathom_matched_runs_add(struct fathom_matched_runs *matched, const char *target, const char *metric);

void fathom_matched_runs_fini(struct fathom_matched_runs *matched);

/* Writes a call path, "main > solve > smooth", to text, of bytes bytes. */
void fathom_matched_path(const struct fathom_matched_list *list, uint32_t item, char *text, size_t bytes);

#endif
