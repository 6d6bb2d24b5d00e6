/*
 * code_structure: what code addresses mean in the source: functions, loops, inlined functions and lines.
 *
 * The scopes of a function are its loops and the calls that were inlined into it, one inside the other:
 *
 *	main > loop at app.c:30 > inlined solve, called at app.c:31 > loop at solver.h:12
 *
 * Loops come from the machine code, lines and inlined calls from the debug information. Compilers copy and move code:
 * loops of a function with the same inlined call around them, the same file and the same line are one scope, at the
 * place of the most deeply nested of them. A loop whose instructions belong to an inlined function is a loop of that
 * function. Its line is the smallest that the instructions of its header, and the jumps back to the header, have in
 * the function to which the loop belongs.
 *
 * The code needs elfutils, and for loops Zydis. Without debug information, functions have names and loops have
 * addresses.
 */
#ifndef FATHOM_SYMBOLS_CODE_STRUCTURE_H
#define FATHOM_SYMBOLS_CODE_STRUCTURE_H

#include <stdbool.h>
#include <stdint.h>

enum fathom_code_scope_kind { FATHOM_SCOPE_LOOP, FATHOM_SCOPE_INLINED };

struct fathom_code_scope {
	enum fathom_code_scope_kind kind;
	uint32_t id;				/* within the function, dense from 0; larger than that of the parent */
	const struct fathom_code_scope *parent;	/* NULL: the function itself */
	const char *file;			/* of the loop, or of the call that was inlined; NULL: not known */
	uint32_t line;				/* likewise; 0: not known */
	uint64_t address;			/* of the loop's first instruction, else 0 */
	const char *name;			/* of the inlined function, else NULL; so are the next ones */
	const char *source;			/* file of the inlined function */
	uint32_t begin_line, end_line;		/* end_line: the last line that has code in this function */
};

struct fathom_code_function {
	uint64_t entry;				/* address of the first instruction */
	const char *name;			/* as in profiles; NULL: not known */
	const char *file;			/* NULL: not known */
	uint32_t begin_line, end_line;		/* 0: not known */
	bool has_loops;				/* its code could be decoded */
};

/* Where an address is. */
struct fathom_code_place {
	const struct fathom_code_scope *scope;	/* the innermost one; NULL: the function itself */
	const char *file;			/* NULL: not known */
	uint32_t line;				/* 0: the compiler did not say, or there is no debug information */
};

struct fathom_code_structure;

/*
 * Opens a program or library, also a damaged one. NULL: it is none, or cannot be read. All results of the functions
 * below live until it is closed. One thread at a time. Context: tool.
 */
struct fathom_code_structure *fathom_code_structure_open(const char *path);

/* Closes it. Context: tool. */
void fathom_code_structure_close(struct fathom_code_structure *structure);

/* Returns the build-id in hexadecimal digits; "" if the file has none. Context: tool. */
const char *fathom_code_structure_build_id(const struct fathom_code_structure *structure);

/*
 * Returns the function that contains the code at an address (offset in struct fathom_region); NULL: it is not known.
 * Two addresses of one function give the same result. Context: tool.
 */
const struct fathom_code_function *fathom_code_function_at(struct fathom_code_structure *structure, uint64_t address);

/*
 * Fills in the place of an address in a function. If the address is that of the instruction behind a call, as return
 * addresses are, the caller subtracts 1. Context: tool.
 */
void fathom_code_place_at(const struct fathom_code_function *function, uint64_t address,
			  struct fathom_code_place *place);

/*
 * Returns the function with that linker name (that of a copy which GCC made, such as f.constprop.0, counts as f), in
 * a source file with the base name of that path; NULL: in any. NULL: there is none. Context: tool.
 */
const struct fathom_code_function *fathom_code_function_named(struct fathom_code_structure *structure,
							      const char *name, const char *file);

/* Returns the function that the compiler made of the body of an OpenMP construct in the function with that linker name,
 * and that calls callee, another linker name. NULL: there is none, or several. Context: tool. */
const struct fathom_code_function *fathom_code_body_calling(struct fathom_code_structure *structure, const char *name,
							    const char *callee);

/*
 * Fill in the innermost scope that contains all calls of the function with that linker name, or all code of a line of a
 * source file with that base name, in a function. Calls on one line are copies of one call, which is in the most deeply
 * nested of their scopes. The place has no line. False: there is no such call, or no such code. Context: tool.
 */
bool fathom_code_calls_at(struct fathom_code_structure *structure, const struct fathom_code_function *function,
			  const char *callee, struct fathom_code_place *place);
bool fathom_code_line_at(const struct fathom_code_function *function, const char *file, uint32_t line,
			 struct fathom_code_place *place);

/* Whether loops can be found: this build can decode the instructions of this processor. Context: tool. */
bool fathom_code_has_loops(void);

#endif
