/* Messages between hosts: a stage is over when all messages were taken, also those that messages cause. */
#include "unit_test.h"

#include <errno.h>
#include <unistd.h>

#include "fibers.h"
#include "simulated_comm.h"
#include "waits/host_mail.h"

enum { STAGES = 4, MOST_HOSTS = 40, FIRST = 30 };

struct host {
	struct fathom_waits_mail *mail;
	uint32_t rank, size, left, stage;
	uint64_t chance, taken, sent;
	bool fails;
	uint32_t next[MOST_HOSTS];	/* number of the next message from a host */
	uint32_t given[MOST_HOSTS];	/* messages to a host */
	char padding[5000];
};

struct letter {
	uint32_t from, number, lives, stage, bytes;
};

static int send_letter(struct host *host, uint32_t lives)
{
	uint32_t to = random_below(&host->chance, host->size), bytes = random_below(&host->chance, lives % 5 ? 40 : 5000);
	struct letter letter = { host->rank, host->given[to]++, lives, host->stage, bytes };

	host->sent++;
	return fathom_waits_mail_send(host->mail, to, lives, &letter, sizeof(letter), host->padding, bytes);
}

/* A message may cause others, which have fewer lives. */
static int take(void *context, uint32_t type, const void *data, size_t bytes)
{
	struct host *host = context;
	struct letter letter;

	memcpy(&letter, data, sizeof(letter));
	if (bytes != sizeof(letter) + letter.bytes || type != letter.lives || letter.stage != host->stage ||
	    letter.number != host->next[letter.from]++ || (uintptr_t)data % 8)
		return -EPROTO;
	host->taken++;
	return letter.lives ? send_letter(host, letter.lives - 1) : 0;
}

static int work(void *context, bool *is_idle)
{
	struct host *host = context;

	*is_idle = !host->left;
	if (host->fails && host->left == FIRST / 2)
		return -ENOMEM;
	return host->left ? send_letter(host, host->left-- % 7) : 0;
}

/* Runs some stages, one of which fails at the last host. Returns 0 if all is right. */
static int run(struct fathom_comm *comm)
{
	struct host *host = calloc(1, sizeof(*host));
	struct fathom_waits_stage stage = { take, work, host };
	int err = fathom_waits_mail_create(&host->mail, comm);
	double numbers[2];

	host->rank = (uint32_t)comm->rank;
	host->size = (uint32_t)comm->size;
	host->chance = host->rank;
	for (host->stage = 0; host->stage < STAGES && !err; host->stage++) {
		host->left = FIRST;
		host->fails = host->stage == 2 && comm->rank == comm->size - 1;
		memset(host->next, 0, sizeof(host->next));
		memset(host->given, 0, sizeof(host->given));
		host->taken = host->sent = 0;
		err = fathom_waits_mail_run(host->mail, &stage);
		if (host->stage == 2) {
			err = err == -ENOMEM ? 0 : -EINVAL;
			continue;
		}
		numbers[0] = (double)host->sent;
		numbers[1] = (double)host->taken;
		if (!err)
			err = fathom_waits_mail_sum(host->mail, numbers, 2);
		if (!err && (numbers[0] != numbers[1] || numbers[0] < FIRST * comm->size))
			err = -EINVAL;
	}
	if (!err && fathom_waits_mail_agree(host->mail, comm->rank ? 0 : -EIO) != -EIO)
		err = -EINVAL;
	fathom_waits_mail_destroy(host->mail);
	free(host);
	return err;
}

static int run_rank(struct fathom_comm *comm, void *argument)
{
	(void)argument;
	return run(comm);
}

static void stages_end_when_all_messages_were_taken(void **state)
{
	void *arguments[MOST_HOSTS] = { NULL };
	int results[MOST_HOSTS];

	(void)state;
	for (int size = 1; size <= 9; size++) {
		simulated_run(size, run_rank, arguments, results);
		for (int rank = 0; rank < size; rank++)
			assert_int_equal(results[rank], 0);
	}
	assert_false(simulated_mismatches);
}

static void run_fiber(struct fathom_comm *comm, void *context)
{
	*(int *)context += run(comm) != 0;
}

static void many_hosts_do_the_same(void **state)
{
	int wrong = 0;

	(void)state;
	for (int size = 1; size <= MOST_HOSTS; size += 13) {
		struct fiber_statistics statistics = fibers_run(size, run_fiber, &wrong);

		assert_int_equal(statistics.stuck + statistics.left + statistics.mismatches, 0);
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stages_end_when_all_messages_were_taken),
		cmocka_unit_test(many_hosts_do_the_same),
	};

	alarm(120);	/* a host that waits for ever */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
