/*
 * cfi: reads DWARF call-frame information as compilers put it into .eh_frame.
 *
 * A frame description entry (FDE) belongs to a range of instructions, in general a function. Its program says for each
 * of these instructions where the canonical frame address (CFA: the stack pointer of the caller behind the call) is,
 * and where the caller's registers are: a row. The functions here execute that program, and the stack machine of DWARF
 * expressions. Registers have DWARF's numbers for x86-64.
 */
#ifndef FATHOM_SAMPLE_CFI_H
#define FATHOM_SAMPLE_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "sample/readable_memory.h"

enum fathom_register {
	FATHOM_RAX, FATHOM_RDX, FATHOM_RCX, FATHOM_RBX, FATHOM_RSI, FATHOM_RDI, FATHOM_RBP, FATHOM_RSP,
	FATHOM_R8, FATHOM_R9, FATHOM_R10, FATHOM_R11, FATHOM_R12, FATHOM_R13, FATHOM_R14, FATHOM_R15,
	FATHOM_RIP, FATHOM_REGISTER_COUNT
};

/* The registers of one frame. */
struct fathom_registers {
	uint64_t value[FATHOM_REGISTER_COUNT];
	uint32_t known;		/* bit n: the value of register n is known */
};

/* Operations of expressions that most of them consist of. */
enum { FATHOM_OP_DEREF = 0x06, FATHOM_OP_BREG0 = 0x70 };

/* What is needed of an FDE and its common information entry (CIE) to find a row. */
struct fathom_cfi_function {
	uintptr_t begin, end;	/* its instructions */
	const unsigned char *common, *common_end;	/* the program of the CIE */
	const unsigned char *program, *program_end;	/* that of the FDE */
	uint64_t code_factor;
	int64_t data_factor;
	uint64_t return_column;	/* the register that has the caller's instruction pointer */
	uint8_t encoding;	/* of addresses in the program */
	bool is_signal;		/* the caller was interrupted here; it did not call */
};

/* Where the caller's value of a register is. */
enum fathom_cfi_kind {
	FATHOM_CFI_SAME,	/* in the register: it was not changed */
	FATHOM_CFI_UNDEFINED,	/* nowhere */
	FATHOM_CFI_AT_OFFSET,	/* in memory at CFA + offset */
	FATHOM_CFI_OFFSET,	/* it is CFA + offset */
	FATHOM_CFI_REGISTER,	/* in the register of number offset */
	FATHOM_CFI_AT_EXPRESSION,	/* in memory at the address that the expression computes */
	FATHOM_CFI_EXPRESSION,	/* the expression computes it */
};

struct fathom_cfi_rule {
	enum fathom_cfi_kind kind;
	union {
		int64_t offset;
		const unsigned char *expression;	/* its length (LEB128), then its operations */
	};
};

struct fathom_cfi_row {
	const unsigned char *cfa_expression;	/* NULL: the CFA is register + offset */
	uint64_t cfa_register;
	int64_t cfa_offset;
	struct fathom_cfi_rule rules[FATHOM_REGISTER_COUNT];
};

/* Memory for the rows that a program remembers. */
enum { FATHOM_CFI_DEPTH = 8 };
struct fathom_cfi_rows {
	struct fathom_cfi_row first;	/* as the CIE defines it */
	struct fathom_cfi_row remembered[FATHOM_CFI_DEPTH];
};

/* Reads a number in LEB128 at *place, and moves *place behind it, at most to end. Context: signal. */
uint64_t fathom_cfi_unsigned(const unsigned char **place, const unsigned char *end);
int64_t fathom_cfi_signed(const unsigned char **place, const unsigned char *end);

/* Reads an address in one of the encodings of .eh_frame (DW_EH_PE) at *place, and moves *place behind it. base is added
 * if the encoding is relative to data. False: the encoding is not one of those that stand for code. Context: signal. */
bool fathom_cfi_address(const unsigned char **place, const unsigned char *end, uint8_t encoding, uintptr_t base,
			uintptr_t *address);

/* Returns the end of the entry at entry and stores where its content begins; NULL: it is the terminator, or too
 * long to be one. Context: signal. */
const unsigned char *fathom_cfi_entry(const unsigned char *entry, const unsigned char **content);

/* Fills in function from the FDE at fde. False: fde is no FDE, or one of a kind that is not known. Context: signal. */
bool fathom_cfi_parse(const unsigned char *fde, struct fathom_cfi_function *function);

/* Fills in the row of the instruction at pc. False: pc is outside of the function, or its program is damaged.
 * Context: signal. */
bool fathom_cfi_find_row(const struct fathom_cfi_function *function, uintptr_t pc, struct fathom_cfi_rows *rows,
			 struct fathom_cfi_row *row);

/* Computes the expression with the registers; the stack begins with cfa, unless it is NULL. False: it needs what is not
 * known or not readable, or is damaged. Context: signal. */
bool fathom_cfi_evaluate(const unsigned char *expression, const struct fathom_registers *registers, const uint64_t *cfa,
			 struct fathom_readable_memory *memory, uint64_t *result);

#endif
