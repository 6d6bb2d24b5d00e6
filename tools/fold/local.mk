# fathom fold: what happens within a stretch of computation, from samples and counters of all its instances.
pkglibexec_PROGRAMS += fathom-fold
fold_sources = \
	tools/fold/fold_csv.c \
	tools/fold/fold_json.c \
	tools/fold/fold_output.h \
	tools/fold/fold_page.c \
	tools/fold/fold_reading.c tools/fold/fold_reading.h \
	tools/fold/fold_text.c \
	tools/fold/folds.c tools/fold/folds.h \
	tools/fold/instances.c tools/fold/instances.h \
	tools/fold/main.c \
	tools/common/output_file.c tools/common/output_file.h
fathom_fold_CPPFLAGS = $(tools_cppflags)
EXTRA_DIST += $(fold_sources) tools/fold/absent.c
if HAVE_OTF2
fathom_fold_SOURCES = $(fold_sources) $(json_sources)
fathom_fold_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(OTF2_CFLAGS)
fathom_fold_LDADD = libkinds.la libfolding.la $(JANSSON_LIBS) -lm
else
fathom_fold_SOURCES = tools/fold/absent.c
fathom_fold_LDADD = libtools.la
endif
