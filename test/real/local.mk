# Programs that nobody here wrote, built and measured as their users would. They are fetched as Debian
# source packages (fetch.sh) into REAL_SOURCES, by default real-sources/ in the build tree; where they
# cannot be had, their tests are skipped.
#
#   make check         the small ones
#   make check-real    those and the large ones, some minutes
real_tests = \
	test/real/bzip2.sh \
	test/real/lua.sh \
	test/real/minisat.sh \
	test/real/tachyon.sh \
	test/real/mocassin.sh \
	test/real/hpcc.sh \
	test/real/prebuilt.sh \
	test/real/fasttree.sh
large_real_tests = \
	test/real/zstd.sh \
	test/real/lammps.sh \
	test/real/hybrid.sh
TESTS += $(real_tests)
EXTRA_DIST += $(real_tests) $(large_real_tests) test/real/lib.sh test/real/hpcc-build.sh test/real/fetch.sh test/real/show.sh \
	test/real/alignment.py test/real/visits.py test/real/calls.py test/real/counter.py

check-real: all test/run/dump
	$(MAKE) check TESTS='$(real_tests) $(large_real_tests)'
.PHONY: check-real
