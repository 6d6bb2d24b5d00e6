# Traces: loaded by libfathom where FATHOM_MODE asks for them.
if HAVE_OTF2
lib_LTLIBRARIES += libfathom-trace.la
libfathom_trace_la_SOURCES = \
	lib/otf2/records.c lib/otf2/records.h \
	lib/event/sampled_frames.c lib/event/sampled_frames.h \
	lib/system/definition_pool.c lib/system/definition_pool.h \
	$(trace_sources)
trace_sources = \
	lib/trace/archive.c lib/trace/archive.h \
	lib/trace/buffer.c lib/trace/buffer.h \
	lib/trace/buffer_chunks.c lib/trace/buffer_chunks.h \
	lib/trace/chunk_copy.c lib/trace/chunk_copy.h \
	lib/trace/comms.c lib/trace/comms.h \
	lib/trace/rank_list.c lib/trace/rank_list.h \
	lib/trace/copied_roots.h \
	lib/trace/cut_points.c lib/trace/cut_points.h \
	lib/trace/event_directory.c lib/trace/event_directory.h \
	lib/trace/detail_window.c lib/trace/detail_window.h \
	lib/trace/ring/event_ring.c lib/trace/ring/event_ring.h \
	lib/trace/location_trace.c lib/trace/location_trace.h \
	lib/trace/message_check.c lib/trace/message_check.h \
	lib/trace/mpi_objects.c lib/trace/mpi_objects.h \
	lib/trace/otf2_roles.c lib/trace/otf2_roles.h \
	lib/trace/positions.c lib/trace/positions.h \
	lib/trace/reductions.c lib/trace/reductions.h \
	lib/trace/ring/ring_buffer.c lib/trace/ring/ring_buffer.h \
	lib/trace/ring/ring_markers.c lib/trace/ring/ring_markers.h \
	lib/trace/slow_iterations.c lib/trace/slow_iterations.h \
	lib/trace/stretches.c lib/trace/stretches.h \
	lib/trace/trace.c lib/trace/trace.h \
	lib/trace/trace_copy.c lib/trace/trace_copy.h \
	lib/trace/trace_finish.c lib/trace/trace_finish.h \
	lib/trace/clocks/message_times.c lib/trace/clocks/message_times.h \
	lib/trace/definitions/attribute_definitions.c lib/trace/definitions/attribute_definitions.h \
	lib/trace/definitions/comm_definitions.c lib/trace/definitions/comm_definitions.h \
	lib/trace/definitions/comm_descriptions.c lib/trace/definitions/comm_descriptions.h \
	lib/trace/definitions/context_definitions.c lib/trace/definitions/context_definitions.h \
	lib/trace/definitions/definition_pools.h \
	lib/trace/definitions/definition_writer.c lib/trace/definitions/definition_writer.h \
	lib/trace/definitions/definitions.c lib/trace/definitions/definitions.h \
	lib/trace/definitions/metric_definitions.c lib/trace/definitions/metric_definitions.h \
	lib/trace/definitions/parameter_definitions.c lib/trace/definitions/parameter_definitions.h \
	lib/trace/definitions/processor_count.c lib/trace/definitions/processor_count.h \
	lib/trace/definitions/system_definitions.c lib/trace/definitions/system_definitions.h \
	lib/trace/definitions/topology_definitions.h \
	lib/trace/records/io_records.c lib/trace/records/io_records.h \
	lib/trace/records/lock_records.c lib/trace/records/lock_records.h \
	lib/trace/records/message_records.c lib/trace/records/message_records.h \
	lib/trace/records/metric_records.c lib/trace/records/metric_records.h \
	lib/trace/records/parameter_records.c lib/trace/records/parameter_records.h \
	lib/trace/records/pending_enters.c lib/trace/records/pending_enters.h \
	lib/trace/records/record.c lib/trace/records/record.h \
	lib/trace/records/rma_records.c lib/trace/records/rma_records.h \
	lib/trace/records/team_records.c lib/trace/records/team_records.h \
	lib/trace/records/thread_records.c lib/trace/records/thread_records.h \
	lib/trace/repeats/period_finder.c lib/trace/repeats/period_finder.h \
	lib/trace/repeats/repeat_detector.c lib/trace/repeats/repeat_detector.h \
	lib/trace/repeats/stretch_digest.c lib/trace/repeats/stretch_digest.h \
	lib/trace/samples/calling_contexts.c lib/trace/samples/calling_contexts.h \
	lib/trace/samples/event_conversion.c lib/trace/samples/event_conversion.h \
	lib/trace/samples/raw_samples.c lib/trace/samples/raw_samples.h
# configure --without-topologies
if WITH_TOPOLOGIES
libfathom_trace_la_SOURCES += lib/system/grid_positions.c lib/system/grid_positions.h
trace_sources += lib/trace/definitions/topology_definitions.c
else
EXTRA_DIST += lib/trace/definitions/topology_definitions.c
endif
libfathom_trace_la_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector $(hot_flags)
hot_objects += lib/trace/libfathom_trace_la-trace.lo lib/trace/records/libfathom_trace_la-pending_enters.lo
libfathom_trace_la_LIBADD = libfathom.la $(OTF2_LIBS) -lm
libfathom_trace_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,nodelete -Wl,--version-script=$(srcdir)/lib/trace/libfathom-trace.map
EXTRA_libfathom_trace_la_DEPENDENCIES = lib/trace/libfathom-trace.map
endif
EXTRA_DIST += lib/trace/libfathom-trace.map
