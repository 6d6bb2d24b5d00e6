# The event core and the life of a run.
event_sources = \
	lib/event/alternate.c lib/event/alternate.h \
	lib/event/copy.c lib/event/copy.h \
	lib/event/cost.c lib/event/cost.h \
	lib/event/ending.c \
	lib/event/event.c lib/event/event.h \
	lib/event/experiment.c lib/event/experiment.h \
	lib/event/filtering.c lib/event/filtering.h \
	lib/event/frame.c lib/event/frame.h \
	lib/event/image.c lib/event/image.h \
	lib/event/jump.c lib/event/jump.h \
	lib/event/location.c lib/event/location.h \
	lib/event/locks.c lib/event/locks.h \
	lib/event/meter.c lib/event/meter.h \
	lib/event/pause.c lib/event/pause.h \
	lib/event/nesting.c lib/event/nesting.h \
	lib/event/notes.c lib/event/notes.h \
	lib/event/omitted.c lib/event/omitted.h \
	lib/event/runtime.c lib/event/runtime.h \
	lib/event/saver.c lib/event/saver.h \
	lib/event/state.h \
	lib/event/coroutine.c lib/event/coroutine.h \
	lib/event/substrate.h \
	lib/event/switch.c lib/event/switch.h \
	lib/event/task.c lib/event/task.h \
	lib/event/tasks.h \
	lib/event/team.c lib/event/team.h \
	lib/event/thread.c lib/event/thread.h
