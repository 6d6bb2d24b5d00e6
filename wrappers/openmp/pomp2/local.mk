# wrappers/openmp/pomp2: what OPARI2 writes into programs becomes events. C and C++, and Fortran. calls.txt has the functions
# that rewritten programs call, generate.py writes them.
pomp2_generator = wrappers/openmp/pomp2/generate.py wrappers/openmp/pomp2/calls.txt
EXTRA_DIST += $(pomp2_generator)
pomp2_made = wrappers/openmp/pomp2/calls.h wrappers/openmp/pomp2/calls_c.c wrappers/openmp/pomp2/calls_fortran.c
pomp2_map = wrappers/openmp/pomp2/libfathom-pomp2.map
pomp2_elsewhere = wrappers/openmp/pomp2/elsewhere.options
pomp2_sources = \
	wrappers/openmp/pomp2/construct.c wrappers/openmp/pomp2/construct.h \
	wrappers/openmp/pomp2/description.c wrappers/openmp/pomp2/description.h \
	wrappers/openmp/pomp2/events.h \
	wrappers/openmp/pomp2/lock_call.c wrappers/openmp/pomp2/lock_call.h \
	wrappers/openmp/pomp2/nesting.c wrappers/openmp/pomp2/nesting.h \
	wrappers/openmp/pomp2/runtime.c wrappers/openmp/pomp2/runtime.h

noinst_LTLIBRARIES += libpomp2wrap.la
libpomp2wrap_la_SOURCES = $(pomp2_sources)
nodist_libpomp2wrap_la_SOURCES = $(pomp2_made)
libpomp2wrap_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/wrappers -I$(top_builddir)/wrappers
libpomp2wrap_la_CFLAGS = $(AM_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector
$(libpomp2wrap_la_OBJECTS): wrappers/openmp/pomp2/generated.stamp

lib_LTLIBRARIES += libfathom-pomp2.la
libfathom_pomp2_la_SOURCES =
libfathom_pomp2_la_LIBADD = libpomp2wrap.la libfathom.la
# Functions of the OpenMP runtime are looked up at their first call: see runtime.h.
libfathom_pomp2_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,nodelete -Wl,--version-script=$(pomp2_map) -Wl,@$(pomp2_elsewhere)
EXTRA_libfathom_pomp2_la_DEPENDENCIES = wrappers/openmp/pomp2/generated.stamp

wrappers/openmp/pomp2/generated.stamp: $(pomp2_generator)
	$(AM_V_GEN)$(MKDIR_P) wrappers/openmp/pomp2
	$(AM_V_at)$(PYTHON3) $(srcdir)/wrappers/openmp/pomp2/generate.py --table $(srcdir)/wrappers/openmp/pomp2/calls.txt \
		--out wrappers/openmp/pomp2
	$(AM_V_at)touch $@
$(pomp2_made) $(pomp2_map) $(pomp2_elsewhere): wrappers/openmp/pomp2/generated.stamp
CLEANFILES += wrappers/openmp/pomp2/generated.stamp $(pomp2_made) $(pomp2_map) $(pomp2_elsewhere)
