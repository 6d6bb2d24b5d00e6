# test/filter: the rules of filters, and what becomes of a run with one.
if HAVE_CMOCKA
check_PROGRAMS += test/unit/filter/test_filter
TESTS += test/unit/filter/test_filter
test_unit_filter_test_filter_SOURCES = test/unit/filter/test_filter.c $(filter_sources)
test_unit_filter_test_filter_CPPFLAGS = -I$(top_srcdir)/lib -I$(top_builddir)
test_unit_filter_test_filter_CFLAGS = $(test_cflags)
test_unit_filter_test_filter_LDADD = $(CMOCKA_LIBS)
else
without_cmocka += test/unit/filter/test_filter
endif

filter_scripts = test/filter/fuzz.sh test/filter/run.sh test/filter/mpi.sh test/filter/objects.sh test/filter/kinds.sh
TESTS += $(filter_scripts)
EXTRA_DIST += $(filter_scripts) test/filter/fuzz.c
