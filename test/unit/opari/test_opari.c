/* What OpenMP sources look like on their way to OPARI2, and what is made of what it wrote. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "opari/c_source.h"
#include "opari/directive.h"
#include "opari/fortran_source.h"
#include "opari/lock_names.h"
#include "opari/token.h"
#include "opari/translation_unit.h"

static void directives(void **state)
{
	/* parts: one behind the other with a bar between; "=" it stays, "-" it is hidden */
	static const struct { const char *text, *parts; } cases[] = {
		{ "parallel", "=" },
		{ "parallel for schedule(dynamic, 2) reduction(+:a) nowait", "=" },
		{ "parallel sections private(x)", "=" },
		{ "for simd linear(i)", "=" },
		{ "critical(name)", "=" },
		{ "target teams distribute parallel for simd", "=" },
		{ "cancel for", "=" },
		{ "declare simd", "=" },
		{ "ordered", "=" },
		{ "ordered simd", "=" },
		{ "ordered depend(sink: i - 1)", "-" },
		{ "ordered doacross(source:)", "-" },
		{ "parallel for simd num_threads(f(1, 2)) private(x)", "parallel num_threads(f(1, 2))|for simd private(x)" },
		{ "parallel for linear(i:2) default(none) shared(a)",
		  "parallel default(none) shared(a) shared(i)|for linear(i:2)" },
		{ "parallel for schedule(static, (a) * (b)) if(x)", "parallel if(x)|for schedule(static, (a) * (b))" },
		{ "parallel for schedule(static, 4)", "=" },
		{ "parallel for firstprivate(a, b) lastprivate(b)", "parallel|for firstprivate(a, b) lastprivate(b)" },
		{ "parallel for firstprivate(a) lastprivate(b)", "=" },
		{ "parallel for reduction(inscan, + : s)", "parallel|for reduction(inscan, + : s)" },
		{ "parallel for ordered", "=" },
		{ "parallel for ordered(2)", "parallel|for ordered(2)" },
		{ "parallel loop firstprivate(a) bind(thread)", "parallel firstprivate(a)|loop bind(thread)" },
		{ "parallel master private(a)", "parallel private(a)|master" },
		{ "parallel masked filter(1) private(a)", "parallel private(a)|masked filter(1)" },
		{ "master taskloop grainsize(3)", "master|taskloop grainsize(3)" },
		{ "parallel master taskloop simd num_threads(2) if(parallel: a) if(taskloop: b)",
		  "parallel num_threads(2) if( a)|master|taskloop simd if(taskloop: b)" },
		{ "parallel masked taskloop filter(2)", "parallel|masked filter(2)|taskloop" },
		{ "parallel for simd if(x)", "parallel if(x)|for simd if(simd: x)" },
		{ "parallel if(parallel : a > b) private(c)", "parallel if( a > b) private(c)" },
		{ "task if(task: a)", "task if( a)" },
		{ "parallel if(a ? b : c)", "=" },
		{ "parallel if(ns::value)", "=" },
		{ "parallel for simd default(none) reduction(+: a[0:n], b) reduction(x::op : c)",
		  "parallel default(none) shared(a,b,c)|for simd reduction(+: a[0:n], b) reduction(x::op : c)" },
		{ "PARALLEL DO SIMD PRIVATE(I)", "parallel|do simd PRIVATE(I)" },
		{ "parallel for simd bad(", "=" },
		{ "nosuch thing", "=" },
		{ "", "=" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fathom_directive directive;
		char got[512];

		fathom_directive_read(&directive, cases[i].text, strlen(cases[i].text));
		if (directive.form == FATHOM_DIRECTIVE_KEPT)
			strcpy(got, "=");
		else if (directive.form == FATHOM_DIRECTIVE_HIDDEN)
			strcpy(got, "-");
		else
			snprintf(got, sizeof(got), "%s%s%s%s%s", directive.outer, directive.middle ? "|" : "",
				 directive.middle ? directive.middle : "", directive.inner ? "|" : "",
				 directive.inner ? directive.inner : "");
		if (strcmp(got, cases[i].parts) != 0)
			fail_msg("'%s': '%s', expected '%s'", cases[i].text, got, cases[i].parts);
		fathom_directive_fini(&directive);
	}
}

static void kinds_of_directives(void **state)
{
	static const struct { const char *text, *name; int has_body, has_loop, is_seen; } cases[] = {
		{ "parallel for num_threads(2)", "parallel for", 1, 1, 1 },
		{ "barrier", "barrier", 0, 0, 1 },
		{ "critical (x)", "critical", 1, 0, 1 },
		{ "simd", "simd", 1, 1, 0 },
		{ "target update to(a)", "target", 0, 0, 0 },
		{ "declare reduction(x: int: a)", "declare", 0, 0, 0 },
		{ "threadprivate(a)", "threadprivate", 0, 0, 0 },
		{ "ordered depend(source)", "ordered", 0, 0, 1 },
		{ "teams distribute parallel for simd", "teams distribute parallel for simd", 1, 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fathom_directive directive;

		fathom_directive_read(&directive, cases[i].text, strlen(cases[i].text));
		assert_string_equal(directive.name, cases[i].name);
		if (directive.has_body != cases[i].has_body || directive.has_loop != cases[i].has_loop ||
		    directive.is_seen != cases[i].is_seen)
			fail_msg("'%s': body %d loop %d seen %d", cases[i].text, directive.has_body, directive.has_loop,
				 directive.is_seen);
		fathom_directive_fini(&directive);
	}
}

static void statements(void **state)
{
	/* the statement ends before the bar */
	static const char *const cases[] = {
		" x = 1;| }", "{ a; }| b", "if (a) b; else c;| d;", "if (a) { } |x;", "if constexpr (a) b;| c",
		"for (;;) while (x) do y(); while (z);| w", "switch (a) { case 1: b; }| c", "a[1] = f(2, \";)\");| b",
		"try { } catch (int) { } catch (...) { }| x;", "label: x++;| y", "case 1: default: x;| y",
		"# 3 \"f.c\"\n#pragma omp barrier\nx;| y", "int a[] = { 1, 2 };| b", "a ? b : c;| d", "[[likely]] x;| y",
		"std::f();| y", "auto l = [&](int k) { return k; };| y", "if (a) if (b) c; else d; else e;| f",
		"x = ')' + '\\'';| y", "/* ; */ x // ;\n;| y",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *bar = strchr(cases[i], '|');
		char text[128];
		size_t body;

		snprintf(text, sizeof(text), "%.*s%s", (int)(bar - cases[i]), cases[i], bar + 1);
		while (bar > cases[i] && bar[-1] == ' ')
			bar--;
		assert_int_equal(fathom_token_statement(text, strlen(text), 0, &body), bar - cases[i]);
	}
}

static void no_statements(void **state)
{
	static const char *const cases[] = { "", "}", "# 1 \"a\"\n", "if (a", "{ a;" };
	size_t body;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		fathom_token_statement(cases[i], strlen(cases[i]), 0, &body);	/* and it returns */
	assert_int_equal(fathom_token_statement("}", 1, 0, &body), 0);
	assert_int_equal(fathom_token_statement("", 0, 0, &body), 0);
}

/* What prepare makes of the text, behind its own declarations. */
static void prepared(struct fathom_c_source *source, const char *text, const char *expected)
{
	char *whole = NULL;
	struct fathom_buffer result = { 0 };
	const char *got;

	assert_true(asprintf(&whole, "# 0 \"/d/a.c\"\n# 1 \"/d/a.c\"\n%s", text) > 0);
	fathom_c_source_prepare(source, whole, strlen(whole), &result);
	got = strstr(result.text, "___POMP2_INCLUDE___\n# 1 \"/d/a.c\"\n");
	assert_non_null(got);
	assert_string_equal(got + strlen("___POMP2_INCLUDE___\n# 1 \"/d/a.c\"\n"), expected);
	fathom_buffer_fini(&result);
	free(whole);
}

static void c_sources(void **state)
{
	static const struct { const char *text, *expected; } cases[] = {
		/* nothing to do */
		{ "int x;\n", "int x;\n" },
		{ "#pragma omp parallel\n{ x; }\n", "#pragma omp parallel\n{ x; }\n" },
		/* braces */
		{ "#pragma omp critical\nx = 1; }\n", "#pragma omp critical\n{x = 1;} }\n" },
		{ "#pragma omp for\nfor (;;)\n for (;;) x;\n", "#pragma omp for\nfor (;;)\n for (;;) {x;}\n" },
		{ "#pragma omp for\nfor (;;) { x; }\n", "#pragma omp for\nfor (;;) { x; }\n" },
		{ "if (a)\n#pragma omp critical\n{ x; }\nelse y;\n",
		  "if (a)\n{\n# 2 \"/d/a.c\"\n#pragma omp critical\n{ x; }}\nelse y;\n" },
		{ "#pragma omp single\n#pragma omp task\nx;\n",
		  "#pragma omp single\n{\n# 2 \"/d/a.c\"\n#pragma omp task\n{x;}}\n" },
		{ "for (;;) {\n#pragma omp atomic\nx++; }\n", "for (;;) {\n#pragma omp atomic\nx++;\n# 3 \"/d/a.c\"\n }\n" },
		/* split, on the same line */
		{ "\n#pragma omp parallel for simd\nfor (;;) { x; }\ny;\n",
		  "\n#pragma omp parallel\n{\n# 2 \"/d/a.c\"\n#pragma omp for simd\nfor (;;) { x; }}\ny;\n" },
		{ "#pragma omp parallel for simd default(none) private(k)\nfor (i = 0;;)\n for (int j = 0;;) { k; }\n",
		  "#pragma omp parallel default(none) shared(k) shared(i)\n{\n# 1 \"/d/a.c\"\n#pragma omp for simd private(k)\n"
		  "for (i = 0;;)\n for (int j = 0;;) { k; }}\n" },
		{ "# 7 \"/s/h.h\" 3\n\n#pragma omp parallel loop\nfor (;;) x;\n",
		  "# 7 \"/s/h.h\" 3\n\n#pragma omp parallel\n{\n# 8 \"/s/h.h\" 3\n#pragma omp loop\nfor (;;) {x;}}\n" },
		/* disguised */
		{ "#pragma omp ordered depend(source)\n}\n", "#pragma FATHOM_HIDES_omp ordered depend(source)\n}\n" },
		{ "omp_set_lock(&my_omp_set_lock); \"omp_set_lock\"\n",
		  "POMP2_Set_lock(&my_omp_set_lock); \"omp_set_lock\"\n" },
		/* written otherwise */
		{ "int k = 1'000'000 + '\\'' + 0x1'0;\n", "int k = 1000000 + '\\'' + 0x10;\n" },
		{ "s = R\"x(a\"\\{\n})\" )x\";\n", "s = \"a\\\"\\\\{\\n\"\n\"})\\\" \";\n" },
		{ "s = u8R\"(?)\"_s;\n", "s = u8\"\\?\"_s;\n" },
		/* not ours */
		{ "#pragma omp_x\n#pragma GCC ivdep\nx\n", "#pragma omp_x\n#pragma GCC ivdep\nx\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fathom_c_source source = { .is_cxx = 1 };

		prepared(&source, cases[i].text, cases[i].expected);
		assert_null(source.trouble);
		fathom_c_source_fini(&source);
	}
}

static void c_census(void **state)
{
	struct fathom_c_source source = { .is_cxx = 0 };
	struct fathom_buffer result = { 0 };
	const char *text = "#pragma omp parallel for\nfor(;;);\n#pragma omp barrier\n# 20 \"b\"\n#pragma omp barrier\n"
			   "int pomp2_if;\n";
	char *lost;

	(void)state;
	fathom_c_source_prepare(&source, text, strlen(text), &result);
	lost = fathom_construct_counts_text(&source.construct_counts);
	assert_string_equal(lost, "1 parallel for (line 1), 2 barrier (from line 3)");
	assert_true(source.uses_openmp);
	assert_non_null(source.trouble);
	free(lost);
	fathom_buffer_fini(&result);
	fathom_c_source_fini(&source);
}

static void c_finished(void **state)
{
	static const char text[] =
		"# 0 \"/d/a.c\"\n#include \"/t/in.c.opari.inc\"\n# 1 \"/s/h.h\" 1 3 4\n#line 9 \"/s/h.h\"\n"
		"# 3 \"/d/a.c\" 2\n#line 5 \"/d/a.c\"\n"
		"  int pomp2_num_threads = omp_get_max_threads();\n  f(&opari2_region_1, opari2_ctc_1 );\n"
		"#pragma omp parallel POMP2_DLIST_00001 private(x)\n#pragma FATHOM_HIDES_omp ordered\n"
		"x = omp_get_max_threads(); opari2_ctc_2;";
	static const char include[] =
		"extern int64_t __attribute__((aligned (16))) pomp_tpd_;\n#pragma omp threadprivate(pomp_tpd_)\n"
		"#define POMP2_DLIST_00001 shared(opari2_region_1)\n"
		"static OPARI2_Region_handle opari2_region_1 = (OPARI2_Region_handle)0;\n"
		"#define opari2_ctc_1 \"7*regionType=parallel**\"\n\n#ifdef __cplusplus\nextern \"C\"\n#endif\n"
		"void POMP2_Init_reg_xyz_1()\n{\n    POMP2_Assign_handle( &opari2_region_1, opari2_ctc_1 );\n}\n";
	static const char expected[] =
		"# 0 \"a.c\"\nextern POMP2_Task_handle __attribute__((aligned (16))) pomp_tpd_;\n"
		"#pragma omp threadprivate(pomp_tpd_)\n"
		"static OPARI2_Region_handle opari2_region_1 = (OPARI2_Region_handle)0;\n\n"
		"# 1 \"/s/h.h\" 1 3 4\n# 9 \"/s/h.h\" 3\n# 3 \"a.c\" 2\n# 5 \"a.c\"\n"
		"  int pomp2_num_threads = POMP2_Lib_get_max_threads();\n"
		"  f(&opari2_region_1, \"7*regionType=parallel**\" );\n"
		"#pragma omp parallel shared(opari2_region_1) private(x)\n#pragma omp ordered\n"
		"x = omp_get_max_threads(); opari2_ctc_2;\n";
	struct fathom_c_source source = { .is_cxx = 0 };
	struct fathom_buffer in = { 0 }, inc = { 0 }, result = { 0 };

	(void)state;
	source.names.list = calloc(2, sizeof(*source.names.list));
	source.names.count = source.names.room = 2;
	source.names.list[0] = (struct fathom_name){ strdup("/d/a.c"), strdup("a.c"), 0 };
	source.names.list[1] = (struct fathom_name){ strdup("/s/h.h"), strdup("/s/h.h"), 0 };
	fathom_buffer_puts(&in, text);
	fathom_buffer_puts(&inc, include);
	assert_int_equal(fathom_c_source_finish(&source, &in, &inc, &result), 0);
	assert_string_equal(result.text, expected);

	fathom_buffer_fini(&in);
	fathom_buffer_puts(&in, "nonsense\n");
	assert_int_not_equal(fathom_c_source_finish(&source, &in, &inc, &result), 0);
	fathom_buffer_fini(&in);
	fathom_buffer_fini(&inc);
	fathom_buffer_fini(&result);
	fathom_c_source_fini(&source);
}

static void fortran_sources(void **state)
{
	static const struct { int is_fixed; const char *text, *expected; } cases[] = {
		{ 0, "subroutine s\n!$omp parallel\nx\n!$omp end parallel\nend\n",
		  "# 1 \"/d/a\"\nsubroutine s\n!$omp parallel\nx\n!$omp end parallel\nend\n" },
		{ 0, "! a comment\n\n  use m\nend\n",
		  "# 1 \"/d/a\"\n! a comment\n\n      program MAIN__\n# 3 \"/d/a\"\n  use m\nend\n" },
		{ 0, "recursive real function f(x)\nend\n", "# 1 \"/d/a\"\nrecursive real function f(x)\nend\n" },
		{ 0, "real function f(x)\nend\n", "# 1 \"/d/a\"\nreal function f(x)\nend\n" },
		{ 0, "program p\n!$omp parallel do &\n!$omp & simd private(i) ! why\ndo\nend do\n"
		  "!$omp end parallel do simd\nx\n",
		  "# 1 \"/d/a\"\nprogram p\n!$omp parallel\n# 3 \"/d/a\"\n!$omp do simd private(i)\n# 4 \"/d/a\"\n"
		  "do\nend do\n!$omp end do simd\n# 6 \"/d/a\"\n!$omp end parallel\n# 7 \"/d/a\"\nx\n" },
		{ 0, "program p\n!$omp ordered depend(source)\n",
		  "# 1 \"/d/a\"\nprogram p\n!FATHOM_HIDES_!$omp ordered depend(source)\n" },
		/* without its end it cannot be split */
		{ 0, "program p\n!$omp parallel do simd\ndo\n", "# 1 \"/d/a\"\nprogram p\n!$omp parallel do simd\ndo\n" },
		{ 0, "program p\nuse omp_lib, only: omp_set_lock\ncall omp_set_lock (l); print *, omp_test_lock(l), "
		  "'omp_set_lock(', omp_test_lock(m)\n",
		  "# 1 \"/d/a\"\nprogram p\nuse omp_lib, only: omp_set_lock\ncall POMP2_Set_lock (l); "
		  "print *, POMP2_Test_lock(l), 'omp_set_lock(', POMP2_Test_lock(m)\n" },
		{ 1, "c a comment\n      program p\nc$omp parallel if(x)\nc$omp+ private(y)\n",
		  "# 1 \"/d/a\"\nc a comment\n      program p\nc$omp parallel if(x)\nc$omp+ private(y)\n" },
		{ 1, "      program p\nc$omp parallel if(parallel: x)\nc$omp+ private(y)\n",
		  "# 1 \"/d/a\"\n      program p\n!$omp parallel if( x) private(y)\n# 4 \"/d/a\"\n" },
		{ 1, "      program p\nc$omp parallel master\nc$omp end parallel master\n",
		  "# 1 \"/d/a\"\n      program p\n!$omp parallel\n# 2 \"/d/a\"\n!$omp master\n# 3 \"/d/a\"\n"
		  "!$omp end master\n# 3 \"/d/a\"\n!$omp end parallel\n# 4 \"/d/a\"\n" },
		{ 1, "      program p\n      if (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa .eq. 1) x = f(omp_test_lock(llll))\n",
		  "# 1 \"/d/a\"\n      program p\n      if (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa .eq. 1) x = f(\n"
		  "     &POMP2_Test_lock(llll))\n# 3 \"/d/a\"\n" },
		{ 0, "# 4 \"/e/b\"\nprogram p\n", "# 4 \"/e/b\"\nprogram p\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fathom_fortran source = { .is_fixed = cases[i].is_fixed };
		struct fathom_buffer text = { 0 }, result = { 0 };

		fathom_buffer_puts(&text, cases[i].text);
		fathom_fortran_prepare(&source, "/d/a", &text, &result);
		assert_string_equal(result.text, cases[i].expected);
		fathom_buffer_fini(&text);
		fathom_buffer_fini(&result);
		fathom_fortran_fini(&source);
	}
}

static void fortran_finished(void **state)
{
	static const char text[] =
		"\n#line 1 \"/t/in.f90\"\n# 1 \"/d/a.f90\"\nsubroutine s\n      include 'in.f90.opari.inc'\n"
		"#line 2 \"/d/a.f90\"\n!$omp parallel &\n  !$omp firstprivate(pomp2_old_task) private(pomp2_new_task) &\n"
		"  !$omp shared(/cbxy1/) copyin(pomp_tpd)\n"
		"      call POMP2_Parallel_begin(opari2_region_1)\n!FATHOM_HIDES_!$omp ordered depend(source)\nend\n"
		"      call POMP2_Sections_enter(opari2_region_12)\n"
		"\n      subroutine POMP2_Init_reg_xy_1()\n         include 'in.f90.opari.inc'\n      end\n";
	static const char include[] = "      INTEGER( KIND=8 ) :: opari2_region_1\n\n      common /cbxy1/ opari2_region_1\n";
	static const char expected[] =
		"# 1 \"a.f90\"\n# 1 \"a.f90\"\nsubroutine s\n"
		"      INTEGER( KIND=8 ) :: opari2_region_1\n      common /fathom_00000000000000ab/ opari2_region_1\n"
		"      external pomp2_lib_get_max_threads\n      external pomp2_test_lock\n"
		"      external pomp2_test_nest_lock\n      external POMP2_Parallel_begin\n"
		"      external POMP2_Sections_enter\n# 2 \"a.f90\"\n!$omp parallel &\n"
		"  !$omp private(pomp2_if,pomp2_num_threads) &\n"
		"  !$omp firstprivate(pomp2_old_task) private(pomp2_new_task) &\n"
		"  !$omp shared(/fathom_00000000000000ab/) copyin(pomp_tpd)\n"
		"      call POMP2_Parallel_begin(opari2_region_1)\n!$omp ordered depend(source)\nend\n"
		"      call POMP2_Sections_enter(opari2_region_12,opari2_ctc_12)\n\n";
	struct fathom_fortran source = { .is_fixed = 0 };
	struct fathom_buffer in = { 0 }, inc = { 0 }, result = { 0 };

	(void)state;
	source.names.list = calloc(1, sizeof(*source.names.list));
	source.names.count = source.names.room = 1;
	source.names.list[0] = (struct fathom_name){ strdup("/d/a.f90"), strdup("a.f90"), 0 };
	fathom_buffer_puts(&in, text);
	fathom_buffer_puts(&inc, include);
	assert_int_equal(fathom_fortran_finish(&source, &in, &inc, 0xab, &result), 0);
	assert_string_equal(result.text, expected);
	fathom_buffer_fini(&in);
	fathom_buffer_fini(&inc);
	fathom_buffer_fini(&result);
	fathom_fortran_fini(&source);
}

static void locks(void **state)
{
	static const char *const are[] = { "omp_set_lock", "omp_init_nest_lock", "omp_init_lock_with_hint", "OMP_TEST_LOCK" };
	static const char *const are_not[] = { "omp_set_locks", "my_omp_set_lock", "omp_get_lock", "omp_lock_t", "" };

	(void)state;
	for (size_t i = 0; i < sizeof(are) / sizeof(are[0]); i++)
		assert_true(fathom_lock_is(are[i], strlen(are[i])));
	for (size_t i = 0; i < sizeof(are_not) / sizeof(are_not[0]); i++)
		assert_false(fathom_lock_is(are_not[i], strlen(are_not[i])));
}

static void names(void **state)
{
	static const struct { const char *path, *whole; } cases[] = {
		{ "/a/b", "/a/b" }, { "/a/./b/../c", "/a/c" }, { "/../a", "/a" }, { "//a//b", "/a/b" }, { "/a/...", "/a/..." },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *whole = fathom_names_resolve(cases[i].path, strlen(cases[i].path));

		assert_string_equal(whole, cases[i].whole);
		free(whole);
	}
}

static void units(void **state)
{
	static const struct { const char *compiler, *line; enum fathom_language language; int preprocess; } cases[] = {
		{ "gcc", "-c a.c", FATHOM_LANGUAGE_C, 1 },
		{ "g++", "-c a.c", FATHOM_LANGUAGE_CXX, 1 },
		{ "mpicxx.mpich", "a.i", FATHOM_LANGUAGE_CXX, 0 },
		{ "g++-12", "-x c a.c", FATHOM_LANGUAGE_C, 1 },
		{ "gcc", "b/a.cc", FATHOM_LANGUAGE_CXX, 1 },
		{ "gcc", "-xc++ a", FATHOM_LANGUAGE_CXX, 1 },
		{ "gcc", "a.m", FATHOM_LANGUAGE_OTHER, 0 },
		{ "gcc", "a.h", FATHOM_LANGUAGE_OTHER, 0 },
		{ "gfortran", "a.f", FATHOM_LANGUAGE_FIXED, 0 },
		{ "gfortran", "a.F90", FATHOM_LANGUAGE_FREE, 1 },
		{ "gfortran", "-cpp a.f90", FATHOM_LANGUAGE_FREE, 1 },
		{ "gfortran", "a.F -nocpp -ffree-form", FATHOM_LANGUAGE_FREE, 0 },
		{ "gcc", "-cpp a.c", FATHOM_LANGUAGE_C, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fathom_words words = { 0 };
		struct fathom_line_words cut;
		struct fathom_unit *list;
		size_t count;

		fathom_words_split(&words, cases[i].line);
		fathom_line_cut(&cut, words.list, words.count);
		list = fathom_unit_list(&cut, cases[i].compiler, &count);
		assert_int_equal(count, 1);
		if (list[0].language != cases[i].language || list[0].preprocess != cases[i].preprocess)
			fail_msg("%s %s: language %d, preprocess %d", cases[i].compiler, cases[i].line, list[0].language,
				 list[0].preprocess);
		free(list);
		fathom_line_words_fini(&cut);
		fathom_words_fini(&words);
	}
}

static void kinds_of_words(void **state)
{
	static const char line[] = "-O2 -c a.c -o a.o -MD -MF d -MT t -Wp,-MMD,x -x c b -x none -save-temps -lm x.o "
				   "-Wl,-z,now -I i -D X";
	static const enum fathom_word_kind expected[] = {
		FATHOM_WORD_FLAG, FATHOM_WORD_STAGE, FATHOM_WORD_SOURCE, FATHOM_WORD_OUTPUT, FATHOM_WORD_OUTPUT,
		FATHOM_WORD_DEPENDENCY, FATHOM_WORD_DEPENDENCY, FATHOM_WORD_DEPENDENCY, FATHOM_WORD_DEPENDENCY,
		FATHOM_WORD_DEPENDENCY, FATHOM_WORD_DEPENDENCY, FATHOM_WORD_LANGUAGE, FATHOM_WORD_LANGUAGE,
		FATHOM_WORD_SOURCE, FATHOM_WORD_LANGUAGE, FATHOM_WORD_LANGUAGE, FATHOM_WORD_TEMPS,
		FATHOM_WORD_LINKED, FATHOM_WORD_LINKED, FATHOM_WORD_LINKED,
		FATHOM_WORD_FLAG, FATHOM_WORD_FLAG, FATHOM_WORD_FLAG, FATHOM_WORD_FLAG,
	};
	struct fathom_words words = { 0 };
	struct fathom_line_words cut;

	(void)state;
	fathom_words_split(&words, line);
	fathom_line_cut(&cut, words.list, words.count);
	assert_int_equal(cut.words.count, sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < cut.words.count; i++) {
		if (cut.kinds[i] != expected[i])
			fail_msg("%s: %d, expected %d", cut.words.list[i], cut.kinds[i], expected[i]);
	}
	assert_string_equal(cut.languages.list[13], "c");
	assert_string_equal(cut.languages.list[2], "");
	fathom_line_words_fini(&cut);
	fathom_words_fini(&words);
}

static void openmp_on(void **state)
{
	static const struct { const char *text; int on, library, threads; } cases[] = {
		{ "-fopenmp a.c", 1, 0, 0 }, { "-fopenmp=libomp a.c", 1, 0, 0 }, { "-fopenmp -fno-openmp a.c", 0, 0, 0 },
		{ "-fno-openmp -fopenmp a.c", 1, 0, 0 }, { "-fopenmp-simd a.c", 0, 0, 0 }, { "a.o -lgomp", 0, 1, 0 },
		{ "a.o -l omp", 0, 1, 0 }, { "a.o /lib/libgomp.so.1", 0, 1, 0 }, { "a.o -lgompx -pthread", 0, 0, 1 },
		{ "a.o -lpthread", 0, 0, 1 }, { "-D -fopenmp a.c", 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fathom_words words = { 0 };
		struct fathom_line line;

		fathom_words_split(&words, cases[i].text);
		fathom_line_read(&line, words.list, words.count);
		if (line.has_openmp != cases[i].on || line.has_openmp_library != cases[i].library ||
		    line.has_threads != cases[i].threads)
			fail_msg("'%s': OpenMP %d, library %d, threads %d", cases[i].text, line.has_openmp,
				 line.has_openmp_library, line.has_threads);
		fathom_words_fini(&words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(directives),
		cmocka_unit_test(kinds_of_directives),
		cmocka_unit_test(statements),
		cmocka_unit_test(no_statements),
		cmocka_unit_test(c_sources),
		cmocka_unit_test(c_census),
		cmocka_unit_test(c_finished),
		cmocka_unit_test(fortran_sources),
		cmocka_unit_test(fortran_finished),
		cmocka_unit_test(locks),
		cmocka_unit_test(names),
		cmocka_unit_test(units),
		cmocka_unit_test(kinds_of_words),
		cmocka_unit_test(openmp_on),
	};

	return cmocka_run_group_tests_name("opari", tests, NULL, NULL);
}
