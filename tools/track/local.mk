# fathom track: how the kinds of computation change from experiment to experiment.

# How kinds are tracked and printed, also for fathom diff.
tracked_kind_sources = \
	tools/track/kind_trends.c tools/track/kind_trends.h \
	tools/track/time_windows.c tools/track/time_windows.h \
	tools/track/track_json.c tools/track/track_json.h \
	tools/track/track_text.c tools/track/track_text.h \
	tools/track/tracked_runs.c tools/track/tracked_runs.h
EXTRA_DIST += $(tracked_kind_sources)
if HAVE_OTF2
noinst_LTLIBRARIES += libtrackedkinds.la
libtrackedkinds_la_SOURCES = $(tracked_kind_sources)
libtrackedkinds_la_CPPFLAGS = $(tools_cppflags)
libtrackedkinds_la_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(OTF2_CFLAGS)
libtrackedkinds_la_LIBADD = libkinds.la
endif

pkglibexec_PROGRAMS += fathom-track
track_sources = \
	tools/common/output_file.c tools/common/output_file.h \
	tools/clusters/cluster_trace.c tools/clusters/cluster_trace.h \
	tools/common/trace/new_directory.c tools/common/trace/new_directory.h \
	tools/track/main.c \
	tools/track/track_files.c tools/track/track_files.h \
	tools/track/track_page.c tools/track/track_page.h \
	tools/track/track_traces.c tools/track/track_traces.h
fathom_track_CPPFLAGS = $(tools_cppflags)
EXTRA_DIST += $(track_sources) tools/track/absent.c
if HAVE_OTF2
fathom_track_SOURCES = $(track_sources) $(json_sources)
fathom_track_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(OTF2_CFLAGS)
fathom_track_LDADD = libtrackedkinds.la $(JANSSON_LIBS) -lm
else
fathom_track_SOURCES = tools/track/absent.c
fathom_track_LDADD = libtools.la
endif
