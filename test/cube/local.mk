# test/cube
cube_test_libs = libcube.la libplatform.la

check_PROGRAMS += test/cube/dump test/cube/make_profile test/cube/fuzz_reader
test_cube_dump_SOURCES = test/cube/dump.c
test_cube_dump_LDADD = $(cube_test_libs)
test_cube_make_profile_SOURCES = test/cube/make_profile.c test/cube/model.c test/cube/model.h
test_cube_make_profile_LDADD = $(cube_test_libs)
test_cube_fuzz_reader_SOURCES = test/cube/fuzz_reader.c test/cube/model.c test/cube/model.h
test_cube_fuzz_reader_LDADD = $(cube_test_libs)

cube_scripts = test/cube/examples.sh test/cube/checked.sh test/cube/container.sh test/cube/damaged.sh \
	test/cube/foreign.sh test/cube/fuzz.sh
EXTRA_DIST += $(cube_scripts) test/cube/compare.py test/cube/damaged.py test/cube/foreign.cc test/cube/foreign.py
TESTS += $(cube_scripts)

cube_programs = test/unit/cube/test_row_order test/unit/cube/test_value_layout test/unit/cube/test_roundtrip test/unit/cube/writer/test_writer \
	test/unit/cube/test_large
if HAVE_CMOCKA
check_PROGRAMS += $(cube_programs)
TESTS += $(cube_programs)
test_unit_cube_test_row_order_SOURCES = test/unit/cube/test_row_order.c test/cube/model.c test/cube/model.h
test_unit_cube_test_row_order_CFLAGS = $(test_cflags) -I$(top_srcdir)/test/cube
test_unit_cube_test_row_order_LDADD = $(cube_test_libs) $(CMOCKA_LIBS)
test_unit_cube_test_value_layout_SOURCES = test/unit/cube/test_value_layout.c
test_unit_cube_test_value_layout_CFLAGS = $(test_cflags) -I$(top_srcdir)/test/cube
test_unit_cube_test_value_layout_LDADD = $(cube_test_libs) $(CMOCKA_LIBS)
test_unit_cube_test_roundtrip_SOURCES = test/unit/cube/test_roundtrip.c test/cube/model.c test/cube/model.h
test_unit_cube_test_roundtrip_CFLAGS = $(test_cflags) -I$(top_srcdir)/test/cube
test_unit_cube_test_roundtrip_LDADD = $(cube_test_libs) $(CMOCKA_LIBS)
test_unit_cube_writer_test_writer_SOURCES = test/unit/cube/writer/test_writer.c test/cube/model.c test/cube/model.h
test_unit_cube_writer_test_writer_CFLAGS = $(test_cflags) -I$(top_srcdir)/test/cube
test_unit_cube_writer_test_writer_LDADD = $(cube_test_libs) $(CMOCKA_LIBS)
test_unit_cube_test_large_SOURCES = test/unit/cube/test_large.c test/cube/model.c test/cube/model.h
test_unit_cube_test_large_CFLAGS = $(test_cflags) -I$(top_srcdir)/test/cube
test_unit_cube_test_large_LDADD = $(cube_test_libs) $(CMOCKA_LIBS)
else
without_cmocka += $(cube_programs)
endif
