#include "callgraphs/coding_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

enum {
	NUMBER_BITS = 13,	/* binary logarithm of the number of number models */
	CONTEXT_BITS = 16,	/* and of the other tables */
};

void fathom_coding_numbers_init(struct fathom_coding_numbers *coding, struct fathom_coder *coder)
{
	*coding = (struct fathom_coding_numbers){ .coder = coder };
	coding->numbers = fathom_number_models_create((size_t)1 << NUMBER_BITS);
	coding->bits = fathom_bit_models_create((size_t)1 << CONTEXT_BITS);
	coding->text = fathom_bit_models_create(1 << 16);
	coding->lengths = fathom_otf2_memory_alloc((size_t)1 << CONTEXT_BITS, 1);
	coding->predictions = fathom_otf2_memory_alloc((size_t)1 << CONTEXT_BITS, sizeof(*coding->predictions));
	for (size_t i = 0; i < (size_t)1 << CONTEXT_BITS; i++)
		coding->predictions[i].is_first = coding->predictions[i].is_second =
			(struct fathom_bit_model){ 1 << 15, 0 };
}

void fathom_coding_numbers_free(struct fathom_coding_numbers *coding)
{
	free(coding->numbers);
	free(coding->bits);
	free(coding->text);
	free(coding->lengths);
	free(coding->predictions);
}

uint64_t fathom_coding_context(enum fathom_coding_purpose purpose, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t hash = purpose;

	hash = (hash ^ a) * 0x9e3779b97f4a7c15u;
	hash = ((hash ^ hash >> 32) ^ b) * 0xc2b2ae3d27d4eb4fu;
	hash = ((hash ^ hash >> 29) ^ c) * 0x165667b19e3779f9u;
	return hash ^ hash >> 32;
}

uint64_t fathom_coding_number(struct fathom_coding_numbers *coding, uint64_t context, uint64_t number)
{
	return fathom_code_number(coding->coder, &coding->numbers[context & ((1u << NUMBER_BITS) - 1)], number);
}

bool fathom_coding_bit(struct fathom_coding_numbers *coding, uint64_t context, bool bit)
{
	return fathom_code_bit(coding->coder, &coding->bits[context & ((1u << CONTEXT_BITS) - 1)], bit);
}

uint64_t fathom_coding_fold(uint64_t difference)
{
	return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

uint64_t fathom_coding_unfold(uint64_t number)
{
	return number >> 1 ^ (0 - (number & 1));
}

char *fathom_coding_text(struct fathom_coding_numbers *coding, const char *text)
{
	uint64_t context = fathom_coding_context(FATHOM_CODING_TEXT, 0, 0, 0);
	size_t length = fathom_coding_number(coding, context, text ? strlen(text) : 0), room = 0, i;
	char *result = NULL;
	uint8_t before = 0;

	for (i = 0; i < length && !coding->coder->is_broken; i++) {
		unsigned node = 1, byte = text ? (unsigned char)text[i] : 0, bit;

		for (bit = 8; bit-- > 0;)
			node = node << 1 | fathom_code_bit(coding->coder, &coding->text[before << 8 | node],
							   byte >> bit & 1);
		before = (uint8_t)node;
		if (coding->coder->is_reading) {
			result = fathom_otf2_memory_grow(result, i + 1, &room, 1);
			result[i] = (char)before;
		}
	}
	if (!coding->coder->is_reading)
		return NULL;
	result = fathom_otf2_memory_grow(result, i + 1, &room, 1);
	result[i] = '\0';
	return result;
}

bool fathom_coding_predicted(struct fathom_coding_numbers *coding, const uint64_t contexts[2], uint32_t *number)
{
	struct fathom_coding_prediction *places[2];
	bool is_found = false;
	uint32_t wanted = *number + 1;

	for (int i = 0; i < 2; i++)
		places[i] = &coding->predictions[contexts[i] & ((1u << CONTEXT_BITS) - 1)];
	for (int i = 0; i < 2 && !is_found; i++) {
		struct fathom_coding_prediction *place = places[i];

		if (i && place == places[0])
			break;
		if (place->first)
			is_found = fathom_code_bit(coding->coder, &place->is_first, place->first != wanted) == false;
		if (is_found) {
			wanted = place->first;
		} else if (place->second) {
			is_found = fathom_code_bit(coding->coder, &place->is_second, place->second != wanted) == false;
			if (is_found)
				wanted = place->second;
		}
	}
	if (is_found)
		*number = wanted - 1;
	return is_found;
}

void fathom_coding_learn(struct fathom_coding_numbers *coding, const uint64_t contexts[2], uint32_t number)
{
	for (int i = 0; i < 2; i++) {
		struct fathom_coding_prediction *place = &coding->predictions[contexts[i] & ((1u << CONTEXT_BITS) - 1)];

		if (place->first == number + 1)
			continue;
		place->second = place->first;
		place->first = number + 1;
	}
}

uint64_t fathom_coding_gap(struct fathom_coding_numbers *coding, uint64_t context, uint64_t gap)
{
	uint8_t *length = &coding->lengths[context & ((1u << CONTEXT_BITS) - 1)];

	gap = fathom_coding_number(coding, fathom_coding_context(FATHOM_CODING_GAP, context, *length, 0), gap);
	*length = gap ? (uint8_t)(64 - __builtin_clzll(gap)) : 0;
	return gap;
}
