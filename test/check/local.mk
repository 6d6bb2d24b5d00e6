# test/check: tests of the sources themselves, and of the libraries as they were built.
check_scripts = \
	test/check/circles.sh \
	test/check/exports.sh \
	test/check/hook_code.sh \
	test/check/install.sh \
	test/check/instructions.sh \
	test/check/layers.sh \
	test/check/reference.sh \
	test/check/suite.sh \
	test/check/sources.sh \
	test/check/words.sh
TESTS += $(check_scripts)
EXTRA_DIST += test/check/words.py $(check_scripts)
