#include "gcc-plugin.h"
#include "tree.h"
#include "stringpool.h"
#include "attribs.h"
#include "options.h"

#include "gcc-plugin/sleds.h"

#ifdef I386_OPTS_H	/* GCC for x86 */

#include "backend.h"
#include "rtl.h"
#include "memmodel.h"
#include "emit-rtl.h"
#include "context.h"
#include "debug.h"
#include "output.h"
#include "tree-pass.h"

/* --- the mark ------------------------------------------------------------------------------ */

/* A name that no source can have. Its value is the number of the function it was put on. */
static const char mark_name[] = "fathom measured";

static struct attribute_spec mark_spec = { mark_name, 1, 1, true, false, false, false, NULL, NULL };

static void register_mark(void *, void *)
{
	register_attribute(&mark_spec);
}

/*
 * Whether the function itself is marked. What GCC makes of a function (the bodies of OpenMP's
 * regions, parts that were split off) has its attributes as well, but is a function of its own.
 */
static bool is_marked(tree function)
{
	tree mark = lookup_attribute(mark_name, DECL_ATTRIBUTES(function));

	return mark && tree_to_uhwi(TREE_VALUE(TREE_VALUE(mark))) == DECL_UID(function);
}

static void add_attribute(tree function, const char *name, tree value)
{
	if (!lookup_attribute(name, DECL_ATTRIBUTES(function)))
		DECL_ATTRIBUTES(function) = tree_cons(get_identifier(name), value, DECL_ATTRIBUTES(function));
}

void fathom_sleds_mark(tree function, bool is_whole)
{
	tree number = build_int_cst(unsigned_type_node, DECL_UID(function));
	tree own = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(function);

	add_attribute(function, mark_name, build_tree_list(NULL_TREE, number));
	add_attribute(function, "noclone", NULL_TREE);
	add_attribute(function, "no_icf", NULL_TREE);	/* folded, it would have another function's name */
	if (is_whole) {
		add_attribute(function, "noinline", NULL_TREE);
		DECL_UNINLINABLE(function) = 1;
	}
	DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(function) = 1;

	/* Callers shall not count on what is left alone by the function's own instructions. */
	flag_ipa_ra = 0;
	TREE_OPTIMIZATION(own ? own : optimization_default_node)->x_flag_ipa_ra = 0;
}

const char *fathom_sleds_why_no_file(void)
{
	if (!TARGET_LP64)
		return "not 64 bit";
	if (ix86_cmodel != CM_SMALL && ix86_cmodel != CM_SMALL_PIC && ix86_cmodel != CM_MEDIUM &&
	    ix86_cmodel != CM_MEDIUM_PIC)
		return "-mcmodel";	/* a call may not reach */
	if (flag_lto || in_lto_p)
		return "-flto";		/* the instructions are made by another compiler process */
	if (profile_flag)
		return "-pg";
	if (flag_split_stack)
		return "-fsplit-stack";
	if (flag_patchable_function_entry)
		return "-fpatchable-function-entry";
	return NULL;
}

const char *fathom_sleds_why_not(tree function)
{
	/* What needs copies under other names, and what begins with instructions of its own. */
	static const char *const attributes[] = { "target_clones", "omp declare simd", "simd", "transaction_callable",
						  "transaction_safe", "patchable_function_entry", "ms_hook_prologue" };

	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		if (lookup_attribute(attributes[i], DECL_ATTRIBUTES(function)))
			return attributes[i];
	}
	if (ix86_abi == MS_ABI || lookup_attribute("ms_abi", TYPE_ATTRIBUTES(TREE_TYPE(function))))
		return "ms_abi";
	return NULL;
}

/* --- the instructions ---------------------------------------------------------------------- */

/* The file has sleds: one compiler process reads one file. */
static bool has_sleds;

/*
 * One sled; it changes the flags and nothing else. GCC names the source file of each asm, so it needs
 * a place in one; instructions that GCC moved or made itself have none.
 */
static rtx make_sled(const char *text, location_t location)
{
	rtx sled, clobber = gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(CCmode, FLAGS_REG));

	if (LOCATION_LOCUS(location) == UNKNOWN_LOCATION)
		location = DECL_SOURCE_LOCATION(current_function_decl);
	if (LOCATION_LOCUS(location) == UNKNOWN_LOCATION)
		location = BUILTINS_LOCATION;
	sled = gen_rtx_ASM_INPUT_loc(VOIDmode, ggc_strdup(text), LOCATION_LOCUS(location));
	MEM_VOLATILE_P(sled) = 1;
	return gen_rtx_PARALLEL(VOIDmode, gen_rtvec(2, sled, clobber));
}

static void put_enter(int number)
{
	char text[128];
	rtx_insn *sled;

	snprintf(text, sizeof(text), ".Lfathom%d:\n\tcall\t__fathom_sled_enter", number);
	sled = emit_insn_before(make_sled(text, prologue_location), get_insns());
	INSN_LOCATION(sled) = prologue_location;
}

/* The frame is gone by then: at a return as at a tail call the stack is what it was at the entry. */
static void put_exit(int number, const char *name, rtx_insn *leaving)
{
	char text[192];
	rtx_insn *sled;

	snprintf(text, sizeof(text), "call\t%s\n\t.byte\t0x0f, 0x1f, 0x80\n\t.long\t.Lfathom%d - (. - 3)", name,
		 number);
	sled = emit_insn_before(make_sled(text, INSN_LOCATION(leaving)), leaving);
	INSN_LOCATION(sled) = INSN_LOCATION(leaving);
}

static unsigned put_sleds(void)
{
	rtx_insn *insn, *next;
	int number = current_function_funcdef_no;

	/* Leaves by another way than it came; only what unwinds the stack for others does this. */
	if (!is_marked(current_function_decl) || crtl->calls_eh_return)
		return 0;
	for (insn = get_insns(); insn; insn = next) {
		next = NEXT_INSN(insn);
		if (JUMP_P(insn) && returnjump_p(insn))
			put_exit(number, "__fathom_sled_exit", insn);
		else if (CALL_P(insn) && SIBLING_CALL_P(insn))
			put_exit(number, "__fathom_sled_tail", insn);
	}
	put_enter(number);
	has_sleds = true;
	return 0;
}

static const pass_data sleds_data = { RTL_PASS, "fathom_sleds", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0 };

class sleds_pass : public rtl_opt_pass {
public:
	sleds_pass(gcc::context *context) : rtl_opt_pass(sleds_data, context) {}
	unsigned execute(function *) final override { return put_sleds(); }
};

/* --- where they lead --------------------------------------------------------------------------- */

/* The address is read from the table each time, so no lazy binding changes registers on the way. */
static void write_way(const char *name)
{
	bool has_cfi = dwarf2out_do_cfi_asm();

	fprintf(asm_out_file, "\t.pushsection\t.text.__%s,\"axG\",@progbits,__%s,comdat\n", name, name);
	fprintf(asm_out_file, "\t.weak\t__%s\n\t.hidden\t__%s\n\t.type\t__%s, @function\n", name, name, name);
	fprintf(asm_out_file, "\t.weak\t%s\n\t.p2align 4\n__%s:\n", name, name);
	if (has_cfi)
		fputs("\t.cfi_startproc\n", asm_out_file);
	fprintf(asm_out_file, "\tcmpq\t$0, %s@GOTPCREL(%%rip)\n\tje\t1f\n", name);
	fprintf(asm_out_file, "\tjmp\t*%s@GOTPCREL(%%rip)\n1:\tret\n", name);
	if (has_cfi)
		fputs("\t.cfi_endproc\n", asm_out_file);
	fprintf(asm_out_file, "\t.size\t__%s, . - __%s\n\t.popsection\n", name, name);
}

static void write_ways(void *, void *)
{
	if (!has_sleds)
		return;
	if (ASSEMBLER_DIALECT == ASM_INTEL)
		fputs("\t.att_syntax\n", asm_out_file);
	write_way("fathom_sled_enter");
	write_way("fathom_sled_exit");
	write_way("fathom_sled_tail");
	if (ASSEMBLER_DIALECT == ASM_INTEL)
		fputs("\t.intel_syntax noprefix\n", asm_out_file);
}

void fathom_sleds_init(const char *plugin_name)
{
	/* Behind the last pass that moves instructions, and in front of the one that puts in endbr64. */
	static struct register_pass_info place = { NULL, "mach", 1, PASS_POS_INSERT_AFTER };

	place.pass = new sleds_pass(g);
	register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &place);
	register_callback(plugin_name, PLUGIN_ATTRIBUTES, register_mark, NULL);
	register_callback(plugin_name, PLUGIN_FINISH_UNIT, write_ways, NULL);
}

#else	/* another processor */

void fathom_sleds_init(const char *)
{
}

const char *fathom_sleds_why_no_file(void)
{
	return "not x86";
}

const char *fathom_sleds_why_not(tree)
{
	return fathom_sleds_why_no_file();
}

void fathom_sleds_mark(tree, bool)
{
}

#endif
