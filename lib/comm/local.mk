# How the processes of a run talk to each other: a part of the core, and of tools that link no core.
noinst_LTLIBRARIES += libcomm.la
libcomm_la_SOURCES = \
	lib/comm/binomial_tree.c \
	lib/comm/chunked_transfer.c lib/comm/chunked_transfer.h \
	lib/comm/clock_sync.c lib/comm/clock_sync.h \
	lib/comm/comm.h \
	lib/comm/plain_file.c \
	lib/comm/serial.c
libcomm_la_CFLAGS = $(AM_CFLAGS)
