# Input and output of programs (wrappers/io).
io_tests = test/io/calls.sh test/io/endings.sh
TESTS += $(io_tests)
EXTRA_DIST += $(io_tests) test/io/calls.c test/io/endings.c
