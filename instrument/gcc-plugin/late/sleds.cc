#include "gcc-plugin.h"
#include "bversion.h"
#include "tree.h"
#include "stringpool.h"
#include "attribs.h"
#include "options.h"

#include "gcc-plugin/late/sleds.h"

#ifdef I386_OPTS_H	/* GCC for x86 */

#include "backend.h"
#include "cgraph.h"
#include "rtl.h"
#include "memmodel.h"
#include "emit-rtl.h"
#include "context.h"
#include "debug.h"
#include "output.h"
#include "insn-config.h"
#include "recog.h"
#include "df.h"
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
bool fathom_sleds_has(tree function)
{
	tree mark = lookup_attribute(mark_name, DECL_ATTRIBUTES(function));

	return mark && tree_to_uhwi(TREE_VALUE(TREE_VALUE(mark))) == DECL_UID(function);
}

static void add_attribute(tree function, const char *name, tree value)
{
	if (!lookup_attribute(name, DECL_ATTRIBUTES(function)))
		DECL_ATTRIBUTES(function) = tree_cons(get_identifier(name), value, DECL_ATTRIBUTES(function));
}

void fathom_sleds_mark(tree function)
{
	tree number = build_int_cst(unsigned_type_node, DECL_UID(function));

	add_attribute(function, mark_name, build_tree_list(NULL_TREE, number));
	add_attribute(function, "noclone", NULL_TREE);
	add_attribute(function, "no_icf", NULL_TREE);	/* folded, it would have another function's name */
	add_attribute(function, "noinline", NULL_TREE);	/* copied, it would not be seen where that was */
	DECL_UNINLINABLE(function) = 1;
	DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(function) = 1;
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
	if (ix86_function_return == indirect_branch_thunk_inline)
		return "-mfunction-return=thunk-inline";	/* a return is a call there */
	if (flag_patchable_function_entry)
		return "-fpatchable-function-entry";
	return NULL;
}

const char *fathom_sleds_why_not(tree function)
{
	/* What is copied in any case, what needs copies under other names, and what has a beginning of its own. */
	static const char *const attributes[] = { "always_inline", "target_clones", "omp declare simd", "simd",
						  "patchable_function_entry", "ms_hook_prologue",
						  "no_caller_saved_registers" };

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
 * One sled; it changes the flags and nothing else. GCC names the source file of each asm that has a
 * line, and minds those without any place; instructions that it moved or made itself have none.
 */
static rtx make_sled(const char *text)
{
	rtx sled = gen_rtx_ASM_INPUT_loc(VOIDmode, ggc_strdup(text), BUILTINS_LOCATION);
	rtx clobber = gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(CCmode, FLAGS_REG));

	MEM_VOLATILE_P(sled) = 1;
	return gen_rtx_PARALLEL(VOIDmode, gen_rtvec(2, sled, clobber));
}

static rtx make_call(const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "call\t%s", name);
	return make_sled(text);
}

/*
 * To unwind from a sled: what was popped is overwritten by the call, where GCC goes on to say that
 * registers are saved there (nothing would write below the stack pointer before the return).
 */
static void put_restored(rtx_insn *leaving)
{
	static const unsigned char kept[] = { BX_REG, BP_REG, R12_REG, R13_REG, R14_REG, R15_REG };
	rtx_insn *nothing = NULL;

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (!df_regs_ever_live_p(kept[i]) && !(kept[i] == BP_REG && frame_pointer_needed))
			continue;
		if (!nothing)
			nothing = emit_insn_before(gen_rtx_ASM_INPUT_loc(VOIDmode, "", BUILTINS_LOCATION), leaving);
		add_reg_note(nothing, REG_CFA_RESTORE, gen_rtx_REG(DImode, kept[i]));
		RTX_FRAME_RELATED_P(nothing) = 1;
	}
}

/* Where the function's first sled is, seen from here: nopl disp32(%rax). */
static rtx make_way_back(int number)
{
	char text[96];

	snprintf(text, sizeof(text), ".byte\t0x0f, 0x1f, 0x80\n\t.long\t.Lfathom%d - (. - 3)", number);
	return make_sled(text);
}

static void put_before(rtx_insn *insn, rtx sled)
{
	rtx_insn *put = emit_insn_before(sled, insn);

	INSN_LOCATION(put) = INSN_LOCATION(insn);
}

/* Behind what says where the arguments are: a debugger that stops at the entry shall find them. */
static void put_enter(int number)
{
	rtx_insn *put, *first = get_insns();
	char text[96];

	while (NOTE_P(first) && (NOTE_KIND(first) == NOTE_INSN_DELETED || NOTE_KIND(first) == NOTE_INSN_VAR_LOCATION))
		first = NEXT_INSN(first);
	snprintf(text, sizeof(text), ".Lfathom%d:\n\tcall\t__fathom_sled_enter", number);
	put = emit_insn_before(make_sled(text), first);
	INSN_LOCATION(put) = prologue_location;
}

/* Whether nothing stands behind a `ret': -mharden-sls, which came with GCC 12 and into some GCC 11. */
static bool is_ret_alone(void)
{
#ifdef ix86_harden_sls
	return !(ix86_harden_sls & harden_sls_return);
#else
	return true;
#endif
}

/* The barrier behind an insn that becomes the one byte `ret' and nothing else, or NULL. */
static rtx_insn *barrier_of_short_return(rtx_insn *insn)
{
	rtx_insn *next = next_nonnote_insn(insn);

	if (recog_memoized(insn) != CODE_FOR_simple_return_internal || !is_ret_alone() ||
	    cfun->machine->function_return_type != indirect_branch_keep)
		return NULL;
	return next && BARRIER_P(next) ? next : NULL;
}

/*
 * The frame is gone by then: at a return as at a tail call the stack is what it was at the entry.
 * Behind a return the way back is not executed.
 */
static void put_exit(int number, rtx_insn *leaving)
{
	bool is_return = JUMP_P(leaving);
	rtx_insn *barrier = is_return ? barrier_of_short_return(leaving) : NULL;

	put_restored(leaving);
	put_before(leaving, make_call(barrier ? "__fathom_sled_exit" : "__fathom_sled_tail"));
	if (barrier)
		emit_insn_after(make_way_back(number), barrier);
	else
		put_before(leaving, make_way_back(number));
}

static unsigned put_sleds(void)
{
	rtx_insn *insn, *next;
	int number = current_function_funcdef_no;

	/* Leaves by another way than it came; only what unwinds the stack for others does this. */
	if (!fathom_sleds_has(current_function_decl) || crtl->calls_eh_return)
		return 0;
	for (insn = get_insns(); insn; insn = next) {
		next = NEXT_INSN(insn);
		if ((JUMP_P(insn) && returnjump_p(insn)) || (CALL_P(insn) && SIBLING_CALL_P(insn)))
			put_exit(number, insn);
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

/*
 * TSan sees what our libraries ask of the C library, memcpy and the like, but not their locks, and would tell of races
 * there. It asks the program which libraries to leave alone; a program that answers itself is asked first.
 */
static void write_suppressions(void)
{
	static const char name[] = "__tsan_default_suppressions";
	static const char *const libraries[] = { "", "-compiler", "-pthread", "-symbols", "-patch", "-trace", "-pomp2",
						 "-papi", "-mpi" };

	if (!(flag_sanitize & SANITIZE_THREAD) || cgraph_node::get_for_asmname(get_identifier(name)))
		return;
	fprintf(asm_out_file, "\t.pushsection\t.text.%s,\"axG\",@progbits,%s,comdat\n", name, name);
	fprintf(asm_out_file, "\t.weak\t%s\n\t.type\t%s, @function\n%s:\n", name, name, name);
	fputs("\tleaq\t1f(%rip), %rax\n\tret\n1:\t.string\t\"", asm_out_file);
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		fprintf(asm_out_file, "called_from_lib:libfathom%s.so\\n", libraries[i]);
	fprintf(asm_out_file, "\"\n\t.size\t%s, . - %s\n\t.popsection\n", name, name);
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
	write_suppressions();
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

void fathom_sleds_mark(tree)
{
}

bool fathom_sleds_has(tree)
{
	return false;
}

#endif
