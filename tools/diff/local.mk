# fathom diff: compares the profiles of runs.
pkglibexec_PROGRAMS += fathom-diff
fathom_diff_SOURCES = \
	$(json_sources) \
	$(matched_run_sources) \
	tools/diff/changes.c tools/diff/changes.h \
	tools/diff/diff_text.c tools/diff/diff_text.h \
	tools/diff/main.c \
	tools/diff/spread_prior.c tools/diff/spread_prior.h \
	tools/diff/student_distribution.c tools/diff/student_distribution.h
fathom_diff_CPPFLAGS = $(tools_cppflags)
fathom_diff_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_diff_LDADD = libalgebra.la $(JANSSON_LIBS) -lm
