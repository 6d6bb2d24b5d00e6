# Call-path profiles.
profile_sources = \
	lib/profile/profile.c lib/profile/profile.h \
	lib/profile/recording/anchor_nodes.c lib/profile/recording/anchor_nodes.h \
	lib/profile/recording/burst_log.c lib/profile/recording/burst_log.h \
	lib/profile/recording/burst_stage.c lib/profile/recording/burst_stage.h \
	lib/profile/recording/callpath.c lib/profile/recording/callpath.h \
	lib/profile/recording/folding.c lib/profile/recording/folding.h \
	lib/profile/recording/given_metrics.c lib/profile/recording/given_metrics.h \
	lib/profile/recording/iteration_clusters.h \
	lib/profile/recording/metered.c lib/profile/recording/metered.h \
	lib/profile/recording/parameter_call_paths.c lib/profile/recording/parameter_call_paths.h \
	lib/profile/recording/partners.c lib/profile/recording/partners.h \
	lib/profile/recording/sample_store.c lib/profile/recording/sample_store.h \
	lib/profile/recording/task_call_paths.c lib/profile/recording/task_call_paths.h \
	lib/profile/recording/time_maps.c lib/profile/recording/time_maps.h \
	lib/profile/recording/wait_records.c lib/profile/recording/wait_records.h \
	lib/profile/recording/window_records.c lib/profile/recording/window_records.h \
	lib/profile/budget/budget.h \
	lib/profile/budget/budget_estimates.h \
	lib/profile/budget/sampling_point.c lib/profile/budget/sampling_point.h \
	lib/profile/process_tree/call_path_values.c lib/profile/process_tree/call_path_values.h \
	lib/profile/process_tree/call_tree.c lib/profile/process_tree/call_tree.h \
	lib/profile/process_tree/idleness_values.c lib/profile/process_tree/idleness_values.h \
	lib/profile/process_tree/process_tree.c lib/profile/process_tree/process_tree.h \
	lib/profile/process_tree/sample_lines.c lib/profile/process_tree/sample_lines.h \
	lib/profile/process_tree/sample_paths.c lib/profile/process_tree/sample_paths.h \
	lib/profile/process_tree/sampled_call_paths.c lib/profile/process_tree/sampled_call_paths.h \
	lib/profile/process_tree/sampled_code.c lib/profile/process_tree/sampled_code.h \
	lib/profile/process_tree/thread_aggregation.c lib/profile/process_tree/thread_aggregation.h \
	lib/profile/unification/call_path_digest.c lib/profile/unification/call_path_digest.h \
	lib/profile/unification/iteration_maps.h \
	lib/profile/unification/subtree_pruning.c lib/profile/unification/subtree_pruning.h \
	lib/profile/unification/unification.c lib/profile/unification/unification.h \
	lib/profile/unification/union.c lib/profile/unification/union.h \
	lib/profile/unification/union_message.c lib/profile/unification/union_message.h \
	lib/profile/result/burst_definitions.c lib/profile/result/burst_definitions.h \
	lib/profile/result/burst_result.c lib/profile/result/burst_result.h \
	lib/profile/result/call_path_merging.c lib/profile/result/call_path_merging.h \
	lib/profile/result/call_path_numbers.c lib/profile/result/call_path_numbers.h \
	lib/profile/result/column_writers.c lib/profile/result/column_writers.h \
	lib/profile/result/cube_model.c lib/profile/result/cube_model.h \
	lib/profile/result/message_file.c lib/profile/result/message_file.h \
	lib/profile/result/processor_usage.c lib/profile/result/processor_usage.h \
	lib/profile/result/region_merging.c lib/profile/result/region_merging.h \
	lib/profile/result/result_file.c lib/profile/result/result_file.h \
	lib/profile/result/result_system.c lib/profile/result/result_system.h \
	lib/profile/result/result_topologies.h \
	lib/profile/result/sample_file.c lib/profile/result/sample_file.h \
	lib/profile/result/sibling_file.c lib/profile/result/sibling_file.h \
	lib/profile/result/value_block.c lib/profile/result/value_block.h \
	lib/profile/result/value_collection.c lib/profile/result/value_collection.h \
	lib/profile/result/value_sender.c lib/profile/result/value_sender.h \
	lib/profile/result/wait_states.c lib/profile/result/wait_states.h \
	lib/profile/result/writing_verdict.c lib/profile/result/writing_verdict.h

# FATHOM_OVERHEAD (configure --without-budget).
budget_sources = \
	lib/profile/budget/budget.c lib/profile/budget/budget_accounts.c lib/profile/budget/budget_accounts.h \
	lib/profile/budget/budget_choice.c lib/profile/budget/budget_choice.h \
	lib/profile/budget/budget_estimates.c
if WITH_BUDGET
profile_sources += $(budget_sources)
else
EXTRA_DIST += $(budget_sources)
endif

# configure --without-topologies
if WITH_TOPOLOGIES
profile_sources += lib/profile/result/result_topologies.c
else
EXTRA_DIST += lib/profile/result/result_topologies.c
endif

# configure --without-phases
phase_sources = lib/profile/recording/iteration_clusters.c lib/profile/unification/iteration_maps.c
if WITH_PHASES
profile_sources += $(phase_sources)
else
EXTRA_DIST += $(phase_sources)
endif
