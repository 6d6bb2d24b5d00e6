#include "profile/process_tree/sample_lines.h"

#include <stddef.h>
#include <string.h>

#include "platform/arena.h"
#include "profile/recording/sample_store.h"
#include "profile/process_tree/sampled_code.h"

enum { FIRST_TABLE_BITS = 8 };

static struct fathom_sample_line **place_of(const struct fathom_sample_lines *lines,
					    const struct fathom_sample_line *key)
{
	uint64_t hash = key->offset * UINT64_C(0x9e3779b97f4a7c15) ^ key->function * UINT64_C(0xc2b2ae3d27d4eb4f);

	hash ^= hash >> 31 ^ (uint64_t)key->module << 32 ^ (uint64_t)key->event << 8 ^ key->is_call;
	return &lines->table[hash * UINT64_C(0x9e3779b97f4a7c15) >> (64 - lines->table_bits)];
}

/* Makes room in the table for one line more. False: no memory. */
static bool reserve_line(struct fathom_sample_lines *lines)
{
	struct fathom_sample_line **old = lines->table, **table;
	uint8_t before = lines->table_bits, bits = old ? before + 2 : FIRST_TABLE_BITS;

	if (old && lines->line_count < (uint32_t)1 << before)
		return true;
	table = fathom_arena_alloc(lines->arena, sizeof(*table) << bits);
	if (!table)
		return false;
	lines->table = table;
	lines->table_bits = bits;
	for (size_t i = 0; old && i < (size_t)1 << before; i++)
		for (struct fathom_sample_line *line = old[i], *next; line; line = next) {
			struct fathom_sample_line **place = place_of(lines, line);

			next = line->chain;
			line->chain = *place;
			*place = line;
		}
	return true;
}

static bool is_same(const struct fathom_sample_line *a, const struct fathom_sample_line *b)
{
	return a->offset == b->offset && a->function == b->function && a->module == b->module &&
	       a->event == b->event && a->is_call == b->is_call;
}

struct fathom_sample_line *fathom_sample_lines_find(struct fathom_sample_lines *lines,
						    const struct fathom_sample_line *key)
{
	struct fathom_sample_line *line, **place;

	if (!reserve_line(lines))
		return NULL;
	place = place_of(lines, key);
	for (line = *place; line; line = line->chain)
		if (is_same(line, key))
			return line;
	line = fathom_arena_alloc(lines->arena, sizeof(*line));
	if (!line)
		return NULL;
	*line = *key;
	line->samples = 0;
	line->value = 0;
	line->stamp = 0;
	line->chain = *place;
	*place = line;
	lines->line_count++;
	return line;
}

uint32_t fathom_sample_lines_module(struct fathom_sample_lines *lines, const struct fathom_sample_module *module)
{
	for (uint32_t i = 0; i < lines->module_count; i++) {
		const struct fathom_sample_module *other = &lines->modules[i];

		if (other->id_bytes == module->id_bytes && !memcmp(other->id, module->id, module->id_bytes) &&
		    !strcmp(other->path, module->path))
			return i;
	}
	if (!fathom_arena_grow(lines->arena, &lines->modules, &lines->module_room, lines->module_count + 1,
			       sizeof(*lines->modules)))
		return UINT32_MAX;
	lines->modules[lines->module_count] = *module;
	return lines->module_count++;
}

uint32_t fathom_sample_lines_code_module(struct fathom_sample_lines *lines, struct fathom_code_module *module)
{
	struct fathom_sample_module added = { module->path, module->id, module->id_bytes };

	if (!module->number)
		module->number = 1 + fathom_sample_lines_module(lines, &added);
	return module->number - 1;
}

/* Returns whether a frame is left out where recursion is folded: its function is that of the frames around it. */
static bool is_folded(const struct fathom_sampled_path *path, const struct fathom_sampled_path *inner)
{
	const struct fathom_sampled_path *outer = path->parent;

	return inner && outer && path->function && path->function == inner->function &&
	       path->function == outer->function;
}

void fathom_sample_lines_add(struct fathom_sample_lines *lines, struct fathom_code *code,
			     const struct fathom_sampled_path *path, uint32_t event, uint64_t samples, uint64_t value)
{
	struct fathom_sample_line key = { .event = (uint16_t)event };
	const struct fathom_sampled_path *inner = NULL;

	lines->stamp++;
	for (; path; inner = path, path = path->parent, key.is_call = 1) {
		struct fathom_code_module *module;
		struct fathom_sample_line *line;
		uintptr_t begin;
		uint32_t number;

		if (path->kind == FATHOM_SAMPLED_ROOT || path->kind == FATHOM_SAMPLED_PARTIAL ||
		    (lines->folds && is_folded(path, inner)))
			continue;
		module = fathom_code_module(code, path);
		number = module ? fathom_sample_lines_code_module(lines, module) : UINT32_MAX;
		if (number == UINT32_MAX)
			continue;
		key.module = number;
		key.offset = path->address - module->bias;
		begin = fathom_code_begin(code, path);
		key.function = begin ? begin - module->bias : key.offset;
		line = fathom_sample_lines_find(lines, &key);
		if (!line || line->stamp == lines->stamp)
			continue;
		line->stamp = lines->stamp;
		line->samples += samples;
		line->value += value;
	}
}
