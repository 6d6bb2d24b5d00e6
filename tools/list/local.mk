# fathom list: the experiments in a directory.
pkglibexec_PROGRAMS += fathom-list
fathom_list_SOURCES = \
	$(json_sources) \
	tools/list/entry.c tools/list/entry.h \
	tools/list/main.c
fathom_list_CPPFLAGS = $(tools_cppflags)
fathom_list_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_list_LDADD = libtools.la $(JANSSON_LIBS)

EXTRA_DIST += tools/list/trace_facts.c tools/list/trace_facts_absent.c
if HAVE_OTF2
fathom_list_SOURCES += tools/list/trace_facts.c
fathom_list_CFLAGS += $(OTF2_CFLAGS)
fathom_list_LDADD += libcallgraphs.la
else
fathom_list_SOURCES += tools/list/trace_facts_absent.c
endif
