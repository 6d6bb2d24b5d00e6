#include "gcc-plugin.h"
#include "bversion.h"
#include "tree.h"
#include "stringpool.h"
#include "attribs.h"
#include "options.h"

#include "gcc-plugin/late/compiled_functions.h"
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

/* The name of the attribute that marks functions, which no source can contain. Its value is the number (DECL_UID) of
 * the marked function. */
static const char mark_name[] = "fathom measured";

static struct attribute_spec mark_spec = { mark_name, 1, 1, true, false, false, false, NULL, NULL };

static void register_mark(void *, void *)
{
	register_attribute(&mark_spec);
}

/*
 * Returns whether the function itself is marked. Functions that GCC makes from a marked one (bodies of OpenMP regions,
 * parts that it splits off) inherit its attributes but have other numbers.
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
	add_attribute(function, "no_icf", NULL_TREE);	/* merged, it would have another function's name */
	add_attribute(function, "noinline", NULL_TREE);	/* where it is inlined, no visit would be recorded */
	DECL_UNINLINABLE(function) = 1;
	DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT(function) = 1;
}

const char *fathom_sleds_why_no_file(void)
{
	if (!TARGET_LP64)
		return "not 64 bit";
	if (ix86_cmodel != CM_SMALL && ix86_cmodel != CM_SMALL_PIC && ix86_cmodel != CM_MEDIUM &&
	    ix86_cmodel != CM_MEDIUM_PIC)
		return "-mcmodel";	/* a call of a sled may not reach its target */
	if (flag_lto || in_lto_p)
		return "-flto";		/* another compiler process generates the instructions */
	if (profile_flag)
		return "-pg";
	if (flag_split_stack)
		return "-fsplit-stack";
	if (ix86_function_return == indirect_branch_thunk_inline)
		return "-mfunction-return=thunk-inline";	/* there a return consists of calls */
	if (flag_patchable_function_entry)
		return "-fpatchable-function-entry";
	return NULL;
}

/* Returns the first of the attributes that the function has; NULL: none. */
static const char *first_attribute(tree function, const char *const *attributes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (lookup_attribute(attributes[i], DECL_ATTRIBUTES(function)))
			return attributes[i];
	}
	return NULL;
}

const char *fathom_sleds_why_not(tree function)
{
	/* Functions that begin with instructions of their own. */
	static const char *const attributes[] = { "patchable_function_entry", "ms_hook_prologue",
						  "no_caller_saved_registers" };
	const char *attribute = first_attribute(function, attributes, ARRAY_SIZE(attributes));

	if (attribute)
		return attribute;
	if (ix86_abi == MS_ABI || lookup_attribute("ms_abi", TYPE_ATTRIBUTES(TREE_TYPE(function))))
		return "ms_abi";
	return NULL;
}

const char *fathom_sleds_why_no_mark(tree function)
{
	/* Functions that are always inlined or that need clones. */
	static const char *const attributes[] = { "always_inline", "target_clones", "omp declare simd", "simd" };
	const char *why = fathom_sleds_why_not(function);

	return why ? why : first_attribute(function, attributes, ARRAY_SIZE(attributes));
}

/* --- the instructions ---------------------------------------------------------------------- */

/* The file has sleds. One compiler process reads one file. */
static bool has_sleds;

/*
 * Makes the instruction of a sled, an asm that changes only the flags. It gets GCC's location of built-in functions:
 * for an asm with a source line GCC would write the name of the source file, and an asm without any location is not
 * allowed.
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
 * Makes it possible to unwind from a sled before a return. There GCC still describes registers as saved in the part of
 * the stack that was popped, because no instruction would write to it before the return; but the call of the sled does.
 * The notes say that the registers have been restored.
 */
static void insert_register_notes(rtx_insn *leaving)
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

/* Makes the nopl disp32(%rax) with the distance to the function's first sled. */
static rtx make_distance(int number)
{
	char text[96];

	snprintf(text, sizeof(text), ".byte\t0x0f, 0x1f, 0x80\n\t.long\t.Lfathom%d - (. - 3)", number);
	return make_sled(text);
}

static void insert_before(rtx_insn *insn, rtx sled)
{
	rtx_insn *put = emit_insn_before(sled, insn);

	INSN_LOCATION(put) = INSN_LOCATION(insn);
}

/* Inserts the sled at the entry, after notes about the places of arguments, so that a debugger that stops at the entry
 * finds the arguments. */
static void insert_enter(int number)
{
	rtx_insn *put, *first = get_insns();
	char text[96];

	while (NOTE_P(first) && (NOTE_KIND(first) == NOTE_INSN_DELETED || NOTE_KIND(first) == NOTE_INSN_VAR_LOCATION))
		first = NEXT_INSN(first);
	snprintf(text, sizeof(text), ".Lfathom%d:\n\tcall\t__fathom_sled_enter", number);
	put = emit_insn_before(make_sled(text), first);
	INSN_LOCATION(put) = prologue_location;
}

/* Returns whether no instruction follows a `ret': -mharden-sls, which exists since GCC 12 and in some GCC 11, adds
 * one. */
static bool is_ret_alone(void)
{
#ifdef ix86_harden_sls
	return !(ix86_harden_sls & harden_sls_return);
#else
	return true;
#endif
}

/* Returns the barrier after an insn that becomes the single byte `ret', or NULL if it becomes more than that. */
static rtx_insn *barrier_of_short_return(rtx_insn *insn)
{
	rtx_insn *next = next_nonnote_insn(insn);

	if (recog_memoized(insn) != CODE_FOR_simple_return_internal || !is_ret_alone() ||
	    cfun->machine->function_return_type != indirect_branch_keep)
		return NULL;
	return next && BARRIER_P(next) ? next : NULL;
}

/*
 * Inserts the sled of an exit before a return or tail call. There the frame has been removed, and the stack pointer is
 * what it was at the entry. After a return the nopl with the distance is never executed.
 */
static void insert_exit(int number, rtx_insn *leaving)
{
	bool is_return = JUMP_P(leaving);
	rtx_insn *barrier = is_return ? barrier_of_short_return(leaving) : NULL;

	insert_register_notes(leaving);
	insert_before(leaving, make_call(barrier ? "__fathom_sled_exit" : "__fathom_sled_tail"));
	if (barrier)
		emit_insn_after(make_distance(number), barrier);
	else
		insert_before(leaving, make_distance(number));
}

static unsigned insert_sleds(void)
{
	rtx_insn *insn, *next;
	int number = current_function_funcdef_no;

	if (!fathom_sleds_has(current_function_decl) && !fathom_compiled_functions_has(current_function_decl))
		return 0;
	/* A function that unwinds the stack for others does not return to its caller. */
	if (crtl->calls_eh_return)
		return 0;
	for (insn = get_insns(); insn; insn = next) {
		next = NEXT_INSN(insn);
		if ((JUMP_P(insn) && returnjump_p(insn)) || (CALL_P(insn) && SIBLING_CALL_P(insn)))
			insert_exit(number, insn);
	}
	insert_enter(number);
	has_sleds = true;
	return 0;
}

static const pass_data sleds_data = { RTL_PASS, "fathom_sleds", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0 };

class sleds_pass : public rtl_opt_pass {
public:
	sleds_pass(gcc::context *context) : rtl_opt_pass(sleds_data, context) {}
	unsigned execute(function *) final override { return insert_sleds(); }
};

/* --- the functions that sleds call ------------------------------------------------------------- */

/* Writes the function __NAME, which jumps to NAME or returns if there is no such function. It reads the address from
 * the global offset table, so no lazy binding changes registers. */
static void write_entry_function(const char *name)
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
 * Writes a function that tells TSan to ignore fathom's libraries. TSan sees calls of the C library (memcpy and the
 * like) in these libraries but not their locks, and would report races. If the program has this function itself, that
 * one is used.
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

static void write_entry_functions(void *, void *)
{
	if (!has_sleds)
		return;
	if (ASSEMBLER_DIALECT == ASM_INTEL)
		fputs("\t.att_syntax\n", asm_out_file);
	write_entry_function("fathom_sled_enter");
	write_entry_function("fathom_sled_exit");
	write_entry_function("fathom_sled_tail");
	write_suppressions();
	if (ASSEMBLER_DIALECT == ASM_INTEL)
		fputs("\t.intel_syntax noprefix\n", asm_out_file);
}

void fathom_sleds_init(const char *plugin_name)
{
	/* The pass runs after the last one that moves instructions, and before the one that inserts endbr64. */
	static struct register_pass_info place = { NULL, "mach", 1, PASS_POS_INSERT_AFTER };
	place.pass = new sleds_pass(g);
	register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &place);
	register_callback(plugin_name, PLUGIN_ATTRIBUTES, register_mark, NULL);
	register_callback(plugin_name, PLUGIN_FINISH_UNIT, write_entry_functions, NULL);
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

const char *fathom_sleds_why_no_mark(tree)
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
