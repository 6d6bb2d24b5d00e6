/*
 * sampled_code: finds out which module and which region the addresses in samples belong to, at the end.
 *
 * The region of a function is {module, offset}, which is also that of a hook in the function: so a function that is
 * recorded at one call path and sampled at another one is one region. Its name is found later, like those of all
 * compiler regions.
 */
#ifndef FATHOM_PROFILE_SAMPLED_CODE_H
#define FATHOM_PROFILE_SAMPLED_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "event/sampled_frames.h"
#include "platform/arena.h"
#include "platform/module.h"

struct fathom_region;
struct fathom_sampled_path;

struct fathom_code_module {
	struct fathom_code_module *next;	/* found before */
	const char *path;		/* as in regions */
	uintptr_t begin, end;
	uint64_t bias;			/* address - bias = offset */
	enum fathom_code_kind kind;
	bool is_loaded;			/* found at the end; else when a sample was taken, and perhaps not loaded now */
	uint32_t id_bytes;		/* 0: it has no build-id */
	unsigned char id[FATHOM_BUILD_ID_BYTES];
	uint32_t number;		/* set by sample_lines.c: 1 + its number there; 0: none yet */
};

struct fathom_code_function;

/* All that was found. Zero: nothing yet. */
struct fathom_code {
	struct fathom_arena *arena;
	struct fathom_code_module *modules;
	struct fathom_code_function **functions;	/* hash table by address; 2^function_bits places */
	uint32_t function_count;
	uint8_t function_bits;
	const struct fathom_region *unknown, *partial;	/* NULL: not needed yet */
};

/* Returns the module of a path's last frame; NULL: there is none (code made at run time, or the module was unloaded
 * before it was looked for), or no memory. Context: finish, signal. */
struct fathom_code_module *fathom_code_module(struct fathom_code *code, const struct fathom_sampled_path *path);

/* Returns where the function of a path's last frame begins, by the unwinder or by the symbols of its module; 0: not
 * known. Context: finish, signal. */
uintptr_t fathom_code_begin(struct fathom_code *code, const struct fathom_sampled_path *path);

/* Returns the region of the function of a path's last frame; "(unknown)" where there is no module, or no function.
 * NULL: no memory, or the regions are locked. Context: finish, signal. */
const struct fathom_region *fathom_code_region(struct fathom_code *code, const struct fathom_sampled_path *path);

/* Returns the region "(partial call paths)"; NULL as above. Context: finish, signal. */
const struct fathom_region *fathom_code_partial(struct fathom_code *code);

#endif
