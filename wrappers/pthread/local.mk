# wrappers: pthread calls become events. calls.txt has the meaning, generate.py the shape of the code.
#
#   libfathom-pthread         shared: has the calls' own names, and stands before the C library, at link time or preloaded
#   libfathom-pthread-static  for static programs: NAME is __wrap_NAME in it, and the program is linked with the
#                             linker's option --wrap=NAME for every call: -Wl,@fathom-pthread.wrap, which is in
#                             the folder of the libraries
pthread_generator = wrappers/pthread/generate.py wrappers/pthread/calls.txt
EXTRA_DIST += $(pthread_generator) wrappers/pthread/configure.m4
pthread_made = wrappers/pthread/calls.c wrappers/pthread/calls.h
pthread_wrap = .libs/fathom-pthread.wrap

pthread_sources = \
	wrappers/pthread/caller.c wrappers/pthread/caller.h \
	wrappers/pthread/c_library.c wrappers/pthread/c_library.h \
	wrappers/pthread/scope.c wrappers/pthread/scope.h \
	wrappers/pthread/thread.c
pthread_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/wrappers -I$(top_builddir)/wrappers
# Exceptions, pthread_exit and cancellation pass through the wrappers.
pthread_cflags = $(AM_CFLAGS) -fno-plt -fexceptions -fno-stack-protector

if HAVE_SHARED
lib_LTLIBRARIES += libfathom-pthread.la
libfathom_pthread_la_SOURCES = $(pthread_sources)
nodist_libfathom_pthread_la_SOURCES = $(pthread_made)
libfathom_pthread_la_CPPFLAGS = $(pthread_cppflags)
libfathom_pthread_la_CFLAGS = $(pthread_cflags)
libfathom_pthread_la_LIBADD = libfathom.la
libfathom_pthread_la_LDFLAGS = -shared -version-info 0:0:0 -Wl,-z,nodelete -Wl,-z,now
$(libfathom_pthread_la_OBJECTS): wrappers/pthread/generated.stamp
endif

if HAVE_STATIC
lib_LTLIBRARIES += libfathom-pthread-static.la
libfathom_pthread_static_la_SOURCES = $(pthread_sources)
nodist_libfathom_pthread_static_la_SOURCES = $(pthread_made)
libfathom_pthread_static_la_CPPFLAGS = $(pthread_cppflags) -DFATHOM_PTHREAD_STATIC
libfathom_pthread_static_la_CFLAGS = $(pthread_cflags)
libfathom_pthread_static_la_LDFLAGS = -static
$(libfathom_pthread_static_la_OBJECTS): wrappers/pthread/generated.stamp

fathomlibdir = $(libdir)
nodist_fathomlib_DATA = $(pthread_wrap)
endif

wrappers/pthread/generated.stamp: $(pthread_generator)
	$(AM_V_GEN)$(MKDIR_P) wrappers/pthread .libs
	$(AM_V_at)$(PYTHON3) $(srcdir)/wrappers/pthread/generate.py --table $(srcdir)/wrappers/pthread/calls.txt \
		--out wrappers/pthread
	$(AM_V_at)mv wrappers/pthread/fathom-pthread.wrap $(pthread_wrap)
	$(AM_V_at)touch $@
$(pthread_made) $(pthread_wrap): wrappers/pthread/generated.stamp
CLEANFILES += wrappers/pthread/generated.stamp $(pthread_made) $(pthread_wrap)
