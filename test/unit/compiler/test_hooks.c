/* The compiler's hooks: addresses become regions, once for each, and get their names at the end. */
#include "unit_test.h"

#include <errno.h>
#include <pthread.h>

#include "compiler/patch/sleds.h"
#include "symbols/symbols.h"
#include "define/region.h"
#include "event/cost.h"
#include "event/state.h"
#include "event/switch.h"
#include "platform/module.h"
#include "profile/recording/callpath.h"

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

#ifdef __SANITIZE_ADDRESS__
/* elfutils forgets the name of a file. */
FATHOM_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libdw";
}
#endif

/* External and not inlined, so that it has a symbol, a line and an address. */
int named_function(int x);
enum { NAMED_LINE = __LINE__ + 1 };
__attribute__((noinline)) int named_function(int x)
{
	return x + 1;
}

static void modules_are_found_by_address(void **state)
{
	static struct fathom_module module;
	char *own = realpath("/proc/self/exe", NULL), *memory = malloc(100000);

	(void)state;
	assert_int_equal(fathom_module_of((void *)named_function, &module), 0);
	assert_string_equal(module.path, own);
	assert_true(module.begin <= (uintptr_t)named_function && (uintptr_t)named_function < module.end);
	assert_true(module.bias <= module.begin);
	assert_int_equal(fathom_module_of((void *)stdout, &module), 0);
	assert_string_not_equal(module.path, own);
	assert_int_equal(fathom_module_of(memory, &module), -ENOENT);
	assert_true(fathom_module_is_loaded((void *)named_function));
	assert_false(fathom_module_is_loaded(memory));
	assert_false(fathom_module_is_loaded(NULL));
	free(memory);
	free(own);
}

static void a_function_gets_its_name_file_and_line(void **state)
{
	/* Names live for ever, so somebody must know them at the end. */
	static struct fathom_region region = { .paradigm = FATHOM_PARADIGM_COMPILER };
	static struct fathom_module module;

	(void)state;
	assert_int_equal(fathom_module_of((void *)named_function, &module), 0);
	region.module = module.path;
	region.offset = (uintptr_t)named_function - module.bias;
	fathom_symbols_resolve(&region, false);		/* crashing: nothing may be looked up */
	assert_null(region.name);
	fathom_symbols_resolve(&region, true);
	assert_string_equal(region.name, "named_function");
	assert_string_equal(region.canonical, "named_function");
	if (!region.file)
		skip();					/* built without debug information */
	assert_non_null(strstr(region.file, "test_hooks.c"));
	assert_int_equal(region.begin_line, NAMED_LINE);
}

static void what_has_no_name_stays_without(void **state)
{
	struct fathom_region nowhere = { .module = "/does/not/exist", .offset = 1 };
	struct fathom_region none = { .name = NULL };
	static struct fathom_module module;
	struct fathom_region inside = { .name = NULL };

	(void)state;
	fathom_symbols_resolve(&nowhere, true);
	assert_null(nowhere.name);
	fathom_symbols_resolve(&none, true);
	assert_null(none.name);
	/* One byte into a function is no function. */
	assert_int_equal(fathom_module_of((void *)named_function, &module), 0);
	inside.module = module.path;
	inside.offset = (uintptr_t)named_function - module.bias + 1;
	fathom_symbols_resolve(&inside, true);
	assert_null(inside.name);
}

/* --- many functions, several threads ------------------------------------------------------------ */

enum { FUNCTIONS = 20000, THREADS = 4 };
static char (*code)[16];		/* memory stands for code made at run time */
static struct fathom_location *locations[THREADS];

static void *call_all(void *argument)
{
	size_t me = (size_t)(uintptr_t)argument;

	for (int round = 0; round < 2; round++)
		for (size_t n = 0; n < FUNCTIONS; n++) {
			void *function = code[(n * 7919 + me * 1009) % FUNCTIONS];

			__cyg_profile_func_enter(function, NULL);
			__cyg_profile_func_exit(function, NULL);
		}
	locations[me] = fathom_self;
	return NULL;
}

static void each_function_is_one_region_for_all_threads(void **state)
{
	uint32_t before = fathom_region_count();
	pthread_t threads[THREADS];

	(void)state;
	code = malloc(FUNCTIONS * sizeof(*code));
	for (uintptr_t t = 0; t < THREADS; t++)
		assert_int_equal(pthread_create(&threads[t], NULL, call_all, (void *)t), 0);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	assert_int_equal(fathom_region_count(), before + FUNCTIONS);
	for (int t = 0; t < THREADS; t++) {
		const struct fathom_callpaths *paths = locations[t]->substrate_data;
		uint32_t count = 0;

		for (struct fathom_node *at = paths->root->first_child; at; at = at->sibling, count++) {
			assert_int_equal(at->visits, 2);
			assert_null(at->first_child);
			assert_in_range(at->region->offset, (uintptr_t)code, (uintptr_t)code[FUNCTIONS - 1]);
		}
		assert_int_equal(count, FUNCTIONS);
	}
	free(code);
}

static void an_exit_of_an_unknown_function_is_nothing(void **state)
{
	uint32_t before = fathom_region_count();
	struct fathom_location *self = fathom_self;

	(void)state;
	__cyg_profile_func_exit((void *)modules_are_found_by_address, NULL);
	assert_int_equal(fathom_region_count(), before);
	assert_ptr_equal(fathom_self, self);
}

/* --- switches ------------------------------------------------------------------------------------ */

enum { FEW = 3000 };	/* more than the table has room for at first */

static void call_few(char (*few)[16])
{
	for (int n = 0; n < FEW; n++) {
		__cyg_profile_func_enter(few[n], NULL);
		__cyg_profile_func_exit(few[n], NULL);
	}
}

static const struct fathom_region *region_of(const void *function)
{
	for (uint32_t id = fathom_region_count(); id-- > 0;)
		if (fathom_region_by_id(id)->offset == (uintptr_t)function)
			return fathom_region_by_id(id);
	return NULL;
}

static void functions_that_are_off_are_not_recorded(void **state)
{
	char (*few)[16] = malloc(FEW * sizeof(*few));
	const struct fathom_callpaths *paths;
	uint32_t count = 0;

	(void)state;
	for (int n = 0; n < 2; n++) {
		__cyg_profile_func_enter(few[n], NULL);
		__cyg_profile_func_exit(few[n], NULL);
	}
	paths = fathom_self->substrate_data;
	fathom_event_switch(region_of(few[0]), false);
	call_few(few);		/* the table grows, and takes the state along */
	fathom_event_switch(region_of(few[1]), false);
	fathom_event_switch(region_of(few[2]), false);
	fathom_event_settle_switches();
	call_few(few);
	fathom_event_switch(region_of(few[2]), true);
	call_few(few);
	for (struct fathom_node *at = paths->root->first_child; at; at = at->sibling) {
		uint64_t visits = 3;

		if (at->region == region_of(few[0]))
			visits = 1;
		else if (at->region == region_of(few[1]) || at->region == region_of(few[2]))
			visits = 2;
		assert_int_equal(at->visits, visits);
		count++;
	}
	assert_int_equal(count, FEW);
	free(few);
}

/* --- what they cost -------------------------------------------------------------------------------- */

static uint64_t whole(struct fathom_cost cost)
{
	return cost.inside_units + cost.outside_units;
}

static void *call_one(void *function)
{
	__cyg_profile_func_enter(function, NULL);
	__cyg_profile_func_exit(function, NULL);
	return NULL;
}

/* Measured once something has come that way; and of what it is measured with nothing is left. */
static void each_way_has_its_cost(void **state)
{
	static char function[16];
	uint32_t regions = fathom_region_count();
	struct fathom_location *self = fathom_self;
	struct fathom_costs costs = fathom_cost_measure();
	pthread_t thread;

	(void)state;
	assert_true(whole(costs.of[FATHOM_WAY_CALL]) > 0);
	assert_int_equal(whole(costs.of[FATHOM_WAY_HOOK]), whole(costs.of[FATHOM_WAY_CALL]));
	assert_int_equal(pthread_create(&thread, NULL, call_one, function), 0);
	pthread_join(thread, NULL);
	costs = fathom_cost_measure();
	for (enum fathom_way way = FATHOM_WAY_CALL; way <= FATHOM_WAY_HOOK; way++) {
		assert_true(costs.of[way].inside_units > 0);
		assert_true(costs.of[way].outside_units > 0);
	}
	assert_memory_equal(&costs.of[FATHOM_WAY_SLED], &costs.of[FATHOM_WAY_CALL], sizeof(struct fathom_cost));
	assert_ptr_equal(fathom_self, self);
	assert_int_equal(fathom_region_count(), regions + 1);
	assert_int_equal(fathom_location_newest()->kind == FATHOM_KIND_SCRATCH, 0);
}

/* --- sleds ----------------------------------------------------------------------------------------- */

#if defined(__x86_64__) && defined(__LP64__) && !defined(FATHOM_WITHOUT_LATE_HOOKS)

/* As the GCC plugin makes them: with a return, and with a landing mark and a jump. Between, nothing is done. */
#define WAY_BACK ".byte 0x0f, 0x1f, 0x80\n.long 1b - (. - 3)\n"
#define SLEDS(name) \
	__asm__(".text\n.p2align 4\n" #name "_returns:\n1:call fathom_sled_enter\n" #name "_inside:\n" \
		"call fathom_sled_exit\n" #name "_from:\nret\n" WAY_BACK \
		".p2align 4\n" #name "_jumps:\nendbr64\n" #name "_sled:\n1:call fathom_sled_enter\n" \
		"call fathom_sled_tail\n" #name "_tail:\n" WAY_BACK "jmp " #name "_returns\n"); \
	extern const uint8_t name##_returns[], name##_inside[], name##_from[], name##_jumps[], name##_sled[], name##_tail[]
SLEDS(first);
SLEDS(second);
SLEDS(third);

static void a_sled_says_whose_it_is(void **state)
{
	uint8_t patched[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xa9, 0, 0, 0, 0 };

	(void)state;
	assert_ptr_equal(fathom_sled_first(first_from), first_returns);
	assert_ptr_equal(fathom_sled_first(first_tail), first_sled);
	assert_null(fathom_sled_first(first_inside));
	assert_ptr_equal(fathom_sled_function(first_returns), first_returns);
	assert_ptr_equal(fathom_sled_function(first_sled), first_jumps);
	assert_ptr_equal(fathom_sled_function(patched + 4), patched);
	assert_ptr_equal(fathom_sled_function((void *)named_function), (void *)named_function);
}

struct registers { uint64_t general[10]; uint64_t vectors[16][2]; };

/* Calls to with all registers filled that a function may change, and says what is in them then. */
void call_filled(const void *to, const struct registers *in, struct registers *out);
#define EACH_VECTOR(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define EACH_GENERAL(X) X(0, rax) X(1, rcx) X(2, rdx) X(3, rsi) X(4, r8) X(5, r9) X(6, r10) X(7, r11)
#define IN_VECTOR(n) "movdqu 80+16*" #n "(%rdi), %xmm" #n "\n"
#define OUT_VECTOR(n) "movdqu %xmm" #n ", 80+16*" #n "(%rdi)\n"
#define IN_GENERAL(n, name) "mov 8*" #n "(%rdi), %" #name "\n"
#define OUT_GENERAL(n, name) "mov %" #name ", 8*" #n "(%rdi)\n"
__asm__(".text\n.globl call_filled\n.type call_filled, @function\ncall_filled:\n.cfi_startproc\n"
	"push %rdx\n.cfi_adjust_cfa_offset 8\npush %rbx\n.cfi_adjust_cfa_offset 8\npush %rbx\n.cfi_adjust_cfa_offset 8\n"
	"mov %rdi, %rbx\nmov %rsi, %rdi\n"
	EACH_VECTOR(IN_VECTOR) EACH_GENERAL(IN_GENERAL) "mov 8*8(%rdi), %rdi\n"
	"call *%rbx\n"
	"mov %rdi, %rbx\nmov 16(%rsp), %rdi\nmov %rbx, 8*8(%rdi)\n"
	EACH_VECTOR(OUT_VECTOR) EACH_GENERAL(OUT_GENERAL)
	"pop %rbx\n.cfi_adjust_cfa_offset -8\npop %rbx\n.cfi_adjust_cfa_offset -8\n"
	"pop %rdx\n.cfi_adjust_cfa_offset -8\nret\n.cfi_endproc\n.size call_filled, . - call_filled\n");

extern uint8_t fathom_sleds_state;
enum { KEEPING = 1, NOTHING = 2 };	/* patch/sleds.c */

static uint64_t visits_of(const void *function)
{
	const struct fathom_callpaths *paths = fathom_self->substrate_data;

	for (struct fathom_node *at = paths->root->first_child; at; at = at->sibling)
		if (at->region == region_of(function))
			return at->visits;
	return 0;
}

static void call_in_state(const uint8_t *function, uint8_t now)
{
	uint8_t before = fathom_sleds_state;
	struct registers in, out;
	uint64_t chance = 1;

	fathom_sleds_state = now;
	for (int times = 0; times < 4; times++) {
		for (size_t i = 0; i < sizeof(in) / sizeof(uint64_t); i++)
			((uint64_t *)&in)[i] = next_random(&chance);
		memset(&out, 0, sizeof(out));
		out.general[9] = in.general[9];
		call_filled(function, &in, &out);
		assert_memory_equal(&in, &out, sizeof(in));
	}
	fathom_sleds_state = before;
}

static uint64_t offset_of(const uint8_t *function)
{
	static struct fathom_module module;

	assert_int_equal(fathom_module_of(function, &module), 0);
	return (uintptr_t)function - module.bias;
}

/* The first time what is called is C that may do anything; then it is the hot path alone. */
static void sleds_keep_all_registers(void **state)
{
	(void)state;
	call_in_state(third_jumps, NOTHING);
	assert_null(region_of((void *)offset_of(third_jumps)));
	call_in_state(first_jumps, fathom_sleds_state);
	call_in_state(second_jumps, KEEPING);
	/* What is jumped to stands beside what jumps. */
	assert_int_equal(visits_of((void *)offset_of(first_jumps)), 4);
	assert_int_equal(visits_of((void *)offset_of(first_returns)), 4);
	assert_int_equal(visits_of((void *)offset_of(second_jumps)), 4);
	assert_int_equal(visits_of((void *)offset_of(second_returns)), 4);
	fathom_event_switch(region_of((void *)offset_of(first_jumps)), false);
	call_in_state(first_jumps, fathom_sleds_state);
	assert_int_equal(visits_of((void *)offset_of(first_jumps)), 4);
	assert_int_equal(visits_of((void *)offset_of(first_returns)), 8);
	fathom_event_switch(region_of((void *)offset_of(first_jumps)), true);
	call_in_state(first_jumps, KEEPING);
	assert_int_equal(visits_of((void *)offset_of(first_jumps)), 8);
}

/* The stand-in has sleds as any function, and its cost is known as soon as another was met. */
static void sleds_have_a_cost_of_their_own(void **state)
{
	struct fathom_frame *base = fathom_self->top;
	struct fathom_costs costs = fathom_cost_measure();
	uint32_t regions = fathom_region_count();

	(void)state;
	assert_true(costs.of[FATHOM_WAY_SLED].inside_units > 0);
	assert_true(costs.of[FATHOM_WAY_SLED].outside_units > 0);
	assert_ptr_equal(fathom_sled_function(fathom_sled_stand_in()), (void *)fathom_sled_stand_in_enter);
	fathom_sled_stand_in_enter();
	assert_ptr_equal(fathom_self->top, base + 1);
	assert_ptr_equal(fathom_self->top->region, fathom_event_cost_region());
	fathom_sled_stand_in_leave();
	assert_ptr_equal(fathom_self->top, base);
	assert_int_equal(fathom_self->dropped[FATHOM_DROP_UNBALANCED], 0);
	assert_int_equal(fathom_region_count(), regions);
}

/* A visit ends where it began, whatever was recorded of those inside it. */
static void an_exit_at_a_sled_is_its_own_visits(void **state)
{
	const uint8_t *sled = third_returns;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0) - 4096;
	const struct fathom_region *region;
	const struct fathom_frame *base = fathom_self->top;

	(void)state;
	fathom_hook_sled_enter(sled, here);
	region = region_of((void *)offset_of(sled));
	assert_ptr_equal(fathom_self->top, base + 1);
	fathom_event_switch(region, false);
	fathom_hook_sled_enter(sled, here - 64);		/* itself, while it is off */
	assert_ptr_equal(fathom_self->top, base + 1);
	fathom_event_switch(region, true);
	fathom_hook_sled_exit(sled, here - 64);
	assert_ptr_equal(fathom_self->top, base + 1);
	fathom_hook_sled_enter(sled, here - 64);
	assert_ptr_equal(fathom_self->top, base + 2);
	fathom_hook_sled_enter(sled, here - 64);		/* the one before was left by a jump */
	assert_ptr_equal(fathom_self->top, base + 2);
	fathom_event_switch(region, false);
	fathom_hook_sled_exit(sled, here - 32);		/* nobody's: those below are over */
	assert_ptr_equal(fathom_self->top, base + 1);
	fathom_hook_sled_exit(sled, here);
	assert_ptr_equal(fathom_self->top, base);
	fathom_event_switch(region, true);
	assert_int_equal(fathom_self->dropped[FATHOM_DROP_UNBALANCED], 0);
}

#define SLED_TESTS \
	cmocka_unit_test(a_sled_says_whose_it_is), \
	cmocka_unit_test(sleds_keep_all_registers), \
	cmocka_unit_test(sleds_have_a_cost_of_their_own), \
	cmocka_unit_test(an_exit_at_a_sled_is_its_own_visits),
#else
#define SLED_TESTS
#endif

/* Nothing is written when this program ends: what it did was no program's measurement. */
static int end_measurement(void **state)
{
	(void)state;
	fathom.phase = FATHOM_PHASE_FINISHED;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modules_are_found_by_address),
		cmocka_unit_test(a_function_gets_its_name_file_and_line),
		cmocka_unit_test(what_has_no_name_stays_without),
		cmocka_unit_test(an_exit_of_an_unknown_function_is_nothing),
		cmocka_unit_test(each_way_has_its_cost),
		cmocka_unit_test(functions_that_are_off_are_not_recorded),
		SLED_TESTS
		cmocka_unit_test(each_function_is_one_region_for_all_threads),
	};

	return cmocka_run_group_tests(tests, NULL, end_measurement);
}
