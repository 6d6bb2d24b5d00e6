#include "trace/records/parameter_records.h"

#include <errno.h>
#include <string.h>

#include "define/parameter.h"
#include "platform/catalog.h"
#include "platform/helper.h"
#include "platform/lock.h"
#include "trace/records/record.h"

#define WRITE(...) FATHOM_TRACE_PUT(trace, __VA_ARGS__)

/* --- texts --------------------------------------------------------------------------------------- */

static size_t hash_of(const void *text)
{
	return ((const struct fathom_trace_text *)text)->hash;
}

static struct {
	struct fathom_lock lock;	/* held while a text is added; no lock is taken inside */
	struct fathom_arena arena;
	struct fathom_catalog catalog;	/* struct fathom_trace_text, by hash */
	struct fathom_trace_text *first, *last;
} texts = { .catalog.hash = hash_of };

static struct fathom_trace_text *find(const struct fathom_parameter_value *value)
{
	struct fathom_catalog_search search = fathom_catalog_search(&texts.catalog, value->number);
	struct fathom_trace_text *text;

	while ((text = fathom_catalog_next(&search)) != NULL)
		if (text->hash == value->number && text->length == value->length &&
		    !memcmp(text->bytes, value->text, value->length))
			break;
	return text;
}

/* Adds a text. NULL: no memory. The caller holds the lock. */
static struct fathom_trace_text *make(const struct fathom_parameter_value *value)
{
	struct fathom_trace_text *text = NULL;

	if (!fathom_catalog_make_room(&texts.catalog, &texts.arena))
		text = fathom_arena_alloc(&texts.arena, sizeof(*text) + value->length + 1);
	if (!text)
		return NULL;
	text->hash = value->number;
	text->index = (uint32_t)texts.catalog.count;
	text->length = (uint32_t)value->length;
	memcpy(text->bytes, value->text, value->length);
	/* Whoever copies the list for a run snapshot finds complete texts in it. */
	__atomic_store_n(texts.last ? &texts.last->next : &texts.first, text, __ATOMIC_RELEASE);
	texts.last = text;
	fathom_catalog_add(&texts.catalog, text);
	return text;
}

static FATHOM_COLD const struct fathom_trace_text *add(const struct fathom_parameter_value *value)
{
	struct fathom_trace_text *text;

	fathom_lock_take(&texts.lock);
	text = find(value);
	if (!text)
		text = make(value);
	fathom_lock_give(&texts.lock);
	return text;
}

uint32_t fathom_trace_text_number(const char *text, size_t length)
{
	struct fathom_parameter_value value = fathom_parameter_text(text, length);
	const struct fathom_trace_text *added;

	value.length = length;		/* the hash is that of the first bytes */
	added = add(&value);
	return added ? FATHOM_TRACE_FIRST_TEXT + added->index : 0;
}

/* Lists the texts, each as a character, the text and a NUL. */
static int list_texts(struct fathom_pool *pool, struct fathom_arena *arena)
{
	for (const struct fathom_trace_text *text = texts.first; text; text = text->next) {
		char *copy = fathom_arena_alloc(arena, (size_t)text->length + 2);

		if (!copy)
			return -ENOMEM;
		copy[0] = '0' + FATHOM_TRACE_FIRST_TEXT;
		memcpy(copy + 1, text->bytes, text->length);
		if (fathom_pool_add(pool, copy, text->length + 2) != FATHOM_TRACE_FIRST_TEXT + text->index)
			return -ENOMEM;
	}
	return 0;
}

/* The first character of each string distinguishes the name, the arguments and the texts if they are equal. */
int fathom_trace_strings_list(struct fathom_pool *pool, struct fathom_arena *arena, const struct fathom_result *result)
{
	const char *slash = strrchr(result->program, '/');
	const char *const strings[] = { slash ? slash + 1 : result->program, result->arguments };

	for (uint32_t i = 0; i < 2; i++) {
		size_t bytes = strlen(strings[i]) + 2;
		char *copy = fathom_arena_alloc(arena, bytes);

		if (!copy)
			return -ENOMEM;
		copy[0] = (char)('0' + i);
		memcpy(copy + 1, strings[i], bytes - 1);
		if (fathom_pool_add(pool, copy, (uint32_t)bytes) != i)
			return -ENOMEM;
	}
	return list_texts(pool, arena);
}

/* --- records ------------------------------------------------------------------------------------- */

void fathom_trace_parameter(struct fathom_location *self, const struct fathom_parameter *parameter,
			    const struct fathom_parameter_value *value)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	const struct fathom_trace_text *text;

	if (!trace)
		return;
	switch (parameter->kind) {
	case FATHOM_PARAMETER_KIND_INTEGER:
		WRITE(trace->buffer.last_ticks, FATHOM_RECORD_PARAMETER_INT, parameter->id, value->number);
		return;
	case FATHOM_PARAMETER_KIND_UNSIGNED:
		WRITE(trace->buffer.last_ticks, FATHOM_RECORD_PARAMETER_UNSIGNED_INT, parameter->id, value->number);
		return;
	case FATHOM_PARAMETER_KIND_TEXT:
		text = find(value);
		if (!text)
			text = add(value);
		if (text)
			WRITE(trace->buffer.last_ticks, FATHOM_RECORD_PARAMETER_STRING, parameter->id,
			      FATHOM_TRACE_FIRST_TEXT + text->index);
		return;
	}
}

void fathom_trace_iteration(struct fathom_location *self, uint64_t number)
{
	static const char name[] = "iteration";
	static const struct fathom_parameter *iteration;	/* NULL: not looked up yet. Threads that race find
								 * the same one; acquire and release */
	const struct fathom_parameter *parameter = __atomic_load_n(&iteration, __ATOMIC_ACQUIRE);
	const struct fathom_parameter_value value = { .number = number };

	if (unlikely(!parameter)) {
		parameter = fathom_parameter_define(name, sizeof(name) - 1, FATHOM_PARAMETER_KIND_UNSIGNED);
		__atomic_store_n(&iteration, parameter, __ATOMIC_RELEASE);
	}
	if (parameter)
		fathom_trace_parameter(self, parameter, &value);
}

/* --- run snapshots ------------------------------------------------------------------------------- */

FATHOM_IN_HELPER void fathom_trace_texts_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots)
{
	roots->first_text = (uintptr_t)fathom_peek(&texts.first);
	copy->put_arena(copy->to, &texts.arena);
}

int fathom_trace_text_restore(const char *text, uint32_t length)
{
	/* The number only has to differ from that of other texts, because this text is never searched. */
	const struct fathom_parameter_value value = { .number = texts.catalog.count, .text = text, .length = length };

	return make(&value) ? 0 : -ENOMEM;
}

uint32_t fathom_trace_text_count(void)
{
	return FATHOM_TRACE_FIRST_TEXT + (uint32_t)texts.catalog.count;
}
