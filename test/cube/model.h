/*
 * model: made-up profiles for the tests of lib/cube. One seed, one profile, on every machine.
 */
#ifndef TEST_CUBE_MODEL_H
#define TEST_CUBE_MODEL_H

#include "cube/cube.h"

struct fathom_cube_writer;

#define MODEL_VALUE_BYTES sizeof(struct fathom_cube_tuple)

struct model {
	struct fathom_cube cube;
	uint64_t seed;
};

/* A number that depends on both, well mixed. */
uint64_t model_mix(uint64_t a, uint64_t b);

/* Every writable type, INCLUSIVE and EXCLUSIVE, nested and ghost metrics; trees with several
 * children per level, several roots, groups, nodes; parameters, attributes, odd names. */
void model_random(struct model *model, uint64_t seed);

/* A profile that makes sense: visits, time, min_time, max_time, bytes of a program. */
void model_sane(struct model *model, uint64_t seed);

/* Call tree and system alone: count cnodes, the parent of each chosen by its index. */
void model_shape(struct model *model, uint32_t cnodes, int32_t (*parent)(uint32_t cnode), uint32_t locations);

/* A fathom_cube_presence; context: the model. */
bool model_present(void *context, uint32_t metric, uint32_t cnode);

/* The value of a present row, in the type of the metric; MODEL_VALUE_BYTES are enough. */
void model_value(const struct model *model, uint32_t metric, uint32_t cnode, uint32_t location, void *value);

/* Write the whole model to path, which must not exist. 0 or -errno. */
int model_write(struct model *model, const char *path);

/* What a name reads as that was given to the writer, and what a region's reads as. */
const char *model_read_as(const char *name);
const char *model_region_read_as(const char *name);

void model_free(struct model *model);

/* A fresh folder, made the working directory; false: none could be made. */
bool scratch_enter(void);

/* Remove it with all that is in it. */
void scratch_leave(void);

#endif
