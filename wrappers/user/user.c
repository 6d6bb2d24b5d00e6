/*
 * user: the functions of fathom's API for C and C++ (include/fathom/fathom.h).
 *
 * Each use of a macro has a place (struct fathom_place_), which keeps the region or parameter that the first execution
 * has found. Threads that execute a place at the same time find the same.
 */
#define FATHOM_USER
#include "fathom/fathom.h"

#include <stdbool.h>
#include <string.h>

#include "define/parameter.h"
#include "define/region.h"
#include "define/topology.h"
#include "event/event.h"
#include "event/nesting.h"
#include "platform/compiler.h"
#include "user/metric.h"
#include "user/topology.h"
#include "user/user.h"

static const void *known(const struct fathom_place_ *place)
{
	/* Pairs with the store in keep(). */
	return __atomic_load_n(&place->known, __ATOMIC_ACQUIRE);
}

static void keep(struct fathom_place_ *place, const void *what)
{
	__atomic_store_n(&place->known, what, __ATOMIC_RELEASE);
}

/* --- regions ------------------------------------------------------------------------------------- */

/* The name of regions whose name is empty: the result's formats do not allow empty names. */
static const char no_name[] = "{no name}";

const struct fathom_region *fathom_user_region(const char *name, const char *file, unsigned line, unsigned kind)
{
	static const enum fathom_role roles[] = {
		[FATHOM_KIND_FUNCTION_] = FATHOM_ROLE_FUNCTION,
		[FATHOM_KIND_REGION_] = FATHOM_ROLE_CODE,
		[FATHOM_KIND_LOOP_] = FATHOM_ROLE_LOOP,
		[FATHOM_KIND_PHASE_] = FATHOM_ROLE_DYNAMIC,
	};
	const struct fathom_region spec = {
		.name = *name ? name : no_name,
		.file = file,
		.begin_line = line,
		.paradigm = FATHOM_PARADIGM_USER,
		.role = kind < sizeof(roles) / sizeof(roles[0]) ? roles[kind] : FATHOM_ROLE_UNKNOWN,
	};

	return fathom_region_define(&spec);
}

static FATHOM_COLD const struct fathom_region *bind_region(struct fathom_place_ *place)
{
	const struct fathom_region *region = fathom_user_region(place->name, place->file, place->line, place->kind);

	keep(place, region);
	return region;
}

static const struct fathom_region *region_of(struct fathom_place_ *place)
{
	const struct fathom_region *region = known(place);

	return likely(region) ? region : bind_region(place);
}

FATHOM_API void fathom_user_begin(struct fathom_place_ *place)
{
	const struct fathom_region *region = region_of(place);

	if (likely(region))
		fathom_event_enter_block(region);
}

FATHOM_API void fathom_user_begin_iteration(struct fathom_place_ *place, uint64_t number)
{
	const struct fathom_region *region = region_of(place);

	if (unlikely(!region))
		return;
	fathom_event_enter_block(region);
	if (likely(fathom_event_innermost() == region))
		fathom_event_iteration(number);
}

/* Exits the region called name, whose place does not know it yet or which is not the innermost one. Returns the region;
 * NULL: there is none, or nothing is recorded. */
static const struct fathom_region *leave(const char *name, size_t length, const char *file, size_t file_length,
					 unsigned line)
{
	const struct fathom_region *region =
		length ? fathom_event_find_user(name, length) : fathom_event_find_user(no_name, strlen(no_name));
	const struct fathom_region *innermost = fathom_event_innermost();

	if (region == innermost && region) {
		fathom_event_exit(region);
		return region;
	}
	if (!fathom_event_recording())
		return NULL;
	if (region)
		fathom_event_exit(region);	/* also ends the regions inside it, and notes that */
	else
		fathom_nesting_note_end(name, length, file, file_length, line, innermost);
	return region;
}

void fathom_user_leave(const char *name, size_t length, const char *file, size_t file_length, unsigned line)
{
	leave(name, length, file, file_length, line);
}

FATHOM_API void fathom_user_end(struct fathom_place_ *place)
{
	const struct fathom_region *region = known(place), *left;

	if (likely(region && fathom_event_innermost() == region)) {
		fathom_event_exit(region);
		return;
	}
	left = leave(place->name, strlen(place->name), place->file, strlen(place->file), place->line);
	/* The place of a scope keeps the region that its begin has found. */
	if (left && left != region && !place->kind)
		keep(place, left);
	else if (left && !region)
		keep(place, left);
}

FATHOM_API void fathom_user_begin_named(const char *name, const char *file, unsigned line)
{
	const struct fathom_user_name given = {
		.name = name ? name : "",
		.length = name ? strlen(name) : 0,
		.file = file,
		.file_length = strlen(file),
		.line = line,
		.kind = FATHOM_KIND_REGION_,
	};
	const struct fathom_region *region = fathom_user_named_region(&given);

	if (likely(region))
		fathom_event_enter_block(region);
}

FATHOM_API void fathom_user_end_named(const char *name, const char *file, unsigned line)
{
	fathom_user_leave(name ? name : "", name ? strlen(name) : 0, file, strlen(file), line);
}

/* --- recording ----------------------------------------------------------------------------------- */

FATHOM_API void fathom_user_record(int on)
{
	fathom_event_record(on);
}

FATHOM_API int fathom_user_is_recording(void)
{
	return fathom_event_is_recording();
}

FATHOM_API void fathom_user_keep_trace(void)
{
	fathom_event_keep_newest();
}

/* --- parameters ---------------------------------------------------------------------------------- */

static FATHOM_COLD const struct fathom_parameter *bind_parameter(struct fathom_place_ *place,
								 enum fathom_parameter_kind kind)
{
	const struct fathom_parameter *parameter = fathom_parameter_define(place->name, strlen(place->name), kind);

	keep(place, parameter);
	return parameter;
}

static void give(struct fathom_place_ *place, enum fathom_parameter_kind kind,
		 const struct fathom_parameter_value *value)
{
	const struct fathom_parameter *parameter = known(place);

	if (unlikely(!parameter))
		parameter = bind_parameter(place, kind);
	if (likely(parameter))
		fathom_event_parameter(parameter, value);
}

FATHOM_API void fathom_user_integer(struct fathom_place_ *place, int64_t value)
{
	const struct fathom_parameter_value given = { .integer = value };

	give(place, FATHOM_PARAMETER_KIND_INTEGER, &given);
}

FATHOM_API void fathom_user_unsigned(struct fathom_place_ *place, uint64_t value)
{
	const struct fathom_parameter_value given = { .number = value };

	give(place, FATHOM_PARAMETER_KIND_UNSIGNED, &given);
}

FATHOM_API void fathom_user_string(struct fathom_place_ *place, const char *value)
{
	const char *text = value ? value : "";
	const struct fathom_parameter_value given = fathom_parameter_text(text, strlen(text));

	give(place, FATHOM_PARAMETER_KIND_TEXT, &given);
}

/* --- topologies ---------------------------------------------------------------------------------- */

FATHOM_API void fathom_user_topology(const char *name, int count, const int *sizes, const int *periodic,
				     const char *const *names, const char *file, unsigned line)
{
	size_t lengths[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
	const struct fathom_user_topology given = {
		.name = name ? name : "",
		.length = name ? strlen(name) : 0,
		.file = file,
		.file_length = strlen(file),
		.line = line,
		.count = count,
		.sizes = sizes,
		.periodic = periodic,
		.names = names,
		.name_lengths = lengths,
	};

	for (int d = 0; names && d < count && d < FATHOM_TOPOLOGY_MOST_DIMENSIONS; d++)
		lengths[d] = names[d] ? strlen(names[d]) : 0;
	fathom_user_define_topology(&given);
}

FATHOM_API void fathom_user_coordinates(const char *name, int count, const int *at, int is_thread, const char *file,
					unsigned line)
{
	const struct fathom_user_topology given = {
		.name = name ? name : "",
		.length = name ? strlen(name) : 0,
		.file = file,
		.file_length = strlen(file),
		.line = line,
		.count = count,
	};

	fathom_user_place(&given, at, is_thread);
}
