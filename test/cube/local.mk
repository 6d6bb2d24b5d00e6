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

cube_programs = test/cube/test_order test/cube/test_convert test/cube/test_roundtrip test/cube/test_writer \
	test/cube/test_large
if HAVE_CMOCKA
check_PROGRAMS += $(cube_programs)
TESTS += $(cube_programs)
test_cube_test_order_SOURCES = test/cube/test_order.c test/cube/model.c test/cube/model.h
test_cube_test_order_CFLAGS = $(test_cflags)
test_cube_test_order_LDADD = $(cube_test_libs) $(CMOCKA_LIBS)
test_cube_test_convert_SOURCES = test/cube/test_convert.c
test_cube_test_convert_CFLAGS = $(test_cflags)
test_cube_test_convert_LDADD = $(cube_test_libs) $(CMOCKA_LIBS)
test_cube_test_roundtrip_SOURCES = test/cube/test_roundtrip.c test/cube/model.c test/cube/model.h
test_cube_test_roundtrip_CFLAGS = $(test_cflags)
test_cube_test_roundtrip_LDADD = $(cube_test_libs) $(CMOCKA_LIBS)
test_cube_test_writer_SOURCES = test/cube/test_writer.c test/cube/model.c test/cube/model.h
test_cube_test_writer_CFLAGS = $(test_cflags)
test_cube_test_writer_LDADD = $(cube_test_libs) $(CMOCKA_LIBS)
test_cube_test_large_SOURCES = test/cube/test_large.c test/cube/model.c test/cube/model.h
test_cube_test_large_CFLAGS = $(test_cflags)
test_cube_test_large_LDADD = $(cube_test_libs) $(CMOCKA_LIBS)
else
without_cmocka += $(cube_programs)
endif
