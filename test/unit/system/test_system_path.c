/* Where a process is: as it is told, as SLURM and the kernel tell it. */
#include "unit_test.h"

#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/system_path.h"

static char room[FATHOM_PATH_BYTES];

/* "machine=M/node=a", of a place. */
static const char *found(const struct fathom_system_path_source *source)
{
	static char text[2 * FATHOM_PATH_BYTES];
	struct fathom_system_path place;

	fathom_system_path_find(&place, room, source);
	text[0] = 0;
	for (uint32_t level = 0; level < place.levels; level++) {
		size_t length = strlen(text);

		snprintf(text + length, sizeof(text) - length, "%s%s=%s", level ? "/" : "",
			 fathom_system_path_class(&place, level), fathom_system_path_name(&place, level));
		assert_string_equal(room + fathom_system_path_bytes(&place, level) - strlen(fathom_system_path_name(&place,
														    level)) - 1,
				    fathom_system_path_name(&place, level));
	}
	assert_int_equal(fathom_system_path_bytes(&place, place.levels - 1), place.bytes);
	return text;
}

static const char *told(const char *tree, uint32_t rank)
{
	const struct fathom_system_path_source source = { .host = "h1", .tree = tree, .rank = rank, .sys = "/nowhere" };

	return found(&source);
}

static void what_is_told_holds(void **state)
{
	(void)state;
	assert_string_equal(told("machine=M/rack=r%{r/4}/node=%h-%{r%4}", 6), "machine=M/rack=r1/node=h1-2");
	assert_string_equal(told("machine=100%%/x_1=%r%r", 7), "machine=100%/x_1=77");
	assert_string_equal(told("node=a b", 0), "machine=Linux/node=a b");
	assert_string_equal(told("machine/node", 0), "machine=Linux/node=h1");
	assert_string_equal(told("machine/node/socket", 0), "machine=Linux/node=h1");
	/* A slash inside braces is none between levels. */
	assert_string_equal(told("machine=M/node=%{r/2}", 5), "machine=M/node=2");
}

static void names_that_are_too_long_are_cut(void **state)
{
	char tree[4096] = "machine=M", name[300];

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	for (int level = 0; level < 8; level++)
		strcat(strcat(tree, "/rack="), name);
	assert_in_range(strlen(told(tree, 0)), 700, FATHOM_PATH_BYTES);
}

static void slurm_tells_of_switches(void **state)
{
	const struct fathom_system_path_source source = { .host = "tux1", .sys = "/nowhere" };

	(void)state;
	unsetenv("SLURM_TOPOLOGY_ADDR");
	assert_string_equal(found(&source), "machine=Linux/node=tux1");
	setenv("SLURM_TOPOLOGY_ADDR", "s0.s4.tux1", 1);
	assert_string_equal(found(&source), "machine=Linux/node=tux1");
	setenv("SLURM_TOPOLOGY_ADDR_PATTERN", "switch.switch.node", 1);
	assert_string_equal(found(&source), "machine=Linux/switch=s0/switch=s4/node=tux1");
	setenv("SLURM_TOPOLOGY_ADDR", "s0..tux1", 1);
	assert_string_equal(found(&source), "machine=Linux/switch=s0/node=tux1");
	setenv("SLURM_TOPOLOGY_ADDR", "tux1", 1);
	assert_string_equal(found(&source), "machine=Linux/node=tux1");
	unsetenv("SLURM_TOPOLOGY_ADDR");
	unsetenv("SLURM_TOPOLOGY_ADDR_PATTERN");
}

static void put(const char *directory, const char *path, const char *text)
{
	char whole[512], *slash;
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/%s", directory, path);
	for (slash = strchr(whole + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(whole, 0777);
		*slash = '/';
	}
	file = fopen(whole, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Two sockets of four processors, each of two NUMA nodes. */
static void the_kernel_tells_of_sockets(void **state)
{
	char directory[] = "/tmp/test_place.XXXXXX", command[64];
	cpu_set_t processors;
	struct fathom_system_path_source source = { .host = "h", .sys = directory, .processors = &processors };

	(void)state;
	assert_non_null(mkdtemp(directory));
	for (int i = 0; i < 8; i++) {
		char path[128];

		snprintf(path, sizeof(path), "devices/system/cpu/cpu%d/topology/physical_package_id", i);
		put(directory, path, i < 4 ? "0\n" : "1\n");
	}
	put(directory, "devices/system/node/node0/cpulist", "0-1\n");
	put(directory, "devices/system/node/node1/cpulist", "2,3\n");
	put(directory, "devices/system/node/node2/cpulist", "4-5\n");
	put(directory, "devices/system/node/node3/cpulist", "6-7\n");
	CPU_ZERO(&processors);
	assert_string_equal(found(&source), "machine=Linux/node=h");
	CPU_SET(5, &processors);
	assert_string_equal(found(&source), "machine=Linux/node=h/socket=1/numa=2");
	CPU_SET(6, &processors);
	assert_string_equal(found(&source), "machine=Linux/node=h/socket=1");
	source.tree = "machine=M/numa/node/socket";
	assert_string_equal(found(&source), "machine=M/node=h/socket=1");
	source.tree = NULL;
	CPU_SET(0, &processors);
	assert_string_equal(found(&source), "machine=Linux/node=h");
	snprintf(command, sizeof(command), "rm -r %s", directory);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_told_holds),
		cmocka_unit_test(names_that_are_too_long_are_cut),
		cmocka_unit_test(slurm_tells_of_switches),
		cmocka_unit_test(the_kernel_tells_of_sockets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
