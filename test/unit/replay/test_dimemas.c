/* Programs and machines as files of Dimemas: known answers, round trips, and wrong files. */
#include "made_programs.h"

#include <errno.h>

#include "replay/dimemas_config.h"
#include "replay/dimemas_trace.h"

enum { NONE = FATHOM_REPLAY_NONE };

static int read_text(struct fathom_replay_program *program, const char *text, char error[256])
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	int err;

	assert_non_null(in);
	error[0] = '\0';
	err = fathom_dimemas_read(program, in, error, 256);
	fclose(in);
	return err;
}

static void the_message_of_the_format_description(void **state)
{
	struct fathom_machine machine = made_machine(10e-6, 100.0 * (1 << 20));
	struct fathom_replay_program program;
	char error[256];

	(void)state;
	assert_int_equal(read_text(&program, "#DIMEMAS:\"x\":0:2(1,1),1\nd:1:1:2:0:1\n1:0:0:1.000000000\n"
				   "2:0:0:1:-1:1048576:0:0:0\n1:1:0:0.500000000\n3:1:0:0:-1:1048576:0:0:0\n", error), 0);
	NEAR(made_seconds(&program, &machine), 1.01001);
	fathom_replay_program_fini(&program);
}

/* What is written and read again takes the same time. */
static void round_trip(void **state)
{
	struct fathom_machine machine = made_machine(1e-4, 1e6);
	struct fathom_replay_program program = made_program(4, 2), again;
	char *text = NULL, error[256];
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	double seconds;

	(void)state;
	for (int round = 0; round < 5; round++) {
		for (uint32_t task = 0; task < 4; task++) {
			uint32_t receive = made_post(&program, task, (task + 3) % 4);

			made_burst(&program, task, .01 * (task + 1), 0);
			made_send(&program, task, (task + 1) % 4, 1000, FATHOM_REPLAY_STANDARD, true);
			made_wait_receive(&program, task, receive);
			made_collective(&program, task, round % 2 ? FATHOM_COLLECTIVE_ALLREDUCE : FATHOM_COLLECTIVE_BCAST, 80,
					round % 2 ? NONE : 1);
		}
		made_burst(&program, 0, .005, 0);
		made_send(&program, 0, 1, 50, FATHOM_REPLAY_SYNCHRONOUS, true);
		made_receive(&program, 1, 0);
	}
	seconds = made_seconds(&program, &machine);
	fathom_dimemas_write(&program, "round trip", out);
	fclose(out);
	assert_int_equal(read_text(&again, text, error), 0);
	for (uint32_t task = 0; task < 4; task++)
		again.tasks[task].node = task / 2;
	assert_int_equal(fathom_replay_program_count_nodes(&again), 0);
	NEAR(made_seconds(&again, &machine), seconds);
	assert_int_equal(again.message_count, program.message_count);
	assert_int_equal(again.instance_count, program.instance_count);
	fathom_replay_program_fini(&program);
	fathom_replay_program_fini(&again);
	free(text);
}

static void machines(void **state)
{
	struct fathom_machine machine = made_machine(2e-6, 3e9), again;
	struct fathom_replay_program program = made_program(4, 2), other = made_program(4, 1);
	char text[4096] = "", error[256] = "";
	FILE *file = fmemopen(text, sizeof(text), "w");

	(void)state;
	assert_int_equal(fathom_replay_program_finish(&program), 0);
	machine.inside = (struct fathom_network){ .latency = 1e-6, .bandwidth = 8e9, .in_links = 1, .out_links = 2 };
	machine.between.buses = 7;
	machine.cpus = 3;
	machine.cpu_ratio = 1.5;
	fathom_dimemas_config_write(&machine, &program, file);
	fclose(file);
	file = fmemopen(text, strlen(text), "r");
	assert_int_equal(fathom_dimemas_config_read(&again, &other, file, error, sizeof(error)), 0);
	fclose(file);
	NEAR(again.between.latency, 2e-6);
	assert_true(fabs(again.between.bandwidth / 3e9 - 1) < 1e-8 && fabs(again.inside.bandwidth / 8e9 - 1) < 1e-8);
	NEAR(again.inside.latency, 1e-6);
	NEAR(again.cpu_ratio, 1.5);
	assert_int_equal(again.between.buses, 7);
	assert_int_equal(again.inside.in_links, 1);
	assert_int_equal(again.inside.out_links, 2);
	assert_int_equal(again.cpus, 3);
	assert_int_equal(other.node_count, 2);
	assert_int_equal(other.tasks[1].node, 0);
	assert_int_equal(other.tasks[2].node, 1);
	fathom_replay_program_fini(&program);
	fathom_replay_program_fini(&other);
}

/* Writes a machine with those links between nodes and reads it again. */
static struct fathom_network links_again(uint32_t in, uint32_t out, bool is_half_duplex)
{
	struct fathom_machine machine = made_machine(2e-6, 3e9), again;
	struct fathom_replay_program program = made_program(4, 2);
	char text[4096] = "", error[256] = "";
	FILE *file = fmemopen(text, sizeof(text), "w");

	assert_int_equal(fathom_replay_program_finish(&program), 0);
	machine.between.in_links = in;
	machine.between.out_links = out;
	machine.between.is_half_duplex = is_half_duplex;
	fathom_dimemas_config_write(&machine, &program, file);
	fclose(file);
	file = fmemopen(text, strlen(text), "r");
	assert_int_equal(fathom_dimemas_config_read(&again, &program, file, error, sizeof(error)), 0);
	fclose(file);
	fathom_replay_program_fini(&program);
	assert_false(again.inside.is_half_duplex);
	return again.between;
}

/* In the file, links in one direction only are half-duplex links. */
static void links(void **state)
{
	static const char node[] =
		"\"environment information\" {\"\", 0, \"\", 1, 10, 0, 3};;\n"
		"\"node information\" {0, \"\", 2, 1, 0, 0, 0, 0, 3, 0, 2, 0, 0};;\n";
	struct fathom_replay_program program = made_program(2, 2);
	struct fathom_machine machine;
	struct fathom_network network = links_again(3, 3, true);
	FILE *file = fmemopen((void *)node, sizeof(node) - 1, "r");
	char error[256] = "";

	(void)state;
	assert_true(network.is_half_duplex && network.in_links == 3);
	network = links_again(2, 3, false);
	assert_true(!network.is_half_duplex && network.in_links == 2 && network.out_links == 3);
	network = links_again(0, 3, false);
	assert_true(!network.is_half_duplex && network.in_links == 4 && network.out_links == 3);
	network = links_again(0, 0, false);
	assert_true(!network.is_half_duplex && !network.in_links && !network.out_links);
	assert_int_equal(fathom_dimemas_config_read(&machine, &program, file, error, sizeof(error)), 0);
	fclose(file);
	assert_true(machine.inside.is_half_duplex && machine.inside.in_links == 3);
	assert_true(machine.between.is_half_duplex && machine.between.in_links == 2);
	fathom_replay_program_fini(&program);
}

static void wrong_files(void **state)
{
	static const struct { const char *text, *error; } files[] = {
		{ "", "line 0: does not begin" },
		{ "#Paraver", "line 1: does not begin" },
		{ "#DIMEMAS:\"x\":0:(1),0\n", "line 1: the number of tasks" },
		{ "#DIMEMAS:\"x\":0:2(1,1),0\n1:2:0:1.0\n", "line 2: no such task" },
		{ "#DIMEMAS:\"x\":0:2(1,1),0\n1:0:0:-1.0\n", "line 2: a burst" },
		{ "#DIMEMAS:\"x\":0:2(1,1),0\n2:0:0:5:-1:8:0:0:0\n", "line 2: a send" },
		{ "#DIMEMAS:\"x\":0:2(1,1),0\n2:0:0:1:-1:8:0:0\n", "line 2: 8 numbers, and not 9" },
		{ "#DIMEMAS:\"x\":0:2(1,1),0\n3:0:0:1:-1:8:0:0:2\n", "line 2: a wait for a receive" },
		{ "#DIMEMAS:\"x\":0:2(1,1),1\nd:1:1:2:0:7\n", "line 2: task 7 of 2" },
		{ "#DIMEMAS:\"x\":0:2(1,1),1\nd:1:1:3:0:1\n", "line 2: a communicator is" },
		{ "#DIMEMAS:\"x\":0:2(1,1),0\n10:0:0:0:1:0:0:0:0:1\n", "line 2: a collective operation is" },
		{ "#DIMEMAS:\"x\":0:2(1,1),0\nnonsense\n", "line 2: no record" },
	};
	static const char *const machines_text[] = {
		"nonsense\n", "\"environment information\" {\"x\", 0, \"\", 1, fast, 0, 3};;\n",
		"\"environment information\" {\"x\", 0, \"\", 1, 10, 0, 3};;\n",
		"\"environment information\" {\"x\", 0, \"\", 1, 10, 0, 9};;\n",
	};
	struct fathom_replay_program program;
	struct fathom_machine machine;
	char error[256];

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const char *text = *files[i].text ? files[i].text : "\n";

		assert_int_equal(read_text(&program, text, error), -EINVAL);
		if (*files[i].text)
			assert_memory_equal(error, files[i].error, strlen(files[i].error));
	}
	program = made_program(2, 1);
	for (size_t i = 0; i < sizeof(machines_text) / sizeof(machines_text[0]); i++) {
		FILE *in = fmemopen((void *)(uintptr_t)machines_text[i], strlen(machines_text[i]), "r");

		error[0] = '\0';
		assert_int_equal(fathom_dimemas_config_read(&machine, &program, in, error, sizeof(error)), -EINVAL);
		assert_true(strlen(error) > 10);
		fclose(in);
	}
	fathom_replay_program_fini(&program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_message_of_the_format_description),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(machines),
		cmocka_unit_test(links),
		cmocka_unit_test(wrong_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
