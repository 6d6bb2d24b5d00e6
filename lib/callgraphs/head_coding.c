#include "callgraphs/head_coding.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

struct coding {
	struct fathom_coding_numbers *numbers;
	struct fathom_call_graph *graph;
	bool is_wrong;		/* what was read makes no sense */
};

/* Codes a number whose context is given by its purpose and three numbers. */
static uint64_t code_number(struct coding *coding, enum fathom_coding_purpose purpose, uint64_t a, uint64_t b,
			    uint64_t c, uint64_t number)
{
	return fathom_coding_number(coding->numbers, fathom_coding_context(purpose, a, b, c), number);
}

static uint64_t code_head_number(struct coding *coding, uint64_t which, uint64_t number)
{
	return code_number(coding, FATHOM_CODING_HEAD, which, 0, 0, number);
}

static void code_facts(struct coding *coding)
{
	struct fathom_call_graph *graph = coding->graph;
	struct fathom_graph_bounds *bounds = &graph->bounds;
	bool is_reading = coding->numbers->coder->is_reading;
	uint64_t share, count;
	char *text;

	memcpy(&share, &bounds->share, sizeof(share));
	bounds->ticks = code_head_number(coding, 0, bounds->ticks);
	share = code_head_number(coding, 1, share);
	memcpy(&bounds->share, &share, sizeof(share));
	bounds->most = code_head_number(coding, 2, bounds->most);
	graph->event_bytes = code_head_number(coding, 3, graph->event_bytes);
	text = fathom_coding_text(coding->numbers, graph->creator);
	graph->creator = is_reading ? text : graph->creator;
	text = fathom_coding_text(coding->numbers, graph->description);
	graph->description = is_reading ? text : graph->description;
	count = code_head_number(coding, 4, graph->property_count);
	for (uint64_t i = 0; i < count && !coding->numbers->coder->is_broken; i++) {
		text = fathom_coding_text(coding->numbers, is_reading ? NULL : graph->properties[i]);
		if (!is_reading)
			continue;
		graph->properties = fathom_otf2_memory_grow(graph->properties, graph->property_count,
							    &graph->property_room, sizeof(char *));
		graph->properties[graph->property_count++] = text;
	}
	/* Names and values come in pairs. */
	coding->is_wrong = coding->is_wrong || count % 2 || count != graph->property_count;
}

/* Codes the fields of a definition as differences from the previous one of its kind. */
static void code_definition(struct coding *coding, const struct fathom_definition **previous, size_t i)
{
	struct fathom_definition_list *list = &coding->graph->definitions;
	bool is_reading = coding->numbers->coder->is_reading;
	const struct fathom_definition *before;
	struct fathom_definition *record;
	uint64_t kind, count;
	char *text = NULL;

	kind = code_number(coding, FATHOM_CODING_DEFINITION, 0, i ? list->records[i - 1].kind : 0, 0,
			   is_reading ? 0 : list->records[i].kind);
	if (kind >= FATHOM_DEFINITION_KINDS) {
		coding->is_wrong = true;
		return;
	}
	before = previous[kind];
	count = code_number(coding, FATHOM_CODING_DEFINITION, 1, kind, 0,
			    is_reading ? 0 : list->records[i].count);
	if (count > UINT32_MAX / 16) {
		coding->is_wrong = true;
		return;
	}
	if (kind == FATHOM_DEFINITION_STRING)
		text = fathom_coding_text(coding->numbers, is_reading ? NULL : list->records[i].text);
	record = is_reading ? fathom_definition_add(list, (enum fathom_definition_kind)kind, (uint32_t)count, text) :
		 &list->records[i];
	free(text);
	for (uint32_t f = 0; f < count && !coding->numbers->coder->is_broken; f++) {
		uint64_t from = f >= FATHOM_GROUP_MEMBERS && kind == FATHOM_DEFINITION_GROUP ? record->fields[f - 1] :
				before && f < before->count ? before->fields[f] : 0;

		record->fields[f] = from + fathom_coding_unfold(
			code_number(coding, FATHOM_CODING_DEFINITION, 2, kind, f < 16 ? f : 16,
				    fathom_coding_fold(record->fields[f] - from)));
	}
}

/* Returns whether a definition that was read has the fields that its kind has at least. */
static bool is_complete(const struct fathom_definition *record)
{
	const char *fields = fathom_definition_shapes[record->kind].fields, *repeated = strchr(fields, '*');
	size_t least = repeated ? (size_t)(repeated - fields) : strlen(fields);

	return repeated ? record->count >= least && (record->count - least) % strlen(repeated + 1) == 0 :
	       record->count == least;
}

static void code_definitions(struct coding *coding)
{
	struct fathom_definition_list *list = &coding->graph->definitions;
	struct fathom_definition copies[FATHOM_DEFINITION_KINDS];
	const struct fathom_definition *previous[FATHOM_DEFINITION_KINDS] = { NULL };
	uint64_t count = code_head_number(coding, 5, list->count);

	for (size_t i = 0; i < count && !coding->is_wrong && !coding->numbers->coder->is_broken; i++) {
		enum fathom_definition_kind kind;

		code_definition(coding, previous, i);
		if (coding->is_wrong)
			return;
		coding->is_wrong = !is_complete(&list->records[i]);
		kind = list->records[i].kind;
		copies[kind] = list->records[i];	/* the list may move */
		previous[kind] = &copies[kind];
	}
}

bool fathom_head_code(struct fathom_coding_numbers *numbers, struct fathom_call_graph *graph)
{
	struct coding coding = { .numbers = numbers, .graph = graph };

	code_facts(&coding);
	if (!coding.is_wrong)
		code_definitions(&coding);
	return !coding.is_wrong;
}
