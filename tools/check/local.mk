# fathom check: whether a trace obeys the rules of OTF2.
pkglibexec_PROGRAMS += fathom-check
check_sources = \
	tools/check/check.h \
	tools/check/collectives.c tools/check/collectives.h \
	tools/check/events.c tools/check/events.h \
	tools/check/fault_output.c tools/check/fault_output.h \
	tools/check/fault_reports.c tools/check/fault_reports.h \
	tools/check/files.c tools/check/files.h \
	tools/check/general.c tools/check/general.h \
	tools/check/locks.c tools/check/locks.h \
	tools/check/main.c \
	tools/check/meetings.c tools/check/meetings.h \
	tools/check/messages.c tools/check/messages.h \
	tools/check/requests.c tools/check/requests.h \
	tools/check/teams.c tools/check/teams.h \
	tools/check/windows.c tools/check/windows.h
fathom_check_CPPFLAGS = $(tools_cppflags)
EXTRA_DIST += $(check_sources) tools/check/absent.c
if HAVE_OTF2
fathom_check_SOURCES = $(check_sources)
fathom_check_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(OTF2_CFLAGS)
fathom_check_LDADD = libcallgraphs.la libotf2reader.la libtools.la $(JANSSON_LIBS)
else
fathom_check_SOURCES = tools/check/absent.c
fathom_check_LDADD = libtools.la
endif
