/* The compiler's hooks: addresses become regions, once for each, and get their names at the end. */
#include "core_test.h"

#include <errno.h>
#include <pthread.h>

#include "compiler/symbols.h"
#include "define/region.h"
#include "event/state.h"
#include "event/switch.h"
#include "platform/module.h"
#include "profile/callpath.h"

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
		cmocka_unit_test(functions_that_are_off_are_not_recorded),
		cmocka_unit_test(each_function_is_one_region_for_all_threads),
	};

	return cmocka_run_group_tests(tests, NULL, end_measurement);
}
