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
	lib/platform/pattern.c lib/platform/pattern.h \
	lib/platform/settings.c lib/platform/settings.h \
	lib/platform/vectors.c lib/platform/vectors.h \
	lib/platform/write.c lib/platform/write.h
libplatform_la_CFLAGS = $(AM_CFLAGS)

include lib/cube/local.mk
include wrappers/user/local.mk

include lib/metric/local.mk

# The rules of filters: the driver and the compiler plugin, which link no library of ours, are built with it, too.
filter_sources = \
	lib/filter/filter.c lib/filter/filter.h \
	lib/filter/glob.c lib/filter/glob.h \
	lib/filter/match.c lib/filter/spelling.h

# All of the core but the constructor's library: tests link it, too.
noinst_LTLIBRARIES += libcore.la
libcore_la_SOURCES = \
	lib/comm/comm.h \
	lib/comm/file.c \
	lib/comm/serial.c \
	lib/comm/tree.c \
	lib/cube/activity.c lib/cube/activity.h \
	lib/define/cart.c lib/define/cart.h \
	lib/define/communicator.h \
	lib/define/parameter.c lib/define/parameter.h \
	lib/define/metric.c lib/define/metric.h \
	lib/define/region.c lib/define/region.h \
	lib/define/topology.c lib/define/topology.h \
	$(filter_sources) \
	lib/event/alternate.c lib/event/alternate.h \
	lib/event/copy.c lib/event/copy.h \
	lib/event/cost.c lib/event/cost.h \
	lib/event/ending.c \
	lib/event/event.c lib/event/event.h \
	lib/event/filtering.c lib/event/filtering.h \
	lib/event/frame.c lib/event/frame.h \
	lib/event/experiment.c lib/event/experiment.h \
	lib/event/image.c lib/event/image.h \
	lib/event/jump.c lib/event/jump.h \
	lib/event/locks.c lib/event/locks.h \
	lib/event/mute.c lib/event/mute.h \
	lib/event/nesting.c lib/event/nesting.h \
	lib/event/notes.c lib/event/notes.h \
	lib/event/location.c lib/event/location.h \
	lib/event/meter.c lib/event/meter.h \
	lib/event/omitted.c lib/event/omitted.h \
	lib/event/runtime.c lib/event/runtime.h \
	lib/event/saver.c lib/event/saver.h \
	lib/event/state.h \
	lib/event/substrate.h \
	lib/event/strand.c lib/event/strand.h \
	lib/event/switch.c lib/event/switch.h \
	lib/event/task.c lib/event/task.h \
	lib/event/tasks.h \
	lib/event/team.c lib/event/team.h \
	lib/event/thread.c lib/event/thread.h \
	lib/profile/aggregate.c lib/profile/aggregate.h \
	lib/profile/account.c lib/profile/account.h \
	lib/profile/budget.c lib/profile/budget.h lib/profile/choice.c lib/profile/choice.h \
	lib/profile/callpath.c lib/profile/callpath.h \
	lib/profile/collect.c lib/profile/collect.h \
	lib/profile/digest.c lib/profile/digest.h \
	lib/profile/given.c \
	lib/profile/iterations.c lib/profile/iterations.h \
	lib/profile/message.c lib/profile/message.h \
	lib/profile/metered.c lib/profile/metered.h \
	lib/profile/model.c lib/profile/model.h \
	lib/profile/numbers.c \
	lib/profile/piece.c lib/profile/piece.h \
	lib/profile/parameters.c \
	lib/profile/pieces.c \
	lib/profile/plain.c lib/profile/plain.h \
	lib/profile/profile.c lib/profile/profile.h \
	lib/profile/prune.c lib/profile/prune.h \
	lib/profile/result.c lib/profile/result.h \
	lib/profile/sender.c lib/profile/sender.h \
	lib/profile/series.c lib/profile/series.h \
	lib/profile/site.c lib/profile/site.h \
	lib/profile/snapshot.c lib/profile/snapshot.h \
	lib/profile/threads.c \
	lib/profile/topologies.c lib/profile/topologies.h \
	lib/profile/tree.c lib/profile/tree.h \
	lib/profile/twins.c \
	lib/profile/unify.c lib/profile/unify.h \
	lib/profile/usage.c lib/profile/usage.h \
	lib/profile/writers.c lib/profile/writers.h \
	lib/system/builder.c lib/system/builder.h \
	lib/system/capacity.c lib/system/capacity.h \
	lib/system/chain.c lib/system/chain.h \
	lib/system/classes.c lib/system/classes.h \
	lib/system/grid.c lib/system/grid.h \
	lib/system/group.c lib/system/group.h \
	lib/system/label.c lib/system/label.h \
	lib/system/links.c lib/system/links.h \
	lib/system/merge.c lib/system/merge.h \
	lib/system/place.c lib/system/place.h \
	lib/system/pool.c lib/system/pool.h \
	lib/system/processors.c lib/system/processors.h \
	lib/system/sequence.c lib/system/sequence.h \
	lib/system/spread.c lib/system/spread.h \
	lib/system/store.c lib/system/store.h \
	lib/system/talk.c lib/system/talk.h \
	lib/system/title.c lib/system/title.h \
	lib/substrates.c \
	$(metric_sources)
# No frame pointer games in the hooks: see test/check/hook_code.sh.
libcore_la_CFLAGS = $(AM_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector $(hot_flags)
# What runs at every event leaves most registers alone: lib/platform/vectors.h. (automake takes a target that it knows, in
# plain words, for a rule of ours in place of its own.)
hot_flags =
hot_objects = lib/event/libcore_la-event.lo lib/event/libcore_la-meter.lo lib/metric/libcore_la-perf_read.lo \
	lib/metric/libcore_la-rusage.lo lib/profile/libcore_la-callpath.lo lib/profile/libcore_la-metered.lo
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
	-Wl,--defsym=execvpe=fathom_interposed_execvpe \
	-Wl,--defsym=execvp=fathom_interposed_execvp \
	-Wl,--defsym=execl=fathom_interposed_execl \
	-Wl,--defsym=execlp=fathom_interposed_execlp \
	-Wl,--defsym=execle=fathom_interposed_execle

lib_LTLIBRARIES += libfathom.la
# What the program calls itself is in it, too: see doc/architecture.md.
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
libfathom_jump_static_la_SOURCES = lib/event/jump_static.c lib/event/land_static.c
libfathom_jump_static_la_CFLAGS = $(AM_CFLAGS) -fno-plt -fomit-frame-pointer -fno-stack-protector -fexceptions
libfathom_jump_static_la_LDFLAGS = -static
endif
EXTRA_DIST += lib/libfathom.map


include lib/trace/local.mk
