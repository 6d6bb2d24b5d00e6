# fathom config: the settings of the measurement.
pkglibexec_PROGRAMS += fathom-config
fathom_config_SOURCES = tools/config/main.c
fathom_config_CPPFLAGS = $(tools_cppflags)
fathom_config_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
fathom_config_LDADD = libtools.la $(JANSSON_LIBS)
