/*
 * region: a place in the program that time can be charged to.
 *
 * A region is created once and never freed, and its members do not change afterwards; any thread may therefore read
 * them without a lock. There are two exceptions. The names of compiler regions are looked up when the measurement is
 * over (run/runtime.h says by which process); until then name is NULL, and module and offset identify the region. And a
 * region may be disabled and enabled (event/switch.h).
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

/* Says whether the enters of a region are recorded. */
enum fathom_switch {
	FATHOM_SWITCH_ON,
	FATHOM_SWITCH_AGAIN,		/* enters are recorded now; for a while they were not */
	FATHOM_SWITCH_DISABLED,		/* enters are not recorded; earlier recorded visits may still be active */
	FATHOM_SWITCH_DRAINED,	/* enters are not recorded, and no recorded visit is active, so exits are ignored */
};

struct fathom_region {
	const char *name;		/* readable name; lives as long as the region; NULL: see above */
	const char *canonical;		/* linkage (mangled) name, NULL where there is none */
	const char *file;		/* source file, or a word in its place ("MPI"); NULL: unknown */
	const char *module;	/* program or library that contains the code; NULL for all but compiler regions */
	/* Values of parameters that distinguish this region from others, see parameter.h; NULL: none. */
	const char *parameters;
	/* The last of these parameters, see parameter.h; not compared. */
	const struct fathom_parameter_given *given;
	uint64_t disabled_ns;	/* in results: time from the start at which the region was first disabled; 0: never */
	uint64_t offset;		/* of the code, in the module's own numbering (address - load bias) */
	const void *code;		/* an address by which hooks find the region; NULL: none. Not compared */
	enum fathom_paradigm paradigm;
	enum fathom_role role;
	bool is_of_profile;		/* no event refers to the region: it has parameters, or is one iteration */
	bool has_sleds;			/* its enter events contain the stack pointer at the function's begin */
	/* An enum fathom_activity; not compared, because it follows from other members and from the wrapper. In a
	 * spec, 0 means: the class that paradigm and role have. */
	uint8_t activity;
	uint32_t id;			/* dense from 0, within this process */
	uint32_t begin_line;		/* 0 where unknown */
	uint32_t end_line;
	uint8_t switched;		/* enum fathom_switch. Written by event/switch.c, read by any thread */
	/* The id in the form of trace records: the number of its bytes, and above that the id. */
	uint64_t compact_id;
};

/* Returns whether the enters of the region are not recorded. Context: hook. */
static inline bool fathom_region_is_disabled(const struct fathom_region *region)
{
	return __atomic_load_n(&region->switched, __ATOMIC_RELAXED) >= FATHOM_SWITCH_DISABLED;
}

/* Returns the region whose members except id equal those of spec; creates it if there is none. Copies the texts of
 * spec. NULL: no memory; the caller drops its event. Context: birth. Takes the region lock, in which only the locks of
 * the judge are taken. */
FATHOM_API const struct fathom_region *fathom_region_define(const struct fathom_region *spec);

/* Like fathom_region_define, but also returns NULL if the region lock stays taken (by a crash inside it).
 * Context: signal. */
FATHOM_API const struct fathom_region *fathom_region_try_define(const struct fathom_region *spec);

/* Returns the compact_id of an id. Any context. */
uint64_t fathom_region_compact_id(uint32_t id);

/* The properties that distinguish regions. A mask of them says which properties a comparison uses; all other members of
 * struct fathom_region are never compared. */
enum {
	FATHOM_REGION_NAME = 1 << 0,
	FATHOM_REGION_CANONICAL = 1 << 1,
	FATHOM_REGION_FILE = 1 << 2,
	FATHOM_REGION_LINES = 1 << 3,		/* begin_line and end_line */
	FATHOM_REGION_PARADIGM = 1 << 4,
	FATHOM_REGION_ROLE = 1 << 5,
	FATHOM_REGION_OBJECT = 1 << 6,		/* module and offset: where the code is */
	FATHOM_REGION_PARAMETERS = 1 << 7,
	FATHOM_REGION_ALL = (1 << 8) - 1,	/* the properties that fathom_region_define compares */
};

/* Returns whether a and b have equal values of all properties in mask. Texts are compared by their characters; NULL
 * equals NULL alone. Any context. */
bool fathom_region_same(const struct fathom_region *a, const struct fathom_region *b, uint32_t mask);

/* Returns a hash of the properties in mask. It is equal, in all processes, for regions that fathom_region_same finds
 * equal. Any context. */
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

/* Sets a function that is called for each new region before any thread can use the region; the function may disable it.
 * The function defines no region, and takes only locks in which no other lock is taken. There is at most one such
 * function. Context: start. */
void fathom_region_set_judge(void (*judge)(struct fathom_region *region));

/* Return the number of regions, and a region by its id. Context: finish, signal. */
FATHOM_API uint32_t fathom_region_count(void);
FATHOM_API const struct fathom_region *fathom_region_by_id(uint32_t id);

/* Returns the memory of all regions, for run snapshots (run/run_snapshot.h): chunks of FATHOM_REGION_CHUNK regions
 * each, in the order of their ids. The chunks and all texts are in the arena. Context: signal. */
enum { FATHOM_REGION_CHUNK = 1024 };
struct fathom_region *const *fathom_region_chunks(void);
const struct fathom_arena *fathom_region_arena(void);

/* Returns a name for a region whose name cannot be found: "program+0x1234", or the kind of construct, "@" and this
 * text. NULL: no memory. Context: finish, signal. */
FATHOM_API const char *fathom_region_place_name(const struct fathom_region *region, struct fathom_arena *arena);

#endif
