# fathom metrics: which counters this machine has. Asks the library's own code, see doc/internals/architecture.md.
pkglibexec_PROGRAMS += fathom-metrics
fathom_metrics_SOURCES = tools/metrics/main.c lib/define/metric.c lib/define/metric.h $(metric_sources) \
	lib/sample/source_perf.c lib/sample/source_timer.c
fathom_metrics_CPPFLAGS = $(tools_cppflags) -DFATHOM_LIBDIR='"$(libdir)"'
fathom_metrics_CFLAGS = $(AM_CFLAGS)
fathom_metrics_LDADD = libtools.la
