# The fathom command: a plain program that links nothing of ours.
bin_PROGRAMS += fathom
fathom_SOURCES = \
	$(filter_sources) \
	instrument/common/command_line.c instrument/common/command_line.h \
	instrument/common/compiler.c instrument/common/compiler.h \
	instrument/common/messages.c instrument/common/messages.h \
	instrument/common/options_file.c instrument/common/options_file.h \
	instrument/common/word_list.c instrument/common/word_list.h \
	instrument/driver/build.c instrument/driver/build.h \
	instrument/driver/elf.c instrument/driver/elf.h \
	instrument/driver/flags.c instrument/driver/flags.h \
	instrument/driver/installation.c instrument/driver/installation.h \
	instrument/driver/main.c \
	instrument/driver/mpi.c instrument/driver/mpi.h \
	instrument/driver/needed_libraries.c instrument/driver/needed_libraries.h \
	instrument/driver/openmp_runtime.c instrument/driver/openmp_runtime.h \
	instrument/driver/options.c instrument/driver/options.h \
	instrument/driver/program_file.c instrument/driver/program_file.h \
	instrument/driver/run_command.c instrument/driver/run_command.h \
	instrument/driver/subcommand.c instrument/driver/subcommand.h
fathom_CPPFLAGS = -I$(top_srcdir)/instrument -I$(top_srcdir)/lib -I$(top_builddir) \
	-DFATHOM_BINDIR='"$(bindir)"' -DFATHOM_LIBDIR='"$(libdir)"' -DFATHOM_INCLUDEDIR='"$(includedir)"' -DFATHOM_PKGLIBEXECDIR='"$(pkglibexecdir)"'
fathom_LDADD =
include instrument/opari/local.mk

# The one-word forms: links to the command, in the build tree and where it is installed.
fathom_words = \
	fathom-gcc fathom-g++ fathom-gfortran fathom-cc fathom-c++ fathom-clang fathom-clang++ \
	fathom-mpicc fathom-mpicxx fathom-mpic++ fathom-mpifort fathom-mpif90 fathom-mpif77 \
	fathom-mpicc.mpich fathom-mpicxx.mpich fathom-mpic++.mpich fathom-mpifort.mpich fathom-mpif90.mpich fathom-mpif77.mpich \
	fathom-mpicc.openmpi fathom-mpicxx.openmpi fathom-mpic++.openmpi fathom-mpifort.openmpi fathom-mpif90.openmpi \
	fathom-mpif77.openmpi
noinst_SCRIPTS = $(fathom_words)
CLEANFILES += $(fathom_words)
$(fathom_words): fathom$(EXEEXT)
	$(AM_V_GEN)rm -f $@ && $(LN_S) fathom$(EXEEXT) $@

install-exec-hook: install-fathom-words
install-fathom-words:
	for word in $(fathom_words); do \
	  rm -f "$(DESTDIR)$(bindir)/$$word" && (cd "$(DESTDIR)$(bindir)" && $(LN_S) fathom$(EXEEXT) $$word) || exit 1; \
	done
uninstall-hook: uninstall-fathom-words
uninstall-fathom-words:
	for word in $(fathom_words); do rm -f "$(DESTDIR)$(bindir)/$$word"; done
.PHONY: install-fathom-words uninstall-fathom-words

# The plugin. Its file name has no hyphen: GCC ends a plugin's name at the first one.
if BUILD_PLUGIN
pkglib_LTLIBRARIES = instrument/gcc-plugin/fathom_gcc_plugin.la
instrument_gcc_plugin_fathom_gcc_plugin_la_SOURCES = \
	$(filter_sources) \
	instrument/gcc-plugin/inline_only.cc instrument/gcc-plugin/inline_only.h \
	instrument/gcc-plugin/measure.cc instrument/gcc-plugin/measure.h \
	instrument/gcc-plugin/names.c instrument/gcc-plugin/names.h \
	instrument/gcc-plugin/plugin.cc \
	instrument/gcc-plugin/select.cc instrument/gcc-plugin/select.h \
	instrument/gcc-plugin/late/compiled_functions.h instrument/gcc-plugin/late/sleds.h \
	instrument/gcc-plugin/late/tail_calls.h instrument/gcc-plugin/late/work.h
instrument_gcc_plugin_fathom_gcc_plugin_la_CPPFLAGS = -I$(top_srcdir)/instrument -I$(top_srcdir)/lib -I$(top_builddir) $(PLUGIN_CPPFLAGS)
instrument_gcc_plugin_fathom_gcc_plugin_la_CXXFLAGS = $(AM_CXXFLAGS) -fno-rtti -fno-exceptions -fno-instrument-functions -fvisibility=hidden
instrument_gcc_plugin_fathom_gcc_plugin_la_LDFLAGS = -module -avoid-version -shared
instrument_gcc_plugin_fathom_gcc_plugin_la_LIBADD = $(IBERTY_LIBS)
# configure --without-late-hooks. (config.h would disturb GCC's own.)
late_hook_sources = \
	instrument/gcc-plugin/late/compiled_functions.cc instrument/gcc-plugin/late/sleds.cc \
	instrument/gcc-plugin/late/tail_calls.cc instrument/gcc-plugin/late/work.cc
if WITH_LATE_HOOKS
instrument_gcc_plugin_fathom_gcc_plugin_la_SOURCES += $(late_hook_sources)
else
instrument_gcc_plugin_fathom_gcc_plugin_la_CPPFLAGS += -DFATHOM_WITHOUT_LATE_HOOKS
EXTRA_DIST += $(late_hook_sources)
endif
endif

dist_man_MANS += doc/man/fathom.1
EXTRA_DIST += instrument/configure.m4
