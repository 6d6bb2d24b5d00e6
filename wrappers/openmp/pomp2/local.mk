# wrappers/openmp/pomp2: what OPARI2 writes into programs becomes events. C and C++, and Fortran.
pomp2_sources = \
	wrappers/openmp/pomp2/construct.c wrappers/openmp/pomp2/construct.h \
	wrappers/openmp/pomp2/describe.c wrappers/openmp/pomp2/describe.h \
	wrappers/openmp/pomp2/events.h \
	wrappers/openmp/pomp2/fortran.c \
	wrappers/openmp/pomp2/fortran_locks.c \
	wrappers/openmp/pomp2/lock_call.c wrappers/openmp/pomp2/lock_call.h \
	wrappers/openmp/pomp2/locks.c \
	wrappers/openmp/pomp2/nesting.c wrappers/openmp/pomp2/nesting.h \
	wrappers/openmp/pomp2/pomp2.c wrappers/openmp/pomp2/pomp2.h \
	wrappers/openmp/pomp2/runtime.c wrappers/openmp/pomp2/runtime.h

# Functions of the OpenMP runtime: see runtime.h.
pomp2_elsewhere = omp_get_cancellation omp_get_max_threads omp_get_num_threads omp_get_thread_num \
	omp_init_lock omp_init_lock_with_hint omp_destroy_lock omp_set_lock omp_unset_lock omp_test_lock omp_init_nest_lock \
	omp_init_nest_lock_with_hint omp_destroy_nest_lock omp_set_nest_lock omp_unset_nest_lock \
	omp_test_nest_lock omp_init_lock_ omp_init_lock_with_hint_ omp_destroy_lock_ omp_set_lock_ \
	omp_unset_lock_ omp_test_lock_ omp_init_nest_lock_ omp_init_nest_lock_with_hint_ \
	omp_destroy_nest_lock_ omp_set_nest_lock_ omp_unset_nest_lock_ omp_test_nest_lock_

noinst_LTLIBRARIES += libpomp2wrap.la
libpomp2wrap_la_SOURCES = $(pomp2_sources)
libpomp2wrap_la_CFLAGS = $(AM_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector

lib_LTLIBRARIES += libfathom-pomp2.la
libfathom_pomp2_la_SOURCES =
libfathom_pomp2_la_LIBADD = libpomp2wrap.la libfathom.la
libfathom_pomp2_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,nodelete \
	-Wl,--version-script=$(srcdir)/wrappers/openmp/pomp2/libfathom-pomp2.map \
	$(pomp2_elsewhere:%=-Wl,--defsym=%=fathom_omp_elsewhere)
EXTRA_DIST += wrappers/openmp/pomp2/libfathom-pomp2.map
