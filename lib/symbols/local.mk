# Names and source lines of code addresses.
# These sources are part of libfathom-compiler: they load libfathom-symbols, and find functions by name at the start.
symbols_library_sources = \
	lib/platform/sibling_library.c lib/platform/sibling_library.h \
	lib/symbols/calling_modules.c lib/symbols/calling_modules.h \
	lib/symbols/naming_thread.c lib/symbols/naming_thread.h \
	lib/symbols/outlined.c lib/symbols/outlined.h \
	lib/symbols/symbols.h \
	lib/symbols/symbols_library.c lib/symbols/symbols_library.h

# libfathom-symbols finds the names and source lines of addresses. libfathom-compiler loads it where names are asked for;
# static programs have it linked.
symbols_sources = \
	lib/symbols/code_file.c lib/symbols/code_file.h \
	lib/symbols/readable_names.c lib/symbols/readable_names.h \
	lib/symbols/symbols.c lib/symbols/symbols.h
lib_LTLIBRARIES += libfathom-symbols.la
# It has these parts of lib/platform itself and does not need libfathom: it may be loaded while the process ends, when the
# dynamic linker has marked libfathom as not initialised and would run its constructors again.
libfathom_symbols_la_SOURCES = \
	$(symbols_sources) \
	lib/platform/arena.c lib/platform/arena.h \
	lib/platform/number_table.c lib/platform/number_table.h \
	lib/symbols/own_platform.h
libfathom_symbols_la_CFLAGS = $(AM_CFLAGS) -include $(srcdir)/lib/symbols/own_platform.h
libfathom_symbols_la_LIBADD = $(DW_LIBS) $(IBERTY_LIBS)
libfathom_symbols_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,nodelete \
	-Wl,--version-script=$(srcdir)/lib/symbols/libfathom-symbols.map
EXTRA_libfathom_symbols_la_DEPENDENCIES = lib/symbols/libfathom-symbols.map
EXTRA_DIST += lib/symbols/libfathom-symbols.map

# What code addresses mean in the source, with loops: for commands, which read samples.
noinst_LTLIBRARIES += libcodestructure.la
libcodestructure_la_SOURCES = \
	$(symbols_sources) \
	lib/symbols/callees.c lib/symbols/callees.h \
	lib/symbols/code_structure.c lib/symbols/code_structure.h \
	lib/symbols/control_flow.c lib/symbols/control_flow.h \
	lib/symbols/inlined_calls.c lib/symbols/inlined_calls.h \
	lib/symbols/instructions.c lib/symbols/instructions.h \
	lib/symbols/jump_tables.c lib/symbols/jump_tables.h \
	lib/symbols/loop_nest.c lib/symbols/loop_nest.h \
	lib/symbols/source_functions.c lib/symbols/source_functions.h
libcodestructure_la_CFLAGS = $(AM_CFLAGS)
libcodestructure_la_LIBADD = $(DW_LIBS) $(IBERTY_LIBS) $(ZYDIS_LIBS)
EXTRA_DIST += lib/symbols/configure.m4
