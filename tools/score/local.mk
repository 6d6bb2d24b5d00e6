# fathom score: how large the trace of a run would be, and a filter that makes it smaller.
pkglibexec_PROGRAMS += fathom-score
fathom_score_SOURCES = \
	$(json_sources) \
	$(score_sources) \
	tools/score/json.c tools/score/json.h \
	tools/score/main.c \
	tools/score/text.c tools/score/text.h
fathom_score_CPPFLAGS = $(tools_cppflags)
fathom_score_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_score_LDADD = libtools.la $(JANSSON_LIBS)
