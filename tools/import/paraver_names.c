#include "tools/import/paraver_names.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

static bool is_type(const void *types, uint32_t index, const void *wanted)
{
	return ((const struct fathom_paraver_type *)types)[index].number == *(const uint32_t *)wanted;
}

uint32_t fathom_paraver_names_type(struct fathom_paraver_names *names, uint32_t number)
{
	uint64_t hash = fathom_index_hash_number(0, number);
	int64_t index = fathom_index_find(&names->type_index, hash, is_type, names->types, &number);

	if (index >= 0)
		return (uint32_t)index;
	names->types = fathom_tool_grow(names->types, names->type_count, &names->type_room, sizeof(*names->types));
	names->types[names->type_count] = (struct fathom_paraver_type){ .number = number };
	fathom_index_add(&names->type_index, hash, (uint32_t)names->type_count);
	return (uint32_t)names->type_count++;
}

static bool is_value(const void *values, uint32_t index, const void *wanted)
{
	const struct fathom_paraver_value *a = (const struct fathom_paraver_value *)values + index, *b = wanted;

	return a->type == b->type && a->value == b->value;
}

static int64_t find_value(const struct fathom_paraver_names *names, uint32_t type, uint64_t value)
{
	const struct fathom_paraver_value wanted = { .type = type, .value = value };
	uint64_t hash = fathom_index_hash_number(fathom_index_hash_number(0, type), (int64_t)value);

	return fathom_index_find(&names->value_index, hash, is_value, names->values, &wanted);
}

const char *fathom_paraver_names_value(const struct fathom_paraver_names *names, uint32_t type, uint64_t value)
{
	int64_t index = find_value(names, type, value);

	return index < 0 ? NULL : names->values[index].name;
}

/* Returns a copy without the blanks at both ends. */
static char *copy_trimmed(const char *text)
{
	size_t length;
	char *copy;

	text += strspn(text, " \t");
	length = strlen(text);
	while (length && strchr(" \t\r\n", text[length - 1]))
		length--;
	copy = fathom_tool_alloc(1, length + 1);
	return memcpy(copy, text, length);
}

static void add_value(struct fathom_paraver_names *names, uint32_t type, uint64_t value, const char *name)
{
	if (find_value(names, type, value) >= 0)
		return;
	names->values = fathom_tool_grow(names->values, names->value_count, &names->value_room, sizeof(*names->values));
	names->values[names->value_count] = (struct fathom_paraver_value){ type, value, copy_trimmed(name) };
	fathom_index_add(&names->value_index,
			 fathom_index_hash_number(fathom_index_hash_number(0, type), (int64_t)value),
			 (uint32_t)names->value_count++);
	names->types[type].has_end |= value == 0;
	names->types[type].has_names |= value != 0;
}

/* The part of the file that the lines belong to. */
enum part { OTHER, TYPES, VALUES };

/* Takes a line that is no headline. block: the first type of the block whose values follow. */
static void take_line(struct fathom_paraver_names *names, enum part part, const char *line, uint32_t *block_types,
		      size_t *block_count, size_t most)
{
	char *end, *after;
	unsigned long long first = strtoull(line, &end, 10), second;

	if (end == line)
		return;
	if (part == VALUES) {
		for (size_t i = 0; i < *block_count; i++)
			add_value(names, block_types[i], first, end);
		return;
	}
	second = strtoull(end, &after, 10);	/* the first number is a colour */
	if (after == end || second > UINT32_MAX || *block_count == most)
		return;
	block_types[*block_count] = fathom_paraver_names_type(names, (uint32_t)second);
	if (!names->types[block_types[*block_count]].name)
		names->types[block_types[*block_count]].name = copy_trimmed(after);
	++*block_count;
}

int fathom_paraver_names_read(struct fathom_paraver_names *names, const char *path)
{
	enum { MOST_TYPES = 4096 };	/* of one block */
	FILE *file = fopen(path, "re");
	uint32_t *block_types;
	size_t block_count = 0, room = 0;
	enum part part = OTHER;
	char *line = NULL;
	int err = 0;

	if (!file && errno == ENOENT)
		return 0;
	if (!file) {
		err = -errno;
		fathom_tool_error("%s: %s", path, strerror(-err));
		return err;
	}
	block_types = fathom_tool_alloc(MOST_TYPES, sizeof(*block_types));
	while (getline(&line, &room, file) >= 0) {
		if (strncmp(line, "EVENT_TYPE", 10) == 0) {
			part = TYPES;
			block_count = 0;
		} else if (strncmp(line, "VALUES", 6) == 0) {
			part = part == OTHER ? OTHER : VALUES;
		} else if (isalpha((unsigned char)*line)) {
			part = OTHER;
		} else if (part != OTHER) {
			take_line(names, part, line, block_types, &block_count, MOST_TYPES);
		}
	}
	if (ferror(file)) {
		err = -EIO;
		fathom_tool_error("%s: %s", path, strerror(EIO));
	}
	free(block_types);
	free(line);
	fclose(file);
	return err;
}

void fathom_paraver_names_fini(struct fathom_paraver_names *names)
{
	for (size_t i = 0; i < names->type_count; i++)
		free(names->types[i].name);
	for (size_t i = 0; i < names->value_count; i++)
		free(names->values[i].name);
	free(names->types);
	free(names->values);
	fathom_index_fini(&names->type_index);
	fathom_index_fini(&names->value_index);
}
