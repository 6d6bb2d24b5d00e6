/*
 * source_functions: which function the code at an address belongs to, and all the code of that function.
 *
 * The debug information says so, else the symbol table, else the unwind information. A part of a function that the
 * compiler put elsewhere (f.cold) belongs to the function.
 */
#ifndef FATHOM_SYMBOLS_SOURCE_FUNCTIONS_H
#define FATHOM_SYMBOLS_SOURCE_FUNCTIONS_H

#include "symbols/code_file.h"

struct fathom_source_function {
	uint64_t entry;				/* address of the first instruction */
	struct fathom_code_piece *pieces;	/* the first one contains the entry */
	uint32_t piece_count;
	bool has_die, has_unit;			/* the next ones are set */
	Dwarf_Die die;				/* the function in the debug information */
	Dwarf_Die unit;				/* its compilation unit, which has the lines */
	Dwarf_Die unit_of_die;			/* the same, or its part in a separate file (-gsplit-dwarf) */
	Dwarf_Addr dwarf_bias;			/* addresses in the debug information are the file's minus this */
	void *analysis;				/* of code_structure.c; NULL at first */
	struct fathom_source_function *next;
};

struct fathom_source_functions {
	struct fathom_code_file *file;
	struct fathom_source_function *list;
	struct fathom_function_piece {
		uint64_t begin, end;
		struct fathom_source_function *function;
	} *pieces;				/* by begin */
	size_t piece_count, piece_room;
	struct fathom_code_piece *unwind_pieces;	/* all code that .eh_frame describes, by begin */
	size_t unwind_count, unwind_room;
	bool has_read_units, has_read_unwind_entries;
};

/* Returns the function that contains the code at an address; NULL: it is not known, or memory is exhausted. The result
 * lives as long as *functions, which is all zero but for the file at first. Context: finish. */
struct fathom_source_function *fathom_source_function_at(struct fathom_source_functions *functions, uint64_t address);

/* Returns the function that contains the code at an address, if the debug information has it or if it was found before,
 * else NULL. Context: finish. */
struct fathom_source_function *fathom_source_function_find(struct fathom_source_functions *functions,
							   uint64_t address);

/*
 * Finds the source line of the code at an address of a function. Returns the line; 0: the code has none, or it is not
 * known. *source becomes the path of the file, NULL if it is not known. It lives as long as the file is open. Context:
 * finish.
 */
uint32_t fathom_source_function_line(const struct fathom_source_function *function, uint64_t address,
				     const char **source);

/* Frees all functions. Context: finish. */
void fathom_source_functions_fini(struct fathom_source_functions *functions);

#endif
