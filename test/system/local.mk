# test/system: the system tree, with simulated ranks.
system_tests = \
	test/system/test_builder \
	test/system/test_place \
	test/system/test_processors \
	test/system/test_sequence
if HAVE_CMOCKA
check_PROGRAMS += $(system_tests)
TESTS += $(system_tests)
system_flags = $(AM_CPPFLAGS) -I$(top_srcdir)/test/core -I$(top_srcdir)/test/sim
test_system_test_builder_SOURCES = test/system/test_builder.c test/system/made_system.c test/system/made_system.h \
	test/sim/fibers.c test/sim/fibers.h test/core/simulated_comm.c test/core/simulated_comm.h test/core/core_test.h
test_system_test_builder_CPPFLAGS = $(system_flags)
test_system_test_builder_CFLAGS = $(test_cflags)
test_system_test_builder_LDADD = $(core_test_libs)
test_system_test_place_SOURCES = test/system/test_place.c test/core/core_test.h
test_system_test_place_CPPFLAGS = $(system_flags)
test_system_test_place_CFLAGS = $(test_cflags)
test_system_test_place_LDADD = $(core_test_libs)
test_system_test_processors_SOURCES = test/system/test_processors.c test/core/core_test.h \
	test/core/simulated_comm.c test/core/simulated_comm.h
test_system_test_processors_CPPFLAGS = $(system_flags)
test_system_test_processors_CFLAGS = $(test_cflags)
test_system_test_processors_LDADD = $(core_test_libs)
test_system_test_sequence_SOURCES = test/system/test_sequence.c test/core/core_test.h
test_system_test_sequence_CPPFLAGS = $(system_flags)
test_system_test_sequence_CFLAGS = $(test_cflags)
test_system_test_sequence_LDADD = $(core_test_libs)
else
without_cmocka += $(system_tests)
endif
EXTRA_DIST += test/sim/fibers.c test/sim/fibers.h
