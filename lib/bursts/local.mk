# The stretches of computation of a trace between calls of MPI and OpenMP. Programs that link it bring libotf2reader along.
burst_sources = \
	lib/bursts/burst_blocks.c lib/bursts/burst_blocks.h \
	lib/bursts/burst_extraction.c lib/bursts/burst_extraction.h \
	lib/bursts/burst_format.h \
	lib/bursts/burst_list.c lib/bursts/burst_list.h \
	lib/bursts/burst_paths.c lib/bursts/burst_paths.h \
	lib/bursts/burst_regions.c lib/bursts/burst_regions.h \
	lib/bursts/duration_histogram.c lib/bursts/duration_histogram.h \
	lib/bursts/recorded_bursts.c lib/bursts/recorded_bursts.h
EXTRA_DIST += $(burst_sources)
if HAVE_OTF2
noinst_LTLIBRARIES += libbursts.la
libbursts_la_SOURCES = $(burst_sources)
libbursts_la_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
libbursts_la_LIBADD = libotf2reader.la -lm
endif
