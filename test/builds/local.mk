# test/builds: fathom in other people's builds, and with the MPIs that may be there.
builds_scripts = \
	test/builds/autotools.sh \
	test/builds/both.sh \
	test/builds/cmake.sh \
	test/builds/doc.sh \
	test/builds/flags.sh \
	test/builds/mpis.sh \
	test/builds/openmpi.sh
TESTS += $(builds_scripts)
EXTRA_DIST += $(builds_scripts) test/builds/lib.sh
