#include "trace/definitions/context_definitions.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "define/region.h"

struct digest {
	uint64_t a, b;
};

/* A context as an entry of the pool. If it has a place, the path of the module follows, with its NUL. */
struct context_thing {
	struct digest self, parent, region;	/* parent: zero if there is none */
	uint64_t offset;
};

/* --- digests -------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return sum ^ sum >> 32;
}

static struct digest digest_of(const void *data, size_t bytes)
{
	struct digest digest = { UINT64_C(0xcbf29ce484222325), UINT64_C(0x6c62272e07bb0142) };
	const char *at = data;

	for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
		uint64_t word = bytes;

		memcpy(&word, at + i, bytes - i < sizeof(word) ? bytes - i : sizeof(word));
		digest.a = mix(digest.a, word);
		digest.b = mix(digest.b, ~word * UINT64_C(0xc2b2ae3d27d4eb4f));
	}
	return digest;
}

static struct digest region_digest(const struct fathom_pool *regions, uint32_t region)
{
	return digest_of(regions->things[region].data, regions->things[region].bytes);
}

/* --- the part of this process ---------------------------------------------------------------------------- */

static int add_context(struct fathom_pool *contexts, const struct fathom_pool *regions, uint32_t number,
		       struct digest *digests, struct fathom_arena *arena)
{
	const struct fathom_calling_context *context = fathom_calling_context_at(number);
	const char *module = context->module ? fathom_code_module_path(context->module - 1) : "";
	size_t length = context->module ? strlen(module) + 1 : 0;
	struct context_thing thing = { .region = region_digest(regions, context->region), .offset = context->offset };
	char *data = fathom_arena_alloc(arena, sizeof(thing) + length);

	if (!data)
		return -ENOMEM;
	if (context->parent != FATHOM_NO_CONTEXT)
		thing.parent = digests[context->parent];
	memcpy(data, &thing, sizeof(thing));
	memcpy(data + sizeof(thing), module, length);
	thing.self = digests[number] = digest_of(data, sizeof(thing) + length);
	memcpy(data, &thing, sizeof(thing));
	return fathom_pool_add(contexts, data, (uint32_t)(sizeof(thing) + length)) == number ? 0 : -ENOMEM;
}

static int list_contexts(struct fathom_pool *contexts, const struct fathom_pool *regions)
{
	uint32_t count = fathom_calling_context_count();
	struct fathom_arena arena = { 0 };
	struct digest *digests = fathom_arena_alloc(&arena, (count + 1) * sizeof(*digests));
	int err = digests ? 0 : -ENOMEM;

	for (uint32_t i = 0; !err && i < count; i++)
		err = add_context(contexts, regions, i, digests, &arena);
	fathom_arena_fini(&arena);
	return err;
}

static int list_generators(struct fathom_pool *generators)
{
	for (uint32_t i = 0; i < fathom_trace_generator_count(); i++) {
		uint32_t bytes;
		const struct fathom_trace_generator *generator = fathom_trace_generator_at(i, &bytes);

		if (fathom_pool_add(generators, generator, bytes) != i)
			return -ENOMEM;
	}
	return 0;
}

int fathom_context_pools_list(struct fathom_context_pools *pools, const struct fathom_pool *regions)
{
	int err = list_contexts(&pools->contexts, regions);

	return err ? err : list_generators(&pools->generators);
}

int fathom_context_pools_reduce(struct fathom_context_pools *pools, struct fathom_comm *comm)
{
	int err = fathom_pool_reduce(&pools->contexts, comm);

	return err ? err : fathom_pool_reduce(&pools->generators, comm);
}

/* --- rank 0 ------------------------------------------------------------------------------------------------ */

/* The state of writing contexts. The pools number what was found: */
struct writing {
	struct fathom_trace_writing *w;
	const uint32_t *region_names;
	struct fathom_arena arena;
	struct fathom_pool regions;	/* digests of regions, by number in the union */
	struct fathom_pool contexts;	/* digests of contexts, by number in the union */
	struct fathom_pool places;	/* offset and module */
	uint32_t *lines;		/* by place: its source code location; OTF2_UNDEFINED_SOURCE_CODE_LOCATION: not
					 * known */
	uint32_t line_room;
	struct fathom_pool locations;	/* file and line, by number in the trace */
	struct fathom_pool written;	/* parent, region and location, by number in the trace */
	uint32_t *names;		/* by number in the union: number in the trace */
};

/* Adds the bytes to a pool. *is_new: the pool did not have them. Returns their number; 0 after an error. */
static uint32_t number_of(struct writing *writing, struct fathom_pool *pool, const void *data, size_t bytes,
			  bool *is_new)
{
	uint32_t count = pool->count;
	int64_t number = fathom_pool_add(pool, data, (uint32_t)bytes);

	*is_new = number == count;
	if (number >= 0)
		return (uint32_t)number;
	writing->w->err = -ENOMEM;
	return 0;
}

/* Returns the source code location of a place, which is written if it is new. */
static uint32_t find_line(struct writing *writing, const char *module, uint64_t offset)
{
	struct fathom_trace_writing *w = writing->w;
	/* A construct's place in the source is that of the code at its offset. So the lookup for constructs finds the
	 * line of any code. */
	struct fathom_region region = { .module = module, .offset = offset, .canonical = "",
					.paradigm = FATHOM_PARADIGM_OPENMP, .role = FATHOM_ROLE_CODE };
	uint32_t key[2], location;
	bool is_new;

	if (w->result->resolve)
		w->result->resolve(&region, true);
	if (!region.file || !region.begin_line)
		return OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
	key[0] = fathom_trace_text(w, region.file);
	key[1] = region.begin_line;
	location = number_of(writing, &writing->locations, key, sizeof(key), &is_new);
	if (is_new)
		DEFINE(OTF2_GlobalDefWriter_WriteSourceCodeLocation, location, key[0], key[1]);
	return location;
}

/* Returns the source code location of a context's place. Many contexts have the same place. */
static uint32_t line_of(struct writing *writing, const struct fathom_pool_thing *from,
			const struct context_thing *thing)
{
	const char *module = (const char *)from->data + sizeof(*thing);
	size_t at = offsetof(struct context_thing, offset);
	uint32_t place;
	bool is_new;

	if (from->bytes == sizeof(*thing))
		return OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
	place = number_of(writing, &writing->places, (const char *)from->data + at, from->bytes - at, &is_new);
	if (!fathom_arena_grow(&writing->arena, &writing->lines, &writing->line_room, place + 1,
			       sizeof(*writing->lines))) {
		writing->w->err = -ENOMEM;
		return OTF2_UNDEFINED_SOURCE_CODE_LOCATION;
	}
	if (is_new)
		writing->lines[place] = find_line(writing, module, thing->offset);
	return writing->lines[place];
}

static void write_context(struct writing *writing, const struct fathom_pool_thing *from, uint32_t number)
{
	static const struct digest none;
	struct fathom_trace_writing *w = writing->w;
	struct context_thing thing;
	uint32_t key[3] = { OTF2_UNDEFINED_CALLING_CONTEXT };
	int64_t region, parent;
	bool is_new;

	memcpy(&thing, from->data, sizeof(thing));
	if (number_of(writing, &writing->contexts, &thing.self, sizeof(thing.self), &is_new) != number)
		w->err = w->err ? w->err : -EIO;
	region = fathom_pool_find(&writing->regions, &thing.region, sizeof(thing.region));
	parent = fathom_pool_find(&writing->contexts, &thing.parent, sizeof(thing.parent));
	if (region < 0 || (parent < 0 && memcmp(&thing.parent, &none, sizeof(none))))
		w->err = w->err ? w->err : -EIO;
	if (w->err)
		return;
	if (parent >= 0)
		key[0] = writing->names[parent];
	key[1] = writing->region_names[region];
	key[2] = line_of(writing, from, &thing);
	writing->names[number] = number_of(writing, &writing->written, key, sizeof(key), &is_new);
	if (is_new)
		DEFINE(OTF2_GlobalDefWriter_WriteCallingContext, writing->names[number], key[1], key[2], key[0]);
}

static void write_contexts(struct fathom_context_pools *pools, struct fathom_trace_writing *w,
			   const struct fathom_pool *regions, const uint32_t *region_names)
{
	const struct fathom_pool *contexts = &pools->contexts;
	struct writing writing = { .w = w, .region_names = region_names };
	bool is_new;

	pools->names = fathom_arena_alloc(&pools->contexts.arena, (contexts->count + 1) * sizeof(*pools->names));
	writing.names = pools->names;
	if (!writing.names)
		w->err = -ENOMEM;
	for (uint32_t i = 0; !w->err && contexts->count && i < regions->count; i++) {
		struct digest digest = region_digest(regions, i);

		number_of(&writing, &writing.regions, &digest, sizeof(digest), &is_new);
	}
	for (uint32_t i = 0; !w->err && i < contexts->count; i++)
		write_context(&writing, &contexts->things[i], i);
	fathom_pool_fini(&writing.regions);
	fathom_pool_fini(&writing.contexts);
	fathom_pool_fini(&writing.places);
	fathom_pool_fini(&writing.locations);
	fathom_pool_fini(&writing.written);
	fathom_arena_fini(&writing.arena);
}

static void write_generators(struct fathom_trace_writing *w, const struct fathom_pool *generators)
{
	for (uint32_t i = 0; i < generators->count; i++) {
		const char *name = (const char *)generators->things[i].data + sizeof(struct fathom_trace_generator);
		struct fathom_trace_generator generator;

		memcpy(&generator, generators->things[i].data, sizeof(generator));
		DEFINE(OTF2_GlobalDefWriter_WriteInterruptGenerator, i, fathom_trace_text(w, name),
		       generator.is_time ? OTF2_INTERRUPT_GENERATOR_MODE_TIME : OTF2_INTERRUPT_GENERATOR_MODE_COUNT,
		       OTF2_BASE_DECIMAL, generator.is_time ? -9 : 0, generator.period);
	}
}

void fathom_context_pools_write(struct fathom_context_pools *pools, struct fathom_trace_writing *w,
				const struct fathom_pool *regions, const uint32_t *region_names)
{
	if (!w->err && (pools->contexts.err || pools->generators.err))
		w->err = -ENOMEM;
	if (!w->err)
		write_contexts(pools, w, regions, region_names);
	if (!w->err)
		write_generators(w, &pools->generators);
}

/* --- all ranks --------------------------------------------------------------------------------------------- */

int fathom_context_pools_hand_back(struct fathom_context_pools *pools, struct fathom_comm *comm,
				   struct fathom_context_numbers *numbers)
{
	struct fathom_arena *arena = &pools->contexts.arena;
	int err;

	numbers->context_count = pools->contexts.own;
	numbers->contexts = fathom_arena_alloc(arena, (pools->contexts.own + 1) * sizeof(*numbers->contexts));
	numbers->generators = fathom_arena_alloc(arena, (pools->generators.own + 1) * sizeof(*numbers->generators));
	if (!numbers->contexts || !numbers->generators)
		return -ENOMEM;
	err = fathom_pool_hand_back(&pools->contexts, comm, pools->names, numbers->contexts);
	return err ? err : fathom_pool_hand_back(&pools->generators, comm, NULL, numbers->generators);
}

void fathom_context_pools_fini(struct fathom_context_pools *pools)
{
	fathom_pool_fini(&pools->contexts);
	fathom_pool_fini(&pools->generators);
}
