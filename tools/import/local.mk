# fathom import: results of other tools as profiles and traces.
pkglibexec_PROGRAMS += fathom-import
fathom_import_SOURCES = \
	tools/import/foreign_region.c tools/import/foreign_region.h \
	tools/import/imported_profile.c tools/import/imported_profile.h \
	tools/import/main.c \
	tools/import/paraver_trace.h \
	tools/import/peri_xml.c tools/import/peri_xml.h \
	tools/import/tau_profiles.c tools/import/tau_profiles.h
fathom_import_CPPFLAGS = $(tools_cppflags)
fathom_import_CFLAGS = $(AM_CFLAGS)
fathom_import_LDADD = libtools.la $(EXPAT_LIBS)

trace_import_sources = \
	tools/common/trace/new_directory.c tools/common/trace/new_directory.h \
	tools/import/message_arrivals.c tools/import/message_arrivals.h \
	tools/import/mpi_call.c tools/import/mpi_call.h \
	tools/import/paraver_definitions.c tools/import/paraver_definitions.h \
	tools/import/paraver_names.c tools/import/paraver_names.h \
	tools/import/paraver_records.c tools/import/paraver_records.h \
	tools/import/paraver_trace.c \
	tools/import/thread_regions.c tools/import/thread_regions.h \
	tools/import/trace_definitions.c tools/import/trace_definitions.h
EXTRA_DIST += $(trace_import_sources) tools/import/paraver_absent.c
if HAVE_OTF2
fathom_import_SOURCES += $(trace_import_sources)
fathom_import_CFLAGS += $(OTF2_CFLAGS)
fathom_import_LDADD += libotf2reader.la -lm
else
fathom_import_SOURCES += tools/import/paraver_absent.c
endif
