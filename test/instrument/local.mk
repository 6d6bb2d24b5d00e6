# test/instrument: the fathom command and the GCC plugin
if HAVE_CMOCKA
check_PROGRAMS += test/unit/driver/test_line test/unit/opari/test_opari
TESTS += test/unit/driver/test_line test/unit/opari/test_opari
test_unit_driver_test_line_SOURCES = test/unit/driver/test_line.c \
	instrument/common/compiler.c instrument/common/command_line.c instrument/common/options_file.c \
	instrument/common/messages.c instrument/common/word_list.c
test_unit_driver_test_line_CPPFLAGS = $(fathom_CPPFLAGS)
test_unit_driver_test_line_CFLAGS = $(test_cflags)
test_unit_driver_test_line_LDADD = $(CMOCKA_LIBS)
test_unit_opari_test_opari_SOURCES = test/unit/opari/test_opari.c \
	instrument/common/compiler.c instrument/common/command_line.c instrument/common/options_file.c \
	instrument/common/messages.c instrument/common/word_list.c \
	instrument/opari/buffer.c instrument/opari/construct_counts.c instrument/opari/directive.c instrument/opari/c_finish.c \
	instrument/opari/fortran_prepare.c instrument/opari/lock_names.c instrument/opari/fortran_finish.c instrument/opari/file_names.c \
	instrument/opari/c_prepare.c instrument/opari/token.c instrument/opari/translation_unit.c
test_unit_opari_test_opari_CPPFLAGS = $(fathom_CPPFLAGS)
test_unit_opari_test_opari_CFLAGS = $(test_cflags)
test_unit_opari_test_opari_LDADD = $(CMOCKA_LIBS)
else
without_cmocka += test/unit/driver/test_line test/unit/opari/test_opari
endif

instrument_scripts = \
	test/instrument/added.sh \
	test/instrument/compiled.sh \
	test/instrument/link.sh \
	test/instrument/mpi.sh \
	test/instrument/opari.sh \
	test/instrument/opari_same.sh \
	test/instrument/packages.sh \
	test/instrument/run.sh \
	test/instrument/run-omp.sh \
	test/instrument/same.sh \
	test/instrument/selection.sh \
	test/instrument/sleds.sh \
	test/instrument/words.sh test/instrument/wrong.sh
TESTS += $(instrument_scripts)
EXTRA_DIST += $(instrument_scripts) test/instrument/lib.sh
EXTRA_DIST += \
	test/instrument/sleds/copied.c \
	test/instrument/sleds/coroutines.cc \
	test/instrument/sleds/features.c \
	test/instrument/sleds/features.cc \
	test/instrument/sleds/features.f90 \
	test/instrument/sleds/features-omp.c \
	test/instrument/sleds/hooks.c \
	test/instrument/sleds/rings.c \
	test/instrument/sleds/rings.cc \
	test/instrument/sleds/text.awk \
	test/instrument/opari/clauses.c \
	test/instrument/opari/clauses.cc \
	test/instrument/opari/clauses.f90 \
	test/instrument/opari/combined.c \
	test/instrument/opari/fixed.f \
	test/instrument/opari/free.f90 \
	test/instrument/opari/headers.c \
	test/instrument/opari/headers.h \
	test/instrument/opari/nameless.F90 \
	test/instrument/opari/nameless.inc \
	test/instrument/opari/names.c \
	test/instrument/opari/syntax.c \
	test/instrument/opari/syntax.cc \
	test/instrument/opari/target.c
