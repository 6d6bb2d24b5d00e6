# fathom remap: metrics of activity classes for the profiles of other tools.
pkglibexec_PROGRAMS += fathom-remap
fathom_remap_SOURCES = \
	tools/remap/main.c \
	tools/remap/remapped_file.c tools/remap/remapped_file.h
fathom_remap_CPPFLAGS = $(tools_cppflags)
fathom_remap_LDADD = libtools.la
