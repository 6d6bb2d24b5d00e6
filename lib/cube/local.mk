# lib/cube. The measurement library takes the writer alone, which needs neither expat nor
# zlib; tools take all of it. Both need libplatform.la as well.
noinst_LTLIBRARIES += libcubewriter.la libcube.la
libcubewriter_la_SOURCES = \
	lib/cube/cube.h \
	lib/cube/derived.c lib/cube/derived.h \
	lib/cube/dtype.c lib/cube/dtype.h \
	lib/cube/row_order.c lib/cube/row_order.h \
	lib/cube/rowset.c lib/cube/rowset.h \
	lib/cube/tar.c lib/cube/tar.h \
	lib/cube/value_layout.c lib/cube/value_layout.h \
	lib/cube/writer/anchor.c lib/cube/writer/anchor.h \
	lib/cube/writer/metric_tree.c lib/cube/writer/metric_tree.h \
	lib/cube/writer/output.c lib/cube/writer/output.h \
	lib/cube/writer/validation.c lib/cube/writer/validation.h \
	lib/cube/writer/writer.c lib/cube/writer/writer.h \
	lib/cube/writer/xml.c lib/cube/writer/xml.h \
	lib/define/activity.c lib/define/activity.h lib/define/role.h
libcube_la_SOURCES = \
	lib/cube/reader/activity_rules.c lib/cube/reader/activity_rules.h \
	lib/cube/reader/anchor_grammar.c lib/cube/reader/anchor_grammar.h \
	lib/cube/reader/anchor_parse.c lib/cube/reader/anchor_parse.h \
	lib/cube/reader/anchor_stream.c lib/cube/reader/anchor_stream.h \
	lib/cube/reader/call_names.c lib/cube/reader/call_names.h \
	lib/cube/reader/container.c lib/cube/reader/container.h \
	lib/cube/reader/definition_checks.c lib/cube/reader/definition_checks.h \
	lib/cube/reader/error_line.c lib/cube/reader/error_line.h \
	lib/cube/reader/inclusive_values.c \
	lib/cube/reader/location_lookup.c \
	lib/cube/reader/location_patterns.c lib/cube/reader/location_patterns.h \
	lib/cube/reader/reader.c lib/cube/reader/reader.h \
	lib/cube/reader/topology_columns.c lib/cube/reader/topology_columns.h \
	lib/cube/reader/value_rows.c lib/cube/reader/value_rows.h
libcube_la_LIBADD = libcubewriter.la $(EXPAT_LIBS) $(Z_LIBS)

# What the wrappers' tables say about calls, by their names.
call_tables = mpi=$(srcdir)/wrappers/mpi/calls.txt pthread=$(srcdir)/wrappers/pthread/calls.txt
nodist_libcube_la_SOURCES = lib/cube/reader/call_name_table.c
lib/cube/reader/call_name_table.c: wrappers/call_names.py wrappers/mpi/calls.txt wrappers/pthread/calls.txt
	$(AM_V_GEN)$(MKDIR_P) lib/cube/reader
	$(AM_V_at)$(PYTHON3) $(srcdir)/wrappers/call_names.py $(call_tables) > $@.new && mv $@.new $@
CLEANFILES += lib/cube/reader/call_name_table.c
EXTRA_DIST += wrappers/call_names.py
