# libfathom-compiler: the hooks that -finstrument-functions and sleds call, and the names of functions.
lib_LTLIBRARIES += libfathom-compiler.la
libfathom_compiler_la_SOURCES = \
	$(symbols_library_sources) \
	wrappers/compiler/excluded.c wrappers/compiler/excluded.h \
	wrappers/compiler/hooks.c \
	wrappers/compiler/unloading.c wrappers/compiler/unloading.h \
	wrappers/compiler/patch/patch_table.h wrappers/compiler/patch/patching.h \
	wrappers/compiler/patch/sled_removal.h wrappers/compiler/patch/sleds.h
# configure --without-late-hooks
patch_sources = \
	wrappers/compiler/patch/code_writing.c wrappers/compiler/patch/code_writing.h \
	wrappers/compiler/patch/patching.c \
	wrappers/compiler/patch/sled_removal.c wrappers/compiler/patch/sleds.c
if WITH_LATE_HOOKS
libfathom_compiler_la_SOURCES += $(patch_sources)
else
EXTRA_DIST += $(patch_sources)
endif
libfathom_compiler_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/wrappers
libfathom_compiler_la_CFLAGS = $(AM_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector $(hot_flags)
hot_objects += wrappers/compiler/libfathom_compiler_la-hooks.lo
libfathom_compiler_la_LIBADD = libfathom.la
libfathom_compiler_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,nodelete \
	-Wl,--version-script=$(srcdir)/wrappers/compiler/libfathom-compiler.map \
	-Wl,--defsym=dlclose=fathom_interposed_dlclose
EXTRA_DIST += wrappers/compiler/libfathom-compiler.map

# libfathom-patch takes hook calls out of running code. libfathom-compiler loads it if regions may be disabled.
if HAVE_PATCH
lib_LTLIBRARIES += libfathom-patch.la
libfathom_patch_la_SOURCES = \
	wrappers/compiler/patch/call_sites.c wrappers/compiler/patch/call_sites.h \
	wrappers/compiler/patch/code_patch.c wrappers/compiler/patch/patch_table.h \
	wrappers/compiler/patch/code_writing.c wrappers/compiler/patch/code_writing.h \
	wrappers/compiler/patch/sleds.h
libfathom_patch_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/wrappers
libfathom_patch_la_CFLAGS = $(AM_CFLAGS)
libfathom_patch_la_LIBADD = libfathom.la $(ZYDIS_LIBS)
libfathom_patch_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,nodelete \
	-Wl,--version-script=$(srcdir)/wrappers/compiler/patch/libfathom-patch.map
EXTRA_libfathom_patch_la_DEPENDENCIES = wrappers/compiler/patch/libfathom-patch.map
endif
EXTRA_DIST += wrappers/compiler/patch/libfathom-patch.map
