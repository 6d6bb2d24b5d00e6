/* cube_model: the definitions of a fathom profile in the form that lib/cube writes: metrics, regions, call paths,
 * system. */
#ifndef FATHOM_PROFILE_CUBE_MODEL_H
#define FATHOM_PROFILE_CUBE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "cube/cube.h"
#include "event/location.h"
#include "event/result.h"
#include "profile/unification/union.h"

/* A metric of the file is a value of call paths, or the part of their time that belongs to an activity class. */
struct fathom_model_metric {
	uint32_t value;		/* enum fathom_value */
	int activity;		/* enum fathom_activity; -1: all classes */
};

struct fathom_model {
	struct fathom_arena arena;
	struct fathom_cube cube;
	enum fathom_threads threads;		/* how threads are aggregated; sum if the processes differ */
	struct fathom_model_metric *metrics;	/* by metric of the cube */
	fathom_presence *present;		/* by cnode: which values it has, as bits */
	uint32_t value_count;			/* FATHOM_VALUE_COUNT plus the number of metrics of the union */
	const struct fathom_metric *defined;	/* the metrics of the union */
};

/* Gives a name to every region of the union without one: by result->resolve, or made from the address of its code. 0
 * or -ENOMEM. Context: finish, signal. */
int fathom_model_name_regions(struct fathom_union *u, const struct fathom_result *result);

/*
 * Makes the definitions from a union whose regions all have names. order[i] is the node of the union's tree that
 * becomes cnode i. system is read once, when the file is written; locations is its number of locations. Texts of the
 * union are not copied: the union must live as long as the model. 0 or -ENOMEM; after an error no memory is left
 * allocated. Context: finish, signal.
 */
int fathom_model_init(struct fathom_model *model, struct fathom_union *u, const uint32_t *order,
		      const struct fathom_cube_system *system, uint64_t locations, const struct fathom_result *result);
void fathom_model_fini(struct fathom_model *model);

/* Returns the type of the bits of a value. Context: finish, signal. */
enum fathom_metric_type fathom_model_type(const struct fathom_model *model, uint32_t value);

/* Returns true if the row of a metric at a cnode is in the file. The writer of the file calls this with the model.
 * Context: finish, signal. */
bool fathom_model_present(void *model, uint32_t metric, uint32_t cnode);

#endif
