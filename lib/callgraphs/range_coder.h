/*
 * range_coder: writes and reads numbers in few bits, by adaptive binary arithmetic coding.
 *
 * Each bit is coded with a model, which estimates how likely the bit is 0 from the bits that were coded with it before.
 * A likely bit takes much less than one bit of the file. The writer and the reader must use the same models in the same
 * order. Therefore one function codes in both directions: when a coder writes, a function takes the value and returns
 * it; when it reads, it ignores its argument and returns the value that was written. Context of all functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_RANGE_CODER_H
#define FATHOM_CALLGRAPHS_RANGE_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_coder {
	bool is_reading;
	bool is_broken;		/* the reader has come behind the end: the values since then are of no use */
	uint8_t *bytes;		/* the writer's belong to the coder; the reader's to the caller */
	size_t count, room;	/* bytes written; or bytes there are to read */
	size_t at;		/* reader: the next byte */
	uint64_t low, held;	/* writer: state, and bytes of 0xff that a carry may still change */
	uint32_t range, code;
	uint8_t cache;		/* writer: the byte in front of these */
};

struct fathom_bit_model {	/* all zero is not a start: see fathom_number_models_create */
	uint16_t zero;		/* probability of 0 in 1/65536 */
	uint16_t count;		/* of bits that it was learned from, up to a limit: then later bits count more */
};

enum { FATHOM_NUMBER_TOP_BITS = 3 };	/* bits below the highest one whose models know the bits in front of them */

struct fathom_number_model {
	struct fathom_bit_model length[128];		/* the number of bits, as a binary tree */
	struct fathom_bit_model top[65][1 << FATHOM_NUMBER_TOP_BITS];	/* by number of bits: a tree */
	struct fathom_bit_model low[64];		/* the other bits, by position: round numbers have zeros */
};

/* Begin to write, and to read bytes, which must live as long as the coder. */
void fathom_coder_write_init(struct fathom_coder *coder);
void fathom_coder_read_init(struct fathom_coder *coder, const uint8_t *bytes, size_t count);

/* Writes what the coder still holds. Then bytes and count are the result. */
void fathom_coder_flush(struct fathom_coder *coder);
void fathom_coder_free(struct fathom_coder *coder);

/* Code a bit, and a number, and return what was coded. */
bool fathom_code_bit(struct fathom_coder *coder, struct fathom_bit_model *model, bool bit);
uint64_t fathom_code_number(struct fathom_coder *coder, struct fathom_number_model *model, uint64_t number);

/* Return count models that know nothing yet; the caller frees them. */
struct fathom_bit_model *fathom_bit_models_create(size_t count);
struct fathom_number_model *fathom_number_models_create(size_t count);

#endif
