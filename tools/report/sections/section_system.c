#include "tools/report/sections/section_system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/name_pattern.h"
#include "system/subtree_merge.h"
#include "tools/common/command.h"
#include "tools/report/report.h"
#include "tools/report/sections/section_topologies.h"

struct folding {
	const struct fathom_cube *cube;
	struct fathom_byte_stack store;
	const char **classes;
	uint32_t class_count;
	size_t class_room;
	/* Lists: the first element of a node, and by element the next one; -1: none. */
	int32_t *first_child, *next_child;	/* nodes of a node */
	int32_t *first_group, *next_group;	/* processes of a node */
		int32_t first_root;
};

static _Noreturn void out_of_memory(void)
{
	fathom_tool_error("out of memory");
	exit(FATHOM_TOOL_FAILURE);
}

static uint16_t class_number(struct folding *f, const char *text)
{
	char *copy;

	for (uint32_t i = 0; i < f->class_count; i++)
		if (strcmp(f->classes[i], text) == 0)
			return (uint16_t)i;
	f->classes = fathom_tool_grow(f->classes, f->class_count, &f->class_room, sizeof(*f->classes));
	copy = strdup(text);
	if (!copy)
		out_of_memory();
	f->classes[f->class_count] = copy;
	return (uint16_t)f->class_count++;
}

static size_t push(struct folding *f, size_t bytes)
{
	size_t at = fathom_byte_stack_push(&f->store, bytes);

	if (at == SIZE_MAX)
		out_of_memory();
	return at;
}

/* Appends an element to the list of its owner, or to the list of all if owner is -1. */
static void list(int32_t *first, int32_t *next, int32_t element, int32_t owner, int32_t *first_of_all)
{
	int32_t *place = owner < 0 ? first_of_all : &first[owner];

	next[element] = *place;
	*place = element;
}

static int32_t *numbers(uint32_t count)
{
	int32_t *array = fathom_tool_alloc((size_t)count + 1, sizeof(*array));

	memset(array, -1, ((size_t)count + 1) * sizeof(*array));
	return array;
}

static void make_lists(struct folding *f)
{
	const struct fathom_cube *cube = f->cube;

	f->first_root = -1;
	f->first_child = numbers(cube->node_count);
	f->next_child = numbers(cube->node_count);
	f->first_group = numbers(cube->node_count);
	f->next_group = numbers(cube->group_count);
	for (uint32_t i = cube->node_count; i-- > 0;)
		list(f->first_child, f->next_child, (int32_t)i, cube->nodes[i].parent, &f->first_root);
	for (uint32_t i = cube->group_count; i-- > 0;)
		list(f->first_group, f->next_group, (int32_t)i, cube->groups[i].node, &f->first_root);
}

static void wrap(struct folding *f, struct fathom_list *entries, enum fathom_element kind, const char *class)
{
	if (fathom_list_wrap(&f->store, entries, kind, class_number(f, class)))
		out_of_memory();
}

/* Appends a location to the last entry if they are alike, else as a new entry. */
static void add_location(struct folding *f, struct fathom_list *entries, const struct fathom_cube_location *location)
{
	const struct fathom_location_label label = { location->name, location->threads };
	struct fathom_sequence_record record = { .kind = FATHOM_ELEMENT_LOCATION, .copies = 1 }, *last;
	struct fathom_name_pattern title;

	if (fathom_name_pattern_put(&title, &f->store, &label))
		out_of_memory();
	record.class = class_number(f, fathom_byte_stack_at(&f->store, title.at));
	record.first = title.number;
	f->store.used = title.at;
	last = (struct fathom_sequence_record *)fathom_byte_stack_at(&f->store, title.at) - 1;
	if (entries->entries && last->class == record.class &&
	    (!title.has_number || last->first + last->copies == record.first)) {
		last->copies++;
		return;
	}
	memcpy(fathom_byte_stack_at(&f->store, push(f, sizeof(record))), &record, sizeof(record));
	entries->entries++;
	entries->records++;
}

static struct fathom_list fold_group(struct folding *f, int32_t group)
{
	struct fathom_list entries = { .at = f->store.used };
	const struct fathom_cube_group *groups = f->cube->groups;
	uint32_t end = (uint32_t)group + 1 < f->cube->group_count ? groups[group + 1].first_location :
								     f->cube->location_count;

	for (uint32_t l = groups[group].first_location; l < end; l++) {
		const struct fathom_cube_location location = fathom_cube_location(f->cube, l);

		add_location(f, &entries, &location);
	}
	wrap(f, &entries, FATHOM_ELEMENT_PROCESS, f->cube->groups[group].type);
	return entries;
}

static struct fathom_list fold_node(struct folding *f, int32_t node, int depth);

/* Folds the next count elements of a list: folds each half, then merges the two. */
static struct fathom_list fold_list(struct folding *f, int32_t *element, const int32_t *next, uint32_t count, int depth)
{
	struct fathom_list first, second;

	if (count == 1) {
		int32_t now = *element;

		*element = next[now];
		return next == f->next_group ? fold_group(f, now) : fold_node(f, now, depth);
	}
	first = fold_list(f, element, next, count / 2, depth);
	second = fold_list(f, element, next, count - count / 2, depth);
	if (fathom_list_merge(&f->store, &first, 0, &second, false))
		out_of_memory();
	f->store.used -= second.entries * sizeof(struct fathom_part);
	return first;
}

static uint32_t length(int32_t element, const int32_t *next)
{
	uint32_t count = 0;

	for (; element >= 0; element = next[element])
		count++;
	return count;
}

static void add_list(struct folding *f, struct fathom_list *entries, int32_t first, const int32_t *next, int depth)
{
	uint32_t count = length(first, next);
	struct fathom_list more;

	if (!count)
		return;
	more = fold_list(f, &first, next, count, depth);
	entries->entries += more.entries;
	entries->records += more.records;
}

/* Folds a node: its processes come first, then the nodes below it. */
static struct fathom_list fold_node(struct folding *f, int32_t node, int depth)
{
	struct fathom_list entries = { .at = f->store.used };

	add_list(f, &entries, f->first_group[node], f->next_group, depth + 1);
	if (depth + 3 < FATHOM_SEQUENCE_DEPTH)
		add_list(f, &entries, f->first_child[node], f->next_child, depth + 1);
	else if (f->first_child[node] >= 0)
		fathom_tool_error("the system tree is deeper than %d levels: deeper ones are left out", depth + 1);
	wrap(f, &entries, FATHOM_ELEMENT_NODE, f->cube->nodes[node].class_name);
	return entries;
}

static void print_line(void *context, const char *text)
{
	(void)context;
	printf("%s\n", text);
}

/* Prints the number of nodes of each class in the order of the file: "1 machine, 2 switches". */
static void print_classes(const struct fathom_cube *cube)
{
	uint32_t i, k, count;

	for (i = 0; i < cube->node_count; i++) {
		const char *class = cube->nodes[i].class_name, *end = class + strlen(class);
		bool has_es = end - class > 2 && (end[-1] == 's' || end[-1] == 'x' || strcmp(end - 2, "ch") == 0);

		for (k = 0; k < i && strcmp(cube->nodes[k].class_name, class) != 0; k++)
			;
		if (k < i)
			continue;
		for (count = 0; k < cube->node_count; k++)
			count += strcmp(cube->nodes[k].class_name, class) == 0;
		printf("%u %s%s, ", count, class, count == 1 ? "" : has_es ? "es" : "s");
	}
}

int fathom_report_system(struct fathom_report *report)
{
	struct folding f = { .cube = report->profile.cube };
	const struct fathom_cube *cube = f.cube;
	struct fathom_list all;
	struct fathom_sequence_record *records;

	fathom_byte_stack_init(&f.store, NULL, NULL);
	make_lists(&f);
	all = (struct fathom_list){ .at = 0 };
	add_list(&f, &all, f.first_root, f.next_child, 0);
	print_classes(cube);
	printf("%u process%s, %u location%s, in %u record%s\n\n", cube->group_count, cube->group_count == 1 ? "" : "es",
	       cube->location_count, cube->location_count == 1 ? "" : "s", all.records, all.records == 1 ? "" : "s");
	records = all.records ? fathom_byte_stack_at(&f.store, all.at) : NULL;
	for (uint32_t at = 0, end; at < all.records; at = end) {
		struct fathom_sequence one = { .records = records + at, .classes = f.classes,
					       .class_count = f.class_count };

		end = fathom_records_end(records, at);
		one.count = end - at;
		fathom_sequence_print(&one, print_line, NULL);
	}
	fathom_report_topologies(report);
	for (uint32_t i = 0; i < f.class_count; i++)
		free((char *)(uintptr_t)f.classes[i]);
	free(f.classes);
	free(f.first_child);
	free(f.next_child);
	free(f.first_group);
	free(f.next_group);
	fathom_byte_stack_fini(&f.store);
	return 0;
}
