/*
 * region: a place in the program that time can be charged to.
 *
 * A region is created once and never freed, and what stands here does not change after
 * that; any thread may therefore read it without a lock. There are two exceptions. The names
 * of compiler regions are looked up when the measurement is over (by whom, see
 * run/runtime.h), until then name is NULL and module and offset say what it is. And a region may be
 * switched off and on (event/switch.h).
 */
#ifndef FATHOM_DEFINE_REGION_H
#define FATHOM_DEFINE_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "define/activity.h"
#include "define/role.h"
#include "platform/arena.h"
#include "platform/compiler.h"

/* Whether a region's enters are recorded. */
enum fathom_switch {
	FATHOM_SWITCH_ON,
	FATHOM_SWITCH_AGAIN,		/* they are, and for a while they were not */
	FATHOM_SWITCH_DISABLED,		/* they were for a while, and what they began may be active */
	FATHOM_SWITCH_DRAINED,		/* nothing is active that was recorded: no exit matters either */
};

struct fathom_region {
	const char *name;		/* as people write it; lives as long as the region; NULL: see above */
	const char *canonical;		/* linkage (mangled) name, NULL where there is none */
	const char *file;		/* source file, or what stands for it ("MPI"); NULL where unknown */
	const char *module;		/* program or library it is code of; NULL for all but compiler regions */
	const char *parameters;		/* values that make it a region of its own, see parameter.h; NULL: none */
	const struct fathom_parameter_given *given;	/* the last of these, see there; not compared */
	uint64_t off_ns;		/* of a result: when it was switched off (first), since the start; 0: not */
	uint64_t offset;		/* of its code, as the module's own symbols count (address - load bias) */
	const void *code;		/* by which address hooks know it, one of them if there are several; NULL: none.
					 * Not compared */
	enum fathom_paradigm paradigm;
	enum fathom_role role;
	bool is_of_profile;		/* no event names it: with parameters, or one iteration */
	bool has_sleds;			/* its enters tell where the stack is at a function's begin */
	uint8_t activity;		/* enum fathom_activity; not compared, for it follows from the rest and from the
					 * wrapper. In a spec 0: from paradigm and role */
	uint32_t id;			/* dense from 0, within this process */
	uint32_t begin_line;		/* 0 where unknown */
	uint32_t end_line;
	uint8_t switched;		/* enum fathom_switch. Written by event/switch.c, read by any thread */
	uint64_t compact_id;		/* id as records of traces have it: how many bytes it takes, above that id */
};

/* Returns whether the enters of the region are not recorded. Context: hook. */
static inline bool fathom_region_is_disabled(const struct fathom_region *region)
{
	return __atomic_load_n(&region->switched, __ATOMIC_RELAXED) >= FATHOM_SWITCH_DISABLED;
}

/*
 * Find the region that reads like spec (all but id), or create it; spec is not kept, its
 * texts are copied. NULL: out of memory, the caller drops its event.
 * Context: birth. Takes the region lock, which nests in nothing and holds nothing but what the judge takes.
 */
FATHOM_API const struct fathom_region *fathom_region_define(const struct fathom_region *spec);

/* What compact_id is for an id. Any context. */
uint64_t fathom_region_compact_id(uint32_t id);

/*
 * The properties that tell regions apart. A mask of them says which ones a comparison looks at; all other members of
 * struct fathom_region never count.
 */
enum {
	FATHOM_REGION_NAME = 1 << 0,
	FATHOM_REGION_CANONICAL = 1 << 1,
	FATHOM_REGION_FILE = 1 << 2,
	FATHOM_REGION_LINES = 1 << 3,		/* begin_line and end_line */
	FATHOM_REGION_PARADIGM = 1 << 4,
	FATHOM_REGION_ROLE = 1 << 5,
	FATHOM_REGION_OBJECT = 1 << 6,		/* module and offset: where the code is */
	FATHOM_REGION_PARAMETERS = 1 << 7,
	FATHOM_REGION_ALL = (1 << 8) - 1,	/* what fathom_region_define compares */
};

/* Returns whether a and b have equal values of all properties in mask. Texts are compared by their characters; NULL
 * equals NULL alone. Any context. */
bool fathom_region_same(const struct fathom_region *a, const struct fathom_region *b, uint32_t mask);

/* A hash of the properties in mask: equal, in all processes, for regions that are the same by this mask.
 * Any context. */
uint64_t fathom_region_hash(const struct fathom_region *region, uint32_t mask);

/* Sets texts to the addresses of the region's texts: name, canonical, file, module, parameters. Any of the texts may be
 * NULL. Any context. */
enum { FATHOM_REGION_TEXTS = 5 };
static inline void fathom_region_texts(struct fathom_region *region, const char **texts[FATHOM_REGION_TEXTS])
{
	texts[0] = &region->name;
	texts[1] = &region->canonical;
	texts[2] = &region->file;
	texts[3] = &region->module;
	texts[4] = &region->parameters;
}

/* Called for each region that is made, before anybody sees it, to switch it off perhaps. Takes no lock but one that
 * holds nothing, and defines no region. There can be one. Context: start. */
void fathom_region_set_judge(void (*judge)(struct fathom_region *region));

/* How many there are, and one by its id. Context: finish, signal. */
FATHOM_API uint32_t fathom_region_count(void);
FATHOM_API const struct fathom_region *fathom_region_by_id(uint32_t id);

/* Where the regions are in memory, for a copy of it (run/run_snapshot.h): chunks of FATHOM_REGION_CHUNK regions each,
 * in the order of their ids; the chunks and all texts are in the arena. Context: signal. */
enum { FATHOM_REGION_CHUNK = 1024 };
struct fathom_region *const *fathom_region_chunks(void);
const struct fathom_arena *fathom_region_arena(void);

/* A name for a region that has none, and for which none can be found: "program+0x1234", or what it is "@" that.
 * NULL: no memory. Context: finish, signal. */
FATHOM_API const char *fathom_region_place_name(const struct fathom_region *region, struct fathom_arena *arena);

#endif
