/*
 * cube_model: what a fathom profile defines, as lib/cube wants it: metrics, regions, call paths, system.
 */
#ifndef FATHOM_PROFILE_CUBE_MODEL_H
#define FATHOM_PROFILE_CUBE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "cube/cube.h"
#include "event/location.h"
#include "event/result.h"
#include "profile/unification.h"

/* A metric of the file is a value, or the part of the time that an activity takes. */
struct fathom_model_metric {
	uint32_t value;		/* of enum fathom_value */
	int activity;		/* of enum fathom_activity; -1: all of it */
};

struct fathom_model {
	struct fathom_arena arena;
	struct fathom_cube cube;
	enum fathom_threads threads;		/* what locations are made of; where processes differ in that: sum */
	struct fathom_model_metric *metrics;	/* by metric of the cube */
	fathom_presence *present;		/* by cnode: bits by value */
	uint32_t value_count;			/* FATHOM_VALUE_COUNT, and the metrics of the union */
	const struct fathom_metric *defined;	/* these metrics */
};

/* Give every region of the union a name, by result->resolve, or by where its code is. 0 or -ENOMEM.
 * Context: finish, signal. */
int fathom_model_name_regions(struct fathom_union *u, const struct fathom_result *result);

/*
 * From a union, and order: order[i] is the tree node that becomes cnode i. All regions have names. system:
 * told once, when the file is made; so many locations.
 * 0 or -ENOMEM; after an error nothing is held. Context: finish, signal.
 */
int fathom_model_init(struct fathom_model *model, struct fathom_union *u, const uint32_t *order,
		      const struct fathom_cube_system *system, uint64_t locations, const struct fathom_result *result);
void fathom_model_fini(struct fathom_model *model);

/* The type of a value's bits. */
enum fathom_metric_type fathom_model_type(const struct fathom_model *model, uint32_t value);

/* Whether a row is in the file. The writer's question. */
bool fathom_model_present(void *model, uint32_t metric, uint32_t cnode);

#endif
