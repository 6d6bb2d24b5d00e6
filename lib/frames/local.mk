# The index of frames beside a trace, from which any part of it is drawn. Part of the reader of traces, because it needs OTF2.
frame_sources = \
	lib/frames/byte_buffer.c lib/frames/byte_buffer.h \
	lib/frames/checkpoint.c lib/frames/checkpoint.h \
	lib/frames/detail_events.c lib/frames/detail_events.h \
	lib/frames/frame_builder.c lib/frames/frame_builder.h \
	lib/frames/frame_file.c lib/frames/frame_file.h \
	lib/frames/frame_index.c lib/frames/frame_index.h \
	lib/frames/frame_window.c lib/frames/frame_window.h \
	lib/frames/location_events.c lib/frames/location_events.h \
	lib/frames/location_state.c lib/frames/location_state.h \
	lib/frames/metric_values.c lib/frames/metric_values.h \
	lib/frames/path_table.c lib/frames/path_table.h \
	lib/frames/preview.c lib/frames/preview.h
EXTRA_DIST += $(frame_sources)
if HAVE_OTF2
noinst_LTLIBRARIES += libframes.la
libframes_la_SOURCES = $(frame_sources)
libframes_la_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
libframes_la_LIBADD = libotf2reader.la
endif
