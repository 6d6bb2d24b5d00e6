# Reads and writes OTF2 traces, through OTF2's library. records.c needs no library: the writer of traces and fathom score use it, too.
otf2_reader_sources = \
	lib/otf2/anchor_file.c lib/otf2/anchor_file.h \
	lib/otf2/archive_reader.c lib/otf2/archive_reader.h \
	lib/otf2/archive_writer.c lib/otf2/archive_writer.h \
	lib/otf2/definition_callbacks.h \
	lib/otf2/definition_calls.c lib/otf2/definition_calls.h \
	lib/otf2/definition_copy.c lib/otf2/definition_copy.h \
	lib/otf2/definition_index.c lib/otf2/definition_index.h \
	lib/otf2/definition_records.c lib/otf2/definition_records.h \
	lib/otf2/definition_reader.c lib/otf2/definition_reader.h \
	lib/otf2/entry_table.c lib/otf2/entry_table.h \
	lib/otf2/event_decoder.c lib/otf2/event_decoder.h \
	lib/otf2/event_reader.c lib/otf2/event_reader.h \
	lib/otf2/event_region.c lib/otf2/event_region.h \
	lib/otf2/event_references.c lib/otf2/event_references.h \
	lib/otf2/event_writer.c lib/otf2/event_writer.h \
	lib/otf2/faults.c lib/otf2/faults.h \
	lib/otf2/memory.c lib/otf2/memory.h \
	lib/otf2/record_stream.c lib/otf2/record_stream.h \
	lib/otf2/records.c lib/otf2/records.h \
	lib/otf2/region_stacks.c lib/otf2/region_stacks.h \
	lib/otf2/selection.c lib/otf2/selection.h \
	lib/otf2/stream_merge.c lib/otf2/stream_merge.h \
	lib/otf2/translation.c lib/otf2/translation.h
EXTRA_DIST += $(otf2_reader_sources)
if HAVE_OTF2
noinst_LTLIBRARIES += libotf2reader.la
libotf2reader_la_SOURCES = $(otf2_reader_sources)
libotf2reader_la_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
libotf2reader_la_LIBADD = libplatform.la $(OTF2_LIBS) -lm
endif
