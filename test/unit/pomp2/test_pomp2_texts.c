/*
 * The texts by which OPARI2 describes constructs, as it writes them and damaged, and the regions they lead to.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../../wrappers/openmp/pomp2/construct.h"
#include "../../../wrappers/openmp/pomp2/description.h"
#include "define/region.h"
#include "pomp2_recorder.h"

/* --- texts ----------------------------------------------------------------------------------- */

static struct fathom_description read_text(const char *text)
{
	struct fathom_description description;

	if (!fathom_description_read(&description, text, strlen(text)))
		fail_msg("not read: %s", text);
	return description;
}

static void expect_words(struct fathom_words words, const char *text)
{
	assert_int_equal(words.length, strlen(text));
	assert_memory_equal(words.text, text, words.length);
}

static void expect_lines(const struct fathom_description *d, uint32_t a, uint32_t b, uint32_t c, uint32_t e)
{
	assert_int_equal(d->open_first, a);
	assert_int_equal(d->open_last, b);
	assert_int_equal(d->close_first, c);
	assert_int_equal(d->close_last, e);
}

static void texts_of_opari2_are_read(void **state)
{
	struct fathom_description d;

	(void)state;
	d = read_text("87*regionType=critical*sscl=/tmp/pp/a.c:18:19*escl=/tmp/pp/a.c:20:21*criticalName=foo**");
	assert_int_equal(d.type, FATHOM_CONSTRUCT_CRITICAL);
	expect_words(d.file, "/tmp/pp/a.c");
	expect_words(d.name, "foo");
	expect_lines(&d, 18, 19, 20, 21);
	assert_false(d.untied);

	d = read_text("86*regionType=task*sscl=/x/a.c:6:6*escl=/x/a.c:7:7*hasShared=1*hasUntied=1**  ");
	assert_int_equal(d.type, FATHOM_CONSTRUCT_TASK);
	assert_true(d.untied);
	assert_int_equal(d.name.length, 0);

	d = read_text("9*regionType=userRegion*sscl=/x/a.c:6:6*escl=/x/a.c:7:7*userRegionName=my part**");
	assert_int_equal(d.type, FATHOM_CONSTRUCT_USER);
	expect_words(d.name, "my part");

	d = read_text("12*regionType=for*sscl=/x/a.c:6:6*escl=/x/a.c:7:7*hasSchedule=monotonic:dynamic,(a)@(b)*later=2**");
	assert_int_equal(d.type, FATHOM_CONSTRUCT_FOR);
	expect_lines(&d, 6, 6, 7, 7);
}

static void every_type_is_known(void **state)
{
	static const char *const words[] = { "atomic", "barrier", "critical", "do", "flush", "for", "master",
		"ordered", "parallel", "paralleldo", "parallelfor", "parallelsections", "parallelworkshare",
		"sections", "single", "task", "taskwait", "userRegion", "workshare" };
	char text[200];
	uint64_t seen = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		strcpy(text, "1*regionType=");
		strcat(text, words[i]);
		strcat(text, "*sscl=f:1:2*escl=f:3:4**");
		seen |= UINT64_C(1) << read_text(text).type;
	}
	assert_int_equal(seen, (UINT64_C(1) << FATHOM_CONSTRUCT_TYPES) - 1);
}

static void a_file_may_be_called_anything(void **state)
{
	static const char *const names[] = { "/a*b/c*.c", "/a:1:2*b.c", "*", ":", ":1:2", "/x*escl=y.c",
		"/x:3:4*escl=/x:3:4", "/sscl=*sscl=.c", "a b", "/1:2:3:4:5", "*escl=", "/x*" };
	struct fathom_description d;
	char text[300];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		strcpy(text, "99*regionType=critical*sscl=");
		strcat(strcat(text, names[i]), ":11:12*escl=");
		strcat(strcat(text, names[i]), ":13:14*criticalName=n**");
		d = read_text(text);
		expect_words(d.file, names[i]);
		expect_words(d.name, "n");
		expect_lines(&d, 11, 12, 13, 14);
	}
}

static void damaged_texts_are_read_as_far_as_they_go(void **state)
{
	struct fathom_description d;

	(void)state;
	d = read_text("regionType=for*sscl=/a.c:1:2*escl=/b.h:3:4*hasIf=1");
	expect_words(d.file, "/a.c");
	expect_lines(&d, 1, 2, 3, 4);
	d = read_text("12*regionType=for*sscl=/a.c:1:2*escl=/a.c:3:*criticalName=x");
	expect_lines(&d, 1, 2, 0, 0);
	d = read_text("12*regionType=for*sscl=/a.c:1:2");
	expect_lines(&d, 1, 2, 0, 0);
	d = read_text("12*regionType=for*sscl=/a.c:1:2*escl=/a.c:4294967295:4294967296*");
	expect_lines(&d, 1, 2, 0, 0);
}

static void what_says_nothing_is_refused(void **state)
{
	static const char *const texts[] = { "", "*", " ", "12", "regionType=", "regionType=for", "regionType=for*",
		"12*regionType=taskloop*sscl=/a.c:1:2*escl=/a.c:3:4**", "12*sscl=/a.c:1:2*escl=/a.c:3:4**",
		"12*regionType=for*sscl=*escl=*", "12*regionType=for*sscl=/a.c:1*escl=/a.c:1:2**",
		"12*regionType=for*sscl=:1:2*escl=:1:2**", "12*regionType=for*sscl=/a.c:99999999999:2*escl=/a.c:1:2**",
		"12*regionType=for*escl=/a.c:1:2*" };
	struct fathom_description d;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (fathom_description_read(&d, texts[i], strlen(texts[i])))
			fail_msg("read, and should not be: %s", texts[i]);
	}
}

static uint32_t random_number(uint32_t below)
{
	static uint32_t seed = 4711;

	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

/* Changed at random: it must only ever look at, and point into, what it was given. */
static void no_text_does_harm(void **state)
{
	static const char sample[] =
		"130*regionType=parallelfor*sscl=/a*b:/c.c:118:119*escl=/a*b:/c.c:120:121*hasIf=1*criticalName=foo**";
	static const char pieces[] = "*:=09 \n\377a*escl=*sscl=";
	struct fathom_description d;
	size_t read = 0;

	(void)state;
	for (int round = 0; round < 100000; round++) {
		size_t length = random_number(4) ? sizeof(sample) - 1 : random_number(sizeof(sample));
		char *text = malloc(length ? length : 1);	/* its end is memory's end, for sanitizers */

		assert_non_null(text);
		memcpy(text, sample, length);
		for (uint32_t changes = random_number(6); changes && length; changes--)
			text[random_number((uint32_t)length)] = pieces[random_number(sizeof(pieces) - 1)];
		if (fathom_description_read(&d, text, length)) {
			read++;
			assert_true(d.type < FATHOM_CONSTRUCT_TYPES);
			assert_true(d.file.length && d.file.text >= text && d.file.text + d.file.length <= text + length);
			assert_true(d.name.text >= text && d.name.text + d.name.length <= text + length);
		}
		free(text);
	}
	assert_in_range(read, 1000, 99000);
}

/* --- regions --------------------------------------------------------------------------------- */

static const struct fathom_construct *meet(const char *type, const char *rest)
{
	static char text[5000];
	void *handle = NULL;

	strcpy(text, "1*regionType=");
	strcat(strcat(strcat(text, type), "*sscl=/s/f.c:10:11*escl=/s/f.c:20:21*"), rest);
	return fathom_construct_meet(&handle, text);
}

static void expect_region(const struct fathom_region *region, const char *name, enum fathom_role role, uint32_t begin,
			  uint32_t end)
{
	if (!name) {
		assert_null(region);
		return;
	}
	assert_non_null(region);
	assert_string_equal(region->name, name);
	assert_string_equal(region->file, "/s/f.c");
	assert_int_equal(region->role, role);
	assert_int_equal(region->begin_line, begin);
	assert_int_equal(region->end_line, end);
	assert_int_equal(region->paradigm, FATHOM_PARADIGM_OPENMP);
}

static void constructs_have_the_regions_of_the_table(void **state)
{
	static const struct {
		const char *type, *rest;
		bool forks, barrier;
		const char *own;
		enum fathom_role own_role;
		const char *block;
		enum fathom_role block_role;
	} table[] = {
		{ "atomic", "", 0, 0, "!$omp atomic @f.c:10", FATHOM_ROLE_ATOMIC, NULL, 0 },
		{ "barrier", "", 0, 0, "!$omp barrier @f.c:10", FATHOM_ROLE_BARRIER, NULL, 0 },
		{ "critical", "", 0, 0, "!$omp critical @f.c:10", FATHOM_ROLE_CRITICAL,
		  "!$omp critical sblock @f.c:10", FATHOM_ROLE_CRITICAL_SBLOCK },
		{ "critical", "criticalName=a_b*", 0, 0, "!$omp critical(a_b) @f.c:10", FATHOM_ROLE_CRITICAL,
		  "!$omp critical sblock @f.c:10", FATHOM_ROLE_CRITICAL_SBLOCK },
		{ "do", "", 0, 1, "!$omp do @f.c:10", FATHOM_ROLE_LOOP, NULL, 0 },
		{ "flush", "", 0, 0, "!$omp flush @f.c:10", FATHOM_ROLE_FLUSH, NULL, 0 },
		{ "for", "", 0, 1, "!$omp for @f.c:10", FATHOM_ROLE_LOOP, NULL, 0 },
		{ "master", "", 0, 0, NULL, 0, "!$omp master @f.c:10", FATHOM_ROLE_MASTER },
		{ "ordered", "", 0, 0, "!$omp ordered @f.c:10", FATHOM_ROLE_ORDERED,
		  "!$omp ordered sblock @f.c:10", FATHOM_ROLE_ORDERED_SBLOCK },
		{ "parallel", "", 1, 1, NULL, 0, NULL, 0 },
		{ "paralleldo", "", 1, 1, "!$omp do @f.c:10", FATHOM_ROLE_LOOP, NULL, 0 },
		{ "parallelfor", "", 1, 1, "!$omp for @f.c:10", FATHOM_ROLE_LOOP, NULL, 0 },
		{ "parallelsections", "", 1, 1, "!$omp sections @f.c:10", FATHOM_ROLE_SECTIONS,
		  "!$omp section @f.c:10", FATHOM_ROLE_SECTION },
		{ "parallelworkshare", "", 1, 1, "!$omp workshare @f.c:10", FATHOM_ROLE_WORKSHARE, NULL, 0 },
		{ "sections", "numSections=2*", 0, 1, "!$omp sections @f.c:10", FATHOM_ROLE_SECTIONS,
		  "!$omp section @f.c:10", FATHOM_ROLE_SECTION },
		{ "single", "", 0, 1, "!$omp single @f.c:10", FATHOM_ROLE_SINGLE,
		  "!$omp single sblock @f.c:10", FATHOM_ROLE_SINGLE_SBLOCK },
		{ "task", "", 0, 0, "!$omp create task @f.c:10", FATHOM_ROLE_TASK_CREATE,
		  "!$omp task @f.c:10", FATHOM_ROLE_TASK },
		{ "task", "hasUntied=1*", 0, 0, "!$omp create untied @f.c:10", FATHOM_ROLE_TASK_CREATE,
		  "!$omp untied task @f.c:10", FATHOM_ROLE_TASK },
		{ "taskwait", "", 0, 0, "!$omp taskwait @f.c:10", FATHOM_ROLE_TASK_WAIT, NULL, 0 },
		{ "workshare", "", 0, 1, "!$omp workshare @f.c:10", FATHOM_ROLE_WORKSHARE, NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const struct fathom_construct *construct = meet(table[i].type, table[i].rest);
		bool forks = table[i].forks;

		expect_region(construct->parallel, forks ? "!$omp parallel @f.c:10" : NULL, FATHOM_ROLE_PARALLEL, 10, 21);
		expect_region(construct->management, forks ? "!$omp fork and join @f.c:10" : NULL,
			      FATHOM_ROLE_ARTIFICIAL, 10, 21);
		expect_region(construct->own, table[i].own, table[i].own_role, forks ? 11 : 10, forks ? 20 : 21);
		expect_region(construct->block, table[i].block, table[i].block_role, 11, 20);
		expect_region(construct->barrier, table[i].barrier ? "!$omp implicit barrier @f.c:10" : NULL,
			      FATHOM_ROLE_IMPLICIT_BARRIER, 10, 21);
	}
}

static void a_user_region_has_its_own_name(void **state)
{
	const struct fathom_construct *construct = meet("userRegion", "userRegionName=solve it*");

	(void)state;
	assert_string_equal(construct->own->name, "solve it");
	assert_int_equal(construct->own->paradigm, FATHOM_PARADIGM_USER);
	assert_int_equal(construct->own->role, FATHOM_ROLE_CODE);
}

static void handles_of_one_construct_are_one(void **state)
{
	const struct fathom_construct *once = meet("for", "");
	uint32_t regions = recorder_region_count();

	(void)state;
	assert_ptr_equal(once, meet("for", "hasNowait=1*"));
	assert_int_equal(recorder_region_count(), regions);
	assert_ptr_not_equal(once, meet("parallelfor", ""));
	assert_ptr_not_equal(once, meet("do", ""));
}

static void long_names_keep_their_line(void **state)
{
	char text[4200] = "criticalName=";
	const struct fathom_construct *construct;
	size_t length;

	(void)state;
	memset(text + strlen(text), 'n', 4000);
	construct = meet("critical", text);
	length = strlen(construct->own->name);
	assert_true(length < 600);
	assert_string_equal(construct->own->name + length - 9, ") @f.c:10");
}

static void what_cannot_be_read_is_no_construct_for_good(void **state)
{
	void *handle = NULL;

	(void)state;
	assert_ptr_equal(fathom_construct_meet(&handle, "12*regionType=nonsense*"), &fathom_construct_none);
	assert_ptr_equal(handle, &fathom_construct_none);
	assert_ptr_equal(fathom_construct_met(&handle), &fathom_construct_none);
}

struct race {
	pthread_barrier_t *start;
	void **handles;
	const struct fathom_construct *met[40];
};

static void *race_body(void *argument)
{
	struct race *race = argument;
	char text[100] = "1*regionType=single*sscl=/race.c:??:1*escl=/race.c:1:1**";

	pthread_barrier_wait(race->start);
	for (int i = 0; i < 40; i++) {
		memcpy(strchr(text, '?') ? strchr(text, '?') : strstr(text, "race.c:") + 7,
		       (char[]){ (char)('1' + i / 10), (char)('0' + i % 10) }, 2);
		race->met[i] = fathom_construct_meet(&race->handles[i], text);
	}
	return NULL;
}

static void threads_that_come_first_at_once_meet_the_same(void **state)
{
	void *handles[40] = { NULL };
	pthread_barrier_t start;
	struct race races[4];
	pthread_t threads[4];

	(void)state;
	pthread_barrier_init(&start, NULL, 4);
	for (int i = 0; i < 4; i++) {
		races[i] = (struct race){ .start = &start, .handles = handles };
		assert_int_equal(pthread_create(&threads[i], NULL, race_body, &races[i]), 0);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 40; i++) {
		assert_non_null(races[0].met[i]->own);
		for (int j = 0; j < 4; j++)
			assert_ptr_equal(races[j].met[i], handles[i]);
	}
	pthread_barrier_destroy(&start);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_of_opari2_are_read),
		cmocka_unit_test(every_type_is_known),
		cmocka_unit_test(a_file_may_be_called_anything),
		cmocka_unit_test(damaged_texts_are_read_as_far_as_they_go),
		cmocka_unit_test(what_says_nothing_is_refused),
		cmocka_unit_test(no_text_does_harm),
		cmocka_unit_test(constructs_have_the_regions_of_the_table),
		cmocka_unit_test(a_user_region_has_its_own_name),
		cmocka_unit_test(handles_of_one_construct_are_one),
		cmocka_unit_test(long_names_keep_their_line),
		cmocka_unit_test(what_cannot_be_read_is_no_construct_for_good),
		cmocka_unit_test(threads_that_come_first_at_once_meet_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
