/* What is read out of a compiler's command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/compiler.h"
#include "common/command_line.h"
#include "common/word_list.h"

static struct fathom_line line;

static void read_line(const char *text)
{
	struct fathom_words words = { 0 };

	fathom_words_split(&words, text);
	fathom_line_read(&line, words.list, words.count);
	fathom_words_fini(&words);
}

static void stages(void **state)
{
	static const struct { const char *text; enum fathom_stage stage; } cases[] = {
		{ "a.c", FATHOM_STAGE_LINK },
		{ "-o a a.o -lm", FATHOM_STAGE_LINK },
		{ "a.c -c", FATHOM_STAGE_COMPILE },
		{ "-S a.c", FATHOM_STAGE_COMPILE },
		{ "--compile a.c", FATHOM_STAGE_COMPILE },
		{ "-MD -MF a.d -c a.c", FATHOM_STAGE_COMPILE },
		{ "-E a.c -c", FATHOM_STAGE_PREPROCESS },
		{ "-MM a.c", FATHOM_STAGE_PREPROCESS },
		{ "-fsyntax-only a.c", FATHOM_STAGE_PREPROCESS },
		{ "-print-file-name=plugin", FATHOM_STAGE_QUERY },
		{ "--version", FATHOM_STAGE_QUERY },
		{ "-dumpmachine", FATHOM_STAGE_QUERY },
		{ "-### a.c", FATHOM_STAGE_QUERY },
		{ "-show a.c", FATHOM_STAGE_QUERY },
		{ "a.h", FATHOM_STAGE_COMPILE },
		{ "-x c++-header a.hpp -o a.gch", FATHOM_STAGE_COMPILE },
		{ "-o -c a.c", FATHOM_STAGE_LINK },	/* -c is the name of the output */
		{ "-include -E a.c", FATHOM_STAGE_LINK },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		read_line(cases[i].text);
		if (line.stage != cases[i].stage)
			fail_msg("'%s': stage %d, expected %d", cases[i].text, line.stage, cases[i].stage);
	}
}

static void sources(void **state)
{
	static const struct { const char *text; int source, input; } cases[] = {
		{ "a.c", 1, 1 }, { "a.o", 0, 1 }, { "a.s b.S", 0, 1 }, { "a.s b.f90", 1, 1 },
		{ "-x c -", 1, 1 }, { "-xc -", 1, 1 }, { "-x assembler a.c", 0, 1 }, { "-x c a.o", 1, 1 },
		{ "-x c a -x none b.o", 1, 1 }, { "--language=c++ a", 1, 1 }, { "-lm", 0, 1 }, { "-v", 0, 0 },
		{ "-I a.c -D b.c", 0, 0 }, { "-o a.c", 0, 0 }, { "-Xlinker a.c", 0, 0 }, { "", 0, 0 },
		{ "dir.c/file", 0, 1 }, { "a.cpp", 1, 1 }, { "a.F90", 1, 1 }, { "a.i", 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		read_line(cases[i].text);
		if (line.has_source != cases[i].source || line.has_input != cases[i].input)
			fail_msg("'%s': source %d, input %d", cases[i].text, line.has_source, line.has_input);
	}
}

static void kinds_of_link(void **state)
{
	(void)state;
	read_line("-static a.o");
	assert_true(line.is_static);
	read_line("-static-libgcc a.o");
	assert_false(line.is_static);
	read_line("-shared a.o");
	assert_true(line.is_shared);
	read_line("-Wl,-soname,x,-shared a.o");
	assert_true(line.is_shared);
	read_line("-r a.o");
	assert_true(line.is_relocatable);
	read_line("-Xlinker -r a.o");
	assert_true(line.is_relocatable);
	read_line("-Wl,-rpath,/x a.o");
	assert_true(line.has_rpath);
	assert_false(line.is_relocatable);
	read_line("-ffreestanding a.c");
	assert_true(line.is_bare);
	read_line("-nostdlib a.o");
	assert_true(line.is_bare);
	read_line("a.o");
	assert_false(line.is_static || line.is_shared || line.is_relocatable || line.is_bare || line.is_probe);
	assert_false(line.uses_profile);
	assert_null(line.other_words);
	read_line("-m16 -m64 -m32 a.o -o -m64");
	assert_string_equal(line.other_words, "-m32");
	read_line("-m32 -m64 -mx32 a.o");
	assert_string_equal(line.other_words, "-mx32");
	read_line("-fprofile-use=dir a.c");
	assert_true(line.uses_profile);
	read_line("-fprofile-user -fprofile-generate a.c");
	assert_false(line.uses_profile);
}

static void mpi_libraries(void **state)
{
	static const struct { const char *text; int mpi; size_t at; } cases[] = {
		{ "a.o -lm -lmpich -lx", 1, 2 }, { "a.o -l mpi", 1, 2 }, { "a.o -lmpir", 0, 0 }, { "a.o -lmpifort -lmpi", 1, 1 },
		{ "/usr/lib/libmpich.so a.o", 1, 0 }, { "a.o libmpi.so.40", 1, 1 }, { "a.o /x/libmpich.a", 1, 1 },
		{ "a.o -Wl,-Bstatic,-lmpich", 1, 1 }, { "mpi.o libmpix.so", 0, 0 }, { "a.o -Xlinker -lmpi_mpich", 1, 2 },
		{ "-o libmpi.so a.o", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		read_line(cases[i].text);
		if (line.has_mpi != cases[i].mpi || line.mpi_at != cases[i].at)
			fail_msg("'%s': mpi %d at %zu", cases[i].text, line.has_mpi, line.mpi_at);
	}
	read_line("a.o -lmpichfort -lmpich");
	assert_true(line.has_mpi_fortran);
	read_line("a.o -lmpich");
	assert_false(line.has_mpi_fortran);
}

static void probes(void **state)
{
	static const char *const probe[] = { "-c conftest.c", "-o conftest a.o", "-oconftest a.c", "CMakeCCompilerId.c",
					     "-o cmTC_12345 x.o", "-c /b/CMakeFiles/CMakeScratch/TryCompile-1/x.c",
					     "x/meson-private/tmp1/testfile.c", "--output=conftest x.c" };
	static const char *const other[] = { "-c myconftest.c", "-c test.c", "-Iconftest a.c" };

	(void)state;
	for (size_t i = 0; i < sizeof(probe) / sizeof(probe[0]); i++) {
		read_line(probe[i]);
		if (!line.is_probe)
			fail_msg("'%s' is a probe", probe[i]);
	}
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		read_line(other[i]);
		if (line.is_probe)
			fail_msg("'%s' is no probe", other[i]);
	}
}

static void options_files_are_looked_into(void **state)
{
	char name[] = "/tmp/fathom-line.XXXXXX";
	char text[128];
	int fd = mkstemp(name);
	FILE *file = fdopen(fd, "w");

	(void)state;
	assert_non_null(file);
	fprintf(file, "-c 'with blank'.c\n\"-DX=\\\"y z\\\"\" -l\\\nmpich @%s\n", name);	/* and itself */
	fclose(file);
	snprintf(text, sizeof(text), "-O2 @%s -g", name);
	read_line(text);
	assert_int_equal(line.stage, FATHOM_STAGE_COMPILE);
	assert_true(line.has_source);
	unlink(name);

	read_line(text);	/* now an ordinary word */
	assert_int_equal(line.stage, FATHOM_STAGE_LINK);
	assert_false(line.has_source);
	assert_true(line.has_input);
}

static void compiler_names(void **state)
{
	static const char *const yes[] = { "gcc", "g++", "gfortran", "cc", "c++", "clang", "clang++", "gcc-12", "g++-12.2",
					   "clang++-14", "x86_64-linux-gnu-gcc", "aarch64-linux-gnu-g++-12", "mpicc",
					   "mpicc.mpich", "mpif90.openmpi", "mpifort", "mpiCC", "c99-gcc" };
	static const char *const no[] = { "gcc-ar", "gcc-nm-12", "ls", "ld", "mpirun", "python3", "clang-format-14", "", "-",
					  "12", "gccx", "report" };

	(void)state;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (!fathom_compiler_is_name(yes[i]))
			fail_msg("%s is a compiler", yes[i]);
	}
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
		if (fathom_compiler_is_name(no[i]))
			fail_msg("'%s' is no compiler", no[i]);
	}
	assert_true(fathom_compiler_is_mpi_wrapper("mpicxx.mpich"));
	assert_false(fathom_compiler_is_mpi_wrapper("gcc"));
	assert_true(fathom_compiler_is_fortran("gfortran-12"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stages),
		cmocka_unit_test(sources),
		cmocka_unit_test(kinds_of_link),
		cmocka_unit_test(mpi_libraries),
		cmocka_unit_test(probes),
		cmocka_unit_test(options_files_are_looked_into),
		cmocka_unit_test(compiler_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
