# OpenMP sources, rewritten by OPARI2 on their way to the compiler.
fathom_SOURCES += \
	instrument/driver/openmp.c instrument/driver/openmp.h \
	instrument/opari/buffer.c instrument/opari/buffer.h \
	instrument/opari/construct_counts.c instrument/opari/construct_counts.h \
	instrument/opari/c_source.h \
	instrument/opari/directive.c instrument/opari/directive.h \
	instrument/opari/c_finish.c \
	instrument/opari/fortran_prepare.c instrument/opari/fortran_source.h \
	instrument/opari/lock_names.c instrument/opari/lock_names.h \
	instrument/opari/fortran_finish.c \
	instrument/opari/file_names.c instrument/opari/file_names.h \
	instrument/opari/c_prepare.c \
	instrument/opari/child_process.c instrument/opari/child_process.h \
	instrument/opari/rewrite.c instrument/opari/rewrite.h \
	instrument/opari/token.c instrument/opari/token.h \
	instrument/opari/translation_unit.c instrument/opari/translation_unit.h
