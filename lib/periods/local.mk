# Periods of a signal: where it repeats itself, and after how long. Programs that link it link libm, too.
noinst_LTLIBRARIES += libperiods.la
libperiods_la_SOURCES = \
	lib/periods/autocorrelation.c lib/periods/autocorrelation.h \
	lib/periods/haar_transform.c lib/periods/haar_transform.h \
	lib/periods/periodic_region.c lib/periods/periodic_region.h
libperiods_la_CFLAGS = $(AM_CFLAGS)
