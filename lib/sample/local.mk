# Samples of what has no hooks: the unwinder.
sample_sources = \
	lib/sample/cfi.c lib/sample/cfi.h \
	lib/sample/cfi_expression.c \
	lib/sample/frame_guess.c lib/sample/frame_guess.h \
	lib/sample/frame_tables.c lib/sample/frame_tables.h \
	lib/sample/readable_memory.c lib/sample/readable_memory.h \
	lib/sample/unwind.c lib/sample/unwind.h
