# test/core: unit tests of lib/platform, define, comm, event, profile and of wrappers/compiler,
# one program for each noun.
# libcore brings the library's own start and end into the program; without events these do nothing.
core_test_libs = libcore.la libcubewriter.la libplatform.la $(CMOCKA_LIBS)

core_tests = \
	test/core/test_activity \
	test/core/test_aggregate \
	test/core/test_aggregate_ranks \
	test/core/test_arena \
	test/core/test_callpath \
	test/core/test_catalog \
	test/core/test_clock \
	test/core/test_comm \
	test/core/test_process_copy \
	test/core/test_event \
	test/core/test_hooks \
	test/core/test_lock \
	test/core/test_log \
	test/core/test_perf_read \
	test/core/test_pool \
	test/core/test_rdpmc \
	test/core/test_region \
	test/core/test_result \
	test/core/test_crash_saving \
	test/core/test_series \
	test/core/test_settings \
	test/core/test_switch \
	test/core/test_spread \
	test/core/test_sync \
	test/core/test_arrivals \
	test/core/test_threads \
	test/core/test_tree
if HAVE_CMOCKA
check_PROGRAMS += $(core_tests)
TESTS += $(core_tests)
test_core_test_activity_SOURCES = test/core/test_activity.c test/core/core_test.h
test_core_test_activity_CFLAGS = $(test_cflags)
test_core_test_activity_LDADD = libcube.la $(core_test_libs)
aggregate_world = test/core/aggregate_world.c test/core/aggregate_world.h test/core/core_test.h \
	test/core/made_ranks.c test/core/made_ranks.h test/core/simulated_comm.c test/core/simulated_comm.h
test_core_test_aggregate_SOURCES = test/core/test_aggregate.c $(aggregate_world)
test_core_test_aggregate_CFLAGS = $(test_cflags)
test_core_test_aggregate_LDFLAGS = -Wl,--wrap=fathom_aggregate_chosen
test_core_test_aggregate_LDADD = libcube.la $(core_test_libs) -lm
test_core_test_aggregate_ranks_SOURCES = test/core/test_aggregate_ranks.c $(aggregate_world)
test_core_test_aggregate_ranks_CFLAGS = $(test_cflags)
test_core_test_aggregate_ranks_LDFLAGS = -Wl,--wrap=fathom_aggregate_chosen,--wrap=fathom_arena_alloc
test_core_test_aggregate_ranks_LDADD = libcube.la $(core_test_libs) -lm
test_core_test_arena_SOURCES = test/core/test_arena.c test/core/core_test.h
test_core_test_arena_CFLAGS = $(test_cflags)
test_core_test_arena_LDADD = $(core_test_libs)
test_core_test_series_SOURCES = test/core/test_series.c test/core/core_test.h
test_core_test_series_CFLAGS = $(test_cflags)
test_core_test_series_LDFLAGS = -Wl,--wrap=fathom_clock_monotonic_ns
test_core_test_series_LDADD = $(core_test_libs)
test_core_test_callpath_SOURCES = test/core/test_callpath.c test/core/core_test.h
test_core_test_callpath_CFLAGS = $(test_cflags)
test_core_test_callpath_LDFLAGS = -Wl,--wrap=fathom_clock_monotonic_ns
test_core_test_callpath_LDADD = $(core_test_libs)
test_core_test_catalog_SOURCES = test/core/test_catalog.c test/core/core_test.h
test_core_test_catalog_CFLAGS = $(test_cflags)
test_core_test_catalog_LDFLAGS = -Wl,--wrap=fathom_arena_alloc
test_core_test_catalog_LDADD = $(core_test_libs)
test_core_test_clock_SOURCES = test/core/test_clock.c test/core/core_test.h
test_core_test_clock_CFLAGS = $(test_cflags)
test_core_test_clock_LDADD = $(core_test_libs)
test_core_test_comm_SOURCES = test/core/test_comm.c test/core/core_test.h \
	test/core/simulated_comm.c test/core/simulated_comm.h
test_core_test_comm_CFLAGS = $(test_cflags)
test_core_test_comm_LDADD = $(core_test_libs)
test_core_test_pool_SOURCES = test/core/test_pool.c test/core/core_test.h lib/system/definition_pool.c lib/system/definition_pool.h \
	test/core/simulated_comm.c test/core/simulated_comm.h
test_core_test_pool_CFLAGS = $(test_cflags)
test_core_test_pool_LDADD = $(core_test_libs)
test_core_test_spread_SOURCES = test/core/test_spread.c test/core/core_test.h lib/system/grid_runs.c lib/system/grid_runs.h \
	lib/system/byte_stack.c lib/system/transfer.c lib/define/cart.c lib/define/topology.c \
	test/core/simulated_comm.c test/core/simulated_comm.h
test_core_test_spread_CFLAGS = $(test_cflags)
test_core_test_spread_LDADD = $(core_test_libs)
test_core_test_switch_SOURCES = test/core/test_switch.c test/core/core_test.h
test_core_test_switch_CFLAGS = $(test_cflags)
test_core_test_switch_LDADD = $(core_test_libs)
test_core_test_sync_SOURCES = test/core/test_sync.c test/core/core_test.h lib/trace/clock_sync.c lib/trace/clock_sync.h \
	test/core/simulated_comm.c test/core/simulated_comm.h
test_core_test_sync_CFLAGS = $(test_cflags)
test_core_test_sync_LDADD = $(core_test_libs) -lm
test_core_test_arrivals_SOURCES = test/core/test_arrivals.c test/core/core_test.h lib/trace/message_times.c lib/trace/message_times.h \
	test/core/simulated_comm.c test/core/simulated_comm.h
test_core_test_arrivals_CFLAGS = $(test_cflags)
test_core_test_arrivals_LDADD = $(core_test_libs) -lm
if HAVE_OTF2
check_PROGRAMS += test/core/test_trace_buffer
TESTS += test/core/test_trace_buffer
else
without_otf2 += test/core/test_trace_buffer
endif
test_core_test_trace_buffer_SOURCES = test/core/test_trace_buffer.c test/core/core_test.h lib/trace/buffer.c \
	lib/trace/buffer.h lib/otf2/records.c lib/otf2/records.h
test_core_test_trace_buffer_CFLAGS = $(test_cflags) $(OTF2_CFLAGS)
test_core_test_trace_buffer_LDADD = $(core_test_libs) $(OTF2_LIBS)
test_core_test_crash_saving_SOURCES = test/core/test_crash_saving.c test/core/core_test.h
test_core_test_crash_saving_CFLAGS = $(test_cflags)
test_core_test_crash_saving_LDADD = $(core_test_libs)
test_core_test_threads_SOURCES = test/core/test_threads.c test/core/core_test.h
test_core_test_threads_CFLAGS = $(test_cflags)
test_core_test_threads_LDFLAGS = -Wl,--wrap=fathom_clock_monotonic_ns
test_core_test_threads_LDADD = $(core_test_libs)
test_core_test_process_copy_SOURCES = test/core/test_process_copy.c test/core/core_test.h
test_core_test_process_copy_CFLAGS = $(test_cflags)
test_core_test_process_copy_LDADD = $(core_test_libs)
test_core_test_event_SOURCES = test/core/test_event.c test/core/core_test.h
test_core_test_event_CFLAGS = $(test_cflags)
test_core_test_event_LDADD = $(core_test_libs)
test_core_test_hooks_SOURCES = test/core/test_hooks.c test/core/core_test.h \
	wrappers/compiler/excluded.c wrappers/compiler/hooks.c wrappers/compiler/live.c \
	wrappers/compiler/unloading.c \
	wrappers/compiler/sleds.c \
	lib/platform/sibling_library.c \
	lib/symbols/calling_modules.c lib/symbols/outlined.c lib/symbols/symbols.c lib/symbols/symbols_library.c
test_core_test_hooks_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/wrappers
test_core_test_hooks_CFLAGS = $(test_cflags) $(hot_flags)
hot_objects += wrappers/compiler/test_core_test_hooks-hooks.o
test_core_test_hooks_LDADD = $(core_test_libs) $(DW_LIBS) $(IBERTY_LIBS)
test_core_test_lock_SOURCES = test/core/test_lock.c test/core/core_test.h
test_core_test_lock_CFLAGS = $(test_cflags)
test_core_test_lock_LDADD = $(core_test_libs)
test_core_test_log_SOURCES = test/core/test_log.c test/core/core_test.h
test_core_test_log_CFLAGS = $(test_cflags)
test_core_test_log_LDADD = $(core_test_libs)
# It contains perf_read.c, with an instruction of its own.
test_core_test_perf_read_SOURCES = test/core/test_perf_read.c test/core/core_test.h
test_core_test_perf_read_CFLAGS = $(test_cflags)
test_core_test_perf_read_LDADD = $(core_test_libs)
test_core_test_rdpmc_SOURCES = test/core/test_rdpmc.c test/core/core_test.h lib/metric/rdpmc.c lib/metric/rdpmc.h
test_core_test_rdpmc_CFLAGS = $(test_cflags)
test_core_test_rdpmc_LDADD = $(core_test_libs)
test_core_test_region_SOURCES = test/core/test_region.c test/core/core_test.h
test_core_test_region_CFLAGS = $(test_cflags)
test_core_test_region_LDADD = $(core_test_libs)
test_core_test_result_SOURCES = test/core/test_result.c test/core/core_test.h \
	test/core/made_ranks.c test/core/made_ranks.h test/core/simulated_comm.c test/core/simulated_comm.h
test_core_test_result_CFLAGS = $(test_cflags)
test_core_test_result_LDADD = libcube.la $(core_test_libs)
test_core_test_settings_SOURCES = test/core/test_settings.c test/core/core_test.h
test_core_test_settings_CFLAGS = $(test_cflags)
test_core_test_settings_LDADD = $(core_test_libs)
test_core_test_tree_SOURCES = test/core/test_tree.c test/core/core_test.h
test_core_test_tree_CFLAGS = $(test_cflags)
test_core_test_tree_LDADD = $(core_test_libs)
else
without_cmocka += $(core_tests) test/core/test_trace_buffer
endif
