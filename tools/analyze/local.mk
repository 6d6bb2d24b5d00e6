# fathom analyze: wait states, their causes and the critical path, from a trace.
pkglibexec_PROGRAMS += fathom-analyze
analyze_sources = \
	tools/analyze/call_tree.c tools/analyze/call_tree.h \
	tools/analyze/counter_parts.c \
	tools/analyze/extraction.c tools/analyze/extraction.h \
	tools/common/hosts.c tools/common/hosts.h \
	tools/analyze/interval_list.c tools/analyze/interval_list.h \
	tools/analyze/main.c \
	tools/analyze/message_parts.c \
	tools/analyze/neighborhoods.c tools/analyze/neighborhoods.h \
	tools/analyze/operation_log.c tools/analyze/operation_log.h \
	tools/analyze/result_file.c tools/analyze/result_file.h \
	tools/analyze/result_transfer.c tools/analyze/result_transfer.h \
	tools/analyze/team_parts.c \
	tools/analyze/wait_search.c tools/analyze/wait_search.h \
	tools/analyze/window_parts.c \
	tools/common/output_file.c tools/common/output_file.h \
	tools/common/trace/trace_region.c tools/common/trace/trace_region.h
fathom_analyze_CPPFLAGS = $(tools_cppflags)
EXTRA_DIST += $(analyze_sources) tools/analyze/absent.c
if HAVE_OTF2
fathom_analyze_SOURCES = $(analyze_sources)
fathom_analyze_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
fathom_analyze_LDADD = libcallgraphs.la libotf2reader.la libwaits.la libcomm.la libtools.la -ldl
else
fathom_analyze_SOURCES = tools/analyze/absent.c
fathom_analyze_LDADD = libtools.la
endif
