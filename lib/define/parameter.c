#include "define/parameter.h"

#include <stdbool.h>
#include <string.h>

#include "define/region.h"
#include "platform/arena.h"
#include "platform/catalog.h"
#include "platform/lock.h"
#include "platform/log.h"

enum { MOST_PARAMETERS = 1024, MOST_AT_ONCE = 32 };

static size_t hash_of(const void *given);

static struct {
	struct fathom_lock lock;	/* held while a parameter, or a region with one, is made; the region lock nests
					 * in it */
	struct fathom_arena arena;
	struct fathom_parameter parameters[MOST_PARAMETERS];
	uint32_t count;			/* released; pairs with fathom_parameter_count */
	struct fathom_catalog given;	/* struct fathom_parameter_given */
} parameters = { .given.hash = hash_of };

uint32_t fathom_parameter_count(void)
{
	return __atomic_load_n(&parameters.count, __ATOMIC_ACQUIRE);
}

const struct fathom_parameter *fathom_parameter_by_id(uint32_t id)
{
	return &parameters.parameters[id];
}

const struct fathom_arena *fathom_parameter_arena(void)
{
	return &parameters.arena;
}

static bool is_named(const struct fathom_parameter *parameter, const char *name, size_t length)
{
	return !strncmp(parameter->name, name, length) && !parameter->name[length];
}

const struct fathom_parameter *fathom_parameter_define(const char *name, size_t length, enum fathom_parameter_kind kind)
{
	struct fathom_parameter *found = NULL;

	fathom_lock_take(&parameters.lock);
	for (uint32_t i = 0; !found && i < parameters.count; i++)
		if (parameters.parameters[i].kind == kind && is_named(&parameters.parameters[i], name, length))
			found = &parameters.parameters[i];
	if (!found && parameters.count < MOST_PARAMETERS) {
		found = &parameters.parameters[parameters.count];
		found->name = fathom_arena_copy(&parameters.arena, name, length);
		found->kind = kind;
		found->id = parameters.count;
		if (found->name)
			__atomic_store_n(&parameters.count, parameters.count + 1, __ATOMIC_RELEASE);
		else
			found = NULL;
	}
	fathom_lock_give(&parameters.lock);
	return found;
}

/* --- regions with parameters --------------------------------------------------------------------- */

static size_t hash(const struct fathom_region *base, const struct fathom_parameter *parameter, uint64_t number)
{
	uint64_t hash = (uintptr_t)base * 0x9e3779b97f4a7c15u ^ (uintptr_t)parameter;

	hash = (hash ^ number) * 0xff51afd7ed558ccdu;
	return (size_t)(hash ^ hash >> 32);
}

static size_t hash_of(const void *thing)
{
	const struct fathom_parameter_given *given = thing;

	return hash(given->base, given->parameter, given->value.number);
}

static struct fathom_parameter_given *find(const struct fathom_region *base, const struct fathom_parameter *parameter,
			  const struct fathom_parameter_value *value)
{
	struct fathom_catalog_search search =
		fathom_catalog_search(&parameters.given, hash(base, parameter, value->number));
	struct fathom_parameter_given *entry;

	while ((entry = fathom_catalog_next(&search)) != NULL) {
		if (entry->base != base || entry->parameter != parameter || entry->value.number != value->number)
			continue;
		if (!entry->value.text ||
		    (entry->value.length == value->length && !memcmp(entry->value.text, value->text, value->length)))
			break;
	}
	return entry;
}

/* Writes the lines of base and one for the parameter. A value must not contain a line feed. */
static void describe(char *text, size_t bytes, const struct fathom_region *base,
		     const struct fathom_parameter_given *entry)
{
	const char *before = base->parameters ? base->parameters : "", *name = entry->parameter->name;
	int length;

	switch (entry->parameter->kind) {
	case FATHOM_PARAMETER_KIND_INTEGER:
		fathom_format(text, bytes, "%si%s=%lld\n", before, name, (long long)entry->value.integer);
		return;
	case FATHOM_PARAMETER_KIND_UNSIGNED:
		fathom_format(text, bytes, "%su%s=%llu\n", before, name, (unsigned long long)entry->value.number);
		return;
	case FATHOM_PARAMETER_KIND_TEXT:
		length = fathom_format(text, bytes, "%ss%s=%s\n", before, name, entry->value.text);
		for (char *at = text + length - 2; at >= text + length - 1 - (int)entry->value.length; at--)
			if (*at == '\n')
				*at = ' ';
		return;
	}
}

static struct fathom_parameter_given *make(const struct fathom_region *base, const struct fathom_parameter *parameter,
			  const struct fathom_parameter_value *value)
{
	size_t bytes = (base->parameters ? strlen(base->parameters) : 0) + strlen(parameter->name) +
		       FATHOM_PARAMETER_MOST_BYTES + 32;
	struct fathom_parameter_given *entry = fathom_arena_alloc(&parameters.arena, sizeof(*entry));
	char *text = fathom_arena_alloc(&parameters.arena, bytes);
	struct fathom_region spec = *base;

	if (!entry || !text)
		return NULL;
	entry->base = base;
	entry->parameter = parameter;
	entry->value.number = value->number;
	if (parameter->kind == FATHOM_PARAMETER_KIND_TEXT) {
		entry->value.length = value->length;
		entry->value.text = fathom_arena_copy(&parameters.arena, value->text, value->length);
		if (!entry->value.text)
			return NULL;
	}
	describe(text, bytes, base, entry);
	spec.parameters = text;
	spec.given = entry;
	spec.switched = FATHOM_SWITCH_ON;
	spec.is_of_profile = true;
	entry->region = fathom_region_define(&spec);
	return entry->region ? entry : NULL;
}

bool fathom_parameter_is_given(const struct fathom_region *region, const struct fathom_parameter *parameter)
{
	for (; region->given; region = region->given->base)
		if (region->given->parameter == parameter)
			return true;
	return false;
}

const struct fathom_region *fathom_parameter_plain(const struct fathom_region *region)
{
	while (region->given)
		region = region->given->base;
	return region;
}

static const struct fathom_region *with(const struct fathom_region *base, const struct fathom_parameter *parameter,
					const struct fathom_parameter_value *value)
{
	struct fathom_parameter_given *entry = find(base, parameter, value);

	if (likely(entry))
		return entry->region;
	fathom_lock_take(&parameters.lock);
	entry = find(base, parameter, value);
	if (!entry && !fathom_catalog_make_room(&parameters.given, &parameters.arena)) {
		entry = make(base, parameter, value);
		if (entry)
			fathom_catalog_add(&parameters.given, entry);
	}
	fathom_lock_give(&parameters.lock);
	return entry ? entry->region : NULL;
}

const struct fathom_region *fathom_parameter_region(const struct fathom_region *base,
						    const struct fathom_parameter *parameter,
						    const struct fathom_parameter_value *value)
{
	const struct fathom_parameter_given *before[MOST_AT_ONCE];
	const struct fathom_region *region = base;
	int count = 0;

	if (!fathom_parameter_is_given(base, parameter))
		return with(base, parameter, value);
	/* Replace the value of the parameter and add the later parameters again. */
	for (; region->given->parameter != parameter; region = region->given->base) {
		if (count == MOST_AT_ONCE)
			return NULL;
		before[count++] = region->given;
	}
	region = with(region->given->base, parameter, value);
	while (region && count) {
		count--;
		region = with(region, before[count]->parameter, &before[count]->value);
	}
	return region;
}
