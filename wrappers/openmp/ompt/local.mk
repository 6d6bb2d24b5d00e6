# What LLVM's OpenMP runtime tells of itself (OMPT), as events.
lib_LTLIBRARIES += libfathom-ompt.la
libfathom_ompt_la_SOURCES = \
	wrappers/openmp/ompt/mutex.c wrappers/openmp/ompt/mutex.h \
	wrappers/openmp/ompt/ompt.h \
	wrappers/openmp/ompt/regions.c wrappers/openmp/ompt/regions.h \
	wrappers/openmp/ompt/start.c \
	wrappers/openmp/ompt/sync.c wrappers/openmp/ompt/sync.h \
	wrappers/openmp/ompt/task.c wrappers/openmp/ompt/task.h \
	wrappers/openmp/ompt/team.c wrappers/openmp/ompt/team.h \
	wrappers/openmp/ompt/thread.c wrappers/openmp/ompt/thread.h \
	wrappers/openmp/ompt/work.c wrappers/openmp/ompt/work.h
libfathom_ompt_la_CFLAGS = $(AM_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector
libfathom_ompt_la_LIBADD = libfathom.la
libfathom_ompt_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,nodelete \
	-Wl,--version-script=$(srcdir)/wrappers/openmp/ompt/libfathom-ompt.map \
	-Wl,--defsym=dlclose=fathom_ompt_dlclose
EXTRA_DIST += wrappers/openmp/ompt/libfathom-ompt.map
