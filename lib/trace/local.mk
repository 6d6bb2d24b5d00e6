# Traces: loaded by libfathom where FATHOM_MODE asks for them.
if HAVE_OTF2
lib_LTLIBRARIES += libfathom-trace.la
libfathom_trace_la_SOURCES = \
	lib/system/grid.c lib/system/grid.h \
	lib/system/pool.c lib/system/pool.h \
	lib/trace/archive.c lib/trace/archive.h \
	lib/trace/arrivals.c lib/trace/arrivals.h \
	lib/trace/arrived.c lib/trace/arrived.h \
	lib/trace/buffer.c lib/trace/buffer.h \
	lib/trace/comms.c lib/trace/comms.h \
	lib/trace/define.c lib/trace/define.h \
	lib/trace/finish.c lib/trace/finish.h \
	lib/trace/grids.c lib/trace/grids.h \
	lib/trace/groups.c \
	lib/trace/hidden.c lib/trace/hidden.h \
	lib/trace/io.c \
	lib/trace/locks.c \
	lib/trace/metrics.c lib/trace/metrics.h \
	lib/trace/objects.c lib/trace/objects.h \
	lib/trace/record.c lib/trace/record.h \
	lib/trace/rma.c \
	lib/trace/roles.c lib/trace/roles.h \
	lib/trace/sync.c lib/trace/sync.h \
	lib/trace/teams.c lib/trace/teams.h \
	lib/trace/system.c \
	lib/trace/told.c lib/trace/told.h \
	lib/trace/trace.c lib/trace/trace.h \
	lib/trace/values.c lib/trace/values.h \
	lib/trace/writing.h
libfathom_trace_la_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector $(hot_flags)
hot_objects += lib/trace/libfathom_trace_la-trace.lo
libfathom_trace_la_LIBADD = libfathom.la $(OTF2_LIBS) -lm
libfathom_trace_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,nodelete -Wl,--version-script=$(srcdir)/lib/trace/libfathom-trace.map
EXTRA_libfathom_trace_la_DEPENDENCIES = lib/trace/libfathom-trace.map
endif
EXTRA_DIST += lib/trace/libfathom-trace.map
