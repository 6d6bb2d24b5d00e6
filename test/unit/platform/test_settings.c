/* Every type of setting, every way to get one wrong, and what is said then. */
#include "unit_test.h"

#include <signal.h>

#include <errno.h>

#include "config.h"
#include "platform/clock.h"
#include "platform/settings.h"

static struct fathom_settings settings;
static char error[512];

static int read_one(const char *line)
{
	char copy[256];
	char *environment[] = { "HOME=/anywhere", "FATHOM=not ours", copy, NULL };

	snprintf(copy, sizeof(copy), "%s", line);
	*error = '\0';
	return fathom_settings_read(&settings, environment, error, sizeof(error));
}

static void accept(const char *line)
{
	if (read_one(line))
		fail_msg("%s: %s", line, error);
}

static void refuse(const char *line, const char *why)
{
	if (read_one(line) != -EINVAL)
		fail_msg("%s was accepted", line);
	if (why)
		assert_string_equal(error, why);
}

static void defaults_hold_where_nothing_is_set(void **state)
{
	char *empty[] = { NULL };

	(void)state;
	memset(&settings, 0xff, sizeof(settings));
	assert_int_equal(fathom_settings_read(&settings, empty, error, sizeof(error)), 0);
	assert_string_equal(settings.dir, ".");
	assert_null(settings.name);
	assert_int_equal(settings.clock, FATHOM_CLOCK_AUTO);
	assert_int_equal(settings.recursion, FATHOM_RECURSION_EXACT);
	assert_int_equal(settings.nodes, 4000000);
	assert_int_equal(settings.verbose, 0);
	assert_int_equal(settings.signals, 1);
	assert_int_equal(settings.pthread, FATHOM_PTHREAD_ALL);
	assert_false(settings.mpi & (FATHOM_MPI_GROUP_INQUIRY | FATHOM_MPI_GROUP_TOOL));
	assert_true(settings.mpi & FATHOM_MPI_GROUP_P2P);
}

/* A row of the table whose own default is refused would end every program. */
static void each_default_can_be_written_by_a_user(void **state)
{
	(void)state;
	for (size_t i = 0; i < fathom_setting_count; i++) {
		const struct fathom_setting *setting = &fathom_setting_table[i];
		struct fathom_settings by_default;
		char line[256];

		assert_true(!strncmp(setting->name, "FATHOM_", 7));
		assert_non_null(setting->what);
		if (!setting->fallback)
			continue;
		accept("PATH=");
		by_default = settings;
		snprintf(line, sizeof(line), "%s=%s", setting->name, setting->fallback);
		accept(line);
		if (setting->type == FATHOM_SETTING_PERIOD)	/* a text, too, that is kept where it stands */
			assert_string_equal(settings.snapshot, by_default.snapshot);
		else if (setting->type == FATHOM_SETTING_SAMPLING)
			assert_string_equal(settings.sampling, by_default.sampling);
		else if (setting->type == FATHOM_SETTING_WINDOW)
			assert_string_equal(settings.trace_window, by_default.trace_window);
		else if (setting->type == FATHOM_SETTING_RING)
			assert_string_equal(settings.trace_ring, by_default.trace_ring);
		else if (setting->type != FATHOM_SETTING_TEXT)
			assert_memory_equal(&settings, &by_default, sizeof(settings));
	}
}

static void a_name_is_the_last_part_of_a_path(void **state)
{
	char line[FATHOM_NAME_BYTES + 20] = "FATHOM_NAME=";

	(void)state;
	accept("FATHOM_NAME=.mine 2%");
	assert_string_equal(settings.name, ".mine 2%");
	refuse("FATHOM_NAME=a/b", "FATHOM_NAME=a/b cannot be used: allowed is a name without / of up to 200 bytes, not . or ..");
	refuse("FATHOM_NAME=", NULL);
	refuse("FATHOM_NAME=.", NULL);
	refuse("FATHOM_NAME=..", NULL);
	refuse("FATHOM_NAME=a\nb", NULL);
	refuse("FATHOM_DIR=a\nb", NULL);
	memset(line + strlen(line), 'x', FATHOM_NAME_BYTES);
	accept(line);
	strcat(line, "x");
	refuse(line, NULL);
}

static void no_overhead_is_the_least_budget(void **state)
{
	(void)state;
#ifdef FATHOM_WITHOUT_BUDGET
	refuse("FATHOM_OVERHEAD=5%", "FATHOM_OVERHEAD=5% cannot be used: fathom was built without the overhead budget "
	       "(configure --without-budget)");
	accept("FATHOM_OVERHEAD=off");
	skip();
#endif
	accept("FATHOM_OVERHEAD=0%");
	assert_int_equal(settings.overhead, 1);
	accept("FATHOM_OVERHEAD=0.002%");
	assert_int_equal(settings.overhead, 2);
	accept("FATHOM_OVERHEAD=100%");
	assert_int_equal(settings.overhead, 100000);
	accept("FATHOM_OVERHEAD=off");
	assert_int_equal(settings.overhead, 0);
	refuse("FATHOM_OVERHEAD=101%", NULL);
	refuse("FATHOM_OVERHEAD=-1%", NULL);
}

static void choices_take_their_words(void **state)
{
	(void)state;
	accept("FATHOM_MODE=profile");
	assert_int_equal(settings.mode, FATHOM_MODE_PROFILE);
	accept("FATHOM_MODE=trace,profile");
	assert_int_equal(settings.mode, FATHOM_MODE_PROFILE | FATHOM_MODE_TRACE);
	accept("FATHOM_TRACE_TICK=25ns");
	assert_int_equal(settings.trace_tick, 25);
	accept("FATHOM_TRACE_TICK=1us");
	assert_int_equal(settings.trace_tick, 1000);
	refuse("FATHOM_TRACE_TICK=25", "FATHOM_TRACE_TICK=25 cannot be used: "
	       "allowed is a time from 0ns to 1000000ns, in ns, us, ms or s");
	refuse("FATHOM_TRACE_TICK=2s", "FATHOM_TRACE_TICK=2s cannot be used: "
	       "allowed is a time from 0ns to 1000000ns, in ns, us, ms or s");
	accept("FATHOM_SYSTEM_TREE=machine=M/rack=r%{r/64}/node=%h-%{r%64}/socket");
	assert_string_equal(settings.system_tree, "machine=M/rack=r%{r/64}/node=%h-%{r%64}/socket");
	accept("FATHOM_SYSTEM_TREE=node=100%%");
	refuse("FATHOM_SYSTEM_TREE=rack/node", "FATHOM_SYSTEM_TREE=rack/node cannot be used: allowed is up to 12 levels "
	       "CLASS=NAME with / between, in names %h, %r, %{r/N}, %{r%N} and %%; machine, node, socket, numa need no name");
	refuse("FATHOM_SYSTEM_TREE=", NULL);
	refuse("FATHOM_SYSTEM_TREE=node=", NULL);
	refuse("FATHOM_SYSTEM_TREE=node=a/", NULL);
	refuse("FATHOM_SYSTEM_TREE=/node=a", NULL);
	refuse("FATHOM_SYSTEM_TREE=node=%x", NULL);
	refuse("FATHOM_SYSTEM_TREE=node=%", NULL);
	refuse("FATHOM_SYSTEM_TREE=node=%{r/0}", NULL);
	refuse("FATHOM_SYSTEM_TREE=node=%{r/}", NULL);
	refuse("FATHOM_SYSTEM_TREE=node=%{r/4", NULL);
	refuse("FATHOM_SYSTEM_TREE=node=%{h}", NULL);
	refuse("FATHOM_SYSTEM_TREE=a=1/b=1/c=1/d=1/e=1/f=1/g=1/h=1/i=1/j=1/k=1/l=1/m=1", NULL);
	accept("FATHOM_MODE=none");
	assert_int_equal(settings.mode, FATHOM_MODE_NONE);
	accept("FATHOM_CLOCK=monotonic");
	assert_int_equal(settings.clock, FATHOM_CLOCK_MONOTONIC);
	accept("FATHOM_CLOCK=tsc");
	assert_int_equal(settings.clock, FATHOM_CLOCK_TSC);
	accept("FATHOM_RECURSION=fold");
	assert_int_equal(settings.recursion, FATHOM_RECURSION_FOLD);
	accept("FATHOM_TRACE_WINDOW=1.5:");
	accept("FATHOM_TRACE_WINDOW=0:0.000000001");
	accept("FATHOM_TRACE_WINDOW=a#b#3-4");
	accept("FATHOM_TRACE_RING=off");
	accept("FATHOM_TRACE_RING=1M");
	accept("FATHOM_TRACE_RING=16777216");
	accept("FATHOM_TRACE_RING=1ms");
	accept("FATHOM_TRACE_RING=3600s");
	accept("FATHOM_TRACE_SIGNAL=USR2");
	assert_int_equal(settings.trace_signal, SIGUSR2);
	accept("FATHOM_SAMPLING=off");
	accept("FATHOM_SAMPLING=1k,cycles@1M,PAPI_TOT_INS@10M perf::PAGE-FAULTS:u@1 r01c2@5k");
	assert_string_equal(settings.sampling, "1k,cycles@1M,PAPI_TOT_INS@10M perf::PAGE-FAULTS:u@1 r01c2@5k");
	accept("FATHOM_SIGNALS=off");
	assert_int_equal(settings.signals, 0);
	accept("FATHOM_PTHREAD=all");
	assert_int_equal(settings.pthread, FATHOM_PTHREAD_ALL);
	accept("FATHOM_PTHREAD=threads");
	assert_int_equal(settings.pthread, FATHOM_PTHREAD_THREADS);
	accept("FATHOM_PTHREAD=off");
	assert_int_equal(settings.pthread, FATHOM_PTHREAD_OFF);
}

static void other_words_are_refused(void **state)
{
	(void)state;
	refuse("FATHOM_MODE=traces",
	       "FATHOM_MODE=traces cannot be used: "
	       "allowed is a list, with commas, of profile, trace and none");
	refuse("FATHOM_MODE=trace,none",
	       "FATHOM_MODE=trace,none cannot be used: "
	       "allowed is a list, with commas, of profile, trace and none");
	refuse("FATHOM_MODE=Profile",
	       "FATHOM_MODE=Profile cannot be used: "
	       "allowed is a list, with commas, of profile, trace and none");
	refuse("FATHOM_MODE=profil",
	       "FATHOM_MODE=profil cannot be used: "
	       "allowed is a list, with commas, of profile, trace and none");
	refuse("FATHOM_MODE=profiles",
	       "FATHOM_MODE=profiles cannot be used: "
	       "allowed is a list, with commas, of profile, trace and none");
	refuse("FATHOM_MODE=",
	       "FATHOM_MODE= cannot be used: "
	       "allowed is a list, with commas, of profile, trace and none");
	refuse("FATHOM_MODE=profile ",
	       "FATHOM_MODE=profile  cannot be used: "
	       "allowed is a list, with commas, of profile, trace and none");
	refuse("FATHOM_CLOCK=x", "FATHOM_CLOCK=x cannot be used: allowed is auto, tsc or monotonic");
	refuse("FATHOM_SAMPLING=no", "FATHOM_SAMPLING=no cannot be used: allowed is off, a rate from 1 to 10000 samples a "
	       "second, and up to 4 times EVENT@PERIOD, with commas between");
	refuse("FATHOM_TRACE_WINDOW=2:1", "FATHOM_TRACE_WINDOW=2:1 cannot be used: allowed is off, FROM:TO in seconds "
	       "(0.5:2), or iterations of a phase: NAME#FIRST-LAST");
	refuse("FATHOM_TRACE_RING=10h", "FATHOM_TRACE_RING=10h cannot be used: allowed is off, a number of bytes from "
	       "1000000 to 16777216, or a time from 1ms to 3600s");
	refuse("FATHOM_TRACE_RING=", NULL);
	refuse("FATHOM_TRACE_RING=s", NULL);
	refuse("FATHOM_TRACE_RING=999us", NULL);
	refuse("FATHOM_TRACE_RING=3601s", NULL);
	refuse("FATHOM_TRACE_RING=17M", NULL);
	refuse("FATHOM_TRACE_RING=1000000000M", NULL);
	refuse("FATHOM_TRACE_SIGNAL=SEGV", NULL);
	refuse("FATHOM_TRACE_WINDOW=", NULL);
	refuse("FATHOM_TRACE_WINDOW=a#2-1", NULL);
	refuse("FATHOM_SAMPLING=", NULL);
	refuse("FATHOM_SAMPLING=0", NULL);
	refuse("FATHOM_SAMPLING=10001", NULL);
	refuse("FATHOM_SAMPLING=11k", NULL);
	refuse("FATHOM_SAMPLING=200,", NULL);
	refuse("FATHOM_SAMPLING=200,300", NULL);
	refuse("FATHOM_SAMPLING=off,200", NULL);
	refuse("FATHOM_SAMPLING=@100", NULL);
	refuse("FATHOM_SAMPLING=cycles@", NULL);
	refuse("FATHOM_SAMPLING=cycles@0", NULL);
	refuse("FATHOM_SAMPLING=cycles@1x", NULL);
	refuse("FATHOM_SAMPLING=cy/cles@1", NULL);
	refuse("FATHOM_SAMPLING=a@1,b@1,c@1,d@1,e@1", NULL);
	refuse("FATHOM_RECURSION=x", "FATHOM_RECURSION=x cannot be used: allowed is exact or fold");
	refuse("FATHOM_PTHREAD=none", "FATHOM_PTHREAD=none cannot be used: allowed is all, threads or off");
	refuse("FATHOM_SIGNALS=1", "FATHOM_SIGNALS=1 cannot be used: allowed is on or off");
}

static void numbers_take_k_m_and_g(void **state)
{
	(void)state;
	accept("FATHOM_NODES=1");
	assert_int_equal(settings.nodes, 1);
	accept("FATHOM_NODES=0012");
	assert_int_equal(settings.nodes, 12);
	accept("FATHOM_NODES=3k");
	assert_int_equal(settings.nodes, 3000);
	accept("FATHOM_NODES=7M");
	assert_int_equal(settings.nodes, 7000000);
	accept("FATHOM_NODES=1G");
	assert_int_equal(settings.nodes, 1000000000);
	accept("FATHOM_NODES=1000000000");
	assert_int_equal(settings.nodes, 1000000000);
	accept("FATHOM_VERBOSE=2");
	assert_int_equal(settings.verbose, 2);
}

static void numbers_out_of_range_or_shape_are_refused(void **state)
{
	static const char *const wrong[] = {
		"0", "0k", "1000000001", "2G", "1001M", "-1", "+1", "1.5", "1e3", "0x10", " 1", "1 ", "", "k", "G",
		"1kk", "1K", "1m", "1T", "many",
		/* These would come out in range, were they counted modulo 2^64. */
		"18446744073709551617", "18446744074G", "18446744073710M", "18446744073709552k",
		"99999999999999999999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char line[128], why[256];

		snprintf(line, sizeof(line), "FATHOM_NODES=%s", wrong[i]);
		snprintf(why, sizeof(why), "%s cannot be used: allowed is a number from 1 to 1000000000", line);
		refuse(line, why);
	}
	refuse("FATHOM_VERBOSE=3", "FATHOM_VERBOSE=3 cannot be used: allowed is a number from 0 to 2");
	refuse("FATHOM_VERBOSE=", "FATHOM_VERBOSE= cannot be used: allowed is a number from 0 to 2");
	refuse("FATHOM_VERBOSE=k", "FATHOM_VERBOSE=k cannot be used: allowed is a number from 0 to 2");
}

static void texts_are_anything_but_empty(void **state)
{
	(void)state;
	accept("FATHOM_DIR=/some where/else=1");
	assert_string_equal(settings.dir, "/some where/else=1");
	accept("FATHOM_NAME=first");
	assert_string_equal(settings.name, "first");
	refuse("FATHOM_DIR=", "FATHOM_DIR= cannot be used: allowed is a text in one line that is not empty");
}

static void lists_of_words_are_put_together(void **state)
{
	const char *words = "default, all, none, p2p, request, coll, rma, io, comm, env, type, misc, inquiry and tool";
	char why[512];

	(void)state;
	accept("FATHOM_MPI=p2p,coll");
	assert_int_equal(settings.mpi, FATHOM_MPI_GROUP_P2P | FATHOM_MPI_GROUP_COLL);
	accept("FATHOM_MPI=tool");
	assert_int_equal(settings.mpi, FATHOM_MPI_GROUP_TOOL);
	accept("FATHOM_MPI=none");
	assert_int_equal(settings.mpi, 0);
	accept("FATHOM_MPI=default,tool,inquiry");
	assert_int_equal(settings.mpi, 2 * FATHOM_MPI_GROUP_TOOL - 1);
	accept("FATHOM_MPI=all");
	assert_int_equal(settings.mpi, 2 * FATHOM_MPI_GROUP_TOOL - 1);
	for (size_t i = 0; i < 6; i++) {
		static const char *const wrong[] = { "", "p2p,", ",p2p", "p2p,,coll", "p2p coll", "P2P" };
		char line[64];

		snprintf(line, sizeof(line), "FATHOM_MPI=%s", wrong[i]);
		snprintf(why, sizeof(why), "%s cannot be used: allowed is a list, with commas, of %s", line, words);
		refuse(line, why);
	}
}

static void unknown_names_are_told_their_nearest(void **state)
{
	static const char *const pairs[][2] = {
		{ "FATHOM_MOD", "FATHOM_MODE" },	   { "FATHOM_MODUS", "FATHOM_MODE" },
		{ "FATHOM_NODESS", "FATHOM_NODES" },	   { "FATHOM_DIRECTORY", "FATHOM_DIR" },
		{ "FATHOM_CLOCKS", "FATHOM_CLOCK" },	   { "FATHOM_VERBOSITY", "FATHOM_VERBOSE" },
		{ "FATHOM_RECURSIVE", "FATHOM_RECURSION" }, { "FATHOM_SIGNAL", "FATHOM_SIGNALS" },
		{ "FATHOM_mode", "FATHOM_MODE" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		char line[64], why[256];

		snprintf(line, sizeof(line), "%s=profile", pairs[i][0]);
		snprintf(why, sizeof(why), "%s is not a setting; the nearest is %s (fathom config lists all)",
			 pairs[i][0], pairs[i][1]);
		if (!strcmp(pairs[i][0], "FATHOM_DIRECTORY") || !strcmp(pairs[i][0], "FATHOM_mode"))
			assert_int_equal(read_one(line), -EINVAL);	/* near to several */
		else
			refuse(line, why);
	}
}

static void names_of_any_length_are_answered(void **state)
{
	char name[4000] = "FATHOM_";
	char *environment[] = { name, NULL };

	(void)state;
	for (size_t length = 7; length < sizeof(name) - 3; length += 131) {
		memset(name + 7, 'X', length - 7);
		strcpy(name + length, "=1");
		assert_int_equal(fathom_settings_read(&settings, environment, error, sizeof(error)), -EINVAL);
		assert_non_null(memchr(error, '\0', sizeof(error)));
	}
}

static void other_names_are_nobodys_business(void **state)
{
	(void)state;
	accept("FATHOM");
	accept("FATHOMS=1");
	accept("MY_FATHOM_MODE=x");
	accept("fathom_mode=x");
	accept("FATHOM_INSTRUMENT_MIN_INSNS=anything");	/* read by the driver */
	accept("FATHOM_INSTRUMENT_HOOKS=anything");
	accept("FATHOM_INSTRUMENT_CALLS=anything");
}

/* The first wrong one counts, whatever stands before and behind it. */
static void all_of_the_environment_is_read(void **state)
{
	char *environment[] = { "FATHOM_NODES=5k", "A=B", "FATHOM_VERBOSE=1", "FATHOM_MODE=none", NULL };
	char *broken[] = { "FATHOM_NODES=5k", "A=B", "FATHOM_VERBOSE=9", "FATHOM_MODE=fast", NULL };

	(void)state;
	assert_int_equal(fathom_settings_read(&settings, environment, error, sizeof(error)), 0);
	assert_int_equal(settings.nodes, 5000);
	assert_int_equal(settings.verbose, 1);
	assert_int_equal(settings.mode, FATHOM_MODE_NONE);
	assert_int_equal(fathom_settings_read(&settings, broken, error, sizeof(error)), -EINVAL);
	assert_non_null(strstr(error, "FATHOM_VERBOSE=9"));
}

static void what_is_allowed_fits_any_room(void **state)
{
	(void)state;
	for (size_t i = 0; i < fathom_setting_count; i++) {
		char whole[512], part[512];

		fathom_setting_allowed(&fathom_setting_table[i], whole, sizeof(whole));
		assert_true(strlen(whole) > 3);
		for (size_t room = 1; room < 40; room++) {
			memset(part, '#', sizeof(part));
			fathom_setting_allowed(&fathom_setting_table[i], part, room);
			assert_true(strlen(part) < room);
			assert_memory_equal(part, whole, strlen(part));
			assert_int_equal(part[room], '#');
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_hold_where_nothing_is_set),
		cmocka_unit_test(each_default_can_be_written_by_a_user),
		cmocka_unit_test(a_name_is_the_last_part_of_a_path),
		cmocka_unit_test(no_overhead_is_the_least_budget),
		cmocka_unit_test(choices_take_their_words),
		cmocka_unit_test(other_words_are_refused),
		cmocka_unit_test(numbers_take_k_m_and_g),
		cmocka_unit_test(numbers_out_of_range_or_shape_are_refused),
		cmocka_unit_test(texts_are_anything_but_empty),
		cmocka_unit_test(lists_of_words_are_put_together),
		cmocka_unit_test(unknown_names_are_told_their_nearest),
		cmocka_unit_test(names_of_any_length_are_answered),
		cmocka_unit_test(other_names_are_nobodys_business),
		cmocka_unit_test(all_of_the_environment_is_read),
		cmocka_unit_test(what_is_allowed_fits_any_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
