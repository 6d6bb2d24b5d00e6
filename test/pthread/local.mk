# Programs with threads of their own.
pthread_scripts = \
	test/pthread/calls.sh \
	test/pthread/cxx.sh \
	test/pthread/early.sh \
	test/pthread/endings.sh \
	test/pthread/many.sh \
	test/pthread/preload.sh \
	test/pthread/runtimes.sh \
	test/pthread/static.sh \
	test/pthread/table.sh \
	test/pthread/unmapped.sh
EXTRA_DIST += $(pthread_scripts) test/pthread/lib.sh test/pthread/calls.c test/pthread/c11.c test/pthread/cxx.cc \
	test/pthread/endings.c test/pthread/many.c test/pthread/unmapped.c
TESTS += $(pthread_scripts)
