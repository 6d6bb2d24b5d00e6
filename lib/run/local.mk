# The life of a run: start, settings, experiment directory, finish, endings.
run_sources = \
	lib/run/crash_saving.c lib/run/crash_saving.h \
	lib/run/ending.c \
	lib/run/experiment.c lib/run/experiment.h \
	lib/run/filtering.c lib/run/filtering.h \
	lib/run/notes.c lib/run/notes.h \
	lib/run/omitted.c lib/run/omitted.h \
	lib/run/process_copy.c lib/run/process_copy.h \
	lib/run/run_snapshot.c lib/run/run_snapshot.h \
	lib/run/runtime.c lib/run/runtime.h \
	lib/run/signal_stack.c lib/run/signal_stack.h
