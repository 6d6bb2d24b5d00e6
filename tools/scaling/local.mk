# fathom scaling: how the runs of a program at several sizes scale.
pkglibexec_PROGRAMS += fathom-scaling
fathom_scaling_SOURCES = \
	$(json_sources) \
	$(matched_run_sources) \
	tools/scaling/analysis.c tools/scaling/analysis.h \
	tools/scaling/growth_model.c tools/scaling/growth_model.h \
	tools/scaling/loss_file.c tools/scaling/loss_file.h \
	tools/scaling/main.c \
	tools/scaling/page.c tools/scaling/page.h \
	tools/scaling/scaling_json.c \
	tools/scaling/scaling_text.c tools/scaling/scaling_text.h \
	tools/scaling/sizes.c tools/scaling/sizes.h
fathom_scaling_CPPFLAGS = $(tools_cppflags)
fathom_scaling_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_scaling_LDADD = libtools.la $(JANSSON_LIBS) -lm
