# The event core: what every event passes.
event_sources = \
	lib/event/cost.c lib/event/cost.h \
	lib/event/counter_turns.c lib/event/counter_turns.h \
	lib/event/end_stage.c \
	lib/event/enter_exit.c lib/event/enter_exit.h \
	lib/event/event.c lib/event/event.h \
	lib/event/event_data.h \
	lib/event/frame.c lib/event/frame.h \
	lib/event/location.c lib/event/location.h \
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
	lib/event/thread.c lib/event/thread.h \
	lib/event/jumps/coroutine.c lib/event/jumps/coroutine.h \
	lib/event/jumps/jump.c lib/event/jumps/jump.h \
	lib/event/locks/contention.c lib/event/locks/contention.h \
	lib/event/locks/locks.c lib/event/locks/locks.h \
	lib/event/teams/idle_clock.h \
	lib/event/teams/idle_stage.c \
	lib/event/teams/idleness.c lib/event/teams/idleness.h \
	lib/event/teams/task.c lib/event/teams/task.h \
	lib/event/teams/tasks.h \
	lib/event/teams/team.c lib/event/teams/team.h \
	lib/event/teams/waiting.h
