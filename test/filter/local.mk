# test/filter: the rules of filters, and what becomes of a run with one.
if HAVE_CMOCKA
check_PROGRAMS += test/filter/test_filter
TESTS += test/filter/test_filter
test_filter_test_filter_SOURCES = test/filter/test_filter.c $(filter_sources)
test_filter_test_filter_CPPFLAGS = -I$(top_srcdir)/lib -I$(top_builddir)
test_filter_test_filter_CFLAGS = $(test_cflags)
test_filter_test_filter_LDADD = $(CMOCKA_LIBS)
else
without_cmocka += test/filter/test_filter
endif

filter_scripts = test/filter/fuzz.sh test/filter/run.sh test/filter/mpi.sh test/filter/objects.sh test/filter/kinds.sh
TESTS += $(filter_scripts)
EXTRA_DIST += $(filter_scripts) test/filter/fuzz.c
