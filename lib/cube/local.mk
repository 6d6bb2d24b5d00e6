# lib/cube. The measurement library takes the writer alone, which needs neither expat nor
# zlib; tools take all of it. Both need libplatform.la as well.
noinst_LTLIBRARIES += libcubewriter.la libcube.la
libcubewriter_la_SOURCES = \
	lib/cube/cube.h \
	lib/cube/anchor.c lib/cube/anchor.h \
	lib/cube/columns.c lib/cube/columns.h \
	lib/cube/derived.c lib/cube/derived.h \
	lib/cube/dtype.c lib/cube/dtype.h \
	lib/cube/metrics.c lib/cube/metrics.h \
	lib/cube/order.c lib/cube/order.h \
	lib/cube/output.c lib/cube/output.h \
	lib/cube/rowset.c lib/cube/rowset.h \
	lib/cube/tar.c lib/cube/tar.h \
	lib/cube/valid.c lib/cube/valid.h \
	lib/cube/writer.c lib/cube/writer.h \
	lib/cube/xml.c lib/cube/xml.h
libcube_la_SOURCES = \
	lib/cube/anchor_stream.c lib/cube/anchor_stream.h \
	lib/cube/container.c lib/cube/container.h \
	lib/cube/convert.c \
	lib/cube/error.c lib/cube/error.h \
	lib/cube/grammar.c lib/cube/grammar.h \
	lib/cube/ids.c lib/cube/ids.h \
	lib/cube/locations.c \
	lib/cube/parse.c lib/cube/parse.h \
	lib/cube/patterns.c lib/cube/patterns.h \
	lib/cube/reader.c lib/cube/reader.h \
	lib/cube/stored.c lib/cube/stored.h \
	lib/cube/topologies.c lib/cube/topologies.h
libcube_la_LIBADD = libcubewriter.la $(EXPAT_LIBS) $(Z_LIBS)
