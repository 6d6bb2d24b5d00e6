# Complete call graphs of traces, in which equal parts are stored once.
callgraphs_sources = \
	lib/callgraphs/call_graph.c lib/callgraphs/call_graph.h \
	lib/callgraphs/coding_numbers.c lib/callgraphs/coding_numbers.h \
	lib/callgraphs/event_content.c lib/callgraphs/event_content.h \
	lib/callgraphs/graph_builder.c lib/callgraphs/graph_builder.h \
	lib/callgraphs/graph_coding.c lib/callgraphs/graph_coding.h \
	lib/callgraphs/graph_cursor.c lib/callgraphs/graph_cursor.h \
	lib/callgraphs/graph_events.c lib/callgraphs/graph_events.h \
	lib/callgraphs/graph_file.c lib/callgraphs/graph_file.h lib/callgraphs/graph_file_mark.h \
	lib/callgraphs/graph_recording.c lib/callgraphs/graph_recording.h \
	lib/callgraphs/graph_seeking.c lib/callgraphs/graph_seeking.h \
	lib/callgraphs/graph_statistics.c lib/callgraphs/graph_statistics.h \
	lib/callgraphs/graph_trace.c lib/callgraphs/graph_trace.h \
	lib/callgraphs/head_coding.c lib/callgraphs/head_coding.h \
	lib/callgraphs/list_search.c lib/callgraphs/list_search.h \
	lib/callgraphs/range_coder.c lib/callgraphs/range_coder.h
EXTRA_DIST += $(callgraphs_sources)
if HAVE_OTF2
noinst_LTLIBRARIES += libcallgraphs.la
libcallgraphs_la_SOURCES = $(callgraphs_sources)
libcallgraphs_la_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
libcallgraphs_la_LIBADD = libotf2reader.la
endif
