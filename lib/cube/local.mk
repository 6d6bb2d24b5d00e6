# lib/cube. The measurement library takes the writer alone, which needs neither expat nor
# zlib; tools take all of it. Both need libplatform.la as well.
noinst_LTLIBRARIES += libcubewriter.la libcube.la
libcubewriter_la_SOURCES = \
	lib/cube/cube.h \
	lib/cube/anchor.c lib/cube/anchor.h \
	lib/cube/value_layout.c lib/cube/value_layout.h \
	lib/cube/derived.c lib/cube/derived.h \
	lib/cube/dtype.c lib/cube/dtype.h \
	lib/cube/metric_tree.c lib/cube/metric_tree.h \
	lib/cube/row_order.c lib/cube/row_order.h \
	lib/cube/output.c lib/cube/output.h \
	lib/cube/rowset.c lib/cube/rowset.h \
	lib/cube/tar.c lib/cube/tar.h \
	lib/cube/validation.c lib/cube/validation.h \
	lib/cube/writer.c lib/cube/writer.h \
	lib/cube/xml.c lib/cube/xml.h \
	lib/define/activity.c lib/define/activity.h lib/define/role.h
libcube_la_SOURCES = \
	lib/cube/activity_rules.c lib/cube/activity_rules.h \
	lib/cube/anchor_stream.c lib/cube/anchor_stream.h \
	lib/cube/call_names.c lib/cube/call_names.h \
	lib/cube/container.c lib/cube/container.h \
	lib/cube/inclusive_values.c \
	lib/cube/error_line.c lib/cube/error_line.h \
	lib/cube/anchor_grammar.c lib/cube/anchor_grammar.h \
	lib/cube/definition_checks.c lib/cube/definition_checks.h \
	lib/cube/location_lookup.c \
	lib/cube/anchor_parse.c lib/cube/anchor_parse.h \
	lib/cube/location_patterns.c lib/cube/location_patterns.h \
	lib/cube/reader.c lib/cube/reader.h \
	lib/cube/value_rows.c lib/cube/value_rows.h \
	lib/cube/topology_columns.c lib/cube/topology_columns.h
libcube_la_LIBADD = libcubewriter.la $(EXPAT_LIBS) $(Z_LIBS)

# What the wrappers' tables say about calls, by their names.
call_tables = mpi=$(srcdir)/wrappers/mpi/calls.txt pthread=$(srcdir)/wrappers/pthread/calls.txt
nodist_libcube_la_SOURCES = lib/cube/call_name_table.c
lib/cube/call_name_table.c: wrappers/call_names.py wrappers/mpi/calls.txt wrappers/pthread/calls.txt
	$(AM_V_GEN)$(MKDIR_P) lib/cube
	$(AM_V_at)$(PYTHON3) $(srcdir)/wrappers/call_names.py $(call_tables) > $@.new && mv $@.new $@
CLEANFILES += lib/cube/call_name_table.c
EXTRA_DIST += wrappers/call_names.py
