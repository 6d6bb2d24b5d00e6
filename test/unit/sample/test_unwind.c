/* The unwinder: what it reports, code without call-frame information, and memory that is not readable. */
#include "unit_test.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "sample/cfi.h"
#include "sample/unwind.h"

#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noinline, noclone))
#endif

enum { MOST_FRAMES = 128, PAGE_BYTES = 4096, TRAP_FLAG = 0x100 };

static struct fathom_unwinder *unwinder;
static struct fathom_sample_frame frames[MOST_FRAMES];
static uint32_t count;
static bool is_partial, has_own;
static volatile long sink;
/* What measure is called with. */
static uintptr_t stop;
static uint32_t room;

static __attribute__((noinline)) void measure(void)
{
	ucontext_t context;

	getcontext(&context);
	count = fathom_unwind(unwinder, &context, stop, frames, room, &is_partial, &has_own);
}

static uintptr_t place_of_outer, place_of_middle;

static ALONE void inner(void (*function)(void))
{
	volatile char place[16];

	place[0] = 1;
	function();
	sink += place[0];
}

static ALONE void middle(void (*function)(void), int more)
{
	volatile char *place = __builtin_alloca((size_t)more);

	place_of_middle = (uintptr_t)&place;
	place[0] = 1;
	inner(function);
	sink += place[0];
}

static ALONE void outer(void (*function)(void))
{
	volatile char place[16];

	place_of_outer = (uintptr_t)place;
	place[0] = 1;
	middle(function, 100);
	sink += place[0];
}

static int setup(void **state)
{
	(void)state;
	unwinder = fathom_unwinder_create();
	stop = UINTPTR_MAX;
	room = MOST_FRAMES;
	return fathom_unwind_init() || !unwinder;
}

static int teardown(void **state)
{
	(void)state;
	fathom_unwinder_destroy(unwinder);
	return 0;
}

static uintptr_t function_of(uint32_t i)
{
	return i < count ? frames[i].function : 0;
}

static void frames_are_reported_innermost_first(void **state)
{
	(void)state;
	outer(measure);
	assert_false(is_partial);
	assert_true(has_own);
	assert_true(count > 6);
	assert_int_equal(function_of(0), (uintptr_t)measure);
	assert_int_equal(function_of(1), (uintptr_t)inner);
	assert_int_equal(function_of(2), (uintptr_t)middle);
	assert_int_equal(function_of(3), (uintptr_t)outer);
	assert_int_equal(function_of(4), (uintptr_t)frames_are_reported_innermost_first);
}

static void the_frame_of_stop_is_the_last(void **state)
{
	(void)state;
	outer(measure);
	stop = place_of_outer;
	outer(measure);
	assert_int_equal(count, 4);
	assert_true(has_own);
	assert_false(is_partial);
	stop = place_of_middle;
	outer(measure);
	assert_int_equal(count, 3);
	assert_true(has_own);
	assert_false(is_partial);
}

/* Functions that ended since, for example by longjmp. */
static void a_stop_below_the_stack_pointer_is_not_found(void **state)
{
	(void)state;
	outer(measure);
	stop = place_of_middle - 8192;
	measure();
	assert_true(is_partial);
	assert_false(has_own);
}

static void without_room_the_list_is_partial(void **state)
{
	(void)state;
	room = 3;
	outer(measure);
	assert_int_equal(count, 3);
	assert_true(is_partial);
	assert_false(has_own);
	room = 0;
	outer(measure);
	assert_int_equal(count, 0);
	assert_true(is_partial);
}

/* --- code without call-frame information --------------------------------------------------------------------- */

#ifdef __x86_64__
/* Each of these calls the function in %rdi. */
void bare_pushes(void (*function)(void));
void bare_frame_pointer(void (*function)(void));
void bare_leaf(void (*function)(void));
void bare_init(void (*function)(void));
void keeps_rax(void);
void keeps_rax_end(void);
__asm__(".text\n"
	"\t.p2align 4\n"
	"bare_pushes:\n"
	"\tpush %rbx\n"
	"\tpush %rbp\n"
	"\tpush %r12\n"
	"\tmov %rdi, %rbx\n"
	"\tmov $7, %ebp\n"
	"\tsub $32, %rsp\n"
	"\tcall *%rbx\n"
	"\tadd $32, %rsp\n"
	"\tpop %r12\n"
	"\tpop %rbp\n"
	"\tpop %rbx\n"
	"\tret\n"
	"\t.p2align 4\n"
	"bare_frame_pointer:\n"
	"\tpush %rbp\n"
	"\tmov %rsp, %rbp\n"
	"\tsub $4096, %rsp\n"
	"\tcall *%rdi\n"
	"\tleave\n"
	"\tret\n"
	"\t.p2align 4\n"
	"bare_leaf:\n"
	"\tmov %rdi, %rax\n"
	"\tadd $3, %rax\n"
	"\txor %eax, %eax\n"
	"\tret\n"
	"\t.p2align 4\n"
	"bare_init:\n"		/* like _init of a library */
	"\tsub $8, %rsp\n"
	"\tcall *%rdi\n"
	"\tadd $8, %rsp\n"
	"\tret\n"
	"\t.p2align 4\n"
	"keeps_rax:\n"		/* The frame address is in a register that functions need not keep. */
	"\t.cfi_startproc\n"
	"\tmov %rsp, %rax\n"
	"\t.cfi_def_cfa_register %rax\n"
	"\tsub $40, %rsp\n"
	"\tcall 1f\n"
	"\tmov %rax, %rsp\n"
	"\t.cfi_def_cfa_register %rsp\n"
	"\tret\n"
	"\t.cfi_endproc\n"
	"1:\n"
	"\t.cfi_startproc\n"
	"\tnop\n"
	"\tret\n"
	"\t.cfi_endproc\n"
	"keeps_rax_end:\n");

static ALONE void call_bare_pushes(void (*function)(void))
{
	bare_pushes(function);
	sink++;
}

static ALONE void call_bare_frame_pointer(void (*function)(void))
{
	bare_frame_pointer(function);
	sink++;
}

/* By a pointer: nothing tells that the call leads to the function. */
static ALONE void call_bare_init(void (*function)(void))
{
	void (*volatile pointer)(void (*function)(void)) = bare_init;

	pointer(function);
	sink++;
}

static void callers_of_bare_functions_are_guessed(void **state)
{
	(void)state;
	call_bare_pushes(measure);
	assert_false(is_partial);
	assert_int_equal(function_of(0), (uintptr_t)measure);
	assert_int_equal(function_of(1), (uintptr_t)bare_pushes);
	assert_int_equal(function_of(2), (uintptr_t)call_bare_pushes);
	assert_int_equal(function_of(3), (uintptr_t)callers_of_bare_functions_are_guessed);
	call_bare_frame_pointer(measure);
	assert_false(is_partial);
	assert_int_equal(function_of(1), (uintptr_t)bare_frame_pointer);
	assert_int_equal(function_of(2), (uintptr_t)call_bare_frame_pointer);
	call_bare_init(measure);
	assert_false(is_partial);
	assert_int_equal(function_of(1), 0);
	assert_int_equal(function_of(2), (uintptr_t)call_bare_init);
	assert_int_equal(function_of(3), (uintptr_t)callers_of_bare_functions_are_guessed);
}

/* The instructions of the function between two addresses are stepped through. */
static uintptr_t stepped_begin, stepped_end, stepped_caller;
static unsigned step_count, wrong_count;

static void handle_trap(int signal, siginfo_t *info, void *data)
{
	ucontext_t *context = data;
	uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];

	(void)signal;
	(void)info;
	if (pc < stepped_begin || pc >= stepped_end)
		return;
	count = fathom_unwind(unwinder, context, UINTPTR_MAX, frames, MOST_FRAMES, &is_partial, &has_own);
	step_count++;
	wrong_count += is_partial || count < 3 || frames[0].address != pc ||
		       (frames[1].function != stepped_caller && frames[2].function != stepped_caller);
}

static void set_trap_flag(bool is_on)
{
	__asm__ volatile("lea -128(%%rsp), %%rsp\n\t"
			 "pushfq\n\t"
			 "andq %0, (%%rsp)\n\t"
			 "orq %1, (%%rsp)\n\t"
			 "popfq\n\t"
			 "lea 128(%%rsp), %%rsp"
			 : : "r"(~(uint64_t)TRAP_FLAG), "r"(is_on ? (uint64_t)TRAP_FLAG : 0) : "memory", "cc");
}

static void nothing(void)
{
}

static ALONE void step_through(void (*function)(void))
{
	set_trap_flag(true);
	bare_pushes(function);
	bare_frame_pointer(function);
	bare_leaf(function);
	keeps_rax();
	set_trap_flag(false);
}

static void callers_of_bare_functions_are_guessed_at_each_instruction(void **state)
{
	struct sigaction action = { .sa_sigaction = handle_trap, .sa_flags = SA_SIGINFO }, before;

	(void)state;
	sigfillset(&action.sa_mask);
	assert_int_equal(sigaction(SIGTRAP, &action, &before), 0);
	stepped_begin = (uintptr_t)bare_pushes;
	stepped_end = (uintptr_t)bare_leaf + 16;
	stepped_caller = (uintptr_t)step_through;
	step_through(nothing);
	sigaction(SIGTRAP, &before, NULL);
	assert_int_equal(step_count, 12 + 6 + 4);
	assert_int_equal(wrong_count, 0);
	stepped_begin = (uintptr_t)keeps_rax;
	stepped_end = (uintptr_t)keeps_rax_end;
	sigaction(SIGTRAP, &action, NULL);
	step_through(nothing);
	sigaction(SIGTRAP, &before, NULL);
	assert_int_equal(step_count, 12 + 6 + 4 + 5 + 2);
	assert_int_equal(wrong_count, 0);
}

/* --- memory that is not readable ------------------------------------------------------------------------------- */

static char *map_pages(size_t pages)
{
	char *memory = mmap(NULL, pages * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(memory != MAP_FAILED);
	return memory;
}

static void an_unreadable_stack_ends_the_list(void **state)
{
	char *pages = map_pages(3);
	ucontext_t context;

	(void)state;
	mprotect(pages, PAGE_BYTES, PROT_NONE);
	mprotect(pages + 2 * PAGE_BYTES, PAGE_BYTES, PROT_NONE);
	getcontext(&context);
	context.uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)(pages + 64);
	context.uc_mcontext.gregs[REG_RBP] = context.uc_mcontext.gregs[REG_RSP];
	count = fathom_unwind(unwinder, &context, UINTPTR_MAX, frames, MOST_FRAMES, &is_partial, &has_own);
	assert_true(is_partial);
	assert_true(count >= 1);
	context.uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)(pages + 2 * PAGE_BYTES - 12);
	context.uc_mcontext.gregs[REG_RBP] = context.uc_mcontext.gregs[REG_RSP];
	count = fathom_unwind(unwinder, &context, UINTPTR_MAX, frames, MOST_FRAMES, &is_partial, &has_own);
	assert_true(is_partial);
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)(pages + 17);
	count = fathom_unwind(unwinder, &context, UINTPTR_MAX, frames, MOST_FRAMES, &is_partial, &has_own);
	assert_int_equal(count, 1);
	assert_int_equal(frames[0].function, 0);
	munmap(pages, 3 * PAGE_BYTES);
}

/* --- random registers and stacks --------------------------------------------------------------------------------- */

enum { FUZZ_PAGES = 8 };

/* An address of code: anywhere in a function's neighbourhood, mostly where instructions are. */
static uint64_t random_code(uint64_t *seed)
{
	static void *const functions[] = {
		(void *)measure, (void *)outer, (void *)bare_pushes, (void *)qsort, (void *)memcpy, (void *)printf,
		(void *)dlsym, (void *)getenv, (void *)sigaction, (void *)makecontext,
	};

	return (uint64_t)(uintptr_t)functions[random_below(seed, 10)] + random_below(seed, 2000) - 200;
}

static uint64_t random_word(uint64_t *seed, const char *pages)
{
	switch (random_below(seed, 8)) {
	case 0:
		return random_below(seed, 4096);
	case 1:
	case 2:
		return random_code(seed);
	case 3:
	case 4:
	case 5:
		return (uint64_t)(uintptr_t)pages + random_below(seed, (FUZZ_PAGES + 1) * PAGE_BYTES) / 8 * 8;
	case 6:
		return frames[random_below(seed, MOST_FRAMES)].address;
	default:
		return next_random(seed) >> random_below(seed, 64);
	}
}

static void random_contexts_do_no_harm(void **state)
{
	const char *runs = getenv("FUZZ_RUNS"), *first = getenv("FUZZ_SEED");
	uint64_t seed = first ? strtoull(first, NULL, 10) : 1;
	volatile long left = runs ? atol(runs) : 20000;
	char *pages = map_pages(FUZZ_PAGES);
	ucontext_t context;
	unsigned longest = 0;

	(void)state;
	mprotect(pages, PAGE_BYTES, PROT_NONE);
	mprotect(pages + 5 * PAGE_BYTES, PAGE_BYTES, PROT_NONE);
	getcontext(&context);
	outer(measure);
	for (; left > 0; left--) {
		struct fathom_sample_frame found[MOST_FRAMES];
		uint64_t *words = (uint64_t *)(pages + PAGE_BYTES);
		size_t i;

		for (i = 0; i < 50; i++)
			words[random_below(&seed, 4 * PAGE_BYTES / 8)] = random_word(&seed, pages);
		for (i = 0; i < NGREG; i++)
			context.uc_mcontext.gregs[i] = (greg_t)random_word(&seed, pages);
		context.uc_mcontext.gregs[REG_RIP] = (greg_t)random_code(&seed);
		if (random_below(&seed, 8))
			context.uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)&words[random_below(&seed, 4 * PAGE_BYTES / 8)];
		room = random_below(&seed, MOST_FRAMES + 1);
		count = fathom_unwind(unwinder, &context, random_word(&seed, pages), found, room, &is_partial, &has_own);
		assert_true(count <= room);
		if (count > longest)
			longest = count;
	}
	print_message("longest list: %u frames\n", longest);
	assert_true(longest > 3);
	munmap(pages, FUZZ_PAGES * PAGE_BYTES);
}
#endif

/* --- expressions --------------------------------------------------------------------------------------------------- */

static void expressions_are_computed(void **state)
{
	static const struct {
		unsigned char bytes[20];	/* length, then operations */
		bool is_right;
		uint64_t result;
	} cases[] = {
		{ { 3, 0x32, 0x33, 0x22 }, true, 5 },				/* 2 + 3 */
		{ { 3, 0x77, 8, 0x06 }, true, 77 },				/* the word at rsp + 8 */
		{ { 2, 0x70, 0x7f }, true, 99 },				/* rax - 1 */
		{ { 2, 0x71, 0 }, false, 0 },					/* rdx, which is not known */
		{ { 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22 }, true, 0 },	/* of a stub, see below */
		{ { 4, 0x35, 0x30, 0x1b, 0x96 }, false, 0 },			/* a division by 0 */
		{ { 3, 0x2f, 0xfd, 0xff }, false, 0 },				/* an endless loop */
		{ { 3, 0x2f, 0x7f, 0x00 }, false, 0 },				/* a jump to its outside */
		{ { 1, 0x22 }, false, 0 },					/* nothing to add */
		{ { 0 }, false, 0 },						/* no result */
		{ { 6, 0x31, 0x28, 1, 0, 0x35, 0x36 }, true, 6 },		/* a jump across an operation */
		{ { 3, 0x09, 0xfe, 0x19 }, true, 2 },				/* the absolute value of -2 */
		{ { 5, 0x31, 0x32, 0x33, 0x17, 0x14 }, true, 1 },		/* rotated */
		{ { 4, 0x09, 0xf0, 0x32, 0x26 }, true, UINT64_MAX - 3 },	/* -16 shifted by 2 */
	};
	struct fathom_registers registers = { .known = 1u << FATHOM_RAX | 1u << FATHOM_RSP | 1u << FATHOM_RIP };
	struct fathom_readable_memory memory;
	uint64_t stack[4] = { 11, 77, 33, 44 }, result;
	size_t i;

	(void)state;
	fathom_readable_init(&memory);
	registers.value[FATHOM_RAX] = 100;
	registers.value[FATHOM_RSP] = (uintptr_t)stack;
	registers.value[FATHOM_RIP] = 0x100b;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool is_right = fathom_cfi_evaluate(cases[i].bytes, &registers, NULL, &memory, &result);
		/* rsp + 8 + 8 * ((rip & 15) >= 11), as linkers write it for the procedure linkage table */
		uint64_t expected = cases[i].bytes[0] == 11 ? (uintptr_t)stack + 16 : cases[i].result;

		if (is_right != cases[i].is_right || (is_right && result != expected))
			fail_msg("expression %zu: %d, %llx", i, is_right, (unsigned long long)result);
	}
}

int main(void)
{
#ifndef __x86_64__
	print_message("SKIP: samples have frames on x86-64 only\n");
	return 77;
#else
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(frames_are_reported_innermost_first, setup, teardown),
		cmocka_unit_test_setup_teardown(the_frame_of_stop_is_the_last, setup, teardown),
		cmocka_unit_test_setup_teardown(a_stop_below_the_stack_pointer_is_not_found, setup, teardown),
		cmocka_unit_test_setup_teardown(without_room_the_list_is_partial, setup, teardown),
		cmocka_unit_test_setup_teardown(callers_of_bare_functions_are_guessed, setup, teardown),
		cmocka_unit_test_setup_teardown(callers_of_bare_functions_are_guessed_at_each_instruction, setup, teardown),
		cmocka_unit_test_setup_teardown(an_unreadable_stack_ends_the_list, setup, teardown),
		cmocka_unit_test_setup_teardown(random_contexts_do_no_harm, setup, teardown),
		cmocka_unit_test(expressions_are_computed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
#endif
}
