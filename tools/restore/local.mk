# Makes profiles and traces of what killed processes left; it has the measurement's own code, see tools/restore/restore.c.
pkglibexec_PROGRAMS += fathom-restore
fathom_restore_SOURCES = \
	$(symbols_sources) \
	tools/common/command.c tools/common/command.h \
	tools/common/progress.c tools/common/progress.h \
	tools/restore/copy.c tools/restore/copy.h \
	tools/restore/killed_trace.h \
	tools/restore/names.c tools/restore/names.h \
	tools/restore/ranks.c tools/restore/ranks.h \
	tools/restore/rebuild.c tools/restore/rebuild.h \
	tools/restore/restore.c \
	tools/restore/stopped_clock.c tools/restore/stopped_clock.h \
	tools/restore/unfinished_trace.h
fathom_restore_CPPFLAGS = $(tools_cppflags) -I$(top_srcdir)/wrappers -I$(top_srcdir)/tools/restore
fathom_restore_LDADD = libcore.la libcubewriter.la libplatform.la $(DW_LIBS) $(IBERTY_LIBS)
restore_trace_sources = \
	lib/otf2/records.c lib/otf2/records.h \
	tools/restore/killed_events.c tools/restore/killed_events.h \
	tools/restore/killed_trace.c \
	tools/restore/record_reader.c tools/restore/record_reader.h \
	tools/restore/unfinished_trace.c
EXTRA_DIST += $(restore_trace_sources) tools/restore/trace_absent.c
if HAVE_OTF2
fathom_restore_SOURCES += $(restore_trace_sources) $(trace_sources)
fathom_restore_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
fathom_restore_LDADD += $(OTF2_LIBS) -lm
else
fathom_restore_SOURCES += tools/restore/trace_absent.c
endif
