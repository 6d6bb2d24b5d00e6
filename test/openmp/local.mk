# OpenMP programs, built plain and measured: same output, exact visits (expect.py says how it is written down).
openmp_tests = \
	test/openmp/c.sh \
	test/openmp/cxx.sh \
	test/openmp/fortran.sh \
	test/openmp/traps.sh \
	test/openmp/ompt.sh
TESTS += $(openmp_tests)
EXTRA_DIST += $(openmp_tests) test/openmp/lib.sh test/openmp/expect.py test/openmp/traps.h \
	test/openmp/constructs.c test/openmp/nesting.c test/openmp/tasks.c test/openmp/endings.c \
	test/openmp/objects.cc test/openmp/traps.cc test/openmp/constructs.f90 test/openmp/fixed.f
