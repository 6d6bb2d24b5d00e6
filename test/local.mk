# Tests. A test is a program (cmocka) or a script; exit 77 means skipped, with the reason as
# its last line. Scripts source test/lib.sh.
AM_TESTS_ENVIRONMENT = \
	srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' \
	FATHOM='$(abs_top_builddir)/fathom' PYTHON3='$(PYTHON3)' \
	CC='$(CC)' CXX='$(CXX)' MPICC='$(MPICC)' MPICXX='$(MPICXX)' MPIFC='$(MPIFC)' MPIRUN='$(MPIRUN)' \
	OPENMPI_CC='$(OPENMPI_CC)' OPENMPI_CXX='$(OPENMPI_CXX)' OPENMPI_FC='$(OPENMPI_FC)' OPENMPI_RUN='$(OPENMPI_RUN)' \
	; export srcdir builddir FATHOM PYTHON3 CC CXX MPICC MPICXX MPIFC MPIRUN \
	OPENMPI_CC OPENMPI_CXX OPENMPI_FC OPENMPI_RUN; \
	for v in $$(env | $(SED) -n 's/^\(FATHOM_[A-Z_]*\)=.*/\1/p'); do unset $$v; done; \
	FATHOM_SAMPLING=off FATHOM_OVERHEAD=off; export FATHOM_SAMPLING FATHOM_OVERHEAD;
LOG_COMPILER = $(top_srcdir)/test/turn
EXTRA_DIST += test/README.md test/lib.sh test/run-suite test/turn
# Unit tests that configure left out, by the library that is missing. A script TEST.absent takes the place of each and reports it as
# skipped: a test that cannot be built does not disappear from the results.
without_cmocka =
without_otf2 =
# A unit test finds the shared files of test/unit/support whatever folder it is in.
test_cflags = $(AM_CFLAGS) $(CMOCKA_CFLAGS) -I$(top_srcdir)/test/unit/support

include test/unit/local.mk
include test/cube/local.mk
include test/frames/local.mk
include test/filter/local.mk
include test/symbols/local.mk
include test/tools/local.mk
include test/instrument/local.mk
include test/wrappers/local.mk
include test/run/local.mk
include test/openmp/local.mk
include test/metric/local.mk
include test/pthread/local.mk
include test/io/local.mk
include test/check/local.mk
include test/builds/local.mk
include test/real/local.mk
include test/sample/local.mk
include test/fuzz/local.mk
include test/user/local.mk
include test/bench/local.mk
include test/catalogue/local.mk

skips = $(MKDIR_P) $(@D) && printf '\#!/bin/sh\necho "SKIP: %s"\nexit 77\n'
absent_cmocka = $(without_cmocka:=.absent)
absent_otf2 = $(without_otf2:=.absent)
TESTS += $(absent_cmocka) $(absent_otf2)
CLEANFILES += $(absent_cmocka) $(absent_otf2)
$(absent_cmocka): Makefile
	@$(skips) 'cmocka not found when configure ran (Debian: libcmocka-dev)' > $@ && chmod +x $@
$(absent_otf2): Makefile
	@$(skips) 'OTF2 not found when configure ran (Debian: libopen-trace-format2-dev)' > $@ && chmod +x $@

# The tests of this build, one a line and without an extension: test/run-suite finds out by it which have no result.
list-tests:
	@for log in $(TEST_LOGS); do echo "$${log%.log}"; done
.PHONY: list-tests
