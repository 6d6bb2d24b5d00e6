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
