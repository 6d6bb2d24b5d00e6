# test/unit: unit tests, one program for each source file, in a folder for each folder of lib or wrappers. support/ has what several
# of them use.
# libcore brings the library's own start and end into the program; without events these do nothing.
unit_test_libs = libcore.la libcubewriter.la libplatform.la $(CMOCKA_LIBS)

unit_tests = \
	test/unit/comm/test_comm \
	test/unit/clusters/test_dbscan \
	test/unit/clusters/test_extrapolation \
	test/unit/clusters/test_hierarchy \
	test/unit/clusters/test_refinement \
	test/unit/clusters/test_sequence_alignment \
	test/unit/folding/test_folding \
	test/unit/periods/test_periodic_region \
	test/unit/clusters/test_tracking \
	test/unit/compiler/test_hooks \
	test/unit/define/test_activity \
	test/unit/define/test_region \
	test/unit/event/locks/test_contention \
	test/unit/event/test_event \
	test/unit/event/teams/test_idleness \
	test/unit/event/test_switch \
	test/unit/event/test_threads \
	test/unit/metric/test_perf_read \
	test/unit/metric/test_rdpmc \
	test/unit/platform/test_arena \
	test/unit/platform/test_catalog \
	test/unit/platform/test_clock \
	test/unit/platform/test_lock \
	test/unit/platform/test_log \
	test/unit/platform/test_number_table \
	test/unit/platform/test_settings \
	test/unit/profile/process_tree/test_call_tree \
	test/unit/profile/recording/test_callpath \
	test/unit/profile/recording/test_partners \
	test/unit/profile/recording/test_burst_log \
	test/unit/profile/recording/test_time_maps \
	test/unit/profile/result/test_result_file \
	test/unit/profile/result/test_sample_file \
	test/unit/profile/process_tree/test_sampled_call_paths \
	test/unit/profile/process_tree/test_thread_aggregation \
	test/unit/profile/process_tree/test_thread_aggregation_ranks \
	test/unit/replay/test_calibration \
	test/unit/replay/test_dimemas \
	test/unit/replay/test_machine \
	test/unit/replay/test_processor_slices \
	test/unit/replay/test_replay \
	test/unit/run/test_crash_result \
	test/unit/run/test_crash_saving \
	test/unit/run/test_process_copy \
	test/unit/sample/test_sampling_signal \
	test/unit/sample/test_unwind \
	test/unit/system/test_builder \
	test/unit/system/test_definition_pool \
	test/unit/system/test_processors \
	test/unit/system/test_sequence \
	test/unit/system/test_system_path \
	test/unit/comm/test_clock_sync \
	test/unit/trace/clocks/test_message_times test/unit/trace/test_slow_iterations \
	test/unit/trace/test_rank_list \
	test/unit/trace/test_comm_memory \
	test/unit/trace/repeats/test_period_finder \
	test/unit/waits/test_grid_sweeps \
	test/unit/waits/test_host_mail \
	test/unit/waits/test_random_programs \
	test/unit/waits/test_recording \
	test/unit/waits/test_search \
	test/unit/waits/test_window_search \
	test/unit/waits/test_wait_formulas
# configure --without-phases
if WITH_PHASES
unit_tests += test/unit/profile/recording/test_iteration_clusters
endif
# configure --without-topologies
if WITH_TOPOLOGIES
unit_tests += test/unit/system/test_grid_runs
endif
# Unit tests that need OTF2.
trace_unit_tests = test/unit/trace/test_buffer \
	test/unit/trace/samples/test_event_conversion \
	test/unit/bursts/test_burst_extraction \
	test/unit/bursts/test_recorded_bursts \
	test/unit/callgraphs/test_call_graph \
	test/unit/callgraphs/test_range_coder
if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
made_logs = test/unit/waits/made_logs.c test/unit/waits/made_logs.h test/unit/support/unit_test.h \
	test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
made_programs = test/unit/replay/made_programs.c test/unit/replay/made_programs.h test/unit/support/unit_test.h
test_unit_replay_test_calibration_SOURCES = test/unit/replay/test_calibration.c $(made_programs)
test_unit_replay_test_calibration_CFLAGS = $(test_cflags)
test_unit_replay_test_calibration_LDADD = libreplay.la $(CMOCKA_LIBS) -lm
test_unit_replay_test_processor_slices_SOURCES = test/unit/replay/test_processor_slices.c $(made_programs)
test_unit_replay_test_processor_slices_CFLAGS = $(test_cflags)
test_unit_replay_test_processor_slices_LDADD = libreplay.la $(CMOCKA_LIBS) -lm
test_unit_replay_test_dimemas_SOURCES = test/unit/replay/test_dimemas.c $(made_programs)
test_unit_replay_test_dimemas_CFLAGS = $(test_cflags)
test_unit_replay_test_dimemas_LDADD = libreplay.la $(CMOCKA_LIBS) -lm
test_unit_replay_test_machine_SOURCES = test/unit/replay/test_machine.c $(made_programs)
test_unit_replay_test_machine_CFLAGS = $(test_cflags)
test_unit_replay_test_machine_LDADD = libreplay.la $(CMOCKA_LIBS) -lm
test_unit_replay_test_replay_SOURCES = test/unit/replay/test_replay.c $(made_programs)
test_unit_replay_test_replay_CFLAGS = $(test_cflags)
test_unit_replay_test_replay_LDADD = libreplay.la $(CMOCKA_LIBS) -lm
test_unit_waits_test_recording_SOURCES = test/unit/waits/test_recording.c test/unit/support/unit_test.h
test_unit_waits_test_recording_CFLAGS = $(test_cflags)
test_unit_waits_test_recording_LDADD = $(unit_test_libs)
test_unit_waits_test_random_programs_SOURCES = test/unit/waits/test_random_programs.c $(made_logs)
test_unit_waits_test_random_programs_CFLAGS = $(test_cflags)
test_unit_waits_test_random_programs_LDADD = libwaits.la $(unit_test_libs) -lm
test_unit_waits_test_wait_formulas_SOURCES = test/unit/waits/test_wait_formulas.c test/unit/support/unit_test.h
test_unit_waits_test_wait_formulas_CFLAGS = $(test_cflags)
test_unit_waits_test_wait_formulas_LDADD = libwaits.la $(unit_test_libs) -lm
test_unit_waits_test_host_mail_SOURCES = test/unit/waits/test_host_mail.c test/unit/support/unit_test.h \
	test/unit/support/fibers.c test/unit/support/fibers.h test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
test_unit_waits_test_host_mail_CFLAGS = $(test_cflags)
test_unit_waits_test_host_mail_LDADD = libwaits.la $(unit_test_libs) -lm
test_unit_waits_test_grid_sweeps_SOURCES = test/unit/waits/test_grid_sweeps.c $(made_logs) test/unit/support/near.h
test_unit_waits_test_grid_sweeps_CFLAGS = $(test_cflags)
test_unit_waits_test_grid_sweeps_LDADD = libwaits.la $(unit_test_libs) -lm
test_unit_waits_test_search_SOURCES = test/unit/waits/test_search.c $(made_logs) test/unit/support/near.h
test_unit_waits_test_search_CFLAGS = $(test_cflags)
test_unit_waits_test_search_LDADD = libwaits.la $(unit_test_libs) -lm
test_unit_waits_test_window_search_SOURCES = test/unit/waits/test_window_search.c $(made_logs) test/unit/support/near.h
test_unit_waits_test_window_search_CFLAGS = $(test_cflags)
test_unit_waits_test_window_search_LDADD = libwaits.la $(unit_test_libs) -lm
test_unit_clusters_test_sequence_alignment_SOURCES = test/unit/clusters/test_sequence_alignment.c
test_unit_clusters_test_sequence_alignment_CFLAGS = $(test_cflags)
test_unit_clusters_test_sequence_alignment_LDADD = libclusters.la $(CMOCKA_LIBS) -lm
test_unit_folding_test_folding_SOURCES = test/unit/folding/test_folding.c
test_unit_folding_test_folding_CFLAGS = $(test_cflags)
test_unit_folding_test_folding_LDADD = libfolding.la $(CMOCKA_LIBS) -lm
test_unit_periods_test_periodic_region_SOURCES = test/unit/periods/test_periodic_region.c
test_unit_periods_test_periodic_region_CFLAGS = $(test_cflags)
test_unit_periods_test_periodic_region_LDADD = libperiods.la $(CMOCKA_LIBS) -lm
test_unit_clusters_test_refinement_SOURCES = test/unit/clusters/test_refinement.c
test_unit_clusters_test_refinement_CFLAGS = $(test_cflags)
test_unit_clusters_test_refinement_LDADD = libclusters.la $(CMOCKA_LIBS) -lm
test_unit_clusters_test_tracking_SOURCES = test/unit/clusters/test_tracking.c
test_unit_clusters_test_tracking_CFLAGS = $(test_cflags)
test_unit_clusters_test_tracking_LDADD = libclusters.la $(CMOCKA_LIBS) -lm
test_unit_clusters_test_extrapolation_SOURCES = test/unit/clusters/test_extrapolation.c
test_unit_clusters_test_extrapolation_CFLAGS = $(test_cflags)
test_unit_clusters_test_extrapolation_LDADD = libclusters.la $(CMOCKA_LIBS) -lm
test_unit_clusters_test_hierarchy_SOURCES = test/unit/clusters/test_hierarchy.c
test_unit_clusters_test_hierarchy_CFLAGS = $(test_cflags)
test_unit_clusters_test_hierarchy_LDADD = libclusters.la $(CMOCKA_LIBS) -lm
test_unit_clusters_test_dbscan_SOURCES = test/unit/clusters/test_dbscan.c
test_unit_clusters_test_dbscan_CFLAGS = $(test_cflags)
test_unit_clusters_test_dbscan_LDADD = libclusters.la $(CMOCKA_LIBS) -lm
test_unit_define_test_activity_SOURCES = test/unit/define/test_activity.c test/unit/support/unit_test.h
test_unit_define_test_activity_CFLAGS = $(test_cflags)
test_unit_define_test_activity_LDADD = libcube.la $(unit_test_libs)
aggregate_world = test/unit/profile/process_tree/aggregate_world.c test/unit/profile/process_tree/aggregate_world.h test/unit/support/unit_test.h \
	test/unit/support/made_ranks.c test/unit/support/made_ranks.h test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
test_unit_profile_process_tree_test_thread_aggregation_SOURCES = test/unit/profile/process_tree/test_thread_aggregation.c $(aggregate_world)
test_unit_profile_process_tree_test_thread_aggregation_CFLAGS = $(test_cflags)
test_unit_profile_process_tree_test_thread_aggregation_LDFLAGS = -Wl,--wrap=fathom_aggregate_chosen
test_unit_profile_process_tree_test_thread_aggregation_LDADD = libcube.la $(unit_test_libs) -lm
test_unit_profile_process_tree_test_thread_aggregation_ranks_SOURCES = test/unit/profile/process_tree/test_thread_aggregation_ranks.c $(aggregate_world)
test_unit_profile_process_tree_test_thread_aggregation_ranks_CFLAGS = $(test_cflags)
test_unit_profile_process_tree_test_thread_aggregation_ranks_LDFLAGS = -Wl,--wrap=fathom_aggregate_chosen,--wrap=fathom_arena_alloc
test_unit_profile_process_tree_test_thread_aggregation_ranks_LDADD = libcube.la $(unit_test_libs) -lm
test_unit_sample_test_sampling_signal_SOURCES = test/unit/sample/test_sampling_signal.c test/unit/support/unit_test.h
test_unit_sample_test_sampling_signal_CFLAGS = $(test_cflags)
test_unit_sample_test_sampling_signal_LDADD = $(unit_test_libs)
test_unit_platform_test_arena_SOURCES = test/unit/platform/test_arena.c test/unit/support/unit_test.h
test_unit_platform_test_arena_CFLAGS = $(test_cflags)
test_unit_platform_test_arena_LDADD = $(unit_test_libs)
test_unit_profile_recording_test_iteration_clusters_SOURCES = test/unit/profile/recording/test_iteration_clusters.c test/unit/support/unit_test.h
test_unit_profile_recording_test_iteration_clusters_CFLAGS = $(test_cflags)
test_unit_profile_recording_test_iteration_clusters_LDFLAGS = -Wl,--wrap=fathom_clock_monotonic_ns
test_unit_profile_recording_test_iteration_clusters_LDADD = $(unit_test_libs)
test_unit_profile_recording_test_partners_SOURCES = test/unit/profile/recording/test_partners.c test/unit/support/unit_test.h
test_unit_profile_recording_test_partners_CFLAGS = $(test_cflags)
test_unit_profile_recording_test_partners_LDADD = $(unit_test_libs)
test_unit_profile_recording_test_burst_log_SOURCES = test/unit/profile/recording/test_burst_log.c test/unit/support/unit_test.h
test_unit_profile_recording_test_burst_log_CFLAGS = $(test_cflags)
test_unit_profile_recording_test_burst_log_LDADD = $(unit_test_libs)
test_unit_profile_recording_test_time_maps_SOURCES = test/unit/profile/recording/test_time_maps.c test/unit/support/unit_test.h
test_unit_profile_recording_test_time_maps_CFLAGS = $(test_cflags)
test_unit_profile_recording_test_time_maps_LDADD = $(unit_test_libs)
test_unit_profile_recording_test_callpath_SOURCES = test/unit/profile/recording/test_callpath.c test/unit/support/unit_test.h \
	test/unit/support/moved_clock.c test/unit/support/moved_clock.h
test_unit_profile_recording_test_callpath_CFLAGS = $(test_cflags)
test_unit_profile_recording_test_callpath_LDFLAGS = -Wl,--wrap=fathom_clock_monotonic_ns
test_unit_profile_recording_test_callpath_LDADD = $(unit_test_libs)
test_unit_profile_result_test_sample_file_SOURCES = test/unit/profile/result/test_sample_file.c test/unit/support/unit_test.h \
	test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
test_unit_profile_result_test_sample_file_CFLAGS = $(test_cflags)
test_unit_profile_result_test_sample_file_LDADD = $(unit_test_libs)
test_unit_profile_process_tree_test_sampled_call_paths_SOURCES = test/unit/profile/process_tree/test_sampled_call_paths.c test/unit/support/unit_test.h \
	test/unit/support/moved_clock.c test/unit/support/moved_clock.h
test_unit_profile_process_tree_test_sampled_call_paths_CFLAGS = $(test_cflags)
test_unit_profile_process_tree_test_sampled_call_paths_LDFLAGS = -Wl,--wrap=fathom_clock_monotonic_ns
test_unit_profile_process_tree_test_sampled_call_paths_LDADD = $(unit_test_libs)
test_unit_platform_test_catalog_SOURCES = test/unit/platform/test_catalog.c test/unit/support/unit_test.h
test_unit_platform_test_catalog_CFLAGS = $(test_cflags)
test_unit_platform_test_catalog_LDFLAGS = -Wl,--wrap=fathom_arena_alloc
test_unit_platform_test_catalog_LDADD = $(unit_test_libs)
test_unit_platform_test_number_table_SOURCES = test/unit/platform/test_number_table.c test/unit/support/unit_test.h
test_unit_platform_test_number_table_CFLAGS = $(test_cflags)
test_unit_platform_test_number_table_LDFLAGS = -Wl,--wrap=fathom_arena_alloc
test_unit_platform_test_number_table_LDADD = $(unit_test_libs)
test_unit_platform_test_clock_SOURCES = test/unit/platform/test_clock.c test/unit/support/unit_test.h
test_unit_platform_test_clock_CFLAGS = $(test_cflags)
test_unit_platform_test_clock_LDADD = $(unit_test_libs)
test_unit_comm_test_comm_SOURCES = test/unit/comm/test_comm.c test/unit/support/unit_test.h \
	test/unit/support/fibers.c test/unit/support/fibers.h \
	test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
test_unit_comm_test_comm_CFLAGS = $(test_cflags)
test_unit_comm_test_comm_LDADD = $(unit_test_libs)
test_unit_system_test_definition_pool_SOURCES = test/unit/system/test_definition_pool.c test/unit/support/unit_test.h lib/system/definition_pool.c lib/system/definition_pool.h \
	test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
test_unit_system_test_definition_pool_CFLAGS = $(test_cflags)
test_unit_system_test_definition_pool_LDADD = $(unit_test_libs)
test_unit_system_test_grid_runs_SOURCES = test/unit/system/test_grid_runs.c test/unit/support/unit_test.h lib/system/grid_runs.c lib/system/grid_runs.h \
	lib/system/byte_stack.c lib/system/transfer.c lib/define/cart.c lib/define/topology.c \
	test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
test_unit_system_test_grid_runs_CFLAGS = $(test_cflags)
test_unit_system_test_grid_runs_LDADD = $(unit_test_libs)
test_unit_event_test_switch_SOURCES = test/unit/event/test_switch.c test/unit/support/unit_test.h
test_unit_event_test_switch_CFLAGS = $(test_cflags)
test_unit_event_test_switch_LDADD = $(unit_test_libs)
test_unit_comm_test_clock_sync_SOURCES = test/unit/comm/test_clock_sync.c test/unit/support/unit_test.h lib/comm/clock_sync.c lib/comm/clock_sync.h \
	test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
test_unit_comm_test_clock_sync_CFLAGS = $(test_cflags)
test_unit_comm_test_clock_sync_LDADD = $(unit_test_libs) -lm
test_unit_trace_clocks_test_message_times_SOURCES = test/unit/trace/clocks/test_message_times.c test/unit/support/unit_test.h lib/trace/clocks/message_times.c lib/trace/clocks/message_times.h \
	test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
test_unit_trace_clocks_test_message_times_CFLAGS = $(test_cflags)
test_unit_trace_clocks_test_message_times_LDADD = $(unit_test_libs) -lm
test_unit_trace_test_rank_list_SOURCES = test/unit/trace/test_rank_list.c test/unit/support/unit_test.h lib/trace/rank_list.c lib/trace/rank_list.h
test_unit_trace_test_rank_list_CFLAGS = $(test_cflags)
test_unit_trace_test_rank_list_LDADD = $(unit_test_libs)
test_unit_trace_test_comm_memory_SOURCES = test/unit/trace/test_comm_memory.c test/unit/support/unit_test.h lib/trace/comms.c lib/trace/comms.h \
	lib/trace/rank_list.c lib/trace/rank_list.h
test_unit_trace_test_comm_memory_CFLAGS = $(test_cflags)
test_unit_trace_test_comm_memory_LDADD = $(unit_test_libs)
test_unit_trace_repeats_test_period_finder_SOURCES = test/unit/trace/repeats/test_period_finder.c test/unit/support/unit_test.h \
	lib/trace/repeats/period_finder.c lib/trace/repeats/period_finder.h lib/trace/repeats/repeat_detector.c lib/trace/repeats/repeat_detector.h
test_unit_trace_repeats_test_period_finder_CFLAGS = $(test_cflags)
test_unit_trace_repeats_test_period_finder_LDADD = $(unit_test_libs)
test_unit_trace_test_slow_iterations_SOURCES = test/unit/trace/test_slow_iterations.c test/unit/support/unit_test.h lib/trace/slow_iterations.c lib/trace/slow_iterations.h
test_unit_trace_test_slow_iterations_CFLAGS = $(test_cflags)
test_unit_trace_test_slow_iterations_LDADD = $(unit_test_libs)
if HAVE_OTF2
check_PROGRAMS += $(trace_unit_tests)
TESTS += $(trace_unit_tests)
else
without_otf2 += $(trace_unit_tests)
endif
test_unit_callgraphs_test_call_graph_SOURCES = test/unit/callgraphs/test_call_graph.c test/unit/support/unit_test.h
test_unit_callgraphs_test_call_graph_CFLAGS = $(test_cflags) $(OTF2_CFLAGS)
test_unit_callgraphs_test_call_graph_LDADD = libcallgraphs.la $(CMOCKA_LIBS)
test_unit_callgraphs_test_range_coder_SOURCES = test/unit/callgraphs/test_range_coder.c test/unit/support/unit_test.h
test_unit_callgraphs_test_range_coder_CFLAGS = $(test_cflags) $(OTF2_CFLAGS)
test_unit_callgraphs_test_range_coder_LDADD = libcallgraphs.la $(CMOCKA_LIBS)
test_unit_bursts_test_burst_extraction_SOURCES = test/unit/bursts/test_burst_extraction.c
test_unit_bursts_test_burst_extraction_CFLAGS = $(test_cflags) $(OTF2_CFLAGS)
test_unit_bursts_test_burst_extraction_LDADD = libbursts.la $(CMOCKA_LIBS) -lm
test_unit_bursts_test_recorded_bursts_SOURCES = test/unit/bursts/test_recorded_bursts.c
test_unit_bursts_test_recorded_bursts_CFLAGS = $(test_cflags) $(OTF2_CFLAGS)
test_unit_bursts_test_recorded_bursts_LDADD = libbursts.la $(CMOCKA_LIBS) -lm
test_unit_trace_test_buffer_SOURCES = test/unit/trace/test_buffer.c test/unit/support/unit_test.h lib/trace/buffer.c lib/trace/positions.c lib/trace/positions.h lib/trace/chunk_copy.c lib/trace/chunk_copy.h \
	lib/trace/buffer.h lib/trace/detail_window.c lib/trace/ring/event_ring.c lib/trace/ring/event_ring.h lib/trace/buffer_chunks.c lib/trace/buffer_chunks.h lib/trace/ring/ring_buffer.c lib/trace/ring/ring_buffer.h lib/otf2/records.c lib/otf2/records.h \
	test/unit/support/otf2_events.c test/unit/support/otf2_events.h
test_unit_trace_test_buffer_CFLAGS = $(test_cflags) $(OTF2_CFLAGS)
test_unit_trace_test_buffer_LDADD = $(unit_test_libs) $(OTF2_LIBS)
test_unit_trace_samples_test_event_conversion_SOURCES = test/unit/trace/samples/test_event_conversion.c \
	test/unit/support/unit_test.h lib/trace/buffer.c lib/trace/buffer.h lib/trace/positions.c lib/trace/positions.h lib/trace/detail_window.c lib/trace/ring/event_ring.c lib/trace/ring/event_ring.h lib/trace/buffer_chunks.c lib/trace/buffer_chunks.h lib/trace/ring/ring_buffer.c lib/trace/ring/ring_buffer.h lib/otf2/records.c lib/otf2/records.h \
	lib/trace/samples/calling_contexts.c lib/trace/samples/calling_contexts.h \
	lib/trace/samples/event_conversion.c lib/trace/samples/event_conversion.h \
	lib/trace/samples/raw_samples.c lib/trace/samples/raw_samples.h \
	test/unit/support/otf2_events.c test/unit/support/otf2_events.h
test_unit_trace_samples_test_event_conversion_CFLAGS = $(test_cflags) $(OTF2_CFLAGS)
test_unit_trace_samples_test_event_conversion_LDADD = $(unit_test_libs) $(OTF2_LIBS)
test_unit_run_test_crash_result_SOURCES = test/unit/run/test_crash_result.c test/unit/support/unit_test.h
test_unit_run_test_crash_result_CFLAGS = $(test_cflags)
test_unit_run_test_crash_result_LDADD = $(unit_test_libs)
test_unit_run_test_crash_saving_SOURCES = test/unit/run/test_crash_saving.c test/unit/support/unit_test.h
test_unit_run_test_crash_saving_CFLAGS = $(test_cflags)
test_unit_run_test_crash_saving_LDADD = $(unit_test_libs)
test_unit_event_test_threads_SOURCES = test/unit/event/test_threads.c test/unit/support/unit_test.h \
	test/unit/support/moved_clock.c test/unit/support/moved_clock.h
test_unit_event_test_threads_CFLAGS = $(test_cflags)
test_unit_event_test_threads_LDFLAGS = -Wl,--wrap=fathom_clock_monotonic_ns
test_unit_event_test_threads_LDADD = $(unit_test_libs)
test_unit_run_test_process_copy_SOURCES = test/unit/run/test_process_copy.c test/unit/support/unit_test.h
test_unit_run_test_process_copy_CFLAGS = $(test_cflags)
test_unit_run_test_process_copy_LDADD = $(unit_test_libs)
test_unit_event_locks_test_contention_SOURCES = test/unit/event/locks/test_contention.c test/unit/support/unit_test.h \
	test/unit/support/moved_clock.c test/unit/support/moved_clock.h \
	test/unit/support/recorded_tree.c test/unit/support/recorded_tree.h \
	test/unit/support/stepping_threads.c test/unit/support/stepping_threads.h
test_unit_event_locks_test_contention_CFLAGS = $(test_cflags)
test_unit_event_locks_test_contention_LDFLAGS = -Wl,--wrap=fathom_clock_monotonic_ns
test_unit_event_locks_test_contention_LDADD = $(unit_test_libs)
test_unit_event_teams_test_idleness_SOURCES = test/unit/event/teams/test_idleness.c test/unit/support/unit_test.h \
	test/unit/support/moved_clock.c test/unit/support/moved_clock.h \
	test/unit/support/recorded_tree.c test/unit/support/recorded_tree.h \
	test/unit/support/stepping_threads.c test/unit/support/stepping_threads.h
test_unit_event_teams_test_idleness_CFLAGS = $(test_cflags)
test_unit_event_teams_test_idleness_LDFLAGS = -Wl,--wrap=fathom_clock_monotonic_ns
test_unit_event_teams_test_idleness_LDADD = $(unit_test_libs)
test_unit_event_test_event_SOURCES = test/unit/event/test_event.c test/unit/support/unit_test.h
test_unit_event_test_event_CFLAGS = $(test_cflags)
test_unit_event_test_event_LDADD = $(unit_test_libs)
test_unit_compiler_test_hooks_SOURCES = test/unit/compiler/test_hooks.c test/unit/support/unit_test.h \
	wrappers/compiler/excluded.c wrappers/compiler/hooks.c \
	wrappers/compiler/unloading.c \
	lib/platform/sibling_library.c \
	lib/symbols/calling_modules.c lib/symbols/naming_thread.c lib/symbols/outlined.c lib/symbols/symbols_library.c $(symbols_sources)
if WITH_LATE_HOOKS
test_unit_compiler_test_hooks_SOURCES += $(patch_sources)
endif
test_unit_compiler_test_hooks_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/wrappers
test_unit_compiler_test_hooks_CFLAGS = $(test_cflags) $(hot_flags)
hot_objects += wrappers/compiler/test_unit_compiler_test_hooks-hooks.o
test_unit_compiler_test_hooks_LDADD = $(unit_test_libs) $(DW_LIBS) $(IBERTY_LIBS)
test_unit_platform_test_lock_SOURCES = test/unit/platform/test_lock.c test/unit/support/unit_test.h
test_unit_platform_test_lock_CFLAGS = $(test_cflags)
test_unit_platform_test_lock_LDADD = $(unit_test_libs)
test_unit_platform_test_log_SOURCES = test/unit/platform/test_log.c test/unit/support/unit_test.h
test_unit_platform_test_log_CFLAGS = $(test_cflags)
test_unit_platform_test_log_LDADD = $(unit_test_libs)
# It contains perf_read.c, with an instruction of its own.
test_unit_metric_test_perf_read_SOURCES = test/unit/metric/test_perf_read.c test/unit/support/unit_test.h
test_unit_metric_test_perf_read_CFLAGS = $(test_cflags)
test_unit_metric_test_perf_read_LDADD = $(unit_test_libs)
test_unit_metric_test_rdpmc_SOURCES = test/unit/metric/test_rdpmc.c test/unit/support/unit_test.h lib/metric/rdpmc.c lib/metric/rdpmc.h
test_unit_metric_test_rdpmc_CFLAGS = $(test_cflags)
test_unit_metric_test_rdpmc_LDADD = $(unit_test_libs)
test_unit_define_test_region_SOURCES = test/unit/define/test_region.c test/unit/support/unit_test.h
test_unit_define_test_region_CFLAGS = $(test_cflags)
test_unit_define_test_region_LDADD = $(unit_test_libs)
test_unit_sample_test_unwind_SOURCES = test/unit/sample/test_unwind.c test/unit/support/unit_test.h
test_unit_sample_test_unwind_CFLAGS = $(test_cflags)
test_unit_sample_test_unwind_LDADD = $(unit_test_libs)
test_unit_profile_result_test_result_file_SOURCES = test/unit/profile/result/test_result_file.c test/unit/support/unit_test.h \
	test/unit/support/made_ranks.c test/unit/support/made_ranks.h test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
test_unit_profile_result_test_result_file_CFLAGS = $(test_cflags)
test_unit_profile_result_test_result_file_LDADD = libcube.la $(unit_test_libs)
test_unit_platform_test_settings_SOURCES = test/unit/platform/test_settings.c test/unit/support/unit_test.h
test_unit_platform_test_settings_CFLAGS = $(test_cflags)
test_unit_platform_test_settings_LDADD = $(unit_test_libs)
test_unit_profile_process_tree_test_call_tree_SOURCES = test/unit/profile/process_tree/test_call_tree.c test/unit/support/unit_test.h
test_unit_profile_process_tree_test_call_tree_CFLAGS = $(test_cflags)
test_unit_profile_process_tree_test_call_tree_LDADD = $(unit_test_libs)
test_unit_system_test_builder_SOURCES = test/unit/system/test_builder.c test/unit/system/made_system.c test/unit/system/made_system.h \
	test/unit/support/fibers.c test/unit/support/fibers.h test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h test/unit/support/unit_test.h
test_unit_system_test_builder_CFLAGS = $(test_cflags)
test_unit_system_test_builder_LDADD = $(unit_test_libs)
test_unit_system_test_system_path_SOURCES = test/unit/system/test_system_path.c test/unit/support/unit_test.h
test_unit_system_test_system_path_CFLAGS = $(test_cflags)
test_unit_system_test_system_path_LDADD = $(unit_test_libs)
test_unit_system_test_processors_SOURCES = test/unit/system/test_processors.c test/unit/support/unit_test.h \
	test/unit/support/simulated_comm.c test/unit/support/simulated_comm.h
test_unit_system_test_processors_CFLAGS = $(test_cflags)
test_unit_system_test_processors_LDADD = $(unit_test_libs)
test_unit_system_test_sequence_SOURCES = test/unit/system/test_sequence.c test/unit/support/unit_test.h
test_unit_system_test_sequence_CFLAGS = $(test_cflags)
test_unit_system_test_sequence_LDADD = $(unit_test_libs)
else
without_cmocka += $(unit_tests) $(trace_unit_tests)
endif
EXTRA_DIST += test/unit/support/fibers.c test/unit/support/fibers.h
