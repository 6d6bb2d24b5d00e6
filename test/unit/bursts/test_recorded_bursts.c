/* Files of recorded bursts: what is in them is read, and every damage is found. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bursts/burst_blocks.h"
#include "bursts/recorded_bursts.h"

static const char path[] = "test.bursts.bin";

enum { MOST = 16 };
static char file[1 << 16];
static size_t bytes;
static uint32_t blocks;
static struct fathom_otf2_archive trace;
static struct fathom_burst_extraction extraction;
static struct fathom_burst found[MOST];
static double cycles[MOST];
static int count;

/* --- making files ----------------------------------------------------------------------------------------- */

static void put(const void *data, size_t length)
{
	memcpy(file + bytes, data, length);
	bytes += length;
}

static void put_block(uint32_t kind, uint32_t number, const void *payload, size_t length)
{
	struct fathom_burst_file_block head = {
		kind, number, length, fathom_burst_file_checksum(payload, length / 8),
	};

	put(&head, sizeof(head));
	put(payload, length);
	blocks++;
}

enum { MAIN, SOLVE, RECV, SEND, REGIONS };

/* A rank with one thread and one counter: main > solve > {MPI_Recv, MPI_Send}, and main > MPI_Send. The numbers of the
 * regions begin at shift. */
static void put_rank(uint32_t rank, uint32_t shift, uint64_t zero, const uint64_t (*bursts)[5], uint64_t burst_count)
{
	static const char text[] = "main\0solve\0MPI_Recv\0MPI_Send\0compiler\0function\0mpi\0point2point\0"
				   "Master thread\0cycles\0#\0node7\0app.c\0\0\0\0\0\0";
	static const uint32_t names[REGIONS] = { 0, 5, 11, 20 };
	struct {
		struct fathom_burst_file_process head;
		struct fathom_burst_file_location location;
		struct fathom_burst_file_counter counter;
		struct fathom_burst_file_region regions[REGIONS];
		struct fathom_burst_file_path paths[5];
		char text[112];
	} definitions = {
		.head = {
			.zero_ticks = zero, .realtime_ns = 5000000000, .ticks_per_second = 1e9, .process_count = 2,
			.host = 86, .location_count = 1, .counter_count = 1, .region_count = REGIONS, .path_count = 5,
			.text_bytes = 112,
		},
		.location = { .name = 63, .counter_count = 1, .bursts = burst_count, .dropped = 3, .interrupted = 1 },
		.counter = { 77, 84 },
	};
	uint64_t payload[64];

	memcpy(definitions.text, text, sizeof(text));
	for (uint32_t r = 0; r < REGIONS; r++)
		definitions.regions[(r + shift) % REGIONS] = (struct fathom_burst_file_region){
			.name = names[r], .file = 92, .begin_line = 10 * r, .paradigm = r < RECV ? 29 : 47,
			.role = r < RECV ? 38 : 51,
		};
	for (uint32_t p = 0; p < 5; p++)
		definitions.paths[p].region = ((p < 4 ? p : (uint32_t)SEND) + shift) % REGIONS;
	definitions.paths[0].parent = FATHOM_BURST_FILE_NO_PATH;
	definitions.paths[2].parent = definitions.paths[3].parent = 1;
	*(struct fathom_burst_file_bursts *)(void *)payload = (struct fathom_burst_file_bursts){ 0, 1, burst_count };
	for (uint64_t i = 0; i < burst_count; i++) {
		uint64_t *record = payload + 2 + 4 * i;

		*(struct fathom_burst_file_record *)(void *)record = (struct fathom_burst_file_record){
			bursts[i][0], bursts[i][1], (uint32_t)bursts[i][2], (uint32_t)bursts[i][3],
		};
		record[3] = bursts[i][4];
	}
	put_block(FATHOM_BURST_BLOCK_BURSTS, rank, payload, (2 + 4 * burst_count) * 8);
	put_block(FATHOM_BURST_BLOCK_PROCESS, rank, &definitions, sizeof(definitions));
}

static void make_file(void)
{
	const uint64_t no = FATHOM_BURST_FILE_NO_PATH;
	const uint64_t first[][5] = { { 1000, 1500, no, 2, 7 }, { 1600, 1900, 2, 3, 8 }, { 2000, 2600, 3, 4, 9 } };
	const uint64_t second[][5] = { { 400, 900, 4, 4, 5 }, { 950, 1000, 4, no, 6 } };
	struct fathom_burst_file_head head = {
		.order = FATHOM_BURST_FILE_ORDER, .version = FATHOM_BURST_FILE_VERSION,
	};
	struct fathom_burst_file_block end = { .kind = FATHOM_BURST_BLOCK_END };

	memcpy(head.magic, FATHOM_BURST_FILE_MAGIC, sizeof(head.magic));
	bytes = blocks = 0;
	put(&head, sizeof(head));
	put_rank(1, 1, 500, second, 2);		/* the same moment is 500 there and 1000 at rank 0 */
	put_rank(0, 0, 1000, first, 3);
	end.number = blocks;
	end.checksum = fathom_burst_file_checksum(NULL, 0);
	put(&end, sizeof(end));
}

static void write_file(size_t length)
{
	FILE *stream = fopen(path, "wb");

	assert_non_null(stream);
	assert_int_equal(fwrite(file, 1, length, stream), length);
	assert_int_equal(fclose(stream), 0);
}

static bool keep(void *taker, const struct fathom_burst *burst)
{
	(void)taker;
	assert_true(count < MOST);
	cycles[count] = burst->counters[0];
	found[count++] = *burst;
	return true;
}

/* Reads the file of that length; leaves its bursts in found. */
static int read_file(size_t length)
{
	int err;

	write_file(length);
	count = 0;
	memset(&trace, 0, sizeof(trace));
	memset(&extraction, 0, sizeof(extraction));
	err = fathom_recorded_bursts_read(&extraction, &trace, path, keep, NULL);
	return err;
}

static void forget(void)
{
	if (extraction.locations)
		fathom_burst_extraction_fini(&extraction);
	fathom_otf2_close(&trace);
}

static void is_at(uint32_t burst_path, const char *expected)
{
	char text[200];

	if (!expected)
		assert_int_equal(burst_path, FATHOM_NO_BURST_PATH);
	else
		assert_string_equal(fathom_burst_path_text(&extraction, burst_path, text, sizeof(text)), expected);
}

/* --- tests ------------------------------------------------------------------------------------------------ */

static void bursts_of_all_ranks_are_read(void **state)
{
	static const struct { uint32_t location; uint64_t begin, ns; const char *before, *after, *code; } expected[] = {
		{ 0, 100, 500, NULL, "main > solve > MPI_Recv", "main > solve" },
		{ 0, 700, 300, "main > solve > MPI_Recv", "main > solve > MPI_Send", "main > solve" },
		{ 0, 1100, 600, "main > solve > MPI_Send", "main > MPI_Send", "main" },
		{ 1, 0, 500, "main > MPI_Send", "main > MPI_Send", "main" },
		{ 1, 550, 50, "main > MPI_Send", NULL, "main" },
	};

	(void)state;
	make_file();
	assert_int_equal(read_file(bytes), 0);
	assert_int_equal(count, 5);
	for (int i = 0; i < count; i++) {
		assert_int_equal(found[i].location, expected[i].location);
		assert_true(fabs((double)found[i].begin / 1000 - (double)expected[i].begin) < 0.01);
		assert_true(fabs((double)(found[i].end - found[i].begin) / 1000 - (double)expected[i].ns) < 0.01);
		is_at(found[i].before, expected[i].before);
		is_at(found[i].after, expected[i].after);
		is_at(found[i].code, expected[i].code);
		assert_true(cycles[i] == (i < 3 ? 7 + i : 2 + i));
	}
	assert_int_equal(extraction.counter_count, 1);
	assert_string_equal(extraction.counters[0].name, "cycles");
	assert_int_equal(fathom_otf2_count(&trace.defs, FATHOM_OTF2_REGION), REGIONS);
	assert_int_equal(extraction.paths.count, 5);
	assert_int_equal(extraction.interrupted, 2);
	assert_int_equal(extraction.unrecorded, 6);
	forget();
}

static void every_changed_byte_is_found(void **state)
{
	(void)state;
	make_file();
	for (size_t i = 0; i < bytes; i++) {
		file[i] ^= 0x10;
		assert_true(read_file(bytes) < 0);
		assert_true(strlen(trace.error) > sizeof(path) && !strchr(trace.error, '\n'));
		forget();
		file[i] ^= 0x10;
	}
}

static void every_cut_is_found(void **state)
{
	(void)state;
	make_file();
	for (size_t i = 0; i < bytes; i += 4) {
		assert_true(read_file(i) < 0);
		forget();
	}
	memset(file + bytes, 0, 8);	/* and something behind the end */
	assert_true(read_file(bytes + 8) < 0);
	forget();
}

/* A writer with an error has right checksums: then each number is checked by itself. */
static void wrong_numbers_do_no_harm(void **state)
{
	(void)state;
	for (size_t i = sizeof(struct fathom_burst_file_head); ; i++) {
		size_t place = sizeof(struct fathom_burst_file_head);

		make_file();
		if (i >= bytes)
			break;
		file[i] ^= 0x81;
		while (place + sizeof(struct fathom_burst_file_block) <= bytes) {
			struct fathom_burst_file_block *block = (void *)(file + place);

			place += sizeof(*block);
			if (block->bytes > bytes - place || block->bytes % 8)
				break;
			block->checksum = fathom_burst_file_checksum((void *)(block + 1), block->bytes / 8);
			place += block->bytes;
		}
		read_file(bytes);
		forget();
	}
}

static void the_other_byte_order_is_named(void **state)
{
	uint32_t swapped = __builtin_bswap32(FATHOM_BURST_FILE_ORDER);

	(void)state;
	make_file();
	memcpy(file + 8, &swapped, sizeof(swapped));
	assert_int_equal(read_file(bytes), -ENOTSUP);
	assert_non_null(strstr(trace.error, "other byte order"));
	forget();
	remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bursts_of_all_ranks_are_read),
		cmocka_unit_test(every_changed_byte_is_found),
		cmocka_unit_test(every_cut_is_found),
		cmocka_unit_test(wrong_numbers_do_no_harm),
		cmocka_unit_test(the_other_byte_order_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
