# Tests. A test is a program (cmocka) or a script; exit 77 means skipped, with the reason as
# its last line. Scripts source test/lib.sh.
AM_TESTS_ENVIRONMENT = \
	srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' \
	FATHOM='$(abs_top_builddir)/fathom' PYTHON3='$(PYTHON3)' \
	CC='$(CC)' CXX='$(CXX)' MPICC='$(MPICC)' MPICXX='$(MPICXX)' MPIFC='$(MPIFC)' MPIRUN='$(MPIRUN)' \
	OPENMPI_CC='$(OPENMPI_CC)' OPENMPI_CXX='$(OPENMPI_CXX)' OPENMPI_FC='$(OPENMPI_FC)' OPENMPI_RUN='$(OPENMPI_RUN)' \
	; export srcdir builddir FATHOM PYTHON3 CC CXX MPICC MPICXX MPIFC MPIRUN \
	OPENMPI_CC OPENMPI_CXX OPENMPI_FC OPENMPI_RUN; \
	for v in $$(env | $(SED) -n 's/^\(FATHOM_[A-Z_]*\)=.*/\1/p'); do unset $$v; done;
LOG_COMPILER = $(top_srcdir)/test/turn
EXTRA_DIST += test/lib.sh test/run-suite test/turn
test_cflags = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

include test/core/local.mk
include test/system/local.mk
include test/cube/local.mk
include test/filter/local.mk
include test/tools/local.mk
include test/instrument/local.mk
include test/wrappers/local.mk
include test/run/local.mk
include test/openmp/local.mk
include test/metric/local.mk
include test/pthread/local.mk
include test/check/local.mk
include test/builds/local.mk
include test/real/local.mk
include test/user/local.mk
include test/bench/local.mk
