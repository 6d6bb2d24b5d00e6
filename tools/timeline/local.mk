# fathom timeline: draws a part of a trace as a picture.
pkglibexec_PROGRAMS += fathom-timeline
timeline_sources = \
	tools/common/output_file.c tools/common/output_file.h \
	$(trace_detail_sources) \
	tools/common/trace/trace_frames.c tools/common/trace/trace_frames.h \
	tools/common/trace/trace_picture.c tools/common/trace/trace_picture.h \
	tools/common/trace/trace_ranks.c tools/common/trace/trace_ranks.h \
	tools/common/trace/wait_intervals.c tools/common/trace/wait_intervals.h \
	tools/timeline/canvas.c tools/timeline/canvas.h \
	tools/timeline/cell_colours.c tools/timeline/cell_colours.h \
	tools/timeline/main.c \
	tools/timeline/painting.c tools/timeline/painting.h \
	tools/timeline/png_canvas.h
fathom_timeline_CPPFLAGS = $(tools_cppflags)
EXTRA_DIST += $(timeline_sources) tools/timeline/absent.c tools/timeline/png_canvas.c \
	tools/timeline/png_canvas_absent.c
if HAVE_OTF2
fathom_timeline_SOURCES = $(timeline_sources)
fathom_timeline_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS) $(CAIRO_CFLAGS)
fathom_timeline_LDADD = libframes.la libcallgraphs.la libtools.la $(CAIRO_LIBS) -lm
if HAVE_CAIRO
fathom_timeline_SOURCES += tools/timeline/png_canvas.c
else
fathom_timeline_SOURCES += tools/timeline/png_canvas_absent.c
endif
else
fathom_timeline_SOURCES = tools/timeline/absent.c
fathom_timeline_LDADD = libtools.la
endif
