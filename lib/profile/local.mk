# Call-path profiles.
profile_sources = \
	lib/profile/anchor_nodes.c lib/profile/anchor_nodes.h \
	lib/profile/budget.h lib/profile/budget_estimates.h \
	lib/profile/call_path_digest.c lib/profile/call_path_digest.h \
	lib/profile/call_path_merging.c lib/profile/call_path_merging.h \
	lib/profile/call_path_numbers.c lib/profile/call_path_numbers.h \
	lib/profile/call_tree.c lib/profile/call_tree.h \
	lib/profile/callpath.c lib/profile/callpath.h \
	lib/profile/chunked_transfer.c lib/profile/chunked_transfer.h \
	lib/profile/column_writers.c lib/profile/column_writers.h \
	lib/profile/cube_model.c lib/profile/cube_model.h \
	lib/profile/given_metrics.c lib/profile/given_metrics.h \
	lib/profile/folding.c lib/profile/folding.h \
	lib/profile/iteration_clusters.h \
	lib/profile/iteration_maps.h \
	lib/profile/metered.c lib/profile/metered.h \
	lib/profile/parameter_call_paths.c lib/profile/parameter_call_paths.h \
	lib/profile/process_tree.c lib/profile/process_tree.h \
	lib/profile/processor_usage.c lib/profile/processor_usage.h \
	lib/profile/profile.c lib/profile/profile.h \
	lib/profile/region_merging.c lib/profile/region_merging.h \
	lib/profile/result_file.c lib/profile/result_file.h \
	lib/profile/result_system.c lib/profile/result_system.h \
	lib/profile/result_topologies.h \
	lib/profile/sample_file.c lib/profile/sample_file.h \
	lib/profile/sample_lines.c lib/profile/sample_lines.h \
	lib/profile/sample_store.c lib/profile/sample_store.h \
	lib/profile/sampled_call_paths.c lib/profile/sampled_call_paths.h \
	lib/profile/sampled_code.c lib/profile/sampled_code.h \
	lib/profile/sampling_point.c lib/profile/sampling_point.h \
	lib/profile/subtree_pruning.c lib/profile/subtree_pruning.h \
	lib/profile/task_call_paths.c lib/profile/task_call_paths.h \
	lib/profile/thread_aggregation.c lib/profile/thread_aggregation.h \
	lib/profile/unification.c lib/profile/unification.h \
	lib/profile/union_message.c lib/profile/union_message.h \
	lib/profile/value_block.c lib/profile/value_block.h \
	lib/profile/value_collection.c lib/profile/value_collection.h \
	lib/profile/value_sender.c lib/profile/value_sender.h

# FATHOM_OVERHEAD (configure --without-budget).
budget_sources = \
	lib/profile/budget.c lib/profile/budget_accounts.c lib/profile/budget_accounts.h \
	lib/profile/budget_choice.c lib/profile/budget_choice.h \
	lib/profile/budget_estimates.c
if WITH_BUDGET
profile_sources += $(budget_sources)
else
EXTRA_DIST += $(budget_sources)
endif

# configure --without-topologies
if WITH_TOPOLOGIES
profile_sources += lib/profile/result_topologies.c
else
EXTRA_DIST += lib/profile/result_topologies.c
endif

# configure --without-phases
phase_sources = lib/profile/iteration_clusters.c lib/profile/iteration_maps.c
if WITH_PHASES
profile_sources += $(phase_sources)
else
EXTRA_DIST += $(phase_sources)
endif
