# The event core: what every event passes.
event_sources = \
	lib/event/contention.c lib/event/contention.h \
	lib/event/coroutine.c lib/event/coroutine.h \
	lib/event/cost.c lib/event/cost.h \
	lib/event/enter_exit.c lib/event/enter_exit.h \
	lib/event/end_stage.c \
	lib/event/event.c lib/event/event.h \
	lib/event/event_data.h \
	lib/event/frame.c lib/event/frame.h \
	lib/event/idle_clock.h \
	lib/event/idle_stage.c \
	lib/event/idleness.c lib/event/idleness.h \
	lib/event/jump.c lib/event/jump.h \
	lib/event/location.c lib/event/location.h \
	lib/event/locks.c lib/event/locks.h \
	lib/event/meter.c lib/event/meter.h \
	lib/event/nesting.c lib/event/nesting.h \
	lib/event/pause.c lib/event/pause.h \
	lib/event/result.h \
	lib/event/sample.h \
	lib/event/sampled_frames.c lib/event/sampled_frames.h \
	lib/event/stage.h \
	lib/event/state.h \
	lib/event/substrate.h \
	lib/event/switch.c lib/event/switch.h \
	lib/event/task.c lib/event/task.h \
	lib/event/tasks.h \
	lib/event/team.c lib/event/team.h \
	lib/event/thread.c lib/event/thread.h \
	lib/event/waiting.h
