/*
 * sample_lines: the samples of a process by the addresses of instructions, for the file samples.txt (sample_file.h).
 *
 *	leaf	samples that were taken at an instruction
 *	call	samples that were taken in what was called from a place; the address is where the call returns to. A
 *		sample counts once for each of its places, however often recursion has the place on the stack. Where
 *		recursion is folded (FATHOM_RECURSION), of a run of frames of one function only the outermost one
 *		counts its place, and the innermost one the instruction
 */
#ifndef FATHOM_PROFILE_SAMPLE_LINES_H
#define FATHOM_PROFILE_SAMPLE_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_arena;
struct fathom_code;
struct fathom_code_module;
struct fathom_sampled_path;

struct fathom_sample_line {
	struct fathom_sample_line *chain;	/* next at the same place of the table */
	uint64_t function, offset;	/* as the module's own symbols count */
	uint64_t samples;
	uint64_t value;			/* of processor time in ticks, in a message and later in units of 2^-32 s; else
					 * counts of the event */
	uint64_t stamp;			/* number of the path that was added last */
	uint32_t module;		/* index */
	uint16_t event;
	uint16_t is_call;
};

struct fathom_sample_module {
	const char *path;
	const unsigned char *id;	/* its build-id */
	uint32_t id_bytes;
};

/* Zero: there are none. */
struct fathom_sample_lines {
	struct fathom_arena *arena;
	struct fathom_sample_line **table;	/* by hash; 2^table_bits places */
	struct fathom_sample_module *modules;
	uint64_t stamp;
	uint32_t line_count, module_count, module_room;
	uint8_t table_bits;
	bool folds;			/* recursion is folded */
};

/* Adds samples of an event, with that value, that end at a path of machine frames; code finds the modules of addresses.
 * Addresses without a module are left out, as are all where there is no memory. Context: finish, signal. */
void fathom_sample_lines_add(struct fathom_sample_lines *lines, struct fathom_code *code,
			     const struct fathom_sampled_path *path, uint32_t event, uint64_t samples, uint64_t value);

/* Returns the line that reads like key (all but samples, value and stamp), which is made if there is none. NULL: no
 * memory. Context: finish, signal. */
struct fathom_sample_line *fathom_sample_lines_find(struct fathom_sample_lines *lines,
						    const struct fathom_sample_line *key);

/* Returns the index of a module of this process's code, which is added if it is new. UINT32_MAX: no memory. Context:
 * finish, signal. */
uint32_t fathom_sample_lines_code_module(struct fathom_sample_lines *lines, struct fathom_code_module *module);

/* Returns the index of a module, which is added if it is new. Its texts are not copied. UINT32_MAX: no memory.
 * Context: finish, signal. */
uint32_t fathom_sample_lines_module(struct fathom_sample_lines *lines, const struct fathom_sample_module *module);

#endif
