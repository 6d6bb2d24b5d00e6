# What a program tells itself: the examples, built and run, and what must be in their profiles and traces.
user_tests = test/user/calls.sh test/user/carts.sh test/user/examples.sh test/user/gaps.sh test/user/metrics.sh \
	test/user/parameters.sh test/user/phases.sh test/user/phases_report.sh test/user/recording.sh test/user/topology.sh
TESTS += $(user_tests)
EXTRA_DIST += $(user_tests) test/user/lib.sh test/user/nesting.c test/user/nesting.f90 test/user/nesting_threads.c \
	test/user/recording.c test/user/gaps.c test/user/metrics.c test/user/phases.c test/user/phases_ranks.c \
	test/user/carts.c test/user/parameters.c test/user/topology.c test/user/check_phases.py
