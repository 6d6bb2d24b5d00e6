#include "symbols/control_flow.h"

#include <errno.h>
#include <stdlib.h>

#include "symbols/callees.h"
#include "symbols/code_file.h"
#include "symbols/jump_tables.h"
#include "symbols/source_functions.h"

enum { MOST_BYTES = 1 << 22 };	/* of code of one function; more is damage, or not written by people */

struct edge {
	uint32_t from, to;	/* indices of instructions */
};

struct builder {
	struct fathom_control_flow *flow;
	struct fathom_source_functions *functions;
	const struct fathom_code_piece *pieces;
	size_t *piece_end;	/* by piece: the index behind its last instruction */
	uint32_t piece_count;
	bool *is_first;		/* by instruction: begins a block */
	struct edge *edges;
	size_t edge_count, edge_room;
};

static int decode(struct builder *builder)
{
	struct fathom_instructions *instructions = &builder->flow->instructions;
	size_t most = MOST_BYTES;

	for (uint32_t p = 0; p < builder->piece_count; p++) {
		const struct fathom_code_piece *piece = &builder->pieces[p];
		size_t there, bytes = piece->end > piece->begin ? piece->end - piece->begin : 0;
		const uint8_t *code = fathom_code_file_contents(builder->functions->file, piece->begin, &there);
		int err;

		bytes = !code ? 0 : bytes < there ? bytes : there;
		bytes = bytes < most ? bytes : most;
		most -= bytes;
		err = fathom_instructions_decode(instructions, code, bytes, piece->begin);
		if (err)
			return err;
		builder->piece_end[p] = instructions->count;
	}
	return instructions->count && builder->piece_end[0] ? 0 : -ENOENT;
}

/* Returns the index of the instruction that begins at an address; the number of instructions: there is none. */
static size_t find(const struct builder *builder, uint64_t address)
{
	const struct fathom_instructions *instructions = &builder->flow->instructions;

	for (uint32_t p = 0; p < builder->piece_count; p++) {
		size_t low = p ? builder->piece_end[p - 1] : 0, high = builder->piece_end[p];
		size_t end = high;

		if (address < builder->pieces[p].begin || address >= builder->pieces[p].end)
			continue;
		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (instructions->list[middle].address < address)
				low = middle + 1;
			else
				high = middle;
		}
		if (low < end && instructions->list[low].address == address)
			return low;
	}
	return instructions->count;
}

static int add_edge(struct builder *builder, size_t from, size_t to)
{
	if (builder->edge_count == builder->edge_room) {
		size_t room = builder->edge_room ? 2 * builder->edge_room : 64;
		struct edge *edges = reallocarray(builder->edges, room, sizeof(*edges));

		if (!edges)
			return -ENOMEM;
		builder->edges = edges;
		builder->edge_room = room;
	}
	builder->edges[builder->edge_count++] = (struct edge){ (uint32_t)from, (uint32_t)to };
	builder->is_first[to] = true;
	return 0;
}

static int add_edge_to_address(struct builder *builder, size_t from, uint64_t address)
{
	size_t to = find(builder, address);

	return to < builder->flow->instructions.count ? add_edge(builder, from, to) : 0;
}

/* Adds the edges of an indirect jump, as far as its targets are known. */
static int add_table(struct builder *builder, size_t jump)
{
	const struct fathom_instructions *instructions = &builder->flow->instructions;
	struct fathom_jump_table table;
	int err = 0;

	if (!fathom_jump_table_find(instructions, jump, &table))
		return 0;
	for (uint32_t i = 0; i < table.most && !err; i++) {
		size_t to = find(builder, fathom_jump_table_target(builder->functions->file, &table, i));

		if (to == instructions->count)
			break;
		err = add_edge(builder, jump, to);
	}
	return err;
}

/* Whether the program goes on with the next instruction, or may do so. */
static bool continues(const struct fathom_instruction *instruction)
{
	return instruction->flow == FATHOM_FLOW_NEXT || instruction->flow == FATHOM_FLOW_CONDITIONAL;
}

/* Finds the jumps within the function, and the instructions that begin blocks. */
static int find_jumps(struct builder *builder)
{
	const struct fathom_instructions *instructions = &builder->flow->instructions;
	int err = 0;

	builder->is_first[0] = true;
	for (uint32_t p = 0; p + 1 < builder->piece_count; p++)
		if (builder->piece_end[p] < instructions->count)
			builder->is_first[builder->piece_end[p]] = true;
	for (size_t i = 0; i < instructions->count && !err; i++) {
		struct fathom_instruction *instruction = &instructions->list[i];

		if (instruction->operation == FATHOM_OPERATION_CALL && instruction->value &&
		    fathom_callee_never_returns(builder->functions, instruction->value))
			instruction->flow = FATHOM_FLOW_END;
		if (instruction->target)
			err = add_edge_to_address(builder, i, instruction->target);
		else if (instruction->flow == FATHOM_FLOW_INDIRECT)
			err = add_table(builder, i);
		if (instruction->flow != FATHOM_FLOW_NEXT && i + 1 < instructions->count)
			builder->is_first[i + 1] = true;
	}
	return err;
}

/* Numbers the blocks, and adds the edges from blocks that do not end with a jump to the blocks that follow them. */
static int make_blocks(struct builder *builder, uint32_t *block_of)
{
	struct fathom_control_flow *flow = builder->flow;
	size_t count = flow->instructions.count;
	uint32_t blocks = 0, piece = 0;

	for (size_t i = 0; i < count; i++)
		blocks += builder->is_first[i];
	flow->begin = calloc((size_t)blocks + 1, sizeof(*flow->begin));
	if (!flow->begin)
		return -ENOMEM;
	flow->graph.count = blocks;
	flow->begin[blocks] = (uint32_t)count;
	blocks = 0;
	for (size_t i = 0; i < count; i++) {
		if (builder->is_first[i])
			flow->begin[blocks++] = (uint32_t)i;
		block_of[i] = blocks - 1;
		while (i >= builder->piece_end[piece])
			piece++;
		if (i + 1 < builder->piece_end[piece] && builder->is_first[i + 1] &&
		    continues(&flow->instructions.list[i]) && add_edge(builder, i, i + 1))
			return -ENOMEM;
	}
	return 0;
}

/* Puts the edges in the order of their source blocks. */
static int make_graph(struct builder *builder, const uint32_t *block_of)
{
	struct fathom_control_flow *flow = builder->flow;
	uint32_t *first = calloc((size_t)flow->graph.count + 2, sizeof(*first));
	uint32_t *targets = calloc(builder->edge_count + 1, sizeof(*targets));

	flow->first = first;
	flow->targets = targets;
	if (!first || !targets)
		return -ENOMEM;
	/* first[b + 2] counts the edges of block b, then first[b + 1] is the place of its next edge. */
	for (size_t e = 0; e < builder->edge_count; e++)
		first[block_of[builder->edges[e].from] + 2]++;
	for (uint32_t b = 0; b < flow->graph.count; b++)
		first[b + 2] += first[b + 1];
	for (size_t e = 0; e < builder->edge_count; e++)
		targets[first[block_of[builder->edges[e].from] + 1]++] = block_of[builder->edges[e].to];
	flow->graph.first = first;
	flow->graph.targets = targets;
	return 0;
}

static int compare_addresses(const void *a, const void *b)
{
	const struct fathom_block_address *left = a, *right = b;

	return left->address < right->address ? -1 : left->address > right->address;
}

static int sort_addresses(struct fathom_control_flow *flow)
{
	flow->addresses = calloc(flow->graph.count, sizeof(*flow->addresses));
	if (!flow->addresses)
		return -ENOMEM;
	for (uint32_t b = 0; b < flow->graph.count; b++)
		flow->addresses[b] = (struct fathom_block_address){
			flow->instructions.list[flow->begin[b]].address, b };
	qsort(flow->addresses, flow->graph.count, sizeof(*flow->addresses), compare_addresses);
	return 0;
}

static int build(struct builder *builder)
{
	struct fathom_control_flow *flow = builder->flow;
	uint32_t *block_of = NULL;
	int err = decode(builder);

	if (err)
		return err;
	builder->is_first = calloc(flow->instructions.count, sizeof(bool));
	block_of = calloc(flow->instructions.count, sizeof(*block_of));
	err = builder->is_first && block_of ? 0 : -ENOMEM;
	if (!err)
		err = find_jumps(builder);
	if (!err)
		err = make_blocks(builder, block_of);
	if (!err)
		err = make_graph(builder, block_of);
	if (!err)
		err = sort_addresses(flow);
	free(block_of);
	return err;
}

int fathom_control_flow_init(struct fathom_control_flow *flow, struct fathom_source_functions *functions,
			     const struct fathom_code_piece *pieces, uint32_t piece_count)
{
	struct builder builder = {
		.flow = flow, .functions = functions, .pieces = pieces, .piece_count = piece_count,
		.piece_end = calloc(piece_count ? piece_count : 1, sizeof(size_t)),
	};
	int err;

	*flow = (struct fathom_control_flow){ 0 };
	err = builder.piece_end ? build(&builder) : -ENOMEM;
	free(builder.piece_end);
	free(builder.is_first);
	free(builder.edges);
	if (err)
		fathom_control_flow_fini(flow);
	return err;
}

bool fathom_control_flow_find(const struct fathom_control_flow *flow, uint64_t address, uint32_t *block)
{
	const struct fathom_instruction *last;
	uint32_t low = 0, high = flow->graph.count;

	while (low < high) {	/* finds the first block that begins after address */
		uint32_t middle = low + (high - low) / 2;

		if (flow->addresses[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	*block = flow->addresses[low - 1].block;
	last = &flow->instructions.list[flow->begin[*block + 1] - 1];
	return address < last->address + last->length;
}

void fathom_control_flow_fini(struct fathom_control_flow *flow)
{
	fathom_instructions_fini(&flow->instructions);
	free(flow->begin);
	free(flow->addresses);
	free(flow->first);
	free(flow->targets);
	*flow = (struct fathom_control_flow){ 0 };
}
