# Small programs, measured as a user would, and what must be in their profiles.
check_PROGRAMS += test/run/dump
test_run_dump_SOURCES = test/run/dump.c
test_run_dump_LDADD = libcube.la libplatform.la
test_run_dump_CFLAGS = $(AM_CFLAGS)
EXTRA_DIST += test/run/print_bursts.c test/run/bursts_mpi.c test/run/bursts_openmp.c test/run/bursts_threads.c test/run/compare_bursts.py
if HAVE_OTF2
check_PROGRAMS += test/run/print_bursts
test_run_print_bursts_SOURCES = test/run/print_bursts.c
test_run_print_bursts_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
test_run_print_bursts_LDADD = libbursts.la libcallgraphs.la libotf2reader.la -lm
endif
run_tests = \
	test/run/serial.sh \
	test/run/endings.sh \
	test/run/endings-table.sh \
	test/run/exceptions.sh \
	test/run/daemon.sh \
	test/run/held-locks.sh \
	test/run/slow-closing.sh \
	test/run/stopped-team.sh \
	test/run/trace-late-rank.sh \
	test/run/trace-files.sh \
	test/run/trace-granularity.sh test/run/trace-repeat.sh test/run/trace-repeat-local.sh test/run/trace-ring.sh test/run/trace-ring-drop.sh test/run/trace-window.sh \
	test/run/privileged.sh \
	test/run/kills.sh \
	test/run/settings.sh \
	test/run/sampling-unseen.sh \
	test/run/stderr.sh \
	test/run/threads.sh \
	test/run/recursion.sh \
	test/run/bursts.sh \
	test/run/samples.sh test/run/samples-parallel.sh \
	test/run/finish-memory.sh \
	test/run/overhead.sh \
	test/run/processors.sh \
	test/run/budget.sh \
	test/run/sleds.sh \
	test/run/strands.sh \
	test/run/symbols.sh test/run/symbols-many.sh \
	test/run/jumps.sh \
	test/run/none.sh \
	test/run/own-malloc.sh \
	test/run/forked-hooks.sh \
	test/run/readme.sh \
	test/run/contention.sh \
	test/run/idleness.sh \
	test/run/trace-locks.sh \
	test/run/mpi.sh \
	test/run/waits-many-ranks.sh test/run/waits-pairing.sh test/run/waits-threads.sh test/run/waits-rare.sh test/run/waits-clocks.sh test/run/waits-rma.sh \
	test/run/waits-neighbors.sh \
	test/run/waits.sh \
	test/run/messages.sh \
	test/run/mpi-endings.sh \
	test/run/mpi-writers.sh \
	test/run/system.sh \
	test/run/trace-mpi.sh \
	test/run/trace-suite.sh \
	test/run/trace-mpi-endings.sh \
	test/run/trace.sh \
	test/run/trace-endings.sh \
	test/run/trace-jumps.sh \
	test/run/trace-kills.sh \
	test/run/trace-io.sh \
	test/run/trace-p2p.sh \
	test/run/trace-rma.sh \
	test/run/trace-limits.sh \
	test/run/trace-samples.sh \
	test/run/unloading.sh \
	test/run/trace-early.sh \
	test/run/trace-openmp.sh \
	test/run/cases.sh
TESTS += $(run_tests)
EXTRA_DIST += $(run_tests) \
	test/run/kills/prog.c \
	test/run/sleds/registers.c test/run/sleds/paths.cc test/run/sleds/threads.cc \
	test/run/messages.c \
	test/run/strands.c \
	test/run/sleds/library.cc test/run/sleds/ends.c test/run/sleds/calls.f90 \
	test/run/trace-locks.c \
	test/run/trace-locks-omp.c \
	test/run/trace-lib.sh test/run/waits-lib.sh test/run/waits_work.h \
	test/run/endings/lib.sh test/run/endings/check.sh test/run/endings/table \
	test/run/sampling/unseen.c test/run/sampling/no_perf.c test/run/sampling/ranks.c \
	test/run/endings/ways.c test/run/endings/exceptions.cc test/run/endings/omp.c \
	test/run/endings/locked.c test/run/endings/slow_closing.c test/run/endings/stuck_rename.c \
	test/run/endings/stopped_omp.c \
	test/run/endings/daemon.c \
	test/run/endings/throw.cc test/run/endings/flags \
	test/run/trace_io.c test/run/trace_p2p.c test/run/trace_rma.c \
	test/run/cases/lib.sh \
	test/run/cases/communicators.c \
	test/run/cases/imbalance.c \
	test/run/cases/contention.c \
	test/run/cases/sharing.c \
	test/run/cases/granularity.c

# What holds, in its long form: the table of endings under load, each way 20 times in each setting, exceptions with all flags, and 500
# random settings: about an hour.
check-endings: all test/run/dump
	EXCEPTION_SETS=all FUZZ_RUNS=500 $(MAKE) check TESTS="test/run/exceptions.sh test/fuzz/settings.sh"
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/test/run/endings/check.sh
.PHONY: check-endings
