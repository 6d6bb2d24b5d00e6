# wrappers/openmp/pomp2: what OPARI2 writes into programs becomes events. C and C++, and Fortran.
lib_LTLIBRARIES += libfathom-pomp2.la
pomp2_sources = \
	wrappers/openmp/pomp2/construct.c wrappers/openmp/pomp2/construct.h \
	wrappers/openmp/pomp2/describe.c wrappers/openmp/pomp2/describe.h \
	wrappers/openmp/pomp2/events.h \
	wrappers/openmp/pomp2/fortran.c \
	wrappers/openmp/pomp2/fortran_locks.c \
	wrappers/openmp/pomp2/lock_call.c wrappers/openmp/pomp2/lock_call.h \
	wrappers/openmp/pomp2/locks.c \
	wrappers/openmp/pomp2/pomp2.c wrappers/openmp/pomp2/pomp2.h \
	wrappers/openmp/pomp2/team.c wrappers/openmp/pomp2/team.h
libfathom_pomp2_la_SOURCES = $(pomp2_sources)
libfathom_pomp2_la_CFLAGS = $(AM_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector
libfathom_pomp2_la_LIBADD = libfathom.la
libfathom_pomp2_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,nodelete \
	-Wl,--version-script=$(srcdir)/wrappers/openmp/pomp2/libfathom-pomp2.map
EXTRA_DIST += wrappers/openmp/pomp2/libfathom-pomp2.map
