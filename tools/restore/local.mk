# Makes profiles of what killed processes left; it has the measurement's own code, see tools/restore/restore.c.
pkglibexec_PROGRAMS += fathom-restore
fathom_restore_SOURCES = \
	lib/symbols/symbols.c lib/symbols/symbols.h \
	tools/common/command.c tools/common/command.h \
	tools/restore/copy.c tools/restore/copy.h \
	tools/restore/names.c tools/restore/names.h \
	tools/restore/rebuild.c tools/restore/rebuild.h \
	tools/restore/restore.c \
	tools/restore/stopped_clock.c tools/restore/stopped_clock.h
fathom_restore_CPPFLAGS = $(tools_cppflags) -I$(top_srcdir)/wrappers -I$(top_srcdir)/tools/restore
fathom_restore_LDADD = libcore.la libcubewriter.la libplatform.la $(DW_LIBS) $(IBERTY_LIBS)
