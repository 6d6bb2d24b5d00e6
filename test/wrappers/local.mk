# test/wrappers: the wrappers with a stand-in for libfathom, which remembers every event.
wrappers_scripts = test/wrappers/generator.sh test/wrappers/openmpi.sh test/wrappers/openmpi_fortran.sh \
	test/wrappers/churn.sh test/wrappers/collectives.sh test/wrappers/endings.sh \
	test/wrappers/messages.sh test/wrappers/threads.sh test/wrappers/transfers.sh \
	test/wrappers/fortran.sh test/wrappers/preload.sh test/wrappers/static.sh test/wrappers/table.sh
if HAVE_MPI
wrappers_programs = test/wrappers/churn test/wrappers/collectives test/wrappers/endings \
	test/wrappers/messages test/wrappers/threads test/wrappers/transfers
check_PROGRAMS += $(wrappers_programs)

wrappers_standin = test/wrappers/standin.c test/wrappers/standin.h
wrappers_cppflags = $(AM_CPPFLAGS) $(MPI_CFLAGS)
# mpi.h declares arrays of statuses as such, and an ignored one is no array.
wrappers_cflags = $(AM_CFLAGS) -Wno-unknown-warning-option -Wno-stringop-overflow
wrappers_ldadd = libmpiwrap.la libcommtree.la $(MPI_LIBS)
noinst_LTLIBRARIES += libcommtree.la
libcommtree_la_SOURCES = lib/comm/binomial_tree.c
test_wrappers_churn_SOURCES = test/wrappers/churn.c $(wrappers_standin)
test_wrappers_churn_CPPFLAGS = $(wrappers_cppflags)
test_wrappers_churn_CFLAGS = $(wrappers_cflags)
test_wrappers_churn_LDADD = $(wrappers_ldadd)
test_wrappers_collectives_SOURCES = test/wrappers/collectives.c $(wrappers_standin)
test_wrappers_collectives_CPPFLAGS = $(wrappers_cppflags)
test_wrappers_collectives_CFLAGS = $(wrappers_cflags)
test_wrappers_collectives_LDADD = $(wrappers_ldadd)
test_wrappers_endings_SOURCES = test/wrappers/endings.c $(wrappers_standin)
test_wrappers_endings_CPPFLAGS = $(wrappers_cppflags)
test_wrappers_endings_CFLAGS = $(wrappers_cflags)
test_wrappers_endings_LDADD = $(wrappers_ldadd)
test_wrappers_messages_SOURCES = test/wrappers/messages.c $(wrappers_standin)
test_wrappers_messages_CPPFLAGS = $(wrappers_cppflags)
test_wrappers_messages_CFLAGS = $(wrappers_cflags)
test_wrappers_messages_LDADD = $(wrappers_ldadd)
test_wrappers_threads_SOURCES = test/wrappers/threads.c $(wrappers_standin)
test_wrappers_threads_CPPFLAGS = $(wrappers_cppflags)
test_wrappers_threads_CFLAGS = $(wrappers_cflags)
test_wrappers_threads_LDADD = $(wrappers_ldadd)
test_wrappers_transfers_SOURCES = test/wrappers/transfers.c $(wrappers_standin)
test_wrappers_transfers_CPPFLAGS = $(wrappers_cppflags)
test_wrappers_transfers_CFLAGS = $(wrappers_cflags)
test_wrappers_transfers_LDADD = $(wrappers_ldadd)
endif

# The functions that OPARI2 has programs call, with a recorder in the core's place.
check_LTLIBRARIES += libpomp2recorder.la
libpomp2recorder_la_SOURCES = test/unit/pomp2/pomp2_recorder.c test/unit/pomp2/pomp2_recorder.h
libpomp2recorder_la_LIBADD = libpomp2wrap.la libplatform.la
wrappers_scripts += test/wrappers/pomp2.sh test/wrappers/pomp2_generator.sh
pomp2_tests = test/unit/pomp2/test_pomp2_calls test/unit/pomp2/test_pomp2_texts
if HAVE_CMOCKA
check_PROGRAMS += $(pomp2_tests)
TESTS += $(pomp2_tests)
test_unit_pomp2_test_pomp2_calls_SOURCES = test/unit/pomp2/test_pomp2_calls.c
test_unit_pomp2_test_pomp2_calls_CFLAGS = $(test_cflags) -I$(top_builddir)/wrappers
test_unit_pomp2_test_pomp2_calls_LDADD = libpomp2recorder.la $(CMOCKA_LIBS)
test_unit_pomp2_test_pomp2_texts_SOURCES = test/unit/pomp2/test_pomp2_texts.c
test_unit_pomp2_test_pomp2_texts_CFLAGS = $(test_cflags)
test_unit_pomp2_test_pomp2_texts_LDADD = libpomp2recorder.la $(CMOCKA_LIBS)
else
without_cmocka += $(pomp2_tests)
endif

TESTS += $(wrappers_scripts)

# The OMPT adapter with a runtime and a core of the test's own, whose functions are looked up by name; and with
# LLVM's runtime and the real core.
if HAVE_CMOCKA
check_PROGRAMS += test/unit/ompt/test_ompt
TESTS += test/unit/ompt/test_ompt
test_unit_ompt_test_ompt_SOURCES = test/unit/ompt/test_ompt.c test/unit/ompt/ompt_core.c test/unit/ompt/ompt_core.h \
	$(libfathom_ompt_la_SOURCES)
test_unit_ompt_test_ompt_CFLAGS = $(test_cflags)
test_unit_ompt_test_ompt_LDFLAGS = -export-dynamic
test_unit_ompt_test_ompt_LDADD = libplatform.la $(CMOCKA_LIBS)
else
without_cmocka += test/unit/ompt/test_ompt
endif
TESTS += test/wrappers/ompt.sh
EXTRA_DIST += test/wrappers/ompt.sh

# Hooks taken out of running code, and put back.
TESTS += test/wrappers/patch.sh
EXTRA_DIST += test/wrappers/patch.sh \
	test/wrappers/patch_refuse.c \
	test/wrappers/patch_hooks.c test/wrappers/patch_hooks.h \
	test/wrappers/patch_stress.cc test/wrappers/patch_subject.cc
EXTRA_DIST += \
	test/wrappers/churn.sh \
	test/wrappers/collectives.sh \
	test/wrappers/endings.sh \
	test/wrappers/fortran.f90.in \
	test/wrappers/fortran.sh \
	test/wrappers/generator.sh \
	test/wrappers/golden/calls.txt \
	test/wrappers/golden/expected.txt \
	test/wrappers/golden/f08.symbols \
	test/wrappers/golden/mpi.i \
	test/wrappers/golden/pomp2_calls.txt test/wrappers/golden/pomp2_expected.txt \
	test/wrappers/messages.sh test/wrappers/mpi4.h test/wrappers/openmpi.sh test/wrappers/openmpi_fortran.sh \
	test/wrappers/mpich_suite.sh \
	test/wrappers/pomp2.sh \
	test/wrappers/pomp2_cancel.c test/wrappers/pomp2_cancel.expected \
	test/wrappers/pomp2_constructs.c test/wrappers/pomp2_constructs.expected \
	test/wrappers/pomp2_generator.sh \
	test/wrappers/pomp2_fortran.f90 test/wrappers/pomp2_fortran.expected \
	test/wrappers/pomp2_objects.cc test/wrappers/pomp2_objects.expected \
	test/wrappers/preload.sh \
	test/wrappers/static.sh \
	test/wrappers/table.sh \
	test/wrappers/threads.sh \
	test/wrappers/transfers.sh

# MPICH's own test programs, unchanged, with the wrappers: takes minutes, and needs its sources.
check-mpich: all
	srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' CC='$(CC)' MPICC='$(MPICC)' MPIRUN='$(MPIRUN)' \
		sh $(srcdir)/test/wrappers/mpich_suite.sh $(MPICH_SOURCE)
.PHONY: check-mpich
