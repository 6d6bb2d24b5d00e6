# What runs after a measurement. Programs that the fathom command executes; they read
# profiles through libcube and never link the measurement library.
noinst_LTLIBRARIES += libtools.la
libtools_la_SOURCES = \
	lib/cube/activity.c lib/cube/activity.h \
	tools/breakdown.c tools/breakdown.h \
	tools/experiment.c tools/experiment.h \
	tools/facts.c tools/facts.h \
	tools/guide.c tools/guide.h \
	tools/index.c tools/index.h \
	tools/join.c tools/join.h \
	tools/number.c \
	tools/page.c tools/page.h \
	tools/profile.c tools/profile.h \
	tools/tasks.c tools/tasks.h \
	tools/teams.c tools/teams.h \
	tools/threads.c tools/threads.h \
	tools/tool.c tools/tool.h
libtools_la_CFLAGS = $(AM_CFLAGS)
libtools_la_LIBADD = libcube.la libplatform.la -lm

pkglibexec_PROGRAMS += fathom-config fathom-merge fathom-report

fathom_report_SOURCES = \
	tools/callers.c \
	tools/each.c \
	tools/find.c \
	tools/findings.c \
	tools/json.c \
	tools/json_out.c tools/json_out.h \
	tools/json_threads.c \
	tools/notes.c \
	tools/openmp.c \
	tools/options.c \
	tools/regions.c \
	tools/report.c tools/report.h \
	tools/spread.c \
	tools/summary.c \
	tools/tree.c
fathom_report_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_report_LDADD = libtools.la $(JANSSON_LIBS)

fathom_merge_SOURCES = tools/merge.c
fathom_merge_LDADD = libtools.la

fathom_config_SOURCES = tools/settings.c
fathom_config_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_config_LDADD = libtools.la $(JANSSON_LIBS)
