#include "gcc-plugin.h"
#include "tree.h"
#include "options.h"
#include "backend.h"
#include "cgraph.h"
#include "context.h"
#include "gimple.h"
#include "gimple-expr.h"
#include "gimple-iterator.h"
#include "graphds.h"
#include "hash-map.h"
#include "ssa.h"
#include "tree-cfg.h"
#include "tree-pass.h"

#include "gcc-plugin/late/sleds.h"
#include "gcc-plugin/late/tail_calls.h"

/* --- rings ------------------------------------------------------------------------------------- */

/*
 * Numbers of what can be called at the end: functions by DECL_UID, and what is called through a pointer by the type
 * of the function, or the class and place of the virtual one. Trees may vanish, their numbers are not used again.
 */
typedef int_hash<long long, -1, -2> number_hash;
static hash_map<number_hash, int> *nodes;
static struct graph *calls;		/* between them, at the end of a function; components are the rings */

/* What is called through a pointer. Good until the graph is made. */
struct pointed {
	int node;
	tree type;		/* of the function; for a virtual one the class */
	long long place;	/* of the virtual one in the class's table; -1: it is none */
};

#define VIRTUAL_PLACES 100000	/* more have no ring */

static tree last_of_names(tree function)
{
	cgraph_node *node = cgraph_node::get(function);

	if (node)
		function = node->ultimate_alias_target()->decl;
	/* A copy that GCC made stands for what it was made from. */
	return DECL_ABSTRACT_ORIGIN(function) ? DECL_ABSTRACT_ORIGIN(function) : function;
}

/* What the call calls, as far as it matters here. */
static struct pointed pointed_by(gcall *call)
{
	struct pointed pointed = { -1, TYPE_MAIN_VARIANT(gimple_call_fntype(call)), -1 };
	tree callee = gimple_call_fn(call);

	if (callee && TREE_CODE(callee) == SSA_NAME && gimple_assign_single_p(SSA_NAME_DEF_STMT(callee)))
		callee = gimple_assign_rhs1(SSA_NAME_DEF_STMT(callee));
	if (callee && TREE_CODE(callee) == OBJ_TYPE_REF && virtual_method_call_p(callee) &&
	    tree_fits_uhwi_p(OBJ_TYPE_REF_TOKEN(callee))) {
		pointed.type = TYPE_MAIN_VARIANT(obj_type_ref_class(callee));
		pointed.place = (long long)MIN(tree_to_uhwi(OBJ_TYPE_REF_TOKEN(callee)), VIRTUAL_PLACES);
	}
	return pointed;
}

static long long number_of(const struct pointed *pointed)
{
	return ((1LL << 32) + TYPE_UID(pointed->type)) * (VIRTUAL_PLACES + 2) + pointed->place + 1;
}

static int node_of(long long number)
{
	bool was_there;
	int &node = nodes->get_or_insert(number, &was_there);

	if (!was_there)
		node = (int)nodes->elements() - 1;
	return node;
}

/* A little more than a tail call: nothing but moves of values stands between the call and the return. */
static bool is_at_end(gimple_stmt_iterator at)
{
	basic_block block = gsi_bb(at);

	gsi_next(&at);
	for (int steps = 0; steps < 16; steps++) {
		for (; !gsi_end_p(at); gsi_next(&at)) {
			gimple *statement = gsi_stmt(at);

			if (gimple_code(statement) == GIMPLE_RETURN)
				return true;
			if (is_gimple_debug(statement) || gimple_clobber_p(statement) ||
			    gimple_code(statement) == GIMPLE_LABEL || gimple_code(statement) == GIMPLE_NOP ||
			    gimple_code(statement) == GIMPLE_PREDICT)
				continue;
			if (!is_gimple_assign(statement) || gimple_vdef(statement))
				return false;
		}
		if (!single_succ_p(block))
			return false;
		block = single_succ(block);
		if (block == EXIT_BLOCK_PTR_FOR_FN(cfun))
			return true;
		at = gsi_start_bb(block);
	}
	return false;
}

struct edge_of_calls {
	int from, to;
};

static void see_end(gcall *call, int from, vec<edge_of_calls> *edges, vec<pointed> *pointers)
{
	tree callee = gimple_call_fndecl(call);
	struct pointed pointed;
	size_t known;

	if (gimple_call_internal_p(call) || !gimple_call_fntype(call))
		return;
	if (callee) {
		edges->safe_push({ from, node_of(DECL_UID(last_of_names(callee))) });
		return;
	}
	pointed = pointed_by(call);
	known = nodes->elements();
	pointed.node = node_of(number_of(&pointed));
	edges->safe_push({ from, pointed.node });
	if (nodes->elements() > known)
		pointers->safe_push(pointed);
}

static void see_ends(cgraph_node *node, vec<edge_of_calls> *edges, vec<pointed> *pointers)
{
	function *body = DECL_STRUCT_FUNCTION(node->decl);
	int from = node_of(DECL_UID(last_of_names(node->decl)));
	basic_block block;

	if (!body || !body->cfg)
		return;
	push_cfun(body);
	FOR_EACH_BB_FN(block, body) {
		for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
			gcall *call = dyn_cast<gcall *>(gsi_stmt(at));

			if (call && is_at_end(at))
				see_end(call, from, edges, pointers);
		}
	}
	pop_cfun();
}

static bool is_derived(tree type, tree base)
{
	tree binfo = TYPE_BINFO(type), base_binfo;

	if (TYPE_MAIN_VARIANT(type) == base)
		return true;
	for (unsigned i = 0; binfo && BINFO_BASE_ITERATE(binfo, i, base_binfo); i++) {
		if (is_derived(BINFO_TYPE(base_binfo), base))
			return true;
	}
	return false;
}

static bool may_call(const struct pointed *pointed, cgraph_node *node)
{
	tree function = node->decl;

	if (pointed->place < 0)
		return node->address_taken && types_compatible_p(pointed->type, TYPE_MAIN_VARIANT(TREE_TYPE(function)));
	return DECL_VIRTUAL_P(function) && DECL_VINDEX(function) && tree_fits_uhwi_p(DECL_VINDEX(function)) &&
	       (long long)tree_to_uhwi(DECL_VINDEX(function)) == pointed->place && DECL_CONTEXT(function) &&
	       TYPE_P(DECL_CONTEXT(function)) && is_derived(DECL_CONTEXT(function), pointed->type);
}

static void find_rings(void *, void *)
{
	auto_vec<edge_of_calls> edges;
	auto_vec<pointed> pointers;
	cgraph_node *node;

	if (!optimize || !flag_optimize_sibling_calls)
		return;
	nodes = new hash_map<number_hash, int>;
	FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
		see_ends(node, &edges, &pointers);
	for (unsigned i = 0; i < pointers.length(); i++) {
		FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
			if (may_call(&pointers[i], node))
				edges.safe_push({ pointers[i].node, node_of(DECL_UID(last_of_names(node->decl))) });
		}
	}
	calls = new_graph((int)nodes->elements());
	for (unsigned i = 0; i < edges.length(); i++)
		add_edge(calls, edges[i].from, edges[i].to);
	graphds_scc(calls, NULL);
}

static int ring_of(long long number)
{
	int *node = nodes->get(number);

	return node ? calls->vertices[*node].component : -1;
}

/* Whether the call may lead back to the function that makes it, by nothing but calls at the end. */
static bool is_in_ring(tree caller, gcall *call)
{
	int ring = ring_of(DECL_UID(last_of_names(caller)));
	tree callee = gimple_call_fndecl(call);
	struct pointed pointed;

	if (ring < 0 || gimple_call_internal_p(call) || !gimple_call_fntype(call))
		return false;
	if (callee)
		return ring == ring_of(DECL_UID(last_of_names(callee)));
	pointed = pointed_by(call);
	return ring == ring_of(number_of(&pointed));
}

/* --- the pass ---------------------------------------------------------------------------------- */

/*
 * So that what a function calls at its end is found below it, and main is left last. Not in what coroutines become:
 * these jump to each other, through pointers of no certain type, as often as they like.
 */
static unsigned keep_callers(function *body)
{
	basic_block block;

	if (!calls || body->coroutine_component || !fathom_sleds_has(current_function_decl))
		return 0;
	FOR_EACH_BB_FN(block, body) {
		for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
			gcall *call = dyn_cast<gcall *>(gsi_stmt(at));

			if (call && gimple_call_tail_p(call) && !gimple_call_must_tail_p(call) &&
			    !is_in_ring(current_function_decl, call))
				gimple_call_set_tail(call, false);
		}
	}
	return 0;
}

static const pass_data callers_data = { GIMPLE_PASS, "fathom_callers", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0 };

class callers_pass : public gimple_opt_pass {
public:
	callers_pass(gcc::context *context) : gimple_opt_pass(callers_data, context) {}
	unsigned execute(function *body) final override { return keep_callers(body); }
};

void fathom_tail_calls_init(const char *plugin_name)
{
	/* Behind the one that finds out which calls are in tail position. */
	static struct register_pass_info place = { NULL, "tailc", 1, PASS_POS_INSERT_AFTER };

	place.pass = new callers_pass(g);
	register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &place);
	register_callback(plugin_name, PLUGIN_ALL_IPA_PASSES_START, find_rings, NULL);
}
