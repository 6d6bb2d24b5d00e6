/*
 * sizes: the runs of a program at several sizes, with their efficiencies, losses and models.
 *
 * The size of a run is its number of threads, of all processes together. Runs of the same number of processes and
 * threads are one size, and their values are means. Values are per thread, so that runs of different sizes can be
 * compared. The smallest size is the reference.
 *
 * The loss of a region or call path from the reference p to the size q is a C_q - b C_p, where C are values per thread
 * and a and b are coefficients of an expectation:
 *   strong scaling (the work of all threads together stays the same): a = q, b = p;
 *   weak scaling (the work of each thread stays the same), and several cores of a node that work alike: a = b = 1.
 * A loss divided by a T_q, where T is the value of the whole run, is its share of the run. The sum of all own losses of
 * a strong scaling run is thus the part of the run that its parallel efficiency lacks.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_SCALING_SIZES_H
#define FATHOM_TOOLS_SCALING_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/common/efficiency.h"
#include "tools/common/matched_runs.h"
#include "tools/scaling/growth_model.h"

enum fathom_expectation {
	FATHOM_EXPECT_AUTO,		/* found out by how the computation grows */
	FATHOM_EXPECT_STRONG,
	FATHOM_EXPECT_WEAK,
	FATHOM_EXPECT_MULTICORE,
	FATHOM_EXPECT_COEFFICIENTS,	/* given by the user */
};

/* The factors of the efficiency of a size; the means over its runs. Negative: not known. */
enum fathom_factor {
	FATHOM_FACTOR_GLOBAL,		/* parallel x computation */
	FATHOM_FACTOR_PARALLEL,
	FATHOM_FACTOR_BALANCE,
	FATHOM_FACTOR_COMMUNICATION,
	FATHOM_FACTOR_SERIALISATION,
	FATHOM_FACTOR_TRANSFER,
	FATHOM_FACTOR_THREADS,
	FATHOM_FACTOR_COMPUTATION,	/* computation of the reference / computation (of the work that is expected) */
	FATHOM_FACTOR_INSTRUCTIONS,	/* its three parts, if instructions and cycles were counted */
	FATHOM_FACTOR_IPC,
	FATHOM_FACTOR_FREQUENCY,
	FATHOM_FACTOR_COUNT
};

/* The names of the factors, for people and for JSON, and whether a factor is a product of others in this list. */
extern const struct fathom_factor_info {
	const char *title, *name;
	bool is_product;
} fathom_factor_table[FATHOM_FACTOR_COUNT];

struct fathom_size {
	uint32_t processes, threads;	/* threads: of all processes */
	uint32_t first, end;		/* its runs: order[first] to order[end - 1] */
	double wall_time;		/* seconds; negative: not known */
	double run_time;		/* without MPI_Init and MPI_Finalize, as in efficiency.h; negative: not known */
	double speed_up;		/* run time of the reference / run time; negative: not known */
	double useful;			/* seconds of all threads; negative: not known */
	double instructions, cycles;	/* of computation, of all threads; negative: not counted */
	double total;			/* of the metric, per thread */
	double loss;			/* of the whole run, as a share of it: 0.1 is 10 % */
	double factors[FATHOM_FACTOR_COUNT];
	double coefficient, reference_coefficient;	/* a and b of this size */
	bool shares_processors;		/* ranks or threads of a run shared processors */
};

/* A region or call path at all sizes. */
struct fathom_scaled_item {
	uint32_t item;			/* in the list */
	double loss;			/* of its own value, from the reference to the largest size */
	double inclusive_loss;
	struct fathom_growth_model model;	/* of its own value */
	double growth;			/* from the largest size to the target, by the model; 0: there is none */
};

struct fathom_scaling {
	struct fathom_matched_runs matched;
	uint32_t order[FATHOM_MATCHED_RUNS_MOST];	/* runs by size */
	struct fathom_size sizes[FATHOM_MATCHED_RUNS_MOST];
	uint32_t count;			/* sizes */
	struct fathom_efficiency efficiencies[FATHOM_MATCHED_RUNS_MOST];	/* by run */
	bool shares_processors[FATHOM_MATCHED_RUNS_MOST];			/* by run */
	enum fathom_expectation expectation;
	bool is_recognised;		/* the expectation was found out */
	const char *recognised_by;	/* "instructions", "computation" or "the metric" */
	double a, b;			/* FATHOM_EXPECT_COEFFICIENTS */
	double target;			/* the size for which models predict: ten times the largest */
	struct fathom_scaled_item *paths, *regions;	/* the greatest losses first */
	struct fathom_scaled_item *growing;		/* call paths with models, those that grow worst first */
	size_t growing_count;
	struct fathom_growth_model whole;		/* of the value of the whole run */
	enum fathom_factor first_broken;		/* FATHOM_FACTOR_COUNT: none fell below the limit */
	uint32_t broken_at;				/* the size at which it fell */
	double projected[FATHOM_FACTOR_COUNT];		/* at the target; NAN: fewer than three sizes */
};

/* A factor that is less has broken. */
extern const double fathom_factor_limit;

/* Reads the runs. 0, or -errno after an error message. */
int fathom_scaling_init(struct fathom_scaling *scaling, char **targets, int count, const char *metric);
void fathom_scaling_fini(struct fathom_scaling *scaling);

/* Return the value of an item per thread, at the size with this number. */
double fathom_scaling_own(const struct fathom_scaling *scaling, const struct fathom_matched_item *item, uint32_t size);
double fathom_scaling_inclusive(const struct fathom_scaling *scaling, const struct fathom_matched_item *item,
				uint32_t size);

/* Return the loss to a size from values per thread at this size and at the reference, and its share of the run. */
double fathom_scaling_loss(const struct fathom_scaling *scaling, double value, double reference, uint32_t size);
double fathom_scaling_share(const struct fathom_scaling *scaling, double loss, uint32_t size);

/* Returns the name: "strong", "weak", ... */
const char *fathom_expectation_name(enum fathom_expectation expectation);

#endif
