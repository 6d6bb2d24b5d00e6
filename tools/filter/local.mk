# fathom filter: whether a filter file is right, and which functions each of its rules hits.
pkglibexec_PROGRAMS += fathom-filter
# The names of functions are those that the library will find.
fathom_filter_SOURCES = \
	$(score_sources) \
	$(symbols_sources) \
	tools/filter/main.c \
	tools/filter/program_functions.c tools/filter/program_functions.h
fathom_filter_CPPFLAGS = $(tools_cppflags)
fathom_filter_LDADD = libtools.la $(DW_LIBS) $(IBERTY_LIBS)
