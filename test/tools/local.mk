# test/tools: profiles for the tests are made by make_profile, so none is kept in the repository.
check_PROGRAMS += test/tools/make_profile
test_tools_make_profile_SOURCES = test/tools/make_profile.c
test_tools_make_profile_LDADD = libtools.la

check_PROGRAMS += test/tools/make_threads
test_tools_make_threads_SOURCES = test/tools/make_threads.c
test_tools_make_threads_LDADD = libtools.la

check_PROGRAMS += test/tools/names
test_tools_names_SOURCES = test/tools/names.c
test_tools_names_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_tools_names_LDADD = libtools.la

check_PROGRAMS += test/tools/make_runs
test_tools_make_runs_SOURCES = test/tools/make_runs.c
test_tools_make_runs_LDADD = libtools.la

check_PROGRAMS += test/tools/make_table
test_tools_make_table_SOURCES = test/tools/make_table.c
test_tools_make_table_LDADD = libtools.la

check_PROGRAMS += test/tools/make_small
test_tools_make_small_SOURCES = test/tools/make_small.c
test_tools_make_small_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_tools_make_small_LDADD = libtools.la

check_PROGRAMS += test/tools/make_wide test/tools/peak test/tools/work
test_tools_work_SOURCES = test/tools/work.c
test_tools_work_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_tools_work_LDADD = libtools.la
test_tools_peak_SOURCES = test/tools/peak.c
test_tools_make_wide_SOURCES = test/tools/make_wide.c
test_tools_make_wide_LDADD = libtools.la

check_PROGRAMS += test/tools/cluster_points
test_tools_cluster_points_SOURCES = test/tools/cluster_points.c
test_tools_cluster_points_LDADD = libclusters.la -lm

# Traces are made as well.
EXTRA_DIST += test/tools/timeline_details.js test/tools/timeline_details.py test/tools/kind_timeline.py test/tools/kind_timeline.js test/tools/make_bursts.c test/tools/make_folds.c test/tools/make_mpi_trace.c test/tools/make_trace.c test/tools/make_trace_defs.c test/tools/make_trace.h
if HAVE_OTF2
check_PROGRAMS += test/tools/make_trace
test_tools_make_trace_SOURCES = test/tools/make_trace.c test/tools/make_trace_defs.c test/tools/make_trace.h
test_tools_make_trace_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
test_tools_make_trace_LDADD = $(OTF2_LIBS)
check_PROGRAMS += test/tools/make_bursts
check_PROGRAMS += test/tools/make_folds
test_tools_make_folds_SOURCES = test/tools/make_folds.c
test_tools_make_folds_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
test_tools_make_folds_LDADD = $(OTF2_LIBS) -lm
test_tools_make_bursts_SOURCES = test/tools/make_bursts.c
test_tools_make_bursts_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
test_tools_make_bursts_LDADD = $(OTF2_LIBS) -lm
check_PROGRAMS += test/tools/make_mpi_trace
test_tools_make_mpi_trace_SOURCES = test/tools/make_mpi_trace.c
test_tools_make_mpi_trace_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
test_tools_make_mpi_trace_LDADD = $(OTF2_LIBS)
endif

tools_tests = \
	test/tools/algebra.sh \
	test/tools/analyze.sh \
	test/tools/three_ways.sh \
	test/tools/kind_timeline.sh \
	test/tools/timeline_details.sh \
	test/tools/reduced_trace.sh \
	test/tools/wait_intervals.sh \
	test/tools/check.sh \
	test/tools/check_faults.sh \
	test/tools/clusters.sh \
	test/tools/clusters_codes.sh \
	test/tools/completion.sh \
	test/tools/config.sh \
	test/tools/diff.sh \
	test/tools/export.sh \
	test/tools/import.sh \
	test/tools/list.sh \
	test/tools/merge.sh \
	test/tools/progress.sh \
	test/tools/paraver.sh \
	test/tools/python.sh \
	test/tools/remap.sh \
	test/tools/report_bad.sh \
	test/tools/report_data.sh \
	test/tools/report_find.sh \
	test/tools/report_findings.sh \
	test/tools/report_golden.sh \
	test/tools/report_json.sh \
	test/tools/report_names.sh \
	test/tools/report_options.sh \
	test/tools/report_samples.sh \
	test/tools/report_shape.sh \
	test/tools/report_threads.sh \
	test/tools/report_wide.sh \
	test/tools/scaling.sh \
	test/tools/score.sh \
	test/tools/whatif.sh \
	test/tools/view.sh \
	test/tools/view_time.sh \
	test/tools/view_compare.sh \
	test/tools/view_scaling.sh \
	test/tools/score_mpi.sh \
	test/tools/score_trace.sh \
	test/tools/trace_clocks.sh \
	test/tools/serve.sh \
	test/tools/fold.sh \
	test/tools/iterations.sh \
	test/tools/timeline.sh \
	test/tools/compressed_input.sh \
	test/tools/trace_compress.sh \
	test/tools/trace_cut.sh \
	test/tools/few_files.sh \
	test/tools/trace_merge.sh \
	test/tools/trace_report.sh \
	test/tools/track.sh
TESTS += $(tools_tests)
EXTRA_DIST += $(tools_tests) test/tools/make_recorded_bursts.py test/tools/sklearn_clusters.py \
	test/tools/algebra.py \
	test/tools/lib.sh \
	test/tools/score_lib.sh \
	test/tools/paraver.py \
	test/tools/import.py \
	test/tools/export.py \
	test/tools/iterations.py \
	test/tools/serve.py \
	test/tools/timeline.py \
	test/tools/progress.py \
	test/tools/python.py \
	test/tools/view.py \
	test/tools/view_clicks.js \
	test/tools/view_time_clicks.js \
	test/tools/view_compare.js \
	test/tools/view_scaling.js \
	test/tools/browser.sh \
	test/tools/golden/all.txt \
	test/tools/golden/callers.txt \
	test/tools/golden/faults.txt \
	test/tools/golden/foreign.txt \
	test/tools/golden/hostile.txt \
	test/tools/golden/off.txt \
	test/tools/golden/partial.txt \
	test/tools/golden/rank.txt \
	test/tools/golden/recursion.txt \
	test/tools/golden/run.txt \
	test/tools/golden/threads-each.txt \
	test/tools/golden/threads-metric.txt \
	test/tools/golden/threads-ranks.txt \
	test/tools/golden/trace-all.txt \
	test/tools/golden/trace.txt \
	test/tools/golden/threads-example.txt \
	test/tools/golden/threads-tasks.txt \
	test/tools/golden/untimed.txt

if HAVE_CMOCKA
check_PROGRAMS += test/unit/tools/test_number
test_unit_tools_test_number_SOURCES = test/unit/tools/test_number.c
test_unit_tools_test_number_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_unit_tools_test_number_CFLAGS = $(test_cflags)
test_unit_tools_test_number_LDADD = libtools.la $(CMOCKA_LIBS)
TESTS += test/unit/tools/test_number
check_PROGRAMS += test/unit/tools/test_imbalance
test_unit_tools_test_imbalance_SOURCES = test/unit/tools/test_imbalance.c tools/report/imbalance.c \
	tools/report/imbalance.h test/unit/support/unit_test.h
test_unit_tools_test_imbalance_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_unit_tools_test_imbalance_CFLAGS = $(test_cflags)
test_unit_tools_test_imbalance_LDADD = libtools.la $(CMOCKA_LIBS) -lm
TESTS += test/unit/tools/test_imbalance

check_PROGRAMS += test/unit/tools/test_grid_waits
test_unit_tools_test_grid_waits_SOURCES = test/unit/tools/test_grid_waits.c tools/report/grid_waits.c \
	tools/report/grid_messages.c tools/report/grid_messages.h \
	tools/report/grid_waits.h test/unit/support/unit_test.h test/unit/support/near.h
test_unit_tools_test_grid_waits_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_unit_tools_test_grid_waits_CFLAGS = $(test_cflags)
test_unit_tools_test_grid_waits_LDADD = libtools.la $(CMOCKA_LIBS) -lm
TESTS += test/unit/tools/test_grid_waits
check_PROGRAMS += test/unit/tools/test_logical_clock
test_unit_tools_test_logical_clock_SOURCES = test/unit/tools/test_logical_clock.c tools/trace/logical_clock.c
test_unit_tools_test_logical_clock_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_unit_tools_test_logical_clock_CFLAGS = $(test_cflags)
test_unit_tools_test_logical_clock_LDADD = libtools.la $(CMOCKA_LIBS) -lm
TESTS += test/unit/tools/test_logical_clock
check_PROGRAMS += test/unit/tools/test_changes
test_unit_tools_test_changes_SOURCES = test/unit/tools/test_changes.c tools/diff/changes.c \
	tools/diff/spread_prior.c tools/diff/student_distribution.c \
	$(matched_run_sources)
test_unit_tools_test_changes_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_unit_tools_test_changes_CFLAGS = $(test_cflags)
test_unit_tools_test_changes_LDADD = libtools.la $(CMOCKA_LIBS) -lm
TESTS += test/unit/tools/test_changes
check_PROGRAMS += test/unit/tools/test_growth_model
test_unit_tools_test_growth_model_SOURCES = test/unit/tools/test_growth_model.c tools/scaling/growth_model.c
test_unit_tools_test_growth_model_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_unit_tools_test_growth_model_CFLAGS = $(test_cflags)
test_unit_tools_test_growth_model_LDADD = $(CMOCKA_LIBS) -lm
TESTS += test/unit/tools/test_growth_model
else
without_cmocka += test/unit/tools/test_logical_clock test/unit/tools/test_number test/unit/tools/test_changes test/unit/tools/test_grid_waits test/unit/tools/test_imbalance test/unit/tools/test_growth_model
endif
