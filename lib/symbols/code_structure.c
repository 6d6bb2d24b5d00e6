#include "symbols/code_structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "define/region.h"
#include "symbols/callees.h"
#include "symbols/code_file.h"
#include "symbols/control_flow.h"
#include "symbols/inlined_calls.h"
#include "symbols/loop_nest.h"
#include "symbols/source_functions.h"
#include "symbols/symbols.h"

enum { NO_CALL_YET = -2 };	/* of a loop, before the first of its instructions is looked at */

/* A loop of the source: one or more loops of the machine code. */
struct source_loop {
	int32_t call;			/* the inlined call that it belongs to, or FATHOM_NO_CALL */
	const char *file;
	uint32_t line;
	uint64_t address;		/* of the header of the most deeply nested copy */
	int32_t parent;			/* the source loop around it, or FATHOM_NO_LOOP */
	uint32_t depth;			/* of the most deeply nested copy */
};

/* A scope, and what it is made of. */
struct scope {
	struct fathom_code_scope scope;
	int32_t part;			/* the source loop or the inlined call */
};

struct function {
	struct fathom_code_function function;
	const struct fathom_source_function *source;
	struct fathom_inlined_calls calls;
	struct fathom_control_flow flow;
	struct fathom_loop_nest nest;
	struct source_loop *loops;
	uint32_t loop_count;
	int32_t *loop_of;		/* by loop of the nest: the source loop */
	struct scope **scopes;		/* by id; made when an address asks for them */
	uint32_t scope_count, scope_room;
	struct function *next;
};

struct fathom_code_structure {
	struct fathom_code_file file;
	struct fathom_source_functions functions;
	struct function *list;
	char *build_id;
	char *path;
};

bool fathom_code_has_loops(void)
{
	return fathom_instructions_can_decode();
}

/* --- files --------------------------------------------------------------------------------------- */

static char *read_build_id(const struct fathom_code_file *file)
{
	const unsigned char *bits;
	GElf_Addr address;
	int bytes = dwfl_module_build_id(file->module, &bits, &address);
	char *text = calloc(bytes > 0 ? 2 * (size_t)bytes + 1 : 1, 1);

	for (int i = 0; text && i < bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", bits[i]);
	return text;
}

struct fathom_code_structure *fathom_code_structure_open(const char *path)
{
	struct fathom_code_structure *structure = calloc(1, sizeof(*structure));

	if (!structure)
		return NULL;
	structure->path = strdup(path);
	if (structure->path)
		fathom_code_file_open(&structure->file, structure->path);
	if (structure->file.module)
		structure->build_id = read_build_id(&structure->file);
	structure->functions.file = &structure->file;
	if (!structure->build_id) {
		fathom_code_structure_close(structure);
		return NULL;
	}
	return structure;
}

static void free_function(struct function *function)
{
	for (uint32_t i = 0; i < function->scope_count; i++)
		free(function->scopes[i]);
	free(function->scopes);
	free(function->loops);
	free(function->loop_of);
	fathom_loop_nest_fini(&function->nest);
	fathom_control_flow_fini(&function->flow);
	fathom_inlined_calls_fini(&function->calls);
	free(function);
}

void fathom_code_structure_close(struct fathom_code_structure *structure)
{
	while (structure->list) {
		struct function *function = structure->list;

		structure->list = function->next;
		free_function(function);
	}
	fathom_source_functions_fini(&structure->functions);
	fathom_code_file_close(&structure->file);
	free(structure->build_id);
	free(structure->path);
	free(structure);
}

const char *fathom_code_structure_build_id(const struct fathom_code_structure *structure)
{
	return structure->build_id;
}

/* --- positions of loops ---------------------------------------------------------------------------- */

/* A line that may be the position of a loop. */
struct position {
	const char *file;
	uint32_t line;
};

/* Returns the position that an instruction has in the function that was inlined at `call`: that of its own line, or
 * that of the call through which it got there. */
static struct position position_in(const struct function *function, uint64_t address, int32_t call)
{
	int32_t inner = fathom_inlined_call_at(&function->calls, address);
	struct position position;

	if (inner == call) {
		position.line = fathom_source_function_line(function->source, address, &position.file);
		return position;
	}
	while (inner != FATHOM_NO_CALL && function->calls.list[inner].parent != call)
		inner = function->calls.list[inner].parent;
	if (inner == FATHOM_NO_CALL)
		return (struct position){ 0 };
	return (struct position){ function->calls.list[inner].call_source, function->calls.list[inner].call_line };
}

/* Takes the position of an instruction if it is better: in the file of the function to which the loop belongs, and
 * smaller. */
static void consider(const struct function *function, uint64_t address, int32_t call, struct position *best)
{
	const char *file = call == FATHOM_NO_CALL ? function->function.file : function->calls.list[call].source;
	struct position position = position_in(function, address, call);
	bool is_at_home, was_at_home;

	if (!position.line || !position.file)
		return;
	is_at_home = file && strcmp(position.file, file) == 0;
	was_at_home = best->line && file && strcmp(best->file, file) == 0;
	if (!best->line || (is_at_home && !was_at_home) ||
	    (is_at_home == was_at_home && strcmp(best->file, position.file) == 0 && position.line < best->line))
		*best = position;
}

/* Finds the position of loop number l, which belongs to an inlined call. */
static struct position find_position(const struct function *function, uint32_t l, int32_t call)
{
	const struct fathom_control_flow *flow = &function->flow;
	const struct fathom_loop_nest *nest = &function->nest;
	const struct fathom_instruction *instructions = flow->instructions.list;
	uint32_t header = nest->loops[l].header;
	struct position best = { 0 };

	for (uint32_t i = flow->begin[header]; i < flow->begin[header + 1]; i++)
		consider(function, instructions[i].address, call, &best);
	for (uint32_t b = 0; b < flow->graph.count; b++) {
		int32_t loop = nest->innermost[b];

		while (loop > (int32_t)l)
			loop = nest->loops[loop].parent;
		for (uint32_t e = flow->first[b]; loop == (int32_t)l && e < flow->first[b + 1]; e++)
			if (flow->targets[e] == header)
				consider(function, instructions[flow->begin[b + 1] - 1].address, call, &best);
	}
	return best;
}

static void widen(const struct function *function, int32_t *call, int32_t other)
{
	if (*call == NO_CALL_YET)
		*call = other;
	else if (other != NO_CALL_YET)
		*call = fathom_inlined_calls_common(&function->calls, *call, other);
}

/* Returns whether call is inside of outer, or is the same call. */
static bool is_inside(const struct function *function, int32_t call, int32_t outer)
{
	return fathom_inlined_calls_common(&function->calls, call, outer) == outer;
}

/* What find_call counts of a loop. */
struct loop_calls {
	int32_t common;		/* the innermost inlined call that contains all instructions */
	int32_t back;		/* the innermost one that contains all jumps back to the header */
	uint32_t total;		/* instructions that have a line */
	uint32_t *inside;	/* by call: how many of them it contains, also in calls inside it */
	bool *has_direct;	/* by call: it contains some that are in no call inside it */
	bool function_has_direct;	/* the same of the function itself */
};

/* Counts the instructions of loop l. Instructions without a line do not count: the compiler made them of no statement,
 * or of several. */
static void count_calls(const struct function *function, uint32_t l, struct loop_calls *counts)
{
	const struct fathom_control_flow *flow = &function->flow;
	const struct fathom_loop_nest *nest = &function->nest;
	const char *file;

	counts->common = counts->back = NO_CALL_YET;
	counts->total = 0;
	memset(counts->inside, 0, function->calls.count * sizeof(*counts->inside));
	memset(counts->has_direct, 0, function->calls.count * sizeof(*counts->has_direct));
	counts->function_has_direct = false;
	for (uint32_t b = 0; b < flow->graph.count; b++) {
		int32_t loop = nest->innermost[b], call = FATHOM_NO_CALL;

		while (loop > (int32_t)l)
			loop = nest->loops[loop].parent;
		if (loop != (int32_t)l)
			continue;
		for (uint32_t i = flow->begin[b]; i < flow->begin[b + 1]; i++) {
			uint64_t address = flow->instructions.list[i].address;

			if (!fathom_source_function_line(function->source, address, &file))
				continue;
			call = fathom_inlined_call_at(&function->calls, address);
			widen(function, &counts->common, call);
			counts->total++;
			if (call == FATHOM_NO_CALL) {
				counts->function_has_direct = true;
			} else {
				counts->has_direct[call] = true;
				counts->inside[call]++;
			}
		}
		for (uint32_t e = flow->first[b]; e < flow->first[b + 1]; e++)
			if (flow->targets[e] == nest->loops[l].header)
				widen(function, &counts->back, call);
	}
	for (uint32_t c = function->calls.count; c-- > 0;)	/* a call has a larger number than its parent */
		if (function->calls.list[c].parent != FATHOM_NO_CALL)
			counts->inside[function->calls.list[c].parent] += counts->inside[c];
}

/* Returns the child of a call that contains another call; that call is inside of it. */
static int32_t child_towards(const struct function *function, int32_t call, int32_t inner)
{
	while (function->calls.list[inner].parent != call)
		inner = function->calls.list[inner].parent;
	return inner;
}

/* Returns whether loop l may belong to a call: the loops inside it do. */
static bool contains_inner_loops(const struct function *function, uint32_t l, const int32_t *calls, int32_t call)
{
	for (uint32_t inner = l + 1; inner < function->nest.count; inner++)
		if (function->nest.loops[inner].parent == (int32_t)l && !is_inside(function, calls[inner], call))
			return false;
	return true;
}

/*
 * Finds for each loop the innermost inlined call that contains its instructions. Compilers move some instructions into
 * loops where they do not belong: up to an eighth of the instructions may be outside of the call if the jump back to
 * the header is inside, or up to a quarter if none is of the function around the call itself, as the condition of a
 * loop there would be.
 */
static void find_calls(const struct function *function, int32_t *calls)
{
	struct loop_calls counts = {
		.inside = calloc(function->calls.count + 1, sizeof(*counts.inside)),
		.has_direct = calloc(function->calls.count + 1, sizeof(*counts.has_direct)),
	};

	for (uint32_t l = function->nest.count; l-- > 0;) {	/* inner loops have larger numbers */
		calls[l] = FATHOM_NO_CALL;
		if (!counts.inside || !counts.has_direct || !function->calls.count)
			continue;
		count_calls(function, l, &counts);
		if (counts.common == NO_CALL_YET)
			continue;
		calls[l] = counts.common;
		while (counts.back != NO_CALL_YET && counts.back != calls[l] &&
		       is_inside(function, counts.back, calls[l])) {
			int32_t child = child_towards(function, calls[l], counts.back);
			bool has_direct = calls[l] == FATHOM_NO_CALL ? counts.function_has_direct :
								       counts.has_direct[calls[l]];
			uint32_t most = counts.total / (has_direct ? 8 : 4);

			if (counts.total - counts.inside[child] > most ||
			    !contains_inner_loops(function, l, calls, child))
				break;
			calls[l] = child;
		}
	}
	free(counts.inside);
	free(counts.has_direct);
}

/* --- loops of the source --------------------------------------------------------------------------- */

static int32_t find_source_loop(struct function *function, const struct source_loop *wanted)
{
	for (uint32_t i = 0; i < function->loop_count && wanted->line; i++) {
		const struct source_loop *loop = &function->loops[i];

		if (loop->call == wanted->call && loop->line == wanted->line && strcmp(loop->file, wanted->file) == 0)
			return (int32_t)i;
	}
	function->loops[function->loop_count] = *wanted;
	return (int32_t)function->loop_count++;
}

/* Returns the source loop around loop l of the nest that is not the same source loop. */
static int32_t parent_of_copy(const struct function *function, uint32_t l)
{
	int32_t around = function->nest.loops[l].parent;

	while (around >= 0 && function->loop_of[around] == function->loop_of[l])
		around = function->nest.loops[around].parent;
	return around < 0 ? FATHOM_NO_LOOP : function->loop_of[around];
}

/* Returns whether a source loop is the other one, or is around it. */
static bool is_around(const struct function *function, int32_t outer, int32_t loop)
{
	for (uint32_t i = 0; i <= function->loop_count && loop != FATHOM_NO_LOOP; i++) {
		if (loop == outer)
			return true;
		loop = function->loops[loop].parent;
	}
	return loop != FATHOM_NO_LOOP;
}

/* Merges copies of loops, and nests the loops of the source like the most deeply nested of their copies. */
static void merge_loops(struct function *function, const int32_t *calls)
{
	const struct fathom_control_flow *flow = &function->flow;

	for (uint32_t l = 0; l < function->nest.count; l++) {
		const struct fathom_loop *loop = &function->nest.loops[l];
		struct position position = find_position(function, l, calls[l]);
		const struct source_loop wanted = {
			.call = calls[l], .file = position.file, .line = position.line,
			.address = flow->instructions.list[flow->begin[loop->header]].address,
			.parent = FATHOM_NO_LOOP,
		};

		function->loop_of[l] = find_source_loop(function, &wanted);
	}
	for (uint32_t l = 0; l < function->nest.count; l++) {
		const struct fathom_loop *loop = &function->nest.loops[l];
		struct source_loop *source = &function->loops[function->loop_of[l]];
		int32_t parent = parent_of_copy(function, l);

		/* Interchanged copies of a nest could make each of two loops the parent of the other one. */
		if (loop->depth <= source->depth ||
		    (parent != FATHOM_NO_LOOP && is_around(function, function->loop_of[l], parent)))
			continue;
		source->depth = loop->depth;
		source->parent = parent;
		source->address = flow->instructions.list[flow->begin[loop->header]].address;
	}
}

/* Finds the loops of a function. Without memory, or if the code cannot be decoded, it has none. */
static void find_loops(struct fathom_code_structure *structure, struct function *function)
{
	int32_t *calls;

	if (fathom_control_flow_init(&function->flow, &structure->functions, function->source->pieces,
				     function->source->piece_count))
		return;
	if (fathom_loop_nest_init(&function->nest, &function->flow.graph)) {
		fathom_control_flow_fini(&function->flow);
		return;
	}
	calls = calloc(function->nest.count + 1, sizeof(*calls));
	function->loops = calloc(function->nest.count + 1, sizeof(*function->loops));
	function->loop_of = calloc(function->nest.count + 1, sizeof(*function->loop_of));
	if (calls && function->loops && function->loop_of) {
		find_calls(function, calls);
		merge_loops(function, calls);
		function->function.has_loops = true;
	}
	free(calls);
}

/* --- functions ----------------------------------------------------------------------------------- */

static void name_function(const struct fathom_code_structure *structure, struct fathom_code_function *function)
{
	struct fathom_region region = {
		.module = structure->path, .offset = function->entry, .paradigm = FATHOM_PARADIGM_COMPILER,
	};

	fathom_symbols_resolve_with_lines(&region);
	function->name = region.name;
	function->file = region.file;
	function->begin_line = region.begin_line;
	function->end_line = region.end_line;
}

const struct fathom_code_function *fathom_code_function_at(struct fathom_code_structure *structure, uint64_t address)
{
	struct fathom_source_function *source = fathom_source_function_at(&structure->functions, address);
	struct function *function = source ? source->analysis : NULL;

	if (!source || function)
		return function ? &function->function : NULL;
	function = calloc(1, sizeof(*function));
	if (!function)
		return NULL;
	function->source = source;
	function->function.entry = source->entry;
	name_function(structure, &function->function);
	if (fathom_inlined_calls_init(&function->calls, source)) {
		free(function);
		return NULL;
	}
	if (function->function.begin_line && function->calls.end_line > function->function.end_line)
		function->function.end_line = function->calls.end_line;
	if (function->function.end_line < function->function.begin_line)
		function->function.end_line = function->function.begin_line;
	find_loops(structure, function);
	function->next = structure->list;
	structure->list = function;
	source->analysis = function;
	return &function->function;
}

/* --- scopes -------------------------------------------------------------------------------------- */

static const struct fathom_code_scope *find_scope(struct function *function, enum fathom_code_scope_kind kind,
						  int32_t part, const struct fathom_code_scope *parent)
{
	struct scope *scope;

	for (uint32_t i = 0; i < function->scope_count; i++) {
		scope = function->scopes[i];
		if (scope->scope.kind == kind && scope->part == part && scope->scope.parent == parent)
			return &scope->scope;
	}
	if (function->scope_count == function->scope_room) {
		uint32_t room = function->scope_room ? 2 * function->scope_room : 16;
		struct scope **larger = reallocarray(function->scopes, room, sizeof(*larger));

		if (!larger)
			return parent;
		function->scopes = larger;
		function->scope_room = room;
	}
	scope = calloc(1, sizeof(*scope));
	if (!scope)
		return parent;
	scope->part = part;
	scope->scope = (struct fathom_code_scope){ .kind = kind, .id = function->scope_count, .parent = parent };
	function->scopes[function->scope_count++] = scope;
	return &scope->scope;
}

/* Returns the scope of code in a source loop (or FATHOM_NO_LOOP) and an inlined call (or FATHOM_NO_CALL). The loop's
 * call is the same one or is around it. */
static const struct fathom_code_scope *scope_of(struct function *function, int32_t loop, int32_t call)
{
	const struct fathom_code_scope *parent;
	struct fathom_code_scope *scope;

	if (loop == FATHOM_NO_LOOP && call == FATHOM_NO_CALL)
		return NULL;
	if (loop != FATHOM_NO_LOOP && (call == FATHOM_NO_CALL || function->loops[loop].call == call)) {
		const struct source_loop *source = &function->loops[loop];

		parent = scope_of(function, source->parent, call);
		scope = (struct fathom_code_scope *)find_scope(function, FATHOM_SCOPE_LOOP, loop, parent);
		scope->file = source->file;
		scope->line = source->line;
		scope->address = source->address;
	} else {
		const struct fathom_inlined_call *inlined = &function->calls.list[call];

		parent = scope_of(function, loop, inlined->parent);
		scope = (struct fathom_code_scope *)find_scope(function, FATHOM_SCOPE_INLINED, call, parent);
		scope->file = inlined->call_source;
		scope->line = inlined->call_line;
		scope->name = inlined->name;
		scope->source = inlined->source;
		scope->begin_line = inlined->begin_line;
		scope->end_line = inlined->end_line;
	}
	return scope;
}

void fathom_code_place_at(const struct fathom_code_function *code_function, uint64_t address,
			  struct fathom_code_place *place)
{
	struct function *function = (struct function *)code_function;	/* its first member */
	int32_t call = fathom_inlined_call_at(&function->calls, address), loop = FATHOM_NO_LOOP;
	uint32_t block;

	*place = (struct fathom_code_place){ 0 };
	place->line = fathom_source_function_line(function->source, address, &place->file);
	if (function->function.has_loops && fathom_control_flow_find(&function->flow, address, &block) &&
	    function->nest.innermost[block] >= 0)
		loop = function->loop_of[function->nest.innermost[block]];
	/* A loop of an inlined function may have instructions that are not part of that function; see find_calls. */
	if (loop != FATHOM_NO_LOOP && !is_inside(function, call, function->loops[loop].call))
		call = function->loops[loop].call;
	place->scope = scope_of(function, loop, call);
}

/* --- where calls and lines are ---------------------------------------------------------------------- */

static uint32_t depth_of(const struct fathom_code_scope *scope)
{
	uint32_t depth = 0;

	for (; scope; scope = scope->parent)
		depth++;
	return depth;
}

/* Returns the innermost scope that contains both scopes; NULL: the function. */
static const struct fathom_code_scope *common_scope(const struct fathom_code_scope *a,
						    const struct fathom_code_scope *b)
{
	uint32_t depth_a = depth_of(a), depth_b = depth_of(b);

	for (; depth_a > depth_b; depth_a--)
		a = a->parent;
	for (; depth_b > depth_a; depth_b--)
		b = b->parent;
	while (a != b) {
		a = a->parent;
		b = b->parent;
	}
	return a;
}

/* The places of instructions, one for each line of the source. */
struct places {
	struct fathom_code_place *list;
	size_t count, room;
};

/* Adds the place of an instruction. Without memory it is left out. */
static void add_place(struct places *places, const struct function *function, uint64_t address)
{
	struct fathom_code_place found, *larger;

	fathom_code_place_at(&function->function, address, &found);
	for (size_t i = 0; i < places->count && found.line; i++) {
		struct fathom_code_place *place = &places->list[i];

		if (place->line != found.line || place->file != found.file)
			continue;
		if (depth_of(found.scope) > depth_of(place->scope))
			place->scope = found.scope;
		return;
	}
	if (places->count == places->room) {
		size_t room = places->room ? 2 * places->room : 16;

		larger = reallocarray(places->list, room, sizeof(*larger));
		if (!larger)
			return;
		places->list = larger;
		places->room = room;
	}
	places->list[places->count++] = found;
}

/* Fills in the scope that contains all places, and frees these. False: there are none. */
static bool join_places(struct places *places, struct fathom_code_place *place)
{
	*place = (struct fathom_code_place){ .scope = places->count ? places->list[0].scope : NULL };
	for (size_t i = 1; i < places->count; i++)
		place->scope = common_scope(place->scope, places->list[i].scope);
	free(places->list);
	return places->count;
}

/* Returns the address of the function that an instruction calls, also by a jump at the end of its function; 0: none. */
static uint64_t called_address(const struct function *function, const struct fathom_instruction *instruction)
{
	uint32_t block;

	if (instruction->operation == FATHOM_OPERATION_CALL)
		return instruction->value;
	if (instruction->flow != FATHOM_FLOW_JUMP || !instruction->target ||
	    fathom_control_flow_find(&function->flow, instruction->target, &block))
		return 0;
	return instruction->target;
}

/* Returns whether name is that of a function, or of a copy that GCC made of it. */
static bool is_name_of(const char *name, const char *wanted)
{
	static const char *const endings[] = { "@", ".constprop.", ".isra.", ".lto_priv." };
	size_t length = strlen(wanted);

	if (strncmp(name, wanted, length) != 0)
		return false;
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (strncmp(name + length, endings[i], strlen(endings[i])) == 0)
			return true;
	return !name[length];
}

static bool have_one_base_name(const char *a, const char *b)
{
	const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');

	return strcmp(slash_a ? slash_a + 1 : a, slash_b ? slash_b + 1 : b) == 0;
}

bool fathom_code_calls_at(struct fathom_code_structure *structure, const struct fathom_code_function *code_function,
			  const char *callee, struct fathom_code_place *place)
{
	struct function *function = (struct function *)code_function;	/* its first member */
	const struct fathom_instructions *instructions = &function->flow.instructions;
	struct places places = { 0 };

	for (size_t i = 0; function->function.has_loops && i < instructions->count; i++) {
		uint64_t called = called_address(function, &instructions->list[i]);
		const char *name = called ? fathom_callee_name(&structure->functions, called) : NULL;

		if (name && is_name_of(name, callee))
			add_place(&places, function, instructions->list[i].address);
	}
	return join_places(&places, place);
}

bool fathom_code_line_at(const struct fathom_code_function *code_function, const char *file, uint32_t line,
			 struct fathom_code_place *place)
{
	const struct function *function = (const struct function *)code_function;	/* its first member */
	const struct fathom_instructions *instructions = &function->flow.instructions;
	struct places places = { 0 };
	const char *source;

	for (size_t i = 0; function->function.has_loops && i < instructions->count; i++) {
		uint64_t address = instructions->list[i].address;

		if (fathom_source_function_line(function->source, address, &source) == line && source &&
		    have_one_base_name(source, file))
			add_place(&places, function, address);
	}
	return join_places(&places, place);
}

/* Returns the code of symbol i of the file, if it is a function; *name becomes its name. NULL: it is none. */
static const struct fathom_code_function *function_of_symbol(struct fathom_code_structure *structure, int i,
							     const char **name, bool (*is_wanted)(const char *name,
											    const char *wanted),
							     const char *wanted)
{
	GElf_Addr address;
	GElf_Sym symbol;

	*name = dwfl_module_getsym_info(structure->file.module, i, &symbol, &address, NULL, NULL, NULL);
	if (!*name || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
	    !is_wanted(*name, wanted))
		return NULL;
	return fathom_code_function_at(structure, address - structure->file.bias);
}

const struct fathom_code_function *fathom_code_function_named(struct fathom_code_structure *structure,
							      const char *name, const char *file)
{
	int count = dwfl_module_getsymtab(structure->file.module);

	for (int i = 1; i < count; i++) {
		const char *symbol_name;
		const struct fathom_code_function *function =
			function_of_symbol(structure, i, &symbol_name, is_name_of, name);

		if (function && (!file || !function->file || have_one_base_name(function->file, file)))
			return function;
	}
	return NULL;
}

/* Returns whether name is that of the body of an OpenMP construct: GCC's have the name of the function around, clang's
 * have not. */
static bool is_body_of(const char *name, const char *outer)
{
	size_t length = strlen(outer);

	return strncmp(name, ".omp_outlined", strlen(".omp_outlined")) == 0 ||
	       (strncmp(name, outer, length) == 0 && strncmp(name + length, "._omp_fn.", strlen("._omp_fn.")) == 0);
}

const struct fathom_code_function *fathom_code_body_calling(struct fathom_code_structure *structure, const char *name,
							    const char *callee)
{
	int count = dwfl_module_getsymtab(structure->file.module);
	const struct fathom_code_function *found = NULL;

	for (int i = 1; i < count; i++) {
		const char *symbol_name;
		const struct fathom_code_function *function =
			function_of_symbol(structure, i, &symbol_name, is_body_of, name);
		struct fathom_code_place place;

		if (!function || function == found || !fathom_code_calls_at(structure, function, callee, &place))
			continue;
		if (found)
			return NULL;
		found = function;
	}
	return found;
}
