/*
 * gather: the system tree as rank 0 alone builds it, to compare lib/system/builder.c with; only benchmarks have it.
 *
 * Every rank sends its place and its locations to rank 0. There each element of the tree gets a definition of its own
 * ("single-node definitions" in Lorenz and Feld, Scaling Score-P to the next level); rank 0 numbers them and sends
 * each rank its numbers. So memory and messages of rank 0 grow with the ranks.
 *
 * Compiled into a program that is measured, fathom_system_build here stands before that of libfathom. What it does
 * is said by SCALE_BUILD:
 *
 *	gather		the gather, in the place of the builder
 *	beside:N	both, in turn, N times and once before; rank 0 prints the medians. The builder's result is used
 *
 * Where memory or a message is missing the run is aborted. Context: finish.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "system/builder.h"

enum { MOST_CLASSES = 1024, MOST_TIMES = 1000 };

#define NONE UINT32_MAX

typedef int build_function(struct fathom_system *system, const struct fathom_system_path *place,
			   const struct fathom_location_label *locations, uint32_t count, struct fathom_comm *comm,
			   const struct fathom_system_options *options);

struct memory {
	size_t held, peak;
};

/* The definition of one element. */
struct element {
	struct fathom_span before;
	uint32_t parent, child, last_child, next;	/* elements; NONE */
	uint32_t name;					/* of nodes: in names */
	uint32_t rank;					/* that told of it first */
	uint16_t kind, class;
	uint32_t children;
};

struct bytes {			/* an array that grows */
	char *base;
	size_t used, room;
};

struct class {
	uint32_t kind, text;	/* in names */
};

struct tree {			/* at rank 0 */
	struct memory *memory;
	struct bytes elements, names, processes, classes, records;
	uint16_t numbers[MOST_CLASSES];	/* of classes, nodes' first */
	struct fathom_span count;
};

struct head {			/* before what a rank says of itself */
	uint32_t levels, place_bytes, locations, location_bytes;
};

struct answer {
	struct fathom_span total, before;
	uint64_t speaks_for[FATHOM_PATH_LEVELS];
};

/* Of the results, which go back to fathom with their memory. */
static struct memory gather_memory, builder_memory;

static _Noreturn void give_up(const char *what)
{
	fprintf(stderr, "gather: %s\n", what);
	abort();
}

static void must(int err)
{
	if (err)
		give_up(strerror(-err));
}

static void *resize(void *context, void *block, size_t old_bytes, size_t bytes)
{
	struct memory *memory = context;

	memory->held += bytes - old_bytes;
	if (memory->held > memory->peak)
		memory->peak = memory->held;
	if (bytes)
		return realloc(block, bytes);
	free(block);
	return NULL;
}

/* --- arrays ------------------------------------------------------------------------------------------- */

static void *push(struct memory *memory, struct bytes *array, size_t bytes)
{
	size_t room = array->used + bytes;

	if (room > array->room) {
		if (room < array->room + array->room / 2)
			room = array->room + array->room / 2;
		array->base = resize(memory, array->base, array->room, room);
		if (!array->base)
			give_up("no memory");
		array->room = room;
	}
	array->used += bytes;
	return array->base + array->used - bytes;
}

static void drop(struct memory *memory, struct bytes *array)
{
	if (array->base)
		resize(memory, array->base, array->room, 0);
	*array = (struct bytes){ NULL, 0, 0 };
}

static uint32_t put_text(struct tree *tree, const char *text)
{
	size_t bytes = strlen(text) + 1;

	memcpy(push(tree->memory, &tree->names, bytes), text, bytes);
	return (uint32_t)(tree->names.used - bytes);
}

/* --- the tree ------------------------------------------------------------------------------------------- */

static struct element *element_at(const struct tree *tree, uint32_t element)
{
	return (struct element *)tree->elements.base + element;
}

static uint16_t class_of(struct tree *tree, enum fathom_element kind, const char *text)
{
	struct class *class = (struct class *)tree->classes.base;
	uint32_t count = (uint32_t)(tree->classes.used / sizeof(*class)), at;

	for (uint32_t i = 0; i < count; i++)
		if (class[i].kind == kind && !strcmp(tree->names.base + class[i].text, text))
			return (uint16_t)i;
	if (count == MOST_CLASSES)
		give_up("too many names of locations");
	at = put_text(tree, text);
	class = push(tree->memory, &tree->classes, sizeof(*class));
	*class = (struct class){ kind, at };
	return (uint16_t)count;
}

static uint32_t add(struct tree *tree, uint32_t parent, struct element element)
{
	uint32_t number = (uint32_t)(tree->elements.used / sizeof(element));
	struct element *above;

	element.parent = parent;
	element.child = element.last_child = element.next = NONE;
	*(struct element *)push(tree->memory, &tree->elements, sizeof(element)) = element;
	if (parent == NONE)
		return number;
	above = element_at(tree, parent);
	if (above->child == NONE)
		above->child = number;
	else
		element_at(tree, above->last_child)->next = number;
	above->last_child = number;
	above->children++;
	return number;
}

static bool is_node(const struct tree *tree, uint32_t element, uint16_t class, const char *name)
{
	const struct element *node = element_at(tree, element);

	return node->kind == FATHOM_ELEMENT_NODE && node->class == class &&
	       !strcmp(tree->names.base + node->name, name);
}

/* The node of a name below a parent, which is made where there is none. Most often it is the last one. */
static uint32_t find_node(struct tree *tree, uint32_t parent, const char *class_text, const char *name, uint32_t rank)
{
	uint16_t class = class_of(tree, FATHOM_ELEMENT_NODE, class_text);
	uint32_t node = NONE;

	if (parent != NONE) {
		node = element_at(tree, parent)->last_child;
		if (node != NONE && is_node(tree, node, class, name))
			return node;
		node = element_at(tree, parent)->child;
	} else if (tree->elements.used) {
		node = 0;
	}
	while (node != NONE && !is_node(tree, node, class, name))
		node = element_at(tree, node)->next;
	if (node != NONE)
		return node;
	if (parent == NONE && tree->elements.used)
		give_up("there are two machines");
	return add(tree, parent, (struct element){ .kind = FATHOM_ELEMENT_NODE, .class = class, .rank = rank,
						   .name = put_text(tree, name) });
}

/* What a rank said of itself: place, then for each location its class with a NUL. */
static void add_rank(struct tree *tree, uint32_t rank, const struct head *head, const char *text)
{
	uint32_t parent = NONE;

	for (uint32_t level = 0; level < head->levels; level++) {
		const char *name = text + strlen(text) + 1;

		parent = find_node(tree, parent, text, name, rank);
		text = name + strlen(name) + 1;
	}
	parent = add(tree, parent, (struct element){ .kind = FATHOM_ELEMENT_PROCESS, .rank = rank,
						     .class = class_of(tree, FATHOM_ELEMENT_PROCESS, "process") });
	*(uint32_t *)push(tree->memory, &tree->processes, sizeof(parent)) = parent;
	for (uint32_t i = 0; i < head->locations; i++) {
		add(tree, parent, (struct element){ .kind = FATHOM_ELEMENT_LOCATION, .rank = rank,
						    .class = class_of(tree, FATHOM_ELEMENT_LOCATION, text) });
		text += strlen(text) + 1;
	}
}

/* Number an element and all below it, depth first; below a node its processes come first. */
static void number(struct tree *tree, uint32_t at)
{
	struct element *element = element_at(tree, at);
	struct fathom_sequence_record *record = push(tree->memory, &tree->records, sizeof(*record));

	*record = (struct fathom_sequence_record){ .kind = element->kind, .class = tree->numbers[element->class],
						   .copies = 1, .children = element->children };
	element->before = tree->count;
	tree->count.nodes += element->kind == FATHOM_ELEMENT_NODE;
	tree->count.processes += element->kind == FATHOM_ELEMENT_PROCESS;
	tree->count.locations += element->kind == FATHOM_ELEMENT_LOCATION;
	for (int nodes = 0; nodes < 2; nodes++)
		for (uint32_t child = element->child; child != NONE; child = element_at(tree, child)->next)
			if ((element_at(tree, child)->kind == FATHOM_ELEMENT_NODE) == nodes)
				number(tree, child);
}

static void number_classes(struct tree *tree)
{
	const struct class *class = (struct class *)tree->classes.base;
	uint32_t count = (uint32_t)(tree->classes.used / sizeof(*class));
	uint16_t next = 0;

	for (int kind = FATHOM_ELEMENT_NODE; kind >= FATHOM_ELEMENT_LOCATION; kind--)
		for (uint32_t i = 0; i < count; i++)
			if (class[i].kind == (uint32_t)kind)
				tree->numbers[i] = next++;
}

static struct answer answer_for(const struct tree *tree, uint32_t rank)
{
	uint32_t process = ((uint32_t *)tree->processes.base)[rank];
	uint32_t way[FATHOM_PATH_LEVELS], depth = 0;
	struct answer answer = { .total = tree->count, .before = element_at(tree, process)->before };

	memset(answer.speaks_for, -1, sizeof(answer.speaks_for));
	for (uint32_t at = element_at(tree, process)->parent; at != NONE; at = element_at(tree, at)->parent)
		way[depth++] = at;
	for (uint32_t level = 0; level < depth; level++) {
		const struct element *node = element_at(tree, way[depth - 1 - level]);

		if (node->rank == rank)
			answer.speaks_for[level] = node->before.nodes;
	}
	return answer;
}

/* The records, the list of classes and their texts, in one block. */
static void make_sequence(struct fathom_system *system, const struct tree *tree)
{
	const struct class *class = (struct class *)tree->classes.base;
	uint32_t count = (uint32_t)(tree->classes.used / sizeof(*class));
	size_t bytes = tree->records.used + count * sizeof(char *) + tree->names.used;
	char *base = resize(tree->memory, NULL, 0, bytes), *texts = base + bytes - tree->names.used;
	const char **list = (const char **)(base + tree->records.used);

	if (!base)
		give_up("no memory");
	memcpy(base, tree->records.base, tree->records.used);
	memcpy(texts, tree->names.base, tree->names.used);
	for (uint32_t i = 0; i < count; i++)
		list[tree->numbers[i]] = texts + class[i].text;
	system->stack = (struct fathom_byte_stack){ base, bytes, bytes, resize, tree->memory };
	system->sequence = (struct fathom_sequence){
		.records = (struct fathom_sequence_record *)base,
		.count = (uint32_t)(tree->records.used / sizeof(struct fathom_sequence_record)),
		.class_count = count,
		.classes = list,
	};
}

/* --- the gather ------------------------------------------------------------------------------------------ */

/* A location's class as in system/sequence.h, with no number apart. */
static void put_location(struct memory *memory, struct bytes *text, const struct fathom_location_label *location)
{
	for (const char *c = location->name; *c; c++)
		memset(push(memory, text, *c == '%' ? 2 : 1), *c, *c == '%' ? 2 : 1);
	if (location->threads) {
		*(char *)push(memory, text, 1) = '\n';
		memcpy(push(memory, text, strlen(location->threads)), location->threads, strlen(location->threads));
	}
	*(char *)push(memory, text, 1) = 0;
}

static void gather_all(struct tree *tree, struct fathom_comm *comm, const struct head *own, const char *own_text)
{
	struct bytes text = { NULL, 0, 0 };

	add_rank(tree, 0, own, own_text);
	for (int rank = 1; rank < comm->size; rank++) {
		struct head head;

		must(comm->receive(comm, rank, &head, sizeof(head)));
		text.used = 0;
		push(tree->memory, &text, head.place_bytes + head.location_bytes);
		must(comm->receive(comm, rank, text.base, text.used));
		add_rank(tree, (uint32_t)rank, &head, text.base);
	}
	drop(tree->memory, &text);
	number_classes(tree);
	number(tree, 0);
}

static struct answer build_alone(struct fathom_system *system, struct memory *memory, struct fathom_comm *comm,
				 const struct head *own, const char *own_text)
{
	struct tree tree = { .memory = memory };
	struct answer answer;

	gather_all(&tree, comm, own, own_text);
	for (int rank = 1; rank < comm->size; rank++) {
		answer = answer_for(&tree, (uint32_t)rank);
		must(comm->send(comm, rank, &answer, sizeof(answer)));
	}
	answer = answer_for(&tree, 0);
	make_sequence(system, &tree);
	drop(memory, &tree.elements);
	drop(memory, &tree.names);
	drop(memory, &tree.processes);
	drop(memory, &tree.classes);
	drop(memory, &tree.records);
	return answer;
}

static int gather_build(struct fathom_system *system, const struct fathom_system_path *place,
			const struct fathom_location_label *locations, uint32_t count, struct fathom_comm *comm,
			const struct fathom_system_options *options)
{
	struct memory *memory = options->resize_context ? options->resize_context : &gather_memory;
	struct bytes text = { NULL, 0, 0 };
	struct answer answer;
	struct head head;

	if (!place)
		give_up("no memory");
	memset(system, 0, sizeof(*system));
	memcpy(push(memory, &text, place->bytes), place->text, place->bytes);
	for (uint32_t i = 0; i < count; i++)
		put_location(memory, &text, &locations[i]);
	head = (struct head){ place->levels, place->bytes, count, (uint32_t)(text.used - place->bytes) };
	if (comm->rank == 0) {
		answer = build_alone(system, memory, comm, &head, text.base);
	} else {
		must(comm->send(comm, 0, &head, sizeof(head)));
		must(comm->send(comm, 0, text.base, text.used));
		must(comm->receive(comm, 0, &answer, sizeof(answer)));
	}
	drop(memory, &text);
	system->total = answer.total;
	system->before = answer.before;
	memcpy(system->speaks_for, answer.speaks_for, sizeof(system->speaks_for));
	return 0;
}

/* --- both, in turn --------------------------------------------------------------------------------------- */

/* All wait for all; *value becomes the largest. */
static void agree(struct fathom_comm *comm, uint64_t *value)
{
	int children[32], parent, count = fathom_comm_tree(comm->rank, comm->size, &parent, children);
	uint64_t theirs;

	if (comm->size == 1)
		return;
	for (int i = 0; i < count; i++) {
		must(comm->receive(comm, children[i], &theirs, sizeof(theirs)));
		if (theirs > *value)
			*value = theirs;
	}
	if (parent >= 0)
		must(comm->send(comm, parent, value, sizeof(*value)));
	must(comm->broadcast(comm, 0, value, sizeof(*value)));
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *times, int count)
{
	qsort(times, (size_t)count, sizeof(*times), by_value);
	return (times[(count - 1) / 2] + times[count / 2]) / 2;
}

/* Whether both say the same to this process. The order of nodes that differ is not the same. */
static bool are_same(const struct fathom_system *a, const struct fathom_system *b)
{
	return !memcmp(&a->total, &b->total, sizeof(a->total)) && !memcmp(&a->before, &b->before, sizeof(a->before)) &&
	       !memcmp(a->speaks_for, b->speaks_for, sizeof(a->speaks_for));
}

static int build_both(struct fathom_system *system, const struct fathom_system_path *place,
		      const struct fathom_location_label *locations, uint32_t count, struct fathom_comm *comm,
		      const struct fathom_system_options *options, build_function *builder, int times)
{
	struct fathom_system_options gather_options = *options, builder_options = *options;
	static double builder_ms[MOST_TIMES + 1], gather_ms[MOST_TIMES + 1];
	struct fathom_system alone;
	uint64_t differs, gather_most, builder_most;

	gather_options.resize_context = &gather_memory;
	builder_options.resize = resize;
	builder_options.resize_context = &builder_memory;
	for (int i = 0; i <= times; i++) {
		if (i)
			fathom_system_fini(system);
		agree(comm, &(uint64_t){ 0 });
		builder_ms[i] = now();
		must(builder(system, place, locations, count, comm, &builder_options));
		agree(comm, &(uint64_t){ 0 });
		gather_ms[i] = now();
		builder_ms[i] = gather_ms[i] - builder_ms[i];
		must(gather_build(&alone, place, locations, count, comm, &gather_options));
		agree(comm, &(uint64_t){ 0 });
		gather_ms[i] = now() - gather_ms[i];
		differs = !are_same(system, &alone);
		fathom_system_fini(&alone);
	}
	builder_most = builder_memory.peak;
	gather_most = gather_memory.peak;
	agree(comm, &differs);
	agree(comm, &builder_most);
	agree(comm, &gather_most);
	if (comm->rank)
		return 0;
	/* The first time is not counted. */
	dprintf(1, "ranks=%d builder_ms=%.3f gather_ms=%.3f builder_bytes=%llu gather_bytes=%llu numbers=%s\n",
		comm->size, median(builder_ms + 1, times), median(gather_ms + 1, times),
		(unsigned long long)builder_most, (unsigned long long)gather_most, differs ? "other" : "same");
	return 0;
}

int fathom_system_build(struct fathom_system *system, const struct fathom_system_path *place,
			const struct fathom_location_label *locations, uint32_t count, struct fathom_comm *comm,
			const struct fathom_system_options *options)
{
	const char *what = getenv("SCALE_BUILD");
	build_function *builder;
	int times;

	if (what && !strcmp(what, "gather"))
		return gather_build(system, place, locations, count, comm, options);
	times = what && !strncmp(what, "beside:", 7) ? atoi(what + 7) : 0;
	if (times < 1 || times > MOST_TIMES)
		give_up("SCALE_BUILD must be gather or beside:1 to beside:1000");
	builder = (build_function *)dlsym(RTLD_NEXT, "fathom_system_build");
	if (!builder)
		give_up("libfathom has no fathom_system_build");
	return build_both(system, place, locations, count, comm, options, builder, times);
}
