# Benchmarks: run by hand, on a quiet machine. make bench, or: make bench BENCH='region_calls hello' BENCH_ROUNDS=9
# The table, the JSON and the plot go to BENCH_OUT (bench/).
bench: all test/run/dump$(EXEEXT) $(bench_programs)
	srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' CC='$(CC)' CXX='$(CXX)' MPICC='$(MPICC)' MPIRUN='$(MPIRUN)' \
	  PYTHON3='$(PYTHON3)' PYTHONDONTWRITEBYTECODE=1 $(bench_settings) $(PYTHON3) $(srcdir)/test/bench/bench.py $(BENCH)
# What may be given to make in place of the environment.
bench_settings = $(if $(BENCH_ROUNDS),BENCH_ROUNDS='$(BENCH_ROUNDS)') $(if $(BENCH_SCALE),BENCH_SCALE='$(BENCH_SCALE)') \
	$(if $(BENCH_PATIENCE),BENCH_PATIENCE='$(BENCH_PATIENCE)') $(if $(BENCH_OUT),BENCH_OUT='$(BENCH_OUT)') \
	$(if $(BENCH_WORK),BENCH_WORK='$(BENCH_WORK)') $(if $(BENCH_KINDS),BENCH_KINDS='$(BENCH_KINDS)')
.PHONY: bench
TESTS += test/bench/bench.sh
EXTRA_DIST += test/bench/bench.sh test/bench/bench.py test/bench/measure.py test/bench/programs.py test/bench/real.py test/bench/defaults.py test/bench/proxies.py test/bench/startup.py test/bench/slower.py test/bench/slower.c test/bench/view_clicks.py test/bench/whatif_error.py test/bench/mpi_program.sh \
	test/bench/chart.py test/bench/shares.py test/bench/real.sh test/bench/work.lua test/bench/counters.c test/bench/region_calls.c \
	test/bench/children.c test/bench/limit.c test/bench/pingpong.c test/bench/wavefront.c test/bench/adi.c test/bench/transpose.c test/bench/godunov.c test/bench/work_amounts.h test/bench/selfmsg.c test/bench/epcc.c test/bench/startup.c \
	test/bench/fem.cc test/bench/hydro.cc test/bench/md.c test/bench/md.h test/bench/md_cells.c test/bench/md_force.c test/bench/md_halo.c

# The suite runs each of them once: check_PROGRAMS, so that make check builds them.
bench_programs = test/bench/compression$(EXEEXT) test/bench/profile_scale$(EXEEXT) test/bench/builder_scale$(EXEEXT) \
	test/bench/waits_scale$(EXEEXT)
check_PROGRAMS += test/bench/compression test/bench/profile_scale test/bench/builder_scale
test_bench_compression_SOURCES = test/bench/compression.c test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
test_bench_compression_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/test/unit
test_bench_compression_CFLAGS = $(AM_CFLAGS)
test_bench_compression_LDFLAGS = -Wl,--wrap=fathom_process_tree_values,--wrap=fathom_process_tree_location_name
test_bench_compression_LDADD = libcore.la libcubewriter.la libplatform.la

# The system tree of simulated ranks: make bench-scale, or: make bench-scale RANKS=1000000 KIND=two. With
# SCALE=simulate the figures of doc/internals/scale.md are made again, SCALE=finalize measures the end of a small program.
RANKS = 1048576
KIND = homogeneous
bench-scale: test/bench/builder_scale$(EXEEXT)
	@if test -n '$(SCALE)'; then \
	  case '$(SCALE)' in finalize*) $(MAKE) $(AM_MAKEFLAGS) libfathom.la libfathom-mpi.la || exit 1;; esac; \
	  srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' MPICC='$(MPICC)' MPIRUN='$(MPIRUN)' PYTHONDONTWRITEBYTECODE=1 \
	    $(PYTHON3) $(srcdir)/test/bench/scale.py $(SCALE); \
	else test/bench/builder_scale $(RANKS) $(KIND); fi
.PHONY: bench-scale
EXTRA_DIST += test/bench/scale.py test/bench/gather.c
test_bench_builder_scale_SOURCES = test/bench/builder_scale.c test/unit/support/fibers.c test/unit/support/fibers.h
test_bench_builder_scale_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/test/unit/support
test_bench_builder_scale_CFLAGS = $(AM_CFLAGS) -O2
test_bench_builder_scale_LDADD = libcore.la libcubewriter.la libplatform.la

test_bench_profile_scale_SOURCES = test/bench/profile_scale.c test/unit/support/fibers.c test/unit/support/fibers.h
test_bench_profile_scale_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/test/unit
test_bench_profile_scale_CFLAGS = $(AM_CFLAGS)
test_bench_profile_scale_LDFLAGS = -Wl,--wrap=fathom_process_tree_values,--wrap=fathom_process_tree_location_name \
	-Wl,--wrap=fathom_arena_alloc,--wrap=fathom_arena_fini
test_bench_profile_scale_LDADD = libcore.la libcubewriter.la libplatform.la

# DBSCAN: make bench-clusters, or: make bench-clusters POINTS=10000000 EPS=0.001
POINTS = 1000000
bench-clusters: test/bench/dbscan_scale$(EXEEXT)
	@test/bench/dbscan_scale $(POINTS) $(EPS)
.PHONY: bench-clusters
check_PROGRAMS += test/bench/dbscan_scale
test_bench_dbscan_scale_SOURCES = test/bench/dbscan_scale.c
test_bench_dbscan_scale_CFLAGS = $(AM_CFLAGS) -O2
test_bench_dbscan_scale_LDADD = libclusters.la -lm

# The search for wait states on simulated hosts: make bench-waits, or: make bench-waits RANKS=10000 OPERATIONS=100
OPERATIONS = 100000
bench-waits: test/bench/waits_scale$(EXEEXT)
	@test/bench/waits_scale $(if $(filter 1048576,$(RANKS)),8,$(RANKS)) $(OPERATIONS) $(HOSTS) $(LEAST)
.PHONY: bench-waits
check_PROGRAMS += test/bench/waits_scale
test_bench_waits_scale_SOURCES = test/bench/waits_scale.c test/unit/support/fibers.c test/unit/support/fibers.h
test_bench_waits_scale_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/test/unit/support
test_bench_waits_scale_CFLAGS = $(AM_CFLAGS) -O2
test_bench_waits_scale_LDADD = libwaits.la libcomm.la libplatform.la -lm

# What unwinding costs: make bench-unwinding FRAMES=20
FRAMES = 20
bench-unwinding: test/bench/unwinding$(EXEEXT)
	@test/bench/unwinding $(FRAMES)
.PHONY: bench-unwinding
check_PROGRAMS += test/bench/unwinding
test_bench_unwinding_SOURCES = test/bench/unwinding.c
test_bench_unwinding_CFLAGS = $(AM_CFLAGS) -O2
test_bench_unwinding_LDADD = libcore.la libcubewriter.la libplatform.la
