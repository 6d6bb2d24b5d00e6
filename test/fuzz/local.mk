# Damaged files for the programs that read files, and random settings. FUZZ_RUNS and FUZZ_SEED in the environment ask for more,
# or for others.
check_PROGRAMS += test/fuzz/fuzz_files
test_fuzz_fuzz_files_SOURCES = test/fuzz/fuzz_files.c
test_fuzz_fuzz_files_CFLAGS = $(AM_CFLAGS)
fuzz_tests = test/fuzz/snapshots.sh test/fuzz/inputs.sh test/fuzz/settings.sh
TESTS += $(fuzz_tests)
EXTRA_DIST += $(fuzz_tests) test/fuzz/prog.c test/fuzz/random_settings.py
