#include "cube/dtype.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

/* More bins than any real histogram has. With this limit the bytes of one value fit into 32 bits. */
#define LARGEST_COUNT 1000000

static const struct {
	const char *name;
	uint32_t bytes;
} writable[] = {
	[FATHOM_CUBE_DOUBLE] = { "DOUBLE", 8 },
	[FATHOM_CUBE_UINT64] = { "UINT64", 8 },
	[FATHOM_CUBE_INT64] = { "INT64", 8 },
	[FATHOM_CUBE_UINT32] = { "UINT32", 4 },
	[FATHOM_CUBE_INT32] = { "INT32", 4 },
	[FATHOM_CUBE_UINT16] = { "UINT16", 2 },
	[FATHOM_CUBE_INT16] = { "INT16", 2 },
	[FATHOM_CUBE_UINT8] = { "UINT8", 1 },
	[FATHOM_CUBE_INT8] = { "INT8", 1 },
	[FATHOM_CUBE_MINDOUBLE] = { "MINDOUBLE", 8 },
	[FATHOM_CUBE_MAXDOUBLE] = { "MAXDOUBLE", 8 },
	[FATHOM_CUBE_TUPLE] = { "TAU_ATOMIC", sizeof(struct fathom_cube_tuple) },
};

/* Names of types that other programs write; fathom only reads them. */
static const struct {
	const char *name;
	enum fathom_cube_dtype dtype;
} synonyms[] = {
	{ "FLOAT", FATHOM_CUBE_DOUBLE },
	{ "UNSIGNED INTEGER", FATHOM_CUBE_UINT64 },
	{ "INTEGER", FATHOM_CUBE_INT64 },
	{ "SIGNED INTEGER", FATHOM_CUBE_INT64 },
	{ "UNSIGNED INT", FATHOM_CUBE_UINT32 },
	{ "INT", FATHOM_CUBE_INT32 },
	{ "SIGNED INT", FATHOM_CUBE_INT32 },
	{ "UNSIGNED SHORT INT", FATHOM_CUBE_UINT16 },
	{ "SHORT UNSIGNED INT", FATHOM_CUBE_UINT16 },
	{ "SHORT INT", FATHOM_CUBE_INT16 },
	{ "SIGNED SHORT INT", FATHOM_CUBE_INT16 },
	{ "CHAR", FATHOM_CUBE_UINT8 },
	{ "COMPLEX", FATHOM_CUBE_COMPLEX },
	{ "RATE", FATHOM_CUBE_RATE },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

uint32_t fathom_cube_dtype_bytes(enum fathom_cube_dtype dtype, uint32_t count)
{
	if ((size_t)dtype < COUNT(writable))
		return writable[dtype].bytes;
	switch (dtype) {
	case FATHOM_CUBE_COMPLEX:
	case FATHOM_CUBE_RATE:
		return 16;
	case FATHOM_CUBE_HISTOGRAM:
		return 16 + 8 * count;
	case FATHOM_CUBE_NDOUBLES:
		return 8 * count;
	default:
		return 0;
	}
}

uint32_t fathom_cube_value_bytes(const struct fathom_cube_metric *metric)
{
	return fathom_cube_dtype_bytes(metric->dtype, metric->dtype_count);
}

const char *fathom_cube_dtype_name(enum fathom_cube_dtype dtype)
{
	return (size_t)dtype < COUNT(writable) ? writable[dtype].name : "";
}

/* Returns whether text is "NAME(n)", and sets *count to n, or to 0 if n is not a number from 1 to LARGEST_COUNT. */
static bool counted(const char *text, const char *name, uint32_t *count)
{
	size_t length = strlen(name);
	uint32_t number = 0;

	*count = 0;
	if (strncmp(text, name, length) || (text[length] && text[length] != '('))
		return false;
	for (text += length; *text; text++) {
		if (*text >= '0' && *text <= '9')
			number = number * 10 + (uint32_t)(*text - '0');
		else if (*text == ')' && !text[1])
			*count = number;
		else if (*text != '(' && *text != ' ')
			return true;
		if (number > LARGEST_COUNT)
			return true;
	}
	return true;
}

bool fathom_cube_dtype_parse(const char *text, enum fathom_cube_dtype *dtype, uint32_t *count)
{
	*count = 0;
	for (size_t i = 0; i < COUNT(writable); i++) {
		if (strcmp(text, writable[i].name) == 0) {
			*dtype = (enum fathom_cube_dtype)i;
			return true;
		}
	}
	for (size_t i = 0; i < COUNT(synonyms); i++) {
		if (strcmp(text, synonyms[i].name) == 0) {
			*dtype = synonyms[i].dtype;
			return true;
		}
	}
	if (counted(text, "HISTOGRAM", count))
		*dtype = FATHOM_CUBE_HISTOGRAM;
	else if (counted(text, "NDOUBLES", count))
		*dtype = FATHOM_CUBE_NDOUBLES;
	else {
		*dtype = FATHOM_CUBE_OTHER;
		return true;
	}
	return *count > 0;
}

double fathom_cube_dtype_neutral(enum fathom_cube_dtype dtype)
{
	if (dtype == FATHOM_CUBE_MINDOUBLE)
		return DBL_MAX;
	return dtype == FATHOM_CUBE_MAXDOUBLE ? -DBL_MAX : 0;
}
