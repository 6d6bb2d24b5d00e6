# test/instrument: the fathom command and the GCC plugin
if HAVE_CMOCKA
check_PROGRAMS += test/instrument/test_filter test/instrument/test_line
TESTS += test/instrument/test_filter test/instrument/test_line
test_instrument_test_filter_SOURCES = test/instrument/test_filter.c instrument/filter.c
test_instrument_test_filter_CPPFLAGS = $(fathom_CPPFLAGS)
test_instrument_test_filter_CFLAGS = $(test_cflags)
test_instrument_test_filter_LDADD = $(CMOCKA_LIBS)
test_instrument_test_line_SOURCES = test/instrument/test_line.c \
	instrument/driver/compiler.c instrument/driver/line.c instrument/driver/response.c \
	instrument/driver/say.c instrument/driver/words.c
test_instrument_test_line_CPPFLAGS = $(fathom_CPPFLAGS)
test_instrument_test_line_CFLAGS = $(test_cflags)
test_instrument_test_line_LDADD = $(CMOCKA_LIBS)
endif

instrument_scripts = \
	test/instrument/added.sh \
	test/instrument/link.sh \
	test/instrument/mpi.sh \
	test/instrument/packages.sh \
	test/instrument/run.sh \
	test/instrument/run-omp.sh \
	test/instrument/same.sh \
	test/instrument/selection.sh \
	test/instrument/words.sh
TESTS += $(instrument_scripts)
EXTRA_DIST += $(instrument_scripts) test/instrument/lib.sh
