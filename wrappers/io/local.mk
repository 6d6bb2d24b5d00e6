# wrappers: calls of POSIX files and of stdio become events. calls.txt has the meaning, generate.py the shape of the code.
# The library has the calls' own names, and stands before the C library, at link time (fathom --io) or preloaded.
io_generator = wrappers/io/generate.py wrappers/io/calls.txt
EXTRA_DIST += $(io_generator)
io_made = wrappers/io/calls.c wrappers/io/calls.h

if HAVE_SHARED
lib_LTLIBRARIES += libfathom-io.la
libfathom_io_la_SOURCES = wrappers/io/handles.c wrappers/io/handles.h wrappers/io/scope.c wrappers/io/scope.h
nodist_libfathom_io_la_SOURCES = $(io_made)
# _FORTIFY_SOURCE, and inline functions of the C library, would define some of these functions in headers.
libfathom_io_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/wrappers -I$(top_builddir)/wrappers -U_FORTIFY_SOURCE \
	-D__NO_INLINE__
# Exceptions and cancellation pass through the wrappers. The declarations of some functions are in no header.
# Only GCC has the last warning; clang would warn that it does not know it.
libfathom_io_la_CFLAGS = $(AM_CFLAGS) -fno-plt -fexceptions -fno-stack-protector -fno-builtin \
	-Wno-unknown-warning-option -Wno-nonnull-compare
libfathom_io_la_LIBADD = libfathom.la
libfathom_io_la_LDFLAGS = -shared -version-info 0:0:0 -Wl,-z,nodelete -Wl,-z,now
$(libfathom_io_la_OBJECTS): wrappers/io/generated.stamp
endif

wrappers/io/generated.stamp: $(io_generator)
	$(AM_V_GEN)$(MKDIR_P) wrappers/io
	$(AM_V_at)$(PYTHON3) $(srcdir)/wrappers/io/generate.py --table $(srcdir)/wrappers/io/calls.txt --out wrappers/io
	$(AM_V_at)touch $@
$(io_made): wrappers/io/generated.stamp
CLEANFILES += wrappers/io/generated.stamp $(io_made)
