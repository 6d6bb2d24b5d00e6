/* Which processors a run may use, and who shares them. */
#include "unit_test.h"

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "simulated_comm.h"
#include "system/processors.h"

/* A process with processors first up to last. */
static struct fathom_processors bound(int first, int last, uint32_t threads)
{
	struct fathom_processors processors = { .processes = 1, .threads = threads };

	for (int i = first; i <= last; i++)
		processors.mask[i / 64] |= (uint64_t)1 << i % 64;
	return processors;
}

static struct fathom_processors limited(struct fathom_processors processors, uint64_t group, uint64_t millis)
{
	processors.group = group;
	processors.group_millis = millis;
	return processors;
}

static void expect(const struct fathom_processors *list, uint32_t count, uint64_t millis, uint32_t processes,
		   uint32_t threads, uint64_t shared)
{
	struct fathom_capacity capacity;

	fathom_capacity_of(&capacity, list, count);
	assert_int_equal(capacity.nodes, 1);
	assert_int_equal(capacity.unknown_nodes, 0);
	assert_int_equal(capacity.millis, millis);
	assert_int_equal(capacity.most.processes, processes);
	assert_int_equal(capacity.most.threads, threads);
	assert_int_equal(capacity.most.millis, shared);
	assert_int_equal(capacity.shared_nodes, threads > 0);
}

static void threads_share_where_they_are_more(void **state)
{
	const struct fathom_processors
		enough[] = { bound(0, 3, 1), bound(0, 3, 3) },
		crowded[] = { bound(0, 3, 1), bound(0, 3, 4) },
		same_core[] = { bound(0, 0, 1), bound(5, 5, 1), bound(0, 0, 1), bound(1, 127, 1) },
		/* The processes within the first eight are nine, though each mask alone and all together suffice. */
		nested[] = { bound(0, 3, 4), bound(4, 7, 4), bound(0, 7, 1), bound(0, 63, 2) },
		apart[] = { bound(0, 0, 1), bound(1, 1, 1), bound(8000, 8191, 100) },
		two_places[] = { bound(0, 0, 2), bound(1, 1, 3) };

	(void)state;
	expect(enough, 2, 4000, 0, 0, 0);
	expect(crowded, 2, 4000, 2, 5, 4000);
	expect(same_core, 4, 128000, 2, 2, 1000);
	expect(nested, 4, 64000, 3, 9, 8000);
	expect(apart, 3, 194000, 0, 0, 0);
	expect(two_places, 2, 2000, 1, 3, 1000);
}

static void control_groups_limit(void **state)
{
	const struct fathom_processors
		whole[] = { limited(bound(0, 63, 2), 7, 2000), limited(bound(0, 63, 1), 8, 1500) },
		part[] = { limited(bound(0, 63, 1), 7, 1500), limited(bound(0, 63, 1), 7, 1500), bound(0, 63, 1) };

	(void)state;
	expect(whole, 2, 3500, 0, 0, 0);
	expect(part, 3, 64000, 2, 2, 1500);
}

static void what_is_not_known_is_not_guessed(void **state)
{
	const struct fathom_processors list[] = { bound(0, 0, 2), { .processes = 1, .threads = 1 } };
	struct fathom_capacity capacity, all = { .nodes = 0 };

	(void)state;
	fathom_capacity_of(&capacity, list, 2);
	assert_int_equal(capacity.unknown_nodes, 1);
	assert_int_equal(capacity.shared_nodes, 0);
	fathom_capacity_add(&all, &capacity);
	fathom_capacity_of(&capacity, list, 1);
	fathom_capacity_add(&all, &capacity);
	assert_int_equal(all.nodes, 2);
	assert_int_equal(all.unknown_nodes, 1);
	assert_int_equal(all.shared_nodes, 1);
	assert_int_equal(all.most.threads, 2);
}

static void text_is_read_back(void **state)
{
	static const char *const wrong[] = {
		"", "host", "host a", "host a, cpus ", "host a, cpus 3-1, threads 1", "host a, cpus 1, threads 0",
		"host a, cpus 1, threads 1 ", "host a, cpus 1, threads 1, limit 5", "host a, cpus 8192, threads 1",
		"host a, cpus 1, threads -1", "cpus 1, threads 1",
	};
	struct fathom_processors own = limited(bound(1, 3, 12), 77, 2500), read;
	char text[FATHOM_PROCESSORS_TEXT], host[8];

	(void)state;
	own.mask[127] = UINT64_C(3) << 62;
	own.mask[1] = 1;
	assert_true(fathom_processors_describe(&own, "n1", text, sizeof(text)));
	assert_string_equal(text, "host n1, cpus 1-3,64,8190-8191, threads 12, limit 2500 of 77");
	assert_true(fathom_processors_parse(&read, text, host, sizeof(host)));
	assert_string_equal(host, "n1");
	assert_memory_equal(&read, &own, sizeof(own));
	own.group = own.group_millis = 0;
	assert_true(fathom_processors_describe(&own, "n1", text, sizeof(text)));
	assert_true(fathom_processors_parse(&read, text, host, sizeof(host)));
	assert_memory_equal(&read, &own, sizeof(own));
	assert_false(fathom_processors_describe(&own, "n1", text, 20));
	for (int i = 0; i < 8192; i += 2)
		own.mask[i / 64] |= (uint64_t)1 << i % 64;
	assert_false(fathom_processors_describe(&own, "n1", text, sizeof(text)));
	assert_false(fathom_processors_describe(&(struct fathom_processors){ .threads = 1 }, "n1", text, sizeof(text)));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (fathom_processors_parse(&read, wrong[i], host, sizeof(host)))
			fail_msg("\"%s\" is taken", wrong[i]);
}

/* --- from the system ------------------------------------------------------------------------------- */

static void put(const char *root, const char *path, const char *text)
{
	char whole[512];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s%s", root, path);
	for (char *slash = strchr(whole + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(whole, 0777);
		*slash = '/';
	}
	file = fopen(whole, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void the_least_limit_holds(void **state)
{
	char root[] = "/tmp/fathom-processors-XXXXXX", command[64];
	struct fathom_processors own;
	uint64_t group;

	(void)state;
	assert_non_null(mkdtemp(root));
	put(root, "/proc/self/cgroup", "0::/user/job\n");
	put(root, "/sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
	fathom_processors_find(&own, 1, root);
	assert_int_equal(own.group, 0);
	put(root, "/sys/fs/cgroup/user/cpu.max", "250000 100000\n");
	fathom_processors_find(&own, 1, root);
	assert_int_equal(own.group_millis, 2500);
	group = own.group;
	put(root, "/sys/fs/cgroup/user/job/cpu.max", "300000 100000\n");
	fathom_processors_find(&own, 1, root);
	assert_int_equal(own.group_millis, 2500);
	assert_int_equal(own.group, group);
	put(root, "/sys/fs/cgroup/user/job/cpu.max", "50000 100000\n");
	fathom_processors_find(&own, 1, root);
	assert_int_equal(own.group_millis, 500);
	assert_int_not_equal(own.group, group);
	/* Version 1, as a container sees it: the path is not there, but its root is. */
	put(root, "/proc/self/cgroup", "5:memory:/docker/a\nnothing\n4:cpu,cpuacct:/docker/a\n1:name=systemd:/x\n");
	put(root, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
	put(root, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
	fathom_processors_find(&own, 1, root);
	assert_int_equal(own.group, 0);
	put(root, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000\n");
	fathom_processors_find(&own, 1, root);
	assert_int_equal(own.group_millis, 1500);
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

static void affinity_is_that_of_the_threads(void **state)
{
	struct fathom_processors one, all;
	cpu_set_t set;

	(void)state;
	if (sched_getaffinity(0, sizeof(set), &set))
		skip();		/* more processors than a set holds */
	fathom_processors_find(&one, 1, "/nowhere");
	fathom_processors_find(&all, 4, "");
	assert_int_equal(one.threads, 1);
	assert_int_equal(all.threads, 4);
	for (int i = 0; i < CPU_SETSIZE; i++)
		assert_int_equal(one.mask[i / 64] >> i % 64 & 1, CPU_ISSET(i, &set) != 0);
	assert_memory_equal(one.mask, all.mask, sizeof(one.mask));
}

/* --- together ---------------------------------------------------------------------------------------- */

enum { RANKS = 12, HOSTS = 3 };

struct rank {
	int number;
	bool is_cyclic;
	struct fathom_capacity capacity;
};

/* On host 0 each rank has a processor of its own, on host 1 all have the same two, on host 2 the last two share one. */
static int unite(struct fathom_comm *comm, void *argument)
{
	struct rank *rank = argument;
	int place = rank->is_cyclic ? rank->number / HOSTS : rank->number % (RANKS / HOSTS);
	int node = rank->is_cyclic ? rank->number % HOSTS : rank->number / (RANKS / HOSTS);
	struct fathom_processors own = node == 1 ? bound(0, 1, 1) :
				       node == 2 && place == 3 ? bound(2, 2, 1) : bound(place, place, 1);
	char host[16];

	snprintf(host, sizeof(host), "host%d", node);
	return fathom_processors_unite(&own, host, comm, &rank->capacity);
}

static void the_processes_of_a_node_find_each_other(void **state)
{
	(void)state;
	for (int is_cyclic = 0; is_cyclic < 2; is_cyclic++) {
		struct rank ranks[RANKS];
		struct fathom_capacity all = { .nodes = 0 };
		void *arguments[RANKS];
		int results[RANKS];

		for (int r = 0; r < RANKS; r++) {
			ranks[r] = (struct rank){ .number = r, .is_cyclic = is_cyclic };
			arguments[r] = &ranks[r];
		}
		simulated_run(RANKS, unite, arguments, results);
		for (int r = 0; r < RANKS; r++) {
			assert_int_equal(results[r], 0);
			fathom_capacity_add(&all, &ranks[r].capacity);
		}
		assert_int_equal(all.nodes, HOSTS);
		assert_int_equal(all.unknown_nodes, 0);
		assert_int_equal(all.millis, (4 + 2 + 3) * 1000);
		assert_int_equal(all.shared_nodes, 2);
		assert_int_equal(all.most.threads, 4);
		assert_int_equal(all.most.processes, 4);
		assert_int_equal(all.most.millis, 2000);
	}
	assert_false(simulated_mismatches);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_share_where_they_are_more),
		cmocka_unit_test(control_groups_limit),
		cmocka_unit_test(what_is_not_known_is_not_guessed),
		cmocka_unit_test(text_is_read_back),
		cmocka_unit_test(the_least_limit_holds),
		cmocka_unit_test(affinity_is_that_of_the_threads),
		cmocka_unit_test(the_processes_of_a_node_find_each_other),
	};

	alarm(120);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
