# Loops, inlined calls and lines of programs.
check_PROGRAMS += test/symbols/scopes
test_symbols_scopes_SOURCES = test/symbols/scopes.c
test_symbols_scopes_LDADD = libcodestructure.la libplatform.la
symbols_tests = test/symbols/loops.sh test/symbols/nest.sh test/symbols/run.sh \
	test/symbols/tree.sh
TESTS += $(symbols_tests)
EXTRA_DIST += $(symbols_tests) test/symbols/make_samples.py test/symbols/loops.s test/symbols/nest.c \
	test/symbols/part.c test/symbols/scoped_tree.py test/symbols/tree.c test/symbols/tree_ranks.c \
	test/symbols/tree_teams.c
