# OpenMP sources, rewritten by OPARI2 on their way to the compiler.
fathom_SOURCES += \
	instrument/driver/openmp.c instrument/driver/openmp.h \
	instrument/opari/buffer.c instrument/opari/buffer.h \
	instrument/opari/census.c instrument/opari/census.h \
	instrument/opari/clike.h \
	instrument/opari/directive.c instrument/opari/directive.h \
	instrument/opari/finish.c \
	instrument/opari/fortran.c instrument/opari/fortran.h \
	instrument/opari/lock.c instrument/opari/lock.h \
	instrument/opari/mend.c \
	instrument/opari/names.c instrument/opari/names.h \
	instrument/opari/prepare.c \
	instrument/opari/process.c instrument/opari/process.h \
	instrument/opari/rewrite.c instrument/opari/rewrite.h \
	instrument/opari/token.c instrument/opari/token.h \
	instrument/opari/unit.c instrument/opari/unit.h
