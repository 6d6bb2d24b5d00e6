# Counters, against what is known of small programs.
metric_scripts = \
	test/metric/ends.sh \
	test/metric/groups.sh \
	test/metric/holistic.sh \
	test/metric/reading.sh \
	test/metric/rotation.sh \
	test/metric/sde.sh \
	test/metric/serial.sh \
	test/metric/threads.sh \
	test/metric/trace.sh \
	test/metric/user.sh
EXTRA_DIST += $(metric_scripts) test/metric/lib.sh test/metric/touch.h test/metric/cancelled.c test/metric/fake_counters.c test/metric/ranks.c test/metric/rotation.c test/metric/sde.c \
	test/metric/serial.c test/metric/slow_proc.c test/metric/tasks.c test/metric/team.c test/metric/threads.c test/metric/user.c
TESTS += $(metric_scripts)
