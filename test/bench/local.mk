# Benchmarks: run by hand, on a quiet machine. make bench, or: make bench BENCH='region_calls hello'
bench: all test/bench/compression$(EXEEXT)
	srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' CC='$(CC)' MPICC='$(MPICC)' MPIRUN='$(MPIRUN)' \
	  $(PYTHON3) $(srcdir)/test/bench/bench.py $(BENCH)
.PHONY: bench
EXTRA_DIST += test/bench/counters.c test/bench/bench.py test/bench/region_calls.c test/bench/limit.c test/bench/pingpong.c test/bench/selfmsg.c test/bench/epcc.c

EXTRA_PROGRAMS = test/bench/compression
CLEANFILES += test/bench/compression$(EXEEXT)
test_bench_compression_SOURCES = test/bench/compression.c test/core/simulated_comm.c test/core/simulated_comm.h
test_bench_compression_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/test
test_bench_compression_CFLAGS = $(AM_CFLAGS)
test_bench_compression_LDFLAGS = -Wl,--wrap=fathom_snapshot_values,--wrap=fathom_snapshot_location_name
test_bench_compression_LDADD = libcore.la libcubewriter.la libplatform.la

# The system tree of simulated ranks: make bench-scale, or: make bench-scale RANKS=1000000 KIND=two. With
# SCALE=simulate the figures of doc/scale.md are made again, SCALE=finalize measures the end of a small program.
RANKS = 1048576
KIND = homogeneous
bench-scale: test/bench/builder_scale$(EXEEXT)
	@if test -n '$(SCALE)'; then \
	  case '$(SCALE)' in finalize*) $(MAKE) $(AM_MAKEFLAGS) libfathom.la libfathom-mpi.la || exit 1;; esac; \
	  srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' MPICC='$(MPICC)' MPIRUN='$(MPIRUN)' $(PYTHON3) $(srcdir)/test/bench/scale.py $(SCALE); \
	else test/bench/builder_scale $(RANKS) $(KIND); fi
.PHONY: bench-scale
EXTRA_DIST += test/bench/scale.py test/bench/gather.c
EXTRA_PROGRAMS += test/bench/builder_scale
CLEANFILES += test/bench/builder_scale$(EXEEXT)
test_bench_builder_scale_SOURCES = test/bench/builder_scale.c test/sim/fibers.c test/sim/fibers.h
test_bench_builder_scale_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/test/sim
test_bench_builder_scale_CFLAGS = $(AM_CFLAGS) -O2
test_bench_builder_scale_LDADD = libcore.la libcubewriter.la libplatform.la

EXTRA_PROGRAMS += test/bench/profile_scale
CLEANFILES += test/bench/profile_scale$(EXEEXT)
test_bench_profile_scale_SOURCES = test/bench/profile_scale.c test/sim/fibers.c test/sim/fibers.h
test_bench_profile_scale_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/test
test_bench_profile_scale_CFLAGS = $(AM_CFLAGS)
test_bench_profile_scale_LDFLAGS = -Wl,--wrap=fathom_snapshot_values,--wrap=fathom_snapshot_location_name \
	-Wl,--wrap=fathom_arena_alloc,--wrap=fathom_arena_fini
test_bench_profile_scale_LDADD = libcore.la libcubewriter.la libplatform.la
