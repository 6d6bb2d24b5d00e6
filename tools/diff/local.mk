# fathom diff: compares the profiles of runs.
pkglibexec_PROGRAMS += fathom-diff
fathom_diff_SOURCES = \
	$(json_sources) \
	$(matched_run_sources) \
	tools/diff/changes.c tools/diff/changes.h \
	tools/diff/diff_text.c tools/diff/diff_text.h \
	tools/diff/kind_changes.h \
	tools/diff/main.c \
	tools/diff/spread_prior.c tools/diff/spread_prior.h \
	tools/diff/student_distribution.c tools/diff/student_distribution.h
fathom_diff_CPPFLAGS = $(tools_cppflags)
fathom_diff_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_diff_LDADD = libalgebra.la $(JANSSON_LIBS) -lm
EXTRA_DIST += tools/diff/kind_changes.c tools/diff/kind_changes_absent.c
if HAVE_OTF2
fathom_diff_SOURCES += tools/diff/kind_changes.c
fathom_diff_CFLAGS += $(OTF2_CFLAGS)
fathom_diff_LDADD += libtrackedkinds.la
else
fathom_diff_SOURCES += tools/diff/kind_changes_absent.c
endif
