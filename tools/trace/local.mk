# fathom trace: says what is in a trace, and writes a part of it, a merged or a corrected one.
pkglibexec_PROGRAMS += fathom-trace
trace_tool_sources = \
	tools/trace/clock_correction.c tools/trace/clock_correction.h \
	tools/common/trace/trace_frames.c tools/common/trace/trace_frames.h \
	tools/common/trace/trace_ranks.c tools/common/trace/trace_ranks.h \
	tools/trace/copy_plan.c tools/trace/copy_plan.h \
	tools/trace/definition_union.c tools/trace/definition_union.h \
	tools/trace/graph_information.c tools/trace/graph_information.h \
	tools/trace/iteration_search.c tools/trace/iteration_search.h \
	tools/trace/iteration_text.c \
	tools/trace/logical_clock.c tools/trace/logical_clock.h \
	tools/trace/main.c \
	tools/common/trace/new_directory.c tools/common/trace/new_directory.h \
	tools/trace/open_state.c tools/trace/open_state.h \
	tools/trace/open_things.h \
	tools/trace/open_writing.c \
	tools/trace/operation_matching.c tools/trace/operation_matching.h \
	tools/trace/region_filter.c tools/trace/region_filter.h \
	tools/trace/sort_check.c tools/trace/sort_check.h \
	tools/trace/trace_compress.c tools/trace/trace_compress.h \
	tools/trace/trace_copy.c tools/trace/trace_copy.h \
	tools/trace/trace_information.c tools/trace/trace_information.h \
	tools/trace/trace_merge.c tools/trace/trace_merge.h \
	tools/trace/trace_options.c tools/trace/trace_options.h \
	tools/trace/union_contents.c tools/trace/union_contents.h \
	tools/trace/union_groups.c tools/trace/union_groups.h \
	tools/trace/union_system.c tools/trace/union_system.h \
	tools/trace/visit_window.c tools/trace/visit_window.h
fathom_trace_CPPFLAGS = $(tools_cppflags)
EXTRA_DIST += $(trace_tool_sources) tools/trace/absent.c
if HAVE_OTF2
fathom_trace_SOURCES = $(trace_tool_sources) $(json_sources)
fathom_trace_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(OTF2_CFLAGS)
fathom_trace_LDADD = libbursts.la libperiods.la libcallgraphs.la libframes.la libotf2reader.la libtools.la $(JANSSON_LIBS) -lm
else
fathom_trace_SOURCES = tools/trace/absent.c
fathom_trace_LDADD = libtools.la
endif
