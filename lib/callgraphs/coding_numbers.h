/*
 * coding_numbers: codes numbers, bits and texts with models that depend on what a number is and on what was coded in
 * front of it.
 *
 * The models are in tables of a fixed size, in which a hash of the context finds the place. If two contexts share a
 * place, the file becomes larger but stays right. Context of all functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_CODING_NUMBERS_H
#define FATHOM_CALLGRAPHS_CODING_NUMBERS_H

#include "callgraphs/range_coder.h"

/* What a number is; the first part of its context. */
enum fathom_coding_purpose {
	FATHOM_CODING_HEAD = 1, FATHOM_CODING_TEXT, FATHOM_CODING_DEFINITION, FATHOM_CODING_LOCATION,
	FATHOM_CODING_LABEL, FATHOM_CODING_RECORD, FATHOM_CODING_GAP, FATHOM_CODING_NODE, FATHOM_CODING_LEAVE,
	FATHOM_CODING_KNOWN, FATHOM_CODING_REPEAT
};

struct fathom_coding_prediction {	/* the last two numbers in a context; the later one is the first */
	uint32_t first, second;		/* 1 + number; 0: none yet */
	struct fathom_bit_model is_first, is_second;
};

struct fathom_coding_numbers {
	struct fathom_coder *coder;
	struct fathom_number_model *numbers;
	struct fathom_coding_prediction *predictions;
	struct fathom_bit_model *bits;
	struct fathom_bit_model *text;	/* [byte before][tree of the byte] */
	uint8_t *lengths;		/* of the last gap in a context, in bits */
};

/* Make models that know nothing yet, for a coder in either direction, and free them. */
void fathom_coding_numbers_init(struct fathom_coding_numbers *coding, struct fathom_coder *coder);
void fathom_coding_numbers_free(struct fathom_coding_numbers *coding);

/* Returns the hash of a context. */
uint64_t fathom_coding_context(enum fathom_coding_purpose purpose, uint64_t a, uint64_t b, uint64_t c);

/* Code a number, a bit in a context, and return it. */
uint64_t fathom_coding_number(struct fathom_coding_numbers *coding, uint64_t context, uint64_t number);
bool fathom_coding_bit(struct fathom_coding_numbers *coding, uint64_t context, bool bit);

/* Codes a gap in a context, in which the length of the last gap counts as well, and returns it. */
uint64_t fathom_coding_gap(struct fathom_coding_numbers *coding, uint64_t context, uint64_t gap);

/* Codes the number that follows in a context, which is likely to be one of the last two there. contexts: two of them,
 * of which the first one says more; number: less than UINT32_MAX. Returns false if the number is neither of them; then
 * the caller codes it. */
bool fathom_coding_predicted(struct fathom_coding_numbers *coding, const uint64_t contexts[2], uint32_t *number);

/* Remembers the number that followed in a context, for the next prediction. */
void fathom_coding_learn(struct fathom_coding_numbers *coding, const uint64_t contexts[2], uint32_t number);

/* Codes a text, which may be NULL. Returns the text that was read, which the caller frees; a writer gets NULL. */
char *fathom_coding_text(struct fathom_coding_numbers *coding, const char *text);

/* Return a difference as a number that is small if the difference is near 0, and the difference of such a number. */
uint64_t fathom_coding_fold(uint64_t difference);
uint64_t fathom_coding_unfold(uint64_t number);

#endif
