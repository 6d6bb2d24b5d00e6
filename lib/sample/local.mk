# Samples: what interrupts threads, the handler, and the unwinder.
sample_sources = \
	lib/sample/cfi.c lib/sample/cfi.h \
	lib/sample/cfi_expression.c \
	lib/sample/frame_guess.c lib/sample/frame_guess.h \
	lib/sample/frame_tables.c lib/sample/frame_tables.h \
	lib/sample/readable_memory.c lib/sample/readable_memory.h \
	lib/sample/sampling.c lib/sample/sampling.h \
	lib/sample/sampling_signal.c lib/sample/sampling_signal.h \
	lib/sample/source.h lib/sample/source_perf.c lib/sample/source_timer.c \
	lib/sample/unwind.c lib/sample/unwind.h
