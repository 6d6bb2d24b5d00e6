# Benchmarks: run by hand, on a quiet machine. make bench, or: make bench BENCH='region_calls hello'
bench: all
	srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' CC='$(CC)' MPICC='$(MPICC)' MPIRUN='$(MPIRUN)' \
	  $(PYTHON3) $(srcdir)/test/bench/bench.py $(BENCH)
.PHONY: bench
EXTRA_DIST += test/bench/bench.py test/bench/region_calls.c test/bench/limit.c test/bench/pingpong.c test/bench/selfmsg.c
