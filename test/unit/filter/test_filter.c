/* The rules of a filter file: what they mean, and what is said of wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fnmatch.h>
#include <cmocka.h>

#include "filter/filter.h"
#include "filter/glob.h"

static char path[64];
static char error[256];

static int read_text(struct fathom_filter *filter, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	error[0] = '\0';
	memset(filter, 0, sizeof(*filter));
	return fathom_filter_read(filter, path, error, sizeof(error));
}

static enum fathom_filter_answer ask(const struct fathom_filter *filter, const char *name, const char *mangled,
				     const char *file)
{
	const struct fathom_filter_subject subject = { FATHOM_FILTER_FUNCTION, name, NULL, mangled, file, "/bin/prog",
						       0 };

	return fathom_filter_ask(filter, &subject, NULL);
}

/* Of a region that is no function. */
static enum fathom_filter_answer ask_kind(const struct fathom_filter *filter, enum fathom_filter_kind kind,
					  const char *name)
{
	const struct fathom_filter_subject subject = { kind, name, NULL, NULL, NULL, NULL, 0 };

	return fathom_filter_ask(filter, &subject, NULL);
}

static void last_match_wins(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude *\ninclude solve_*\nexclude solve_tiny\n"), 0);
	assert_int_equal(ask(&filter, "main_loop", NULL, "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "solve_big", NULL, "a.c"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "solve_tiny", NULL, "a.c"), FATHOM_FILTER_EXCLUDE);
	fathom_filter_fini(&filter);
}

/* A profile spells some names otherwise (spelling.h): what is copied from a report must still match. */
static void names_match_as_profiles_spell_them(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude fill<Box<int>>\nexclude {anonymous namespace}::run(int)\n"
				   "exclude void(\\*make<int>(int))(char)\nexclude old<Box<int> >\n"), 0);
	assert_int_equal(ask(&filter, "void fill<Box<int> >(int)", NULL, "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "(anonymous namespace)::run(int)", NULL, "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "void (*make<int>(int))(char)", NULL, "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "void old<Box<int> >(int)", NULL, "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "(anonymous namespace)::walk(int)", NULL, "a.c"), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
}

static void nothing_said_is_silence(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "\n  # only a comment\n\t\nexclude never\n"), 0);
	assert_int_equal(filter.count, 1);
	assert_int_equal(ask(&filter, "neverland", "nev", "never.c"), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
}

static void any_of_the_names_matches(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude Grid::exchange(int, double*)\r\nexclude _ZN3foo*   \n"), 0);
	assert_int_equal(ask(&filter, "Grid::exchange(int, double*)", "_ZN4Grid8exchangeEiPd", NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "foo::bar()", "_ZN3foo3barEv", NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "foo::bar()", NULL, NULL), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
}

static void files_are_known_by_path_and_last_part(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude file src/*\nexclude file util.c\n"), 0);
	assert_int_equal(ask(&filter, "f", NULL, "src/deep/x.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "f", NULL, "../lib/util.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "f", NULL, "main.c"), FATHOM_FILTER_SILENT);
	assert_int_equal(ask(&filter, "util.c", NULL, NULL), FATHOM_FILTER_SILENT);
	assert_false(fathom_filter_wants(&filter, FATHOM_FILTER_FUNCTION, FATHOM_FILTER_NAME));
	fathom_filter_fini(&filter);
}

static void include_file_takes_back_an_exclude_only(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude *\ninclude file solver.c\n"), 0);
	assert_int_equal(ask(&filter, "f", NULL, "solver.c"), FATHOM_FILTER_SILENT);
	assert_int_equal(ask(&filter, "f", NULL, "other.c"), FATHOM_FILTER_EXCLUDE);
	assert_true(fathom_filter_wants(&filter, FATHOM_FILTER_FUNCTION, FATHOM_FILTER_NAME));
	fathom_filter_fini(&filter);
}

static void wrong_rules_are_named_by_place(void **state)
{
	static const struct { const char *text, *place, *what; } wrong[] = {
		{ "exclude a\n  omit b\n", ":2:3: ", "include or exclude" },
		{ "exclude\n", ":1:8: ", "pattern" },
		{ "include file \n", ":1:13: ", "file names" },
		{ "\n\nexclude ab[c\n", ":3:11: ", "[ without ]" },
		{ "excluded a\n", ":1:1: ", "include or exclude" },
		{ "exclude", ":1:8: ", "pattern" },
		{ "exclude mpi", ":1:12: ", "function called mpi" },
		{ "exclude a[[:alhpa:]]", ":1:10: ", "class" },
		{ "exclude a\\", ":1:10: ", "\\" },
		{ "exclude rank x", ":1:14: ", "0,4-7,16-" },
		{ "exclude rank 3-1 f", ":1:17: ", "ranks" },
		{ "exclude rank 1,,2 f", ":1:16: ", "ranks" },
		{ "exclude rank 99999999999 f", ":1:25: ", "ranks" },
		{ "exclude rank 1x f", ":1:15: ", "ranks" },
		{ "SCOREP_REGION_NAMES_BEGIN\nfoo\n", ":2:1: ", "INCLUDE or EXCLUDE" },
		{ "SCOREP_REGION_NAMES_BEGIN MANGLED a", ":1:27: ", "INCLUDE or EXCLUDE" },
		{ "SCOREP_REGION_NAMES_BEGIN\n EXCUDE *\n", ":2:2: ", "INCLUDE or EXCLUDE" },
		{ "SCOREP_REGION_NAMES_END\n", ":1:1: ", "include or exclude" },
		{ "SCOREP_REGION_NAMES_BEGIN\n EXCLUDE a\nSCOREP_FILE_NAMES_END", ":3:1: ", "not allowed here" },
		{ "SCOREP_REGION_NAMES_BEGIN\nSCOREP_FILE_NAMES_BEGIN", ":2:1: ", "not allowed here" },
		{ "SCOREP_FILE_NAMES_BEGIN EXCLUDE MANGLED a", ":1:33: ", "region names only" },
		{ "SCOREP_FILE_NAMES_BEGIN SCOREP_FILE_NAMES_END a", ":1:47: ", "nothing may follow" },
		{ "BEGIN_INCLUDE_LIST\na\nEND_EXCLUDE_LIST\n", ":3:1: ", "END_INCLUDE_LIST is missing" },
		{ "END_INCLUDE_LIST\n", ":1:1: ", "include or exclude" },
		{ "BEGIN_INCLUDE_LIST\n\"\"\n", ":2:2: ", "a name is missing" },
		{ "SCOREP_REGION_NAMES_BEGIN EXCLUDE ok a[\n", ":1:39: ", "[ without ]" },
		{ "EXCLUDE a\n", ":1:1: ", "include or exclude" },
	};
	struct fathom_filter filter;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_not_equal(read_text(&filter, wrong[i].text), 0);
		assert_non_null(strstr(error, path));
		assert_non_null(strstr(error, wrong[i].place));
		assert_non_null(strstr(error, wrong[i].what));
		assert_null(strchr(error, '\n'));
		assert_int_equal(filter.count, 0);
		assert_null(filter.rules);
	}
}

static void escaped_brackets_are_letters(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude A::operator\\[]*\nexclude x[0-9]\n"), 0);
	assert_int_equal(ask(&filter, "A::operator[](int)", NULL, NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "x7", NULL, NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "xa", NULL, NULL), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
}

static void c_plus_plus_names_match_without_parameters_and_type(void **state)
{
	static const char *const patterns[] = { "space::one<int>", "space::one<*", "int space::one<int>",
						"int space::one<int>(int)", "space::one<int>(int)", "_Z*" };
	struct fathom_filter filter;
	char text[100];

	(void)state;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		snprintf(text, sizeof(text), "exclude %s\n", patterns[i]);
		assert_int_equal(read_text(&filter, text), 0);
		assert_int_equal(ask(&filter, "int space::one<int>(int)", "_ZN5space3oneIiEET_S1_", NULL),
				 FATHOM_FILTER_EXCLUDE);
		assert_int_equal(ask(&filter, "space::on()", NULL, NULL), FATHOM_FILTER_SILENT);
		fathom_filter_fini(&filter);
	}
	assert_int_equal(read_text(&filter, "exclude A::operator()\nexclude (anonymous namespace)::f\nexclude B::get\n"
					    "exclude A::operator bool\n"), 0);
	assert_int_equal(ask(&filter, "A::operator()(int, void (*)(int)) const", NULL, NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "(anonymous namespace)::f(char)", NULL, NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "std::vector<int, std::allocator<int> > B::get<int>(int) const", NULL, NULL),
			 FATHOM_FILTER_SILENT);
	assert_int_equal(ask(&filter, "std::vector<int, std::allocator<int> > B::get(int) const", NULL, NULL),
			 FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "A::operator bool() const", NULL, NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "A::operator()", NULL, NULL), FATHOM_FILTER_EXCLUDE);
	fathom_filter_fini(&filter);
}

static void mangled_means_the_linkers_name_alone(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude mangled f*\n"), 0);
	assert_int_equal(ask(&filter, "foo", "foo_", NULL), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "foo", "_Z3foov", NULL), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
}

static void objects_are_matched_once_they_are_known(void **state)
{
	struct fathom_filter_subject subject = { FATHOM_FILTER_FUNCTION, "f", NULL, NULL, NULL, "/lib/libx.so.1", 0 };
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude object libx.so*\n"), 0);
	assert_int_equal(fathom_filter_ask(&filter, &subject, NULL), FATHOM_FILTER_EXCLUDE);
	subject.object = "/bin/libx";
	assert_int_equal(fathom_filter_ask(&filter, &subject, NULL), FATHOM_FILTER_SILENT);
	subject.object = NULL;
	assert_int_equal(fathom_filter_ask(&filter, &subject, NULL), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
	assert_int_equal(read_text(&filter, "exclude *\ninclude object libx.so*\n"), 0);
	assert_int_equal(fathom_filter_ask(&filter, &subject, NULL), FATHOM_FILTER_SILENT);
	subject.object = "prog";
	assert_int_equal(fathom_filter_ask(&filter, &subject, NULL), FATHOM_FILTER_EXCLUDE);
	fathom_filter_fini(&filter);
}

static void ranks_are_matched_once_they_are_known(void **state)
{
	static const struct { int64_t rank; bool excluded; } cases[] = {
		{ -1, false }, { 0, false }, { 1, true }, { 2, false }, { 4, true }, { 5, true }, { 6, false },
		{ 9, true }, { 1000000, true },
	};
	struct fathom_filter_subject subject = { FATHOM_FILTER_FUNCTION, "f", NULL, NULL, NULL, "a", 0 };
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude rank 1,4-5,9- f\nexclude rank 7\n"), 0);
	assert_true(fathom_filter_wants_rank(&filter));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		subject.rank = cases[i].rank;
		assert_int_equal(fathom_filter_ask(&filter, &subject, NULL),
				 cases[i].excluded ? FATHOM_FILTER_EXCLUDE : FATHOM_FILTER_SILENT);
	}
	subject.rank = 7;
	subject.name = "anything";
	assert_int_equal(fathom_filter_ask(&filter, &subject, NULL), FATHOM_FILTER_EXCLUDE);
	subject.kind = FATHOM_FILTER_MPI;
	assert_int_equal(fathom_filter_ask(&filter, &subject, NULL), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
}

static void a_wildcard_at_the_begin_means_functions(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude *\n"), 0);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_USER, "phase"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_MPI, "MPI_Send"), FATHOM_FILTER_SILENT);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_OPENMP, "!$omp for @a.c:1"), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
	assert_int_equal(read_text(&filter, "exclude MPI_*send\nexclude openmp *critical*\nexclude any *lock\n"
					    "exclude !$omp for*\n"), 0);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_MPI, "MPI_Isend"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_MPI, "MPI_Recv"), FATHOM_FILTER_SILENT);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_OPENMP, "!$omp critical @a.c:1"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_OPENMP, "!$omp for @a.c:1"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_FUNCTION, "my_critical"), FATHOM_FILTER_SILENT);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_THREAD, "pthread_mutex_lock"), FATHOM_FILTER_EXCLUDE);
	fathom_filter_fini(&filter);
}

/* Each expected answer is what the established system says. */
static void blocks_mean_what_they_meant(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter,
		"# a filter\n"
		"SCOREP_FILE_NAMES_BEGIN # comment\n"
		"  EXCLUDE */filtering/filter*\n"
		"  INCLUDE */filter3.c\n"
		"SCOREP_FILE_NAMES_END\n"
		"\n"
		"SCOREP_REGION_NAMES_BEGIN EXCLUDE *\n"
		"  INCLUDE bar foo baz\n"
		"          ma?n with\\ blank\n"
		"  EXCLUDE MANGLED _Zfoo*\n"
		"  DEMANGLED bar\\#x\n"
		"SCOREP_REGION_NAMES_END\n"), 0);
	assert_int_equal(ask(&filter, "bar", "bar", "a.c"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "main", "main", "a.c"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "with blank", NULL, "a.c"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "blank", NULL, "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "other", "other", "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "foo", "_Zfoov", "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "bar#x", NULL, "a.c"), FATHOM_FILTER_EXCLUDE);
	/* What the files exclude, names cannot include. */
	assert_int_equal(ask(&filter, "foo", "foo", "/src/filtering/filter1.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "foo", "foo", "/src/filtering/filter3.c"), FATHOM_FILTER_INCLUDE);
	/* MPI and OpenMP are not filtered. */
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_MPI, "MPI_Send"), FATHOM_FILTER_SILENT);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_OPENMP, "!$omp parallel @a.c:1"), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
	assert_int_equal(read_text(&filter, "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE MPI_Send\n"), 0);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_MPI, "MPI_Send"), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
}

/* The lists of functions and files that TAU's compilers take. */
static void lists_of_tau_are_read(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter,
		"# Only what follows is instrumented.\n"
		"BEGIN_INCLUDE_LIST\n"
		"int main(int, char **) C\n"
		"void Grid::sort_#(int *)\n"
		"# a comment\n"
		"\"#solve#\"\n"
		"  double *Grid::operator()(int)  \r\n"
		"END_INCLUDE_LIST\n"
		"BEGIN_INSTRUMENT_SECTION\n"
		"loops file=\"a.c\" routine=\"#\"\n"
		"END_INSTRUMENT_SECTION\n"
		"BEGIN_FILE_EXCLUDE_LIST\n"
		"*/third_party/*\n"
		"util?.c\n"
		"END_FILE_EXCLUDE_LIST\n"
		"BEGIN_EXCLUDE_LIST\n"
		"presolve\n"
		"END_EXCLUDE_LIST\n"), 0);
	assert_int_equal(ask(&filter, "main", "main", "a.c"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "Grid::sort_up(int*)", NULL, "a.c"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "Grid::operator()(int)", NULL, "a.c"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "my_solver", "my_solver", "a.c"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "presolve", "presolve", "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "other", "other", "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "a", "a", "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "main", "main", "/x/third_party/a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "main", "main", "/x/util1.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask_kind(&filter, FATHOM_FILTER_MPI, "MPI_Send"), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
	/* A list that only excludes leaves all else, and a second list that includes adds to the first. */
	assert_int_equal(read_text(&filter, "BEGIN_EXCLUDE_LIST\nfoo\nEND_EXCLUDE_LIST\n"), 0);
	assert_int_equal(ask(&filter, "foo", "foo", "a.c"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "bar", "bar", "a.c"), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
	assert_int_equal(read_text(&filter, "BEGIN_INCLUDE_LIST\nfoo\nEND_INCLUDE_LIST\n"
					    "BEGIN_INCLUDE_LIST\nbar\nEND_INCLUDE_LIST\n"), 0);
	assert_int_equal(ask(&filter, "foo", "foo", "a.c"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "bar", "bar", "a.c"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "baz", "baz", "a.c"), FATHOM_FILTER_EXCLUDE);
	fathom_filter_fini(&filter);
}

/* As the tools of that system write it, and people. */
static void blocks_are_taken_as_they_are_found(void **state)
{
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter,
		"# Initial filter file\n"
		"SCOREP_REGION_NAMES_BEGIN\n"
		"  EXCLUDE\n"
		"    # type=USR max_buf=10,690,188 visits=522,844 time=0.10 time[%]=0.4\n"
		"    # name='grid::Cell::get(int) const'\n"
		"    # file='prog.cc'\n"
		"    MANGLED _ZNK4grid4Cell3getEi\n"
		"\t_ZN4grid5twiceEv\r\n"
		"SCOREP_REGION_NAMES_END\n"
		"SCOREP_FILE_NAMES_BEGIN\n"
		"EXCLUDE */Eigen/*\n"
		"#EXCLUDE */src/*\n"
		"INCLUDE */Eigen/own?.[ch]pp # ours\n"
		"SCOREP_FILE_NAMES_END\n"
		"SCOREP_REGION_NAMES_BEGIN INCLUDE grid::twice* SCOREP_REGION_NAMES_END\n"
		"SCOREP_REGION_NAMES_BEGIN EXCLUDE psb_*::*\n"), 0);
	assert_int_equal(ask(&filter, "grid::Cell::get(int) const", "_ZNK4grid4Cell3getEi", "a.cc"),
			 FATHOM_FILTER_EXCLUDE);
	/* A later block goes on with the rules of an earlier one. */
	assert_int_equal(ask(&filter, "grid::twice()", "_ZN4grid5twiceEv", "a.cc"), FATHOM_FILTER_INCLUDE);
	assert_int_equal(ask(&filter, "psb_desc_mod::make", "__psb_desc_mod_MOD_make", "a.f90"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "f", "f", "/usr/Eigen/src/x.h"), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(ask(&filter, "f", "f", "/usr/Eigen/own1.hpp"), FATHOM_FILTER_SILENT);
	assert_int_equal(ask(&filter, "f", "f", "/usr/src/x.h"), FATHOM_FILTER_SILENT);
	fathom_filter_fini(&filter);
}

static void the_rule_that_decides_is_told(void **state)
{
	const struct fathom_filter_subject subject = { FATHOM_FILTER_FUNCTION, "ab", NULL, NULL, NULL, NULL, 0 };
	const struct fathom_filter_rule *rule;
	struct fathom_filter filter;

	(void)state;
	assert_int_equal(read_text(&filter, "exclude a*\nexclude   ab\nexclude b*\n"), 0);
	assert_int_equal(fathom_filter_ask(&filter, &subject, &rule), FATHOM_FILTER_EXCLUDE);
	assert_int_equal(rule->line, 2);
	assert_int_equal(rule->column, 11);
	assert_true(fathom_filter_matches(&filter.rules[0], &subject));
	assert_false(fathom_filter_matches(&filter.rules[2], &subject));
	fathom_filter_fini(&filter);
}

/* Patterns and texts by chance, of few characters so that they meet; the C library says what is right. */
static void patterns_match_as_the_shells_do(void **state)
{
	static const char letters[] = "aab-]/.", marks[] = "***??[[!^]\\--aaabb/.";
	int matched = 0, compared = 0;

	(void)state;
	for (int i = 0; i < 300000; i++) {
		char pattern[12], text[10];
		const char *where;
		size_t p = 0, t = 0, pattern_length = 1 + random() % 10, text_length = (size_t)random() % 9;
		bool matches;

		while (p < pattern_length)
			pattern[p++] = marks[(size_t)random() % (sizeof(marks) - 1)];
		while (t < text_length)
			text[t++] = letters[(size_t)random() % (sizeof(letters) - 1)];
		pattern[p] = text[t] = '\0';
		if (fathom_glob_error(pattern, &where))
			continue;
		matches = fnmatch(pattern, text, 0) == 0;
		if (matches != fathom_glob_matches(pattern, text, t))
			fail_msg("%s on %s: the C library says %d", pattern, text, matches);
		matched += matches;
		compared++;
	}
	assert_in_range(matched, compared / 50, compared);
}

static void many_stars_take_no_time(void **state)
{
	char pattern[2001], text[20001];

	(void)state;
	for (size_t i = 0; i < sizeof(pattern) - 1; i++)
		pattern[i] = "*a"[i % 2];
	pattern[sizeof(pattern) - 2] = 'b';
	pattern[sizeof(pattern) - 1] = '\0';
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_false(fathom_glob_matches(pattern, text, sizeof(text) - 1));
}

static void files_that_cannot_be_read_are_named(void **state)
{
	struct fathom_filter filter = { 0 };

	(void)state;
	assert_int_not_equal(fathom_filter_read(&filter, "/nonexistent/rules", error, sizeof(error)), 0);
	assert_non_null(strstr(error, "/nonexistent/rules"));
	assert_int_not_equal(fathom_filter_read(&filter, "/", error, sizeof(error)), 0);
	assert_string_equal(error, "/: Is a directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_match_wins),
		cmocka_unit_test(names_match_as_profiles_spell_them),
		cmocka_unit_test(nothing_said_is_silence),
		cmocka_unit_test(any_of_the_names_matches),
		cmocka_unit_test(files_are_known_by_path_and_last_part),
		cmocka_unit_test(include_file_takes_back_an_exclude_only),
		cmocka_unit_test(wrong_rules_are_named_by_place),
		cmocka_unit_test(escaped_brackets_are_letters),
		cmocka_unit_test(c_plus_plus_names_match_without_parameters_and_type),
		cmocka_unit_test(mangled_means_the_linkers_name_alone),
		cmocka_unit_test(objects_are_matched_once_they_are_known),
		cmocka_unit_test(ranks_are_matched_once_they_are_known),
		cmocka_unit_test(a_wildcard_at_the_begin_means_functions),
		cmocka_unit_test(lists_of_tau_are_read),
		cmocka_unit_test(blocks_mean_what_they_meant),
		cmocka_unit_test(blocks_are_taken_as_they_are_found),
		cmocka_unit_test(the_rule_that_decides_is_told),
		cmocka_unit_test(patterns_match_as_the_shells_do),
		cmocka_unit_test(many_stars_take_no_time),
		cmocka_unit_test(files_that_cannot_be_read_are_named),
	};
	int failed, fd;

	strcpy(path, "/tmp/fathom-filter.XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return 99;
	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
