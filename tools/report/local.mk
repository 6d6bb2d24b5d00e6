# fathom report: a profile, or a trace, as text or JSON.
pkglibexec_PROGRAMS += fathom-report
fathom_report_SOURCES = \
	$(json_sources) \
	$(sample_place_sources) \
	$(sampled_time_sources) \
	lib/system/subtree_merge.c lib/system/subtree_merge.h \
	lib/system/sequence.c lib/system/sequence.h \
	lib/system/byte_stack.c lib/system/byte_stack.h \
	lib/system/name_pattern.c lib/system/name_pattern.h \
	tools/report/disabled_time.c tools/report/disabled_time.h \
	tools/report/display_tree.c tools/report/display_tree.h \
	tools/report/grid_messages.c tools/report/grid_messages.h \
	tools/report/grid_waits.c tools/report/grid_waits.h \
	tools/report/imbalance.c tools/report/imbalance.h \
	tools/report/iteration_maps.c tools/report/iteration_maps.h \
	tools/report/findings/allocation_findings.c tools/report/findings/allocation_findings.h \
	tools/report/findings/cache_findings.c tools/report/findings/cache_findings.h \
	tools/report/findings/finding_list.c tools/report/findings/finding_list.h \
	tools/report/findings/findings.c tools/report/findings/findings.h \
	tools/report/findings/rank_findings.c tools/report/findings/rank_findings.h \
	tools/report/findings/rank_values.c tools/report/findings/rank_values.h \
	tools/report/findings/thread_findings.c tools/report/findings/thread_findings.h \
	tools/report/findings/wait_findings.c tools/report/findings/wait_findings.h \
	tools/report/main.c \
	tools/report/options.c tools/report/options.h \
	tools/report/own_cost.c tools/report/own_cost.h \
	tools/report/parallel_regions.c tools/report/parallel_regions.h \
	tools/report/phases.c tools/report/phases.h \
	tools/report/processors.c tools/report/processors.h \
	tools/report/region_search.c tools/report/region_search.h \
	tools/report/region_text.c tools/report/region_text.h \
	tools/report/report.c tools/report/report.h \
	tools/report/run_attributes.c tools/report/run_attributes.h \
	tools/report/task_constructs.c tools/report/task_constructs.h \
	tools/report/thread_columns.c tools/report/thread_columns.h \
	tools/report/thread_spread.c tools/report/thread_spread.h \
	tools/report/tree_lines.c tools/report/tree_lines.h \
	tools/report/json/json_imbalance.c tools/report/json/json_imbalance.h \
	tools/report/json/json_messages.c tools/report/json/json_messages.h \
	tools/report/json/json_phases.c tools/report/json/json_phases.h \
	tools/report/json/json_profile.c tools/report/json/json_profile.h \
	tools/report/json/json_samples.c tools/report/json/json_samples.h \
	tools/report/json/json_scopes.c tools/report/json/json_scopes.h \
	tools/report/json/json_threads.c tools/report/json/json_threads.h \
	tools/report/json/json_topologies.c tools/report/json/json_topologies.h \
	tools/report/json/json_values.c tools/report/json/json_values.h \
	tools/report/scopes/code_scopes.c tools/report/scopes/code_scopes.h \
	tools/report/scopes/scoped_profile.c tools/report/scopes/scoped_profile.h \
	tools/report/scopes/scoped_tree.c tools/report/scopes/scoped_tree.h \
	tools/report/samples/function_lines.c tools/report/samples/function_lines.h \
	tools/report/samples/sampled_loops.c tools/report/samples/sampled_loops.h \
	tools/report/sections/section_aggregated.c tools/report/sections/section_aggregated.h \
	tools/report/sections/section_callers.c tools/report/sections/section_callers.h \
	tools/report/sections/section_counters.c tools/report/sections/section_counters.h \
	tools/report/sections/section_blame.c tools/report/sections/section_blame.h \
	tools/report/sections/section_disabled.c tools/report/sections/section_disabled.h \
	tools/report/sections/section_efficiency.c tools/report/sections/section_efficiency.h \
	tools/report/sections/section_findings.c tools/report/sections/section_findings.h \
	tools/report/sections/section_imbalance.c tools/report/sections/section_imbalance.h \
	tools/report/sections/section_grid.c tools/report/sections/section_grid.h \
	tools/report/sections/section_lines.c tools/report/sections/section_lines.h \
	tools/report/sections/section_loops.c tools/report/sections/section_loops.h \
	tools/report/sections/section_messages.c tools/report/sections/section_messages.h \
	tools/report/sections/section_notes.c tools/report/sections/section_notes.h \
	tools/report/sections/section_openmp.c tools/report/sections/section_openmp.h \
	tools/report/sections/section_phases.c tools/report/sections/section_phases.h \
	tools/report/sections/section_regions.c tools/report/sections/section_regions.h \
	tools/report/sections/section_summary.c tools/report/sections/section_summary.h \
	tools/report/sections/section_system.c tools/report/sections/section_system.h \
	tools/report/sections/section_threads.c tools/report/sections/section_threads.h \
	tools/report/sections/section_topologies.c tools/report/sections/section_topologies.h \
	tools/report/sections/section_waits.c tools/report/sections/section_waits.h \
	tools/report/sections/section_tree.c tools/report/sections/section_tree.h
fathom_report_CPPFLAGS = $(tools_cppflags)
fathom_report_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_report_LDADD = libcodestructure.la libtools.la $(JANSSON_LIBS) -lm

trace_report_sources = \
	tools/common/trace/trace_region.c tools/common/trace/trace_region.h \
	tools/report/trace/json_trace.c tools/report/trace/json_trace.h \
	tools/report/trace/trace_report.c tools/report/trace/trace_report.h \
	tools/report/trace/trace_summary.c tools/report/trace/trace_summary.h
EXTRA_DIST += $(trace_report_sources) tools/report/trace/trace_report_absent.c
if HAVE_OTF2
fathom_report_SOURCES += $(trace_report_sources)
fathom_report_CFLAGS += $(OTF2_CFLAGS)
fathom_report_LDADD += libcallgraphs.la libotf2reader.la
else
fathom_report_SOURCES += tools/report/trace/trace_report_absent.c tools/report/trace/trace_report.h
endif
