# Many instances of one stretch of computation folded into one. Programs that link it link libm, too.
noinst_LTLIBRARIES += libfolding.la
libfolding_la_SOURCES = \
	lib/folding/duration_modes.c lib/folding/duration_modes.h \
	lib/folding/monotone_fit.c lib/folding/monotone_fit.h
libfolding_la_CFLAGS = $(AM_CFLAGS)
