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
 * The nodes of a graph, by number. A node is a function, whose number is its DECL_UID; or all functions that a call
 * through a pointer may reach, whose number consists of the function's type, or the class and place of a virtual
 * function. GCC may free trees, but does not use their numbers again.
 */
typedef int_hash<long long, -1, -2> number_hash;
static hash_map<number_hash, int> *node_by_number;
static struct graph *end_calls;		/* edges: calls at the end of functions; strongly connected components: rings */

/* The functions that a call through a pointer may reach. Valid until the graph is complete. */
struct call_targets {
	int node;
	tree type;		/* type of the function; for a virtual function, its class */
	long long place;	/* index of a virtual function in the table of its class; -1: not virtual */
};

#define VIRTUAL_PLACES 100000	/* calls of virtual functions with a larger index are in no ring */

static tree original_function(tree function)
{
	cgraph_node *node = cgraph_node::get(function);

	if (node)
		function = node->ultimate_alias_target()->decl;
	/* A clone that GCC made has the node of the function that it was made from. */
	return DECL_ABSTRACT_ORIGIN(function) ? DECL_ABSTRACT_ORIGIN(function) : function;
}

/* Returns the functions that a call through a pointer may reach, without their node. */
static struct call_targets targets_of(gcall *call)
{
	struct call_targets targets = { -1, TYPE_MAIN_VARIANT(gimple_call_fntype(call)), -1 };
	tree callee = gimple_call_fn(call);

	if (callee && TREE_CODE(callee) == SSA_NAME && gimple_assign_single_p(SSA_NAME_DEF_STMT(callee)))
		callee = gimple_assign_rhs1(SSA_NAME_DEF_STMT(callee));
	if (callee && TREE_CODE(callee) == OBJ_TYPE_REF && virtual_method_call_p(callee) &&
	    tree_fits_uhwi_p(OBJ_TYPE_REF_TOKEN(callee))) {
		targets.type = TYPE_MAIN_VARIANT(obj_type_ref_class(callee));
		targets.place = (long long)MIN(tree_to_uhwi(OBJ_TYPE_REF_TOKEN(callee)), VIRTUAL_PLACES);
	}
	return targets;
}

static long long number_of(const struct call_targets *targets)
{
	return ((1LL << 32) + TYPE_UID(targets->type)) * (VIRTUAL_PLACES + 2) + targets->place + 1;
}

static int node_of(long long number)
{
	bool was_there;
	int &node = node_by_number->get_or_insert(number, &was_there);

	if (!was_there)
		node = (int)node_by_number->elements() - 1;
	return node;
}

/* Returns whether only moves of values are between the call and the return. Such a call need not be a tail call yet. */
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

static void add_end_call(gcall *call, int from, vec<edge_of_calls> *edges, vec<call_targets> *pointers)
{
	tree callee = gimple_call_fndecl(call);
	struct call_targets targets;
	size_t known;

	if (gimple_call_internal_p(call) || !gimple_call_fntype(call))
		return;
	if (callee) {
		edges->safe_push({ from, node_of(DECL_UID(original_function(callee))) });
		return;
	}
	targets = targets_of(call);
	known = node_by_number->elements();
	targets.node = node_of(number_of(&targets));
	edges->safe_push({ from, targets.node });
	if (node_by_number->elements() > known)
		pointers->safe_push(targets);
}

static void add_end_calls(cgraph_node *node, vec<edge_of_calls> *edges, vec<call_targets> *pointers)
{
	function *body = DECL_STRUCT_FUNCTION(node->decl);
	int from = node_of(DECL_UID(original_function(node->decl)));
	basic_block block;

	if (!body || !body->cfg)
		return;
	push_cfun(body);
	FOR_EACH_BB_FN(block, body) {
		for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
			gcall *call = dyn_cast<gcall *>(gsi_stmt(at));

			if (call && is_at_end(at))
				add_end_call(call, from, edges, pointers);
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

static bool may_call(const struct call_targets *targets, cgraph_node *node)
{
	tree function = node->decl;

	if (targets->place < 0)
		return node->address_taken &&
		       types_compatible_p(targets->type, TYPE_MAIN_VARIANT(TREE_TYPE(function)));
	return DECL_VIRTUAL_P(function) && DECL_VINDEX(function) && tree_fits_uhwi_p(DECL_VINDEX(function)) &&
	       (long long)tree_to_uhwi(DECL_VINDEX(function)) == targets->place && DECL_CONTEXT(function) &&
	       TYPE_P(DECL_CONTEXT(function)) && is_derived(DECL_CONTEXT(function), targets->type);
}

static void find_rings(void *, void *)
{
	auto_vec<edge_of_calls> edges;
	auto_vec<call_targets> pointers;
	cgraph_node *node;

	if (!optimize || !flag_optimize_sibling_calls)
		return;
	node_by_number = new hash_map<number_hash, int>;
	FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
		add_end_calls(node, &edges, &pointers);
	for (unsigned i = 0; i < pointers.length(); i++) {
		FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
			if (may_call(&pointers[i], node))
				edges.safe_push({ pointers[i].node, node_of(DECL_UID(original_function(node->decl))) });
		}
	}
	end_calls = new_graph((int)node_by_number->elements());
	for (unsigned i = 0; i < edges.length(); i++)
		add_edge(end_calls, edges[i].from, edges[i].to);
	graphds_scc(end_calls, NULL);
}

static int ring_of(long long number)
{
	int *node = node_by_number->get(number);

	return node ? end_calls->vertices[*node].component : -1;
}

/* Returns whether the call may lead back to the caller through calls at the end of functions only. */
static bool is_in_ring(tree caller, gcall *call)
{
	int ring = ring_of(DECL_UID(original_function(caller)));
	tree callee = gimple_call_fndecl(call);
	struct call_targets targets;

	if (ring < 0 || gimple_call_internal_p(call) || !gimple_call_fntype(call))
		return false;
	if (callee)
		return ring == ring_of(DECL_UID(original_function(callee)));
	targets = targets_of(call);
	return ring == ring_of(number_of(&targets));
}

/* --- the pass ---------------------------------------------------------------------------------- */

/*
 * Makes tail calls of marked functions normal calls, except those in a ring: so the called functions are below the
 * caller in the call tree, and main is left last. The functions of coroutines keep their tail calls, because they jump
 * to each other without end, through pointers without a known type.
 */
static unsigned keep_callers(function *body)
{
	basic_block block;

	if (!end_calls || body->coroutine_component || !fathom_sleds_has(current_function_decl))
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
	/* The pass runs after the one that finds the calls in tail position. */
	static struct register_pass_info place = { NULL, "tailc", 1, PASS_POS_INSERT_AFTER };

	place.pass = new callers_pass(g);
	register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &place);
	register_callback(plugin_name, PLUGIN_ALL_IPA_PASSES_START, find_rings, NULL);
}
