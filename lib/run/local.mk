# The life of a run: start, settings, experiment directory, finish, endings.
run_sources = \
	lib/run/crash_result.c lib/run/crash_result.h \
	lib/run/crash_saving.c lib/run/crash_saving.h \
	lib/run/daemon.c lib/run/daemon.h \
	lib/run/early_end.c lib/run/early_end.h \
	lib/run/ending.c lib/run/ending.h \
	lib/run/exec.c lib/run/exec.h \
	lib/run/experiment.c lib/run/experiment.h \
	lib/run/filtering.c lib/run/filtering.h \
	lib/run/finish.c lib/run/finish.h \
	lib/run/forked_child.c lib/run/forked_child.h \
	lib/run/manifest.c lib/run/manifest.h \
	lib/run/omitted.c lib/run/omitted.h \
	lib/run/process_copy.c lib/run/process_copy.h \
	lib/run/processor_time.c lib/run/processor_time.h \
	lib/run/run.c lib/run/run.h \
	lib/run/run_messages.c lib/run/run_messages.h \
	lib/run/run_result.c lib/run/run_result.h \
	lib/run/run_snapshot.c lib/run/run_snapshot.h \
	lib/run/runtime.h \
	lib/run/sampling_plan.c lib/run/sampling_plan.h \
	lib/run/signals/signal_handlers.c lib/run/signals/signal_handlers.h \
	lib/run/signals/signal_stack.c lib/run/signals/signal_stack.h \
	lib/run/start.c \
	lib/run/trace_files.c lib/run/trace_files.h
