# Programs with threads of their own.
pthread_scripts = test/pthread/calls.sh test/pthread/cxx.sh test/pthread/endings.sh
EXTRA_DIST += $(pthread_scripts) test/pthread/lib.sh test/pthread/calls.c test/pthread/c11.c test/pthread/cxx.cc \
	test/pthread/endings.c
TESTS += $(pthread_scripts)
