# Samples: the unwinder against known chains of calls.
sample_scripts = \
	test/sample/call_graph.sh \
	test/sample/fuzz.sh \
	test/sample/hooks.sh \
	test/sample/reloading.sh
EXTRA_DIST += $(sample_scripts) test/sample/lib.sh test/sample/call_graph.cc test/sample/call_graph.h test/sample/call_graph_unit.cc \
	test/sample/reloading.c
TESTS += $(sample_scripts)
