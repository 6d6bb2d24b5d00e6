/*
 * sample_paths: the samples of processor time by call path and by the addresses on the way there, for the file
 * samples.txt (sample_file.h). From these, `fathom report` finds the loops and inlined functions of each call path.
 *
 *	place	an instruction in the function of a call path: of a call, the address to which it returns; of a leaf,
 *		the instruction at which samples were taken. Its parent is the call outside of it. A place without a
 *		module has no known instruction: its samples belong to the call path and to nothing inside the function
 *
 * The call path of a place is that of its parent, if the place is in code of the recorded function itself, or one of a
 * function that is called there. Samples are counted by column of the profile. If there are too many counts, only the
 * sums over all columns are kept.
 */
#ifndef FATHOM_PROFILE_SAMPLE_PATHS_H
#define FATHOM_PROFILE_SAMPLE_PATHS_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_arena;

enum { FATHOM_PATH_NO_PLACE = 0, FATHOM_PATH_NO_MODULE = UINT32_MAX };

/* How many samples a place has in a column. */
struct fathom_path_column {
	struct fathom_path_column *next;
	uint64_t samples;
	uint32_t column;
};

struct fathom_path_place {
	struct fathom_path_place *chain;	/* next at the same place of the table */
	uint64_t function, offset;	/* as the module's own symbols count */
	uint64_t samples;		/* in all columns */
	struct fathom_path_column *columns;
	uint32_t number;		/* from 1, larger than that of the parent */
	uint32_t parent;		/* the number of the call outside; FATHOM_PATH_NO_PLACE: there is none */
	uint32_t call_path;		/* tree node of the process; in the file, number of the profile's call path */
	uint32_t module;		/* as in struct fathom_sample_lines; FATHOM_PATH_NO_MODULE: none */
	bool is_call;
};

/* Zero: there are none. */
struct fathom_sample_paths {
	struct fathom_arena *arena;
	struct fathom_path_place **table;	/* by hash; 2^table_bits places */
	struct fathom_path_place **list;	/* by number - 1 */
	uint32_t count, room;
	uint32_t column_count;		/* of counts of all places */
	bool lacks_columns;		/* there were too many: samples are only counted as a sum */
	uint8_t table_bits;
};

/* Returns the place that reads like key (parent, call path, module, function, offset, is_call), which is made if there
 * is none. NULL: no memory. Context: finish, signal. */
struct fathom_path_place *fathom_sample_paths_find(struct fathom_sample_paths *paths,
						     const struct fathom_path_place *key);

/*
 * Add samples in a column to a place. The second function is for a column that the place has no samples in yet, which
 * saves the search for it. Without memory, the samples are only added to the sum. Context: finish, signal.
 */
void fathom_sample_paths_count(struct fathom_sample_paths *paths, struct fathom_path_place *place, uint32_t column,
			       uint64_t samples);
void fathom_sample_paths_count_new(struct fathom_sample_paths *paths, struct fathom_path_place *place, uint32_t column,
				   uint64_t samples);

/* Keeps only the sums over all columns. Context: finish, signal. */
void fathom_sample_paths_drop_columns(struct fathom_sample_paths *paths);

#endif
