#include "construct.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "define/region.h"
#include "description.h"
#include "run/runtime.h"
#include "platform/arena.h"
#include "platform/lock.h"
#include "platform/log.h"

#define BUCKETS 256
#define LONGEST_PART 255	/* of a file's name, or of a critical construct's name, in the name of a region */
#define LONGEST_NAME 600

/* The regions of a type of construct. Their names are "!$omp WORD @FILE:LINE"; own and block are such words, NULL: the
 * type has no such region. */
struct shape {
	bool forks;
	bool barrier;
	const char *own;
	const char *block;
	enum fathom_role own_role;
	enum fathom_role block_role;
};

static const struct shape shapes[FATHOM_CONSTRUCT_TYPES] = {
	[FATHOM_CONSTRUCT_ATOMIC] = { .own = "atomic", .own_role = FATHOM_ROLE_ATOMIC },
	[FATHOM_CONSTRUCT_BARRIER] = { .own = "barrier", .own_role = FATHOM_ROLE_BARRIER },
	[FATHOM_CONSTRUCT_CRITICAL] = { .own = "critical", .own_role = FATHOM_ROLE_CRITICAL,
					.block = "critical sblock", .block_role = FATHOM_ROLE_CRITICAL_SBLOCK },
	[FATHOM_CONSTRUCT_DO] = { .barrier = true, .own = "do", .own_role = FATHOM_ROLE_LOOP },
	[FATHOM_CONSTRUCT_FLUSH] = { .own = "flush", .own_role = FATHOM_ROLE_FLUSH },
	[FATHOM_CONSTRUCT_FOR] = { .barrier = true, .own = "for", .own_role = FATHOM_ROLE_LOOP },
	[FATHOM_CONSTRUCT_MASTER] = { .block = "master", .block_role = FATHOM_ROLE_MASTER },
	[FATHOM_CONSTRUCT_ORDERED] = { .own = "ordered", .own_role = FATHOM_ROLE_ORDERED,
				       .block = "ordered sblock", .block_role = FATHOM_ROLE_ORDERED_SBLOCK },
	[FATHOM_CONSTRUCT_PARALLEL] = { .forks = true, .barrier = true },
	[FATHOM_CONSTRUCT_PARALLEL_DO] = { .forks = true, .barrier = true,
					   .own = "do", .own_role = FATHOM_ROLE_LOOP },
	[FATHOM_CONSTRUCT_PARALLEL_FOR] = { .forks = true, .barrier = true,
					    .own = "for", .own_role = FATHOM_ROLE_LOOP },
	[FATHOM_CONSTRUCT_PARALLEL_SECTIONS] = { .forks = true, .barrier = true,
						 .own = "sections", .own_role = FATHOM_ROLE_SECTIONS,
						 .block = "section", .block_role = FATHOM_ROLE_SECTION },
	[FATHOM_CONSTRUCT_PARALLEL_WORKSHARE] = { .forks = true, .barrier = true,
						  .own = "workshare", .own_role = FATHOM_ROLE_WORKSHARE },
	[FATHOM_CONSTRUCT_SECTIONS] = { .barrier = true, .own = "sections", .own_role = FATHOM_ROLE_SECTIONS,
					.block = "section", .block_role = FATHOM_ROLE_SECTION },
	[FATHOM_CONSTRUCT_SINGLE] = { .barrier = true, .own = "single", .own_role = FATHOM_ROLE_SINGLE,
				      .block = "single sblock", .block_role = FATHOM_ROLE_SINGLE_SBLOCK },
	[FATHOM_CONSTRUCT_TASK] = { .own = "create task", .own_role = FATHOM_ROLE_TASK_CREATE,
				    .block = "task", .block_role = FATHOM_ROLE_TASK },
	[FATHOM_CONSTRUCT_TASKWAIT] = { .own = "taskwait", .own_role = FATHOM_ROLE_TASK_WAIT },
	[FATHOM_CONSTRUCT_WORKSHARE] = { .barrier = true, .own = "workshare", .own_role = FATHOM_ROLE_WORKSHARE },
};

static const struct shape untied_task = {
	.own = "create untied", .own_role = FATHOM_ROLE_TASK_CREATE,
	.block = "untied task", .block_role = FATHOM_ROLE_TASK,
};

const struct fathom_construct fathom_construct_none;

/* A construct that was made, found by its regions. Never freed. */
struct unique_construct {
	struct fathom_construct construct;
	struct unique_construct *next;
};

/* The name of critical constructs. Never freed. */
struct name {
	const char *text;
	struct name *next;
};

static struct {
	struct fathom_lock lock;	/* held while a handle is set; the region lock nests in it */
	struct fathom_arena arena;
	struct unique_construct *buckets[BUCKETS];
	struct name *names;
} constructs;

/* Returns the length of a text as an argument of %.*s, cut to LONGEST_PART. */
static int shown_length(size_t length)
{
	return length < LONGEST_PART ? (int)length : LONGEST_PART;
}

/* Defines a region of a construct. word NULL: the construct has no such region. NULL: no region, or no memory. */
static const struct fathom_region *define(const struct fathom_description *description, const char *file,
					  const char *word, enum fathom_role role, uint32_t begin, uint32_t end)
{
	const struct fathom_words *name = &description->name;
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	uint32_t line = description->open_first;
	char text[LONGEST_NAME];
	struct fathom_region spec = { .name = text, .file = file, .begin_line = begin, .end_line = end,
				      .paradigm = FATHOM_PARADIGM_OPENMP, .role = role };

	if (!word)
		return NULL;
	if (name->length && role == FATHOM_ROLE_CRITICAL)
		snprintf(text, sizeof(text), "!$omp %s(%.*s) @%.*s:%u", word, shown_length(name->length), name->text,
			 shown_length(strlen(base)), base, line);
	else
		snprintf(text, sizeof(text), "!$omp %s @%.*s:%u", word, shown_length(strlen(base)), base, line);
	return fathom_region_define(&spec);
}

/* Returns the address by which events name the lock of all critical constructs of a name. All constructs without a name
 * have one lock. NULL: no memory. */
static const void *define_lock(const struct fathom_description *description)
{
	static struct name unnamed;
	const struct fathom_words *words = &description->name;
	struct name *name;

	if (!words->length)
		return &unnamed;
	for (name = constructs.names; name; name = name->next)
		if (strlen(name->text) == words->length && !memcmp(name->text, words->text, words->length))
			return name;
	name = fathom_arena_alloc(&constructs.arena, sizeof(*name));
	if (!name)
		return NULL;
	name->text = fathom_arena_copy(&constructs.arena, words->text, words->length);
	if (!name->text)
		return NULL;
	name->next = constructs.names;
	constructs.names = name;
	return name;
}

/* Defines the region that #pragma pomp inst begin(name) names. */
static const struct fathom_region *define_user(const struct fathom_description *description, const char *file)
{
	const struct fathom_words *name = &description->name;
	char text[LONGEST_NAME];
	struct fathom_region spec = { .name = name->length ? text : "pomp region", .file = file,
				      .begin_line = description->open_first, .end_line = description->close_last,
				      .paradigm = FATHOM_PARADIGM_USER, .role = FATHOM_ROLE_CODE };

	snprintf(text, sizeof(text), "%.*s", shown_length(name->length), name->text);
	return fathom_region_define(&spec);
}

static void define_all(struct fathom_construct *construct, const struct fathom_description *description,
		       const char *file)
{
	const struct fathom_description *d = description;
	const struct shape *shape = &shapes[d->type];

	if (d->type == FATHOM_CONSTRUCT_USER) {
		construct->own = define_user(d, file);
		return;
	}
	if (d->type == FATHOM_CONSTRUCT_TASK && d->untied)
		shape = &untied_task;
	if (shape->forks) {
		construct->parallel = define(d, file, "parallel", FATHOM_ROLE_PARALLEL, d->open_first, d->close_last);
		construct->management = define(d, file, "fork and join", FATHOM_ROLE_ARTIFICIAL, d->open_first,
					       d->close_last);
		construct->own = define(d, file, shape->own, shape->own_role, d->open_last, d->close_first);
	} else {
		construct->own = define(d, file, shape->own, shape->own_role, d->open_first, d->close_last);
	}
	if (d->type == FATHOM_CONSTRUCT_CRITICAL)
		construct->lock = define_lock(d);
	construct->block = define(d, file, shape->block, shape->block_role, d->open_last, d->close_first);
	/* The name has the first line of the construct, as that of the region which the OMPT wrapper defines. */
	if (shape->barrier)
		construct->barrier = define(d, file, "implicit barrier", FATHOM_ROLE_IMPLICIT_BARRIER, d->open_first,
					    d->close_last);
}

/* Returns the construct with these regions, which is added if there is none. NULL: no memory. */
static const struct fathom_construct *find_or_add(const struct fathom_construct *construct)
{
	const struct fathom_region *first = construct->parallel ? construct->parallel :
					    construct->own ? construct->own : construct->block;
	struct unique_construct **bucket;
	struct unique_construct *entry;

	if (!first)
		return NULL;	/* out of memory */
	bucket = &constructs.buckets[first->id % BUCKETS];
	for (entry = *bucket; entry; entry = entry->next) {
		if (!memcmp(&entry->construct, construct, sizeof(*construct)))
			return &entry->construct;
	}
	entry = fathom_arena_alloc(&constructs.arena, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->construct = *construct;
	entry->next = *bucket;
	*bucket = entry;
	return &entry->construct;
}

/* Makes the construct that a text describes. NULL: no memory; the next call tries again. */
static const struct fathom_construct *make(const char *text, size_t length)
{
	static char file[PATH_MAX];	/* under the lock: too large for a small stack */
	struct fathom_construct construct = fathom_construct_none;
	struct fathom_description description;

	if (!fathom_description_read(&description, text, length)) {
		fathom_log(FATHOM_LOG_ERROR, "OpenMP construct not measured: cannot read its description \"%.*s\"",
			   (int)(length < PATH_MAX ? length : PATH_MAX), text);
		return &fathom_construct_none;
	}
	if (description.file.length >= sizeof(file))
		description.file.length = sizeof(file) - 1;
	memcpy(file, description.file.text, description.file.length);
	file[description.file.length] = '\0';
	define_all(&construct, &description, file);
	return find_or_add(&construct);
}

const struct fathom_construct *fathom_construct_birth(void **handle, const char *text, size_t length)
{
	const struct fathom_construct *construct;
	int saved = errno;

	if (!fathom_runtime_measures())
		return &fathom_construct_none;
	fathom_lock_take(&constructs.lock);
	construct = __atomic_load_n(handle, __ATOMIC_RELAXED);	/* another thread was faster */
	if (!construct) {
		construct = make(text, length == FATHOM_TERMINATED ? strlen(text) : length);
		/* Pairs with the acquire in construct.h. */
		__atomic_store_n(handle, (void *)construct, __ATOMIC_RELEASE);
	}
	fathom_lock_give(&constructs.lock);
	errno = saved;
	return construct ? construct : &fathom_construct_none;
}
