# fathom export: results in formats of other tools.
pkglibexec_PROGRAMS += fathom-export
fathom_export_SOURCES = \
	$(json_sources) \
	tools/export/callgrind.c \
	tools/export/collapsed.c \
	tools/export/csv.c \
	tools/export/export_format.h \
	tools/export/export_profile.c tools/export/export_profile.h \
	tools/export/gprof.c \
	tools/export/json_text.c tools/export/json_text.h \
	tools/export/main.c \
	tools/common/output_file.c tools/common/output_file.h \
	tools/export/peri_xml.c \
	tools/export/pprof.c \
	tools/export/protobuf.c tools/export/protobuf.h \
	tools/export/region_calls.c tools/export/region_calls.h \
	tools/export/speedscope.c \
	tools/export/tau.c
fathom_export_CPPFLAGS = $(tools_cppflags)
fathom_export_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_export_LDADD = libtools.la $(JANSSON_LIBS) $(Z_LIBS)

trace_export_sources = \
	tools/common/trace/trace_region.c tools/common/trace/trace_region.h \
	tools/export/message_flows.c tools/export/message_flows.h \
	tools/export/paraver.c \
	tools/export/paraver_calls.c tools/export/paraver_calls.h \
	tools/export/paraver_threads.c tools/export/paraver_threads.h \
	tools/export/sorted_lines.c tools/export/sorted_lines.h \
	tools/export/trace_json.c
EXTRA_DIST += $(trace_export_sources) tools/export/trace_absent.c
if HAVE_OTF2
fathom_export_SOURCES += $(trace_export_sources)
fathom_export_CFLAGS += $(OTF2_CFLAGS)
fathom_export_LDADD += libcallgraphs.la libotf2reader.la -lm
else
fathom_export_SOURCES += tools/export/trace_absent.c
endif
