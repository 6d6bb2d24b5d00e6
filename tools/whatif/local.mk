# fathom whatif: predicts the time of a run on another machine.
pkglibexec_PROGRAMS += fathom-whatif
whatif_sources = \
	tools/whatif/call_state.c tools/whatif/call_state.h \
	tools/common/output_file.c tools/common/output_file.h \
	tools/whatif/dimemas_files.c tools/whatif/dimemas_files.h \
	tools/whatif/faster_kinds.c tools/whatif/faster_kinds.h \
	tools/whatif/main.c \
	tools/whatif/predicted_trace.c tools/whatif/predicted_trace.h \
	tools/whatif/profile_bound.c tools/whatif/profile_bound.h \
	tools/whatif/speed_rules.c tools/whatif/speed_rules.h \
	tools/whatif/study.c tools/whatif/study.h \
	tools/whatif/trace_program.c tools/whatif/trace_program.h \
	tools/whatif/trace_reading.c tools/whatif/trace_reading.h \
	tools/whatif/whatif_json.c tools/whatif/whatif_json.h \
	tools/whatif/whatif_options.c tools/whatif/whatif_options.h \
	tools/whatif/whatif_text.c tools/whatif/whatif_text.h
fathom_whatif_CPPFLAGS = $(tools_cppflags)
EXTRA_DIST += $(whatif_sources) tools/whatif/absent.c
if HAVE_OTF2
fathom_whatif_SOURCES = $(whatif_sources) $(json_sources)
fathom_whatif_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(OTF2_CFLAGS)
fathom_whatif_LDADD = libreplay.la libkinds.la $(JANSSON_LIBS) -lm
else
fathom_whatif_SOURCES = tools/whatif/absent.c
fathom_whatif_LDADD = libtools.la
endif
