/*
 * The coder narrows an interval of numbers [low, low + range) by each bit: its lower part stands for 0, its upper
 * part for 1, in the ratio of their probabilities. Whenever the interval has become small, its highest byte is
 * written. A later carry may still change written bytes, so the last byte and the bytes of 0xff behind it are held
 * back.
 */
#include "callgraphs/range_coder.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

enum { SMALLEST_RANGE = 1 << 24, MOST_BITS = 100, LENGTH_BITS = 7, BYTES_BEHIND = 8 };

void fathom_coder_write_init(struct fathom_coder *coder)
{
	*coder = (struct fathom_coder){ .range = UINT32_MAX };
}

static uint8_t next_byte(struct fathom_coder *coder)
{
	if (coder->at < coder->count)
		return coder->bytes[coder->at++];
	if (++coder->at > coder->count + BYTES_BEHIND)
		coder->is_broken = true;
	return 0;
}

void fathom_coder_read_init(struct fathom_coder *coder, const uint8_t *bytes, size_t count)
{
	*coder = (struct fathom_coder){ .is_reading = true, .range = UINT32_MAX, .bytes = (uint8_t *)bytes,
					.count = count };
	for (int i = 0; i < 5; i++)
		coder->code = coder->code << 8 | next_byte(coder);
}

static void put_byte(struct fathom_coder *coder, uint8_t byte)
{
	coder->bytes = fathom_otf2_memory_grow(coder->bytes, coder->count, &coder->room, 1);
	coder->bytes[coder->count++] = byte;
}

/* Moves the highest byte of low to the file, or holds it back as long as a carry may change it. */
static void shift_low(struct fathom_coder *coder)
{
	if (coder->low < 0xff000000u || coder->low > UINT32_MAX) {
		uint8_t carry = (uint8_t)(coder->low >> 32);

		put_byte(coder, (uint8_t)(coder->cache + carry));
		for (; coder->held; coder->held--)
			put_byte(coder, (uint8_t)(0xff + carry));
		coder->cache = (uint8_t)(coder->low >> 24);
	} else {
		coder->held++;
	}
	coder->low = (coder->low & 0xffffff) << 8;
}

void fathom_coder_flush(struct fathom_coder *coder)
{
	for (int i = 0; i < 5; i++)
		shift_low(coder);
}

void fathom_coder_free(struct fathom_coder *coder)
{
	if (!coder->is_reading)
		free(coder->bytes);
	*coder = (struct fathom_coder){ 0 };
}

static void widen(struct fathom_coder *coder)
{
	while (coder->range < SMALLEST_RANGE) {
		coder->range <<= 8;
		if (coder->is_reading)
			coder->code = coder->code << 8 | next_byte(coder);
		else
			shift_low(coder);
	}
}

/* Codes a bit whose part of the interval for 0 is bound. */
static bool code_part(struct fathom_coder *coder, uint32_t bound, bool bit)
{
	if (coder->is_reading) {
		bit = coder->code >= bound;
		coder->code -= bit ? bound : 0;
	} else {
		coder->low += bit ? bound : 0;
	}
	coder->range = bit ? coder->range - bound : bound;
	widen(coder);
	return bit;
}

bool fathom_code_bit(struct fathom_coder *coder, struct fathom_bit_model *model, bool bit)
{
	uint32_t zero = model->zero, step;

	/* Neither part may become empty. */
	zero = zero < 32 ? 32 : zero > 65536 - 32 ? 65536 - 32 : zero;
	bit = code_part(coder, (coder->range >> 16) * zero, bit);
	/* The mean of the bits so far, as if one more and a half bit of each value had been seen. */
	step = 2 * (bit ? (uint32_t)model->zero : 65535u - model->zero) / (2u * model->count + 3);
	model->zero = (uint16_t)(bit ? model->zero - step : model->zero + step);
	model->count = (uint16_t)(model->count + (model->count < MOST_BITS));
	return bit;
}

uint64_t fathom_code_number(struct fathom_coder *coder, struct fathom_number_model *model, uint64_t number)
{
	unsigned length = number ? 64 - (unsigned)__builtin_clzll(number) : 0, node = 1, i, bits;
	uint64_t result;
	bool bit;

	for (i = LENGTH_BITS; i-- > 0;)
		node = node << 1 | fathom_code_bit(coder, &model->length[node], length >> i & 1);
	length = node - (1u << LENGTH_BITS);
	if (length > 64) {
		coder->is_broken = true;
		return 0;
	}
	if (length < 2)
		return length;
	result = 1;
	for (node = 1, bits = length - 1; bits-- > 0;) {
		bit = number >> bits & 1;
		if (node < 1u << FATHOM_NUMBER_TOP_BITS) {
			bit = fathom_code_bit(coder, &model->top[length][node], bit);
			node = node << 1 | bit;
		} else {
			bit = fathom_code_bit(coder, &model->low[bits], bit);
		}
		result = result << 1 | bit;
	}
	return result;
}

struct fathom_bit_model *fathom_bit_models_create(size_t count)
{
	struct fathom_bit_model *models = fathom_otf2_memory_alloc(count, sizeof(*models));

	for (size_t i = 0; i < count; i++)
		models[i] = (struct fathom_bit_model){ 1 << 15, 0 };
	return models;
}

struct fathom_number_model *fathom_number_models_create(size_t count)
{
	size_t bits = count * sizeof(struct fathom_number_model) / sizeof(struct fathom_bit_model);

	return (struct fathom_number_model *)(void *)fathom_bit_models_create(bits);
}
