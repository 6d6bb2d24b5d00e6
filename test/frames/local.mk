# The index of a trace, from which any part of it is drawn (lib/frames).
EXTRA_DIST += test/frames/make_long.c test/frames/compare_windows.c test/frames/compare_details.c
if HAVE_OTF2
check_PROGRAMS += test/frames/make_long test/frames/compare_windows test/frames/compare_details
test_frames_make_long_SOURCES = test/frames/make_long.c
test_frames_make_long_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
test_frames_make_long_LDADD = $(OTF2_LIBS)
test_frames_compare_windows_SOURCES = test/frames/compare_windows.c
test_frames_compare_windows_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
test_frames_compare_windows_LDADD = libframes.la libcallgraphs.la
test_frames_compare_details_SOURCES = test/frames/compare_details.c $(trace_detail_sources) \
	tools/common/trace/trace_frames.c tools/common/trace/trace_frames.h \
	tools/common/trace/trace_picture.c tools/common/trace/trace_picture.h
test_frames_compare_details_CPPFLAGS = $(tools_cppflags)
test_frames_compare_details_CFLAGS = $(AM_CFLAGS) $(OTF2_CFLAGS)
test_frames_compare_details_LDADD = libframes.la libcallgraphs.la libtools.la -lm
endif
frame_tests = test/frames/details.sh test/frames/index.sh
TESTS += $(frame_tests)
EXTRA_DIST += $(frame_tests)
