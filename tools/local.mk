# What runs after a measurement. Programs that the fathom command executes; they read
# profiles through libcube and never link the measurement library.
noinst_LTLIBRARIES += libtools.la
libtools_la_SOURCES = \
	$(filter_sources) \
	lib/cube/activity.c lib/cube/activity.h \
	lib/system/capacity.c lib/system/capacity.h \
	tools/argument.c tools/argument.h \
	tools/bias.c tools/bias.h \
	tools/estimate.c tools/estimate.h \
	tools/breakdown.c tools/breakdown.h \
	tools/experiment.c tools/experiment.h \
	tools/facts.c tools/facts.h \
	tools/guide.c tools/guide.h \
	tools/index.c tools/index.h \
	tools/join.c tools/join.h \
	tools/number.c \
	tools/page.c tools/page.h \
	tools/profile.c tools/profile.h \
	tools/snapshots.c tools/snapshots.h \
	tools/tasks.c tools/tasks.h \
	tools/teams.c tools/teams.h \
	tools/threads.c tools/threads.h \
	tools/tool.c tools/tool.h
libtools_la_CFLAGS = $(AM_CFLAGS)
libtools_la_LIBADD = libcube.la libplatform.la -lm

pkglibexec_PROGRAMS += fathom-check fathom-config fathom-filter fathom-merge fathom-metrics fathom-report fathom-score

fathom_report_SOURCES = \
	tools/callers.c \
	tools/counters.c \
	tools/each.c \
	tools/find.c \
	tools/findings.c \
	tools/json.c \
	tools/json_out.c tools/json_out.h \
	tools/json_threads.c \
	tools/notes.c \
	tools/off.c \
	tools/openmp.c \
	tools/options.c \
	tools/phase_maps.c \
	tools/phases.c tools/phases.h \
	tools/phases_json.c \
	tools/phases_text.c \
	tools/processors.c \
	tools/regions.c \
	tools/report.c tools/report.h \
	lib/system/merge.c lib/system/merge.h \
	lib/system/sequence.c lib/system/sequence.h \
	lib/system/store.c lib/system/store.h \
	lib/system/title.c lib/system/title.h \
	tools/spread.c \
	tools/summary.c \
	tools/system.c \
	tools/topology.c \
	tools/shape.c tools/shape.h \
	tools/tree.c
fathom_report_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_report_LDADD = libtools.la $(JANSSON_LIBS)

# Asks the library's own code what can be counted, see doc/internals/architecture.md.
fathom_metrics_SOURCES = tools/metrics.c lib/define/metric.c lib/define/metric.h $(metric_sources)
fathom_metrics_CPPFLAGS = $(AM_CPPFLAGS) -DFATHOM_LIBDIR='"$(libdir)"'
fathom_metrics_CFLAGS = $(AM_CFLAGS)
fathom_metrics_LDADD = libtools.la

fathom_merge_SOURCES = tools/merge.c tools/fold.c tools/fold.h tools/holistic.c tools/holistic.h
fathom_merge_LDADD = libtools.la

# Makes profiles of what killed processes left; it has the measurement's own code, see tools/restore/restore.c.
pkglibexec_PROGRAMS += fathom-restore
fathom_restore_SOURCES = \
	tools/restore/copy.c tools/restore/copy.h \
	tools/restore/names.c tools/restore/names.h \
	tools/restore/rebuild.c tools/restore/rebuild.h \
	tools/restore/restore.c \
	tools/restore/stopped_clock.c tools/restore/stopped_clock.h \
	tools/tool.c tools/tool.h \
	lib/symbols/symbols.c lib/symbols/symbols.h
fathom_restore_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/wrappers -I$(top_srcdir) -I$(top_srcdir)/tools/restore
fathom_restore_LDADD = libcore.la libcubewriter.la libplatform.la $(DW_LIBS) $(IBERTY_LIBS)

fathom_score_SOURCES = \
	tools/json_out.c tools/json_out.h \
	tools/score.c tools/score.h \
	tools/score_counters.c \
	tools/score_filter.c \
	tools/score_json.c \
	tools/score_main.c \
	tools/score_size.c \
	tools/score_text.c
fathom_score_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_score_LDADD = libtools.la $(JANSSON_LIBS)

fathom_filter_SOURCES = \
	tools/filter.c \
	tools/functions.c tools/functions.h \
	lib/symbols/symbols.c lib/symbols/symbols.h \
	tools/score.c tools/score.h \
	tools/score_counters.c \
	tools/score_filter.c \
	tools/score_size.c
# The names of functions are those that the library will find.
fathom_filter_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/wrappers
fathom_filter_LDADD = libtools.la $(DW_LIBS) $(IBERTY_LIBS)

fathom_config_SOURCES = tools/settings.c
fathom_config_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_config_LDADD = libtools.la $(JANSSON_LIBS)

# What reads traces, where there is OTF2.
trace_sources = \
	tools/faults.c tools/faults.h \
	tools/table.c tools/table.h \
	tools/trace.c tools/trace.h \
	tools/trace_anchor.c \
	tools/trace_defs.c tools/trace_defs.h \
	tools/trace_event.c tools/trace_event.h \
	tools/trace_records.c \
	tools/trace_stack.c tools/trace_stack.h
check_sources = \
	tools/check.c tools/check.h \
	tools/check_collectives.c \
	tools/check_events.c \
	tools/check_files.c \
	tools/check_general.c \
	tools/check_locks.c \
	tools/check_meetings.c \
	tools/check_messages.c \
	tools/check_teams.c \
	tools/check_windows.c
trace_report_sources = \
	tools/trace_json.c tools/trace_json.h \
	tools/trace_report.c tools/trace_report.h \
	tools/trace_summary.c tools/trace_summary.h
EXTRA_DIST += $(trace_sources) $(check_sources) $(trace_report_sources) tools/check_absent.c tools/trace_absent.c \
	tools/configure.m4
if HAVE_OTF2
fathom_report_SOURCES += $(trace_report_sources)
fathom_report_CFLAGS += $(OTF2_CFLAGS)
fathom_report_LDADD += libtrace-reader.la
noinst_LTLIBRARIES += libtrace-reader.la
libtrace_reader_la_SOURCES = $(trace_sources)
libtrace_reader_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(OTF2_CFLAGS)
libtrace_reader_la_LIBADD = libtools.la $(JANSSON_LIBS) $(OTF2_LIBS)
fathom_check_SOURCES = $(check_sources)
fathom_check_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(OTF2_CFLAGS)
fathom_check_LDADD = libtrace-reader.la
else
fathom_report_SOURCES += tools/trace_absent.c tools/trace_report.h
fathom_check_SOURCES = tools/check_absent.c
fathom_check_LDADD = libtools.la
endif
