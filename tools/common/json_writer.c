#include "tools/common/json_writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/profile.h"

json_t *fathom_json_text(const char *bytes)
{
	json_t *string = json_string(bytes);
	char *copy;
	size_t i;

	if (string)
		return string;
	copy = fathom_tool_alloc(strlen(bytes) + 1, 1);
	strcpy(copy, bytes);
	for (i = 0; copy[i]; i++)
		if ((unsigned char)copy[i] >= 0x80)
			copy[i] = '?';
	string = json_string(copy);
	free(copy);
	return string;
}

json_t *fathom_json_number(double value)
{
	if (!isfinite(value) || fathom_value_is_never(value))
		return json_null();
	if (value == floor(value) && fabs(value) < 9e15)
		return json_integer((json_int_t)value);
	return json_real(value);
}

void fathom_json_set_text(json_t *object, const char *key, const char *bytes)
{
	json_object_set_new(object, key, fathom_json_text(bytes));
}

void fathom_json_set_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, fathom_json_number(value));
}

void fathom_json_set_known(json_t *object, const char *key, bool is_known, double value)
{
	json_object_set_new(object, key, is_known ? fathom_json_number(value) : json_null());
}

json_t *fathom_json_statistics(const struct fathom_statistics *statistics)
{
	json_t *object = json_object();

	fathom_json_set_number(object, "threads", statistics->count);
	fathom_json_set_number(object, "mean", fathom_statistics_mean(statistics));
	fathom_json_set_number(object, "deviation", fathom_statistics_deviation(statistics));
	fathom_json_set_number(object, "minimum", statistics->least);
	fathom_json_set_number(object, "maximum", statistics->most);
	fathom_json_set_number(object, "sum", statistics->sum);
	return object;
}

static void put(json_t *value)
{
	if (!value) {
		fathom_tool_error("out of memory");
		exit(FATHOM_TOOL_FAILURE);
	}
	json_dumpf(value, stdout, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17));
	json_decref(value);
}

void fathom_json_member(const char *key, json_t *value)
{
	printf(",\n\"%s\": ", key);
	put(value);
}

void fathom_json_begin_list(const char *key)
{
	printf(",\n\"%s\": [", key);
}

void fathom_json_item(bool is_first, json_t *value)
{
	printf(is_first ? "\n" : ",\n");
	put(value);
}

void fathom_json_end_list(void)
{
	printf("\n]");
}
