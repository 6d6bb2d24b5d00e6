# What several commands use.
noinst_LTLIBRARIES += libtools.la
libtools_la_SOURCES = \
	$(filter_sources) \
	lib/system/capacity.c lib/system/capacity.h \
	tools/common/activity_times.c tools/common/activity_times.h \
	tools/common/argument.c tools/common/argument.h \
	tools/common/command.c tools/common/command.h \
	tools/common/companion_file.c tools/common/companion_file.h \
	tools/common/efficiency.c tools/common/efficiency.h \
	tools/common/experiment.c tools/common/experiment.h \
	tools/common/hash_index.c tools/common/hash_index.h \
	tools/common/html_text.c tools/common/html_text.h \
	tools/common/match_key.c tools/common/match_key.h \
	tools/common/messages/message_pairs.c tools/common/messages/message_pairs.h \
	tools/common/messages/message_records.c tools/common/messages/message_records.h \
	tools/common/number_format.c tools/common/number_format.h \
	tools/common/profile.c tools/common/profile.h \
	tools/common/profile_columns.c tools/common/profile_columns.h \
	tools/common/profile_rows.c tools/common/profile_rows.h \
	tools/common/progress.c tools/common/progress.h \
	tools/common/scope_region.c tools/common/scope_region.h \
	tools/common/sibling_command.c tools/common/sibling_command.h \
	tools/common/snapshots.c tools/common/snapshots.h \
	tools/common/text_layout.c tools/common/text_layout.h
libtools_la_CPPFLAGS = $(tools_cppflags)
libtools_la_CFLAGS = $(AM_CFLAGS)
libtools_la_LIBADD = libcube.la libplatform.la -lm

# The sizes of traces, which fathom score and fathom filter estimate.
score_sources = \
	lib/otf2/records.c lib/otf2/records.h \
	tools/common/score/field_size.c tools/common/score/field_size.h \
	tools/common/score/score.c tools/common/score/score.h tools/common/score/score_data.h \
	tools/common/score/score_counters.c tools/common/score/score_counters.h \
	tools/common/score/score_filter.c tools/common/score/score_filter.h \
	tools/common/score/score_size.c tools/common/score/score_size.h

# Single messages, collective operations and curves for time lines; need OTF2.
trace_detail_sources = \
	tools/common/trace/channel_ends.c tools/common/trace/channel_ends.h \
	tools/common/trace/collective_lines.c tools/common/trace/collective_lines.h \
	tools/common/trace/kind_palette.h \
	tools/common/trace/kind_intervals.c tools/common/trace/kind_intervals.h \
	tools/common/trace/message_lines.c tools/common/trace/message_lines.h \
	tools/common/trace/metric_curves.c tools/common/trace/metric_curves.h \
	tools/common/trace/trace_details.c tools/common/trace/trace_details.h \
	tools/common/trace/window_curves.c tools/common/trace/window_curves.h \
	tools/common/trace/window_details.c tools/common/trace/window_details.h

# JSON documents; needs jansson.
json_sources = tools/common/json_writer.c tools/common/json_writer.h

# Where in the source samples were taken; needs libcodestructure. Which call paths samples estimate.
sample_place_sources = \
	tools/common/samples/sample_modules.c tools/common/samples/sample_modules.h \
	tools/common/samples/sample_places.c tools/common/samples/sample_places.h \
	tools/common/samples/sample_records.c tools/common/samples/sample_records.h \
	tools/common/samples/source_text.c tools/common/samples/source_text.h
sampled_time_sources = tools/common/samples/sampled_times.c tools/common/samples/sampled_times.h

# Several profiles, by the regions and call paths that they have in common.
matched_run_sources = $(sampled_time_sources) tools/common/matched_runs.c tools/common/matched_runs.h
