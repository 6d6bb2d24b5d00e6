# Counters. PAPI's part is a library of its own, loaded by libfathom where FATHOM_METRICS asks for it.
metric_sources = \
	lib/metric/counters.c lib/metric/counters.h \
	lib/metric/energy.c \
	lib/metric/metric_lookup.c lib/metric/metric_lookup.h \
	lib/metric/metric_groups.c lib/metric/metric_groups.h \
	lib/metric/kernel_call.h \
	lib/metric/papi_load.c \
	lib/metric/perf.c \
	lib/metric/perf_read.c lib/metric/perf_read.h lib/metric/perf_multiplex.c \
	lib/metric/proc.c \
	lib/metric/rotating_reader.c lib/metric/rotating_reader.h \
	lib/metric/rdpmc.c lib/metric/rdpmc.h \
	lib/metric/rusage.c \
	lib/metric/counter_source.h

if HAVE_PAPI
lib_LTLIBRARIES += libfathom-papi.la
libfathom_papi_la_SOURCES = lib/metric/papi.c
libfathom_papi_la_CFLAGS = $(AM_CFLAGS)
libfathom_papi_la_LIBADD = libplatform.la -lpapi
libfathom_papi_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,nodelete -Wl,--version-script=$(srcdir)/lib/metric/libfathom-papi.map
EXTRA_libfathom_papi_la_DEPENDENCIES = lib/metric/libfathom-papi.map
endif
EXTRA_DIST += lib/metric/libfathom-papi.map lib/metric/configure.m4
