# The search for wait states. libfathom and tools link it; the program that links it brings lib/comm along.
noinst_LTLIBRARIES += libwaits.la
libwaits_la_SOURCES = \
	lib/waits/operation.h \
	lib/waits/search.c lib/waits/search.h \
	lib/waits/wait_patterns.c lib/waits/wait_patterns.h
libwaits_la_CFLAGS = $(AM_CFLAGS)
