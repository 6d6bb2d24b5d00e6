# The measurement core. What runs in crashing processes allocates nothing; libraries for
# reading profiles are not part of it.
noinst_LTLIBRARIES += libplatform.la
libplatform_la_SOURCES = \
	lib/platform/arena.c lib/platform/arena.h \
	lib/platform/catalog.c lib/platform/catalog.h \
	lib/platform/clock.c lib/platform/clock.h \
	lib/platform/compiler.h \
	lib/platform/helper.c lib/platform/helper.h \
	lib/platform/lock.c lib/platform/lock.h \
	lib/platform/log.c lib/platform/log.h \
	lib/platform/module.c lib/platform/module.h \
	lib/platform/symbol_table.c lib/platform/symbol_table.h \
	lib/platform/nameless_file.c lib/platform/nameless_file.h \
	lib/platform/number_table.c lib/platform/number_table.h \
	lib/platform/pattern.c lib/platform/pattern.h \
	lib/platform/ring_setting.c lib/platform/ring_setting.h \
	lib/platform/sampling_setting.c lib/platform/sampling_setting.h \
	lib/platform/window_setting.c lib/platform/window_setting.h \
	lib/platform/settings.c lib/platform/settings.h \
	lib/platform/vectors.c lib/platform/vectors.h \
	lib/platform/write.c lib/platform/write.h
libplatform_la_CFLAGS = $(AM_CFLAGS)

include lib/cube/local.mk
include wrappers/user/local.mk

include lib/metric/local.mk
include lib/comm/local.mk
include lib/define/local.mk
include lib/event/local.mk
include lib/profile/local.mk
include lib/otf2/local.mk
include lib/replay/local.mk
include lib/callgraphs/local.mk
include lib/bursts/local.mk
include lib/clusters/local.mk
include lib/periods/local.mk
include lib/folding/local.mk
include lib/frames/local.mk
include lib/run/local.mk
include lib/sample/local.mk
include lib/system/local.mk
include lib/waits/local.mk

# The rules of filters: the driver and the compiler plugin, which link no library of ours, are built with it, too.
filter_sources = \
	lib/filter/filter.c lib/filter/filter.h \
	lib/filter/glob.c lib/filter/glob.h \
	lib/filter/match.c lib/filter/spelling.h \
	lib/filter/tau_pattern.c lib/filter/tau_pattern.h

# All of the core but the constructor's library: tests link it, too.
noinst_LTLIBRARIES += libcore.la
libcore_la_SOURCES = \
	lib/substrates.c \
	$(filter_sources) \
	$(define_sources) \
	$(event_sources) \
	$(profile_sources) \
	$(run_sources) \
	$(sample_sources) \
	$(system_sources) \
	$(metric_sources)
libcore_la_CPPFLAGS = $(AM_CPPFLAGS) -DFATHOM_PKGLIBEXECDIR='"$(pkglibexecdir)"'
libcore_la_LIBADD = libcomm.la libwaits.la
# No frame pointer games in the hooks: see test/check/hook_code.sh.
libcore_la_CFLAGS = $(AM_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector $(hot_flags)
# What runs at every event leaves most registers alone: lib/platform/vectors.h. (automake takes a target that it knows, in
# plain words, for a rule of ours in place of its own.)
hot_flags =
hot_objects = lib/event/libcore_la-enter_exit.lo lib/event/libcore_la-meter.lo lib/event/libcore_la-counter_turns.lo lib/event/libcore_la-end_stage.lo \
	lib/event/teams/libcore_la-idle_stage.lo \
	lib/metric/libcore_la-perf_read.lo lib/metric/libcore_la-rusage.lo lib/profile/recording/libcore_la-callpath.lo \
	lib/profile/recording/libcore_la-burst_stage.lo lib/profile/recording/libcore_la-metered.lo lib/profile/budget/libcore_la-sampling_point.lo
$(hot_objects): hot_flags = $(FEW_REGISTERS)

# What goes on to the C library's own definition is interposed in the shared library only: a static program
# has but one definition of a name, and that must be the C library's.
fathom_interposed = \
	-Wl,--defsym=longjmp=fathom_interposed_longjmp \
	-Wl,--defsym=_longjmp=fathom_interposed__longjmp \
	-Wl,--defsym=siglongjmp=fathom_interposed_siglongjmp \
	-Wl,--defsym=__longjmp_chk=fathom_interposed___longjmp_chk \
	-Wl,--defsym=__cxa_begin_catch=fathom_interposed___cxa_begin_catch \
	-Wl,--defsym=swapcontext=fathom_interposed_swapcontext \
	-Wl,--defsym=setcontext=fathom_interposed_setcontext \
	-Wl,--defsym=_Unwind_SetIP=fathom_interposed__Unwind_SetIP \
	-Wl,--defsym=daemon=fathom_interposed_daemon \
	-Wl,--defsym=execvpe=fathom_interposed_execvpe \
	-Wl,--defsym=execvp=fathom_interposed_execvp \
	-Wl,--defsym=execl=fathom_interposed_execl \
	-Wl,--defsym=execlp=fathom_interposed_execlp \
	-Wl,--defsym=execle=fathom_interposed_execle

lib_LTLIBRARIES += libfathom.la
# What the program calls itself is in it, too: see doc/internals/libraries.md.
libfathom_la_SOURCES = lib/library.c $(user_sources)
libfathom_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/include -I$(top_srcdir)/wrappers
libfathom_la_CFLAGS = $(AM_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector
libfathom_la_LIBADD = libcore.la libcubewriter.la libplatform.la
# Never unloaded: threads and handlers may be in it. Only what the map names is seen outside.
libfathom_la_LDFLAGS = -version-info 0:0:0 -Wl,-z,nodelete -Wl,--version-script=$(srcdir)/lib/libfathom.map \
	$(fathom_interposed)
EXTRA_libfathom_la_DEPENDENCIES = lib/libfathom.map
if HAVE_STATIC
lib_LTLIBRARIES += libfathom-jump-static.la
libfathom_jump_static_la_SOURCES = lib/event/jumps/jump_static.c lib/event/jumps/land_static.c
libfathom_jump_static_la_CFLAGS = $(AM_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector -fexceptions
libfathom_jump_static_la_LDFLAGS = -static
endif
EXTRA_DIST += lib/libfathom.map


include lib/symbols/local.mk
include lib/trace/local.mk
