/*
 * instructions: machine code as a list of instructions, of each of which only that is kept which says where the program
 * goes on: jumps, and what computes the address of an indirect jump.
 *
 * Zydis decodes the code (x86-64 only). Without it there are no instructions, and so no loops.
 */
#ifndef FATHOM_SYMBOLS_INSTRUCTIONS_H
#define FATHOM_SYMBOLS_INSTRUCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the program goes on after an instruction. */
enum fathom_flow {
	FATHOM_FLOW_NEXT,		/* with the next instruction; so does a call */
	FATHOM_FLOW_CONDITIONAL,	/* with the next instruction or at the target */
	FATHOM_FLOW_JUMP,		/* at the target */
	FATHOM_FLOW_INDIRECT,		/* at an address that was computed */
	FATHOM_FLOW_END,		/* not in this function (return), or nowhere (ud2, hlt) */
};

/* What an instruction does for the address of an indirect jump. */
enum fathom_operation {
	FATHOM_OPERATION_OTHER,
	FATHOM_OPERATION_CONSTANT,	/* to = value */
	FATHOM_OPERATION_LOAD,		/* to = memory at base + index * scale + value */
	FATHOM_OPERATION_ADD,		/* to = to + base */
	FATHOM_OPERATION_COMPARE,	/* compares a register or memory with value */
	FATHOM_OPERATION_CALL,		/* calls the function at value (0: not known) */
	FATHOM_OPERATION_WRITE,		/* puts anything else into to */
};

enum { FATHOM_NO_REGISTER = -1 };

struct fathom_instruction {
	uint64_t address;
	uint64_t target;	/* of a jump with a known target, else 0 */
	uint64_t value;
	uint8_t length;		/* bytes */
	uint8_t flow;		/* enum fathom_flow */
	uint8_t operation;	/* enum fathom_operation; of an indirect jump through memory FATHOM_OPERATION_LOAD */
	int8_t to, base, index;	/* numbers of registers, or FATHOM_NO_REGISTER */
	uint8_t scale;		/* what the index is multiplied by; 0: the instruction has no index */
	uint8_t loaded_bytes;	/* of FATHOM_OPERATION_LOAD */
	bool is_unsigned;	/* a conditional jump after a comparison of numbers without sign: ja, jae, jb, jbe */
	bool is_inclusive;	/* such a jump treats equal numbers as smaller ones (ja, jbe) */
};

struct fathom_instructions {
	struct fathom_instruction *list;	/* by address within each piece of code */
	size_t count, room;
};

/* Whether this build can decode instructions. Context: any. */
bool fathom_instructions_can_decode(void);

/*
 * Decodes code of so many bytes that belongs at address, and appends its instructions. A byte that begins no
 * instruction becomes one of FATHOM_FLOW_END. 0, or -ENOMEM. Context: finish.
 */
int fathom_instructions_decode(struct fathom_instructions *instructions, const uint8_t *code, size_t bytes,
			       uint64_t address);

/* Frees the list. Context: finish. */
void fathom_instructions_fini(struct fathom_instructions *instructions);

#endif
