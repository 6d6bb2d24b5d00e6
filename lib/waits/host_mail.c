#include "waits/host_mail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The buffer of one receiver grows up to one posted message. */
enum { FIRST_ROOM = 1 << 10, MOST_NUMBERS = 32 };

/* What a posted message begins with. */
struct envelope {
	uint32_t stage;
	uint32_t round;			/* of reports; 0 for messages */
	uint16_t is_answer;		/* to reports, from the parent */
	uint16_t is_over;		/* of an answer */
	int32_t error;			/* the worst one of those that have reported */
	uint64_t sent, received;	/* of a report */
};

/* What each message in an envelope begins with; its data follow, filled up to 8 bytes. */
struct label {
	uint32_t type;
	uint32_t bytes;
};

struct buffer {
	char *data;
	uint32_t bytes, room;
	bool is_listed;
};

/* A posted message of a stage that this host has not begun. */
struct early {
	struct early *next;
	size_t bytes;
	char data[];
};

struct fathom_waits_mail {
	struct fathom_comm *comm;
	int parent, child_count, children[32];
	struct buffer *buffers;		/* by host */
	uint32_t *listed;		/* hosts whose buffers are not empty */
	uint32_t listed_count;
	char *incoming;			/* room for a posted message */
	struct buffer queue;		/* messages to the own host */
	struct buffer taken;		/* those that are being taken */
	uint32_t stage, round;
	uint64_t sent, received;	/* messages posted in this stage */
	uint64_t below_sent, below_received;	/* reports of the children in this round */
	int reports;			/* number of them */
	int error, below_error;		/* own one, and that of the children; in the end, that of all hosts */
	bool has_reported;
	uint64_t last_sent, last_received;	/* at the root: sums of the round before */
	bool is_over;
	struct early *first_early, *last_early;
};

int fathom_waits_mail_create(struct fathom_waits_mail **result, struct fathom_comm *comm)
{
	struct fathom_waits_mail *mail = calloc(1, sizeof(*mail));

	if (!mail)
		return -ENOMEM;
	mail->comm = comm;
	mail->child_count = fathom_comm_tree(comm->rank, comm->size, &mail->parent, mail->children);
	mail->buffers = calloc((size_t)comm->size, sizeof(*mail->buffers));
	mail->listed = calloc((size_t)comm->size, sizeof(*mail->listed));
	mail->incoming = malloc(FATHOM_COMM_MOST_POSTED);
	*result = mail;
	if (mail->buffers && mail->listed && mail->incoming)
		return 0;
	fathom_waits_mail_destroy(mail);
	return -ENOMEM;
}

void fathom_waits_mail_destroy(struct fathom_waits_mail *mail)
{
	for (int i = 0; mail->buffers && i < mail->comm->size; i++)
		free(mail->buffers[i].data);
	while (mail->first_early) {
		struct early *early = mail->first_early;

		mail->first_early = early->next;
		free(early);
	}
	free(mail->queue.data);
	free(mail->taken.data);
	free(mail->incoming);
	free(mail->listed);
	free(mail->buffers);
	free(mail);
}

/* --- sending ------------------------------------------------------------------------------------------- */

static int make_room(struct buffer *buffer, size_t bytes)
{
	size_t room = buffer->room ? buffer->room : FIRST_ROOM;
	char *data;

	if (buffer->bytes + bytes <= buffer->room)
		return 0;
	while (room < buffer->bytes + bytes)
		room *= 2;
	if (room > UINT32_MAX)
		return -ENOMEM;
	data = realloc(buffer->data, room);
	if (!data)
		return -ENOMEM;
	buffer->data = data;
	buffer->room = (uint32_t)room;
	return 0;
}

static int post_buffer(struct fathom_waits_mail *mail, uint32_t host)
{
	struct buffer *buffer = &mail->buffers[host];
	int err = mail->comm->post(mail->comm, (int)host, buffer->data, buffer->bytes);

	buffer->bytes = 0;
	mail->sent++;
	return err;
}

static int flush(struct fathom_waits_mail *mail)
{
	int err = 0;

	for (uint32_t i = 0; i < mail->listed_count && !err; i++) {
		struct buffer *buffer = &mail->buffers[mail->listed[i]];

		buffer->is_listed = false;
		if (buffer->bytes)
			err = post_buffer(mail, mail->listed[i]);
		/* A rank of a large run sends to many others: it does not keep a large buffer for each. */
		if (mail->comm->size > 64) {
			free(buffer->data);
			*buffer = (struct buffer){ 0 };
		}
	}
	mail->listed_count = 0;
	return err;
}

int fathom_waits_mail_send(struct fathom_waits_mail *mail, uint32_t host, uint32_t type, const void *head,
			   size_t head_bytes, const void *body, size_t body_bytes)
{
	bool is_own = host == (uint32_t)mail->comm->rank;
	struct buffer *buffer = is_own ? &mail->queue : &mail->buffers[host];
	size_t bytes = head_bytes + body_bytes, whole = sizeof(struct label) + ((bytes + 7) & ~(size_t)7);
	struct label label = { type, (uint32_t)bytes };
	int err;

	if (!is_own && buffer->bytes + whole > FATHOM_COMM_MOST_POSTED) {
		err = post_buffer(mail, host);
		if (err)
			return err;
	}
	err = make_room(buffer, whole + sizeof(struct envelope));
	if (err)
		return err;
	if (!is_own && !buffer->bytes) {
		struct envelope envelope = { .stage = mail->stage };

		memcpy(buffer->data, &envelope, sizeof(envelope));
		buffer->bytes = sizeof(envelope);
	}
	if (!is_own && !buffer->is_listed) {
		buffer->is_listed = true;
		mail->listed[mail->listed_count++] = host;
	}
	memcpy(buffer->data + buffer->bytes, &label, sizeof(label));
	if (head_bytes)
		memcpy(buffer->data + buffer->bytes + sizeof(label), head, head_bytes);
	if (body_bytes)
		memcpy(buffer->data + buffer->bytes + sizeof(label) + head_bytes, body, body_bytes);
	memset(buffer->data + buffer->bytes + sizeof(label) + bytes, 0, whole - sizeof(label) - bytes);
	buffer->bytes += (uint32_t)whole;
	return 0;
}

/* --- receiving ----------------------------------------------------------------------------------------- */

/* Takes the messages of an envelope, up to the first error of this host. */
static void take_all(struct fathom_waits_mail *mail, const struct fathom_waits_stage *stage, const char *data,
		     size_t bytes)
{
	for (size_t at = 0; at < bytes && !mail->error;) {
		struct label label;

		memcpy(&label, data + at, sizeof(label));
		mail->error = stage->take(stage->context, label.type, data + at + sizeof(label), label.bytes);
		at += sizeof(label) + ((label.bytes + 7) & ~(size_t)7);
	}
}

static int keep_early(struct fathom_waits_mail *mail, size_t bytes)
{
	struct early *early = malloc(sizeof(*early) + bytes);

	if (!early)
		return -ENOMEM;
	early->next = NULL;
	early->bytes = bytes;
	memcpy(early->data, mail->incoming, bytes);
	if (mail->first_early)
		mail->last_early->next = early;
	else
		mail->first_early = early;
	mail->last_early = early;
	return 0;
}

/* Takes a report, an answer to reports, or messages. */
static int open_envelope(struct fathom_waits_mail *mail, const struct fathom_waits_stage *stage, const char *data,
			 size_t bytes)
{
	struct envelope envelope;

	memcpy(&envelope, data, sizeof(envelope));
	if (!envelope.round) {
		mail->received++;
		take_all(mail, stage, data + sizeof(envelope), bytes - sizeof(envelope));
		return 0;
	}
	if (bytes == sizeof(envelope) && envelope.is_answer) {
		mail->is_over = envelope.is_over;
		if (envelope.is_over)
			mail->error = envelope.error;
		mail->round = envelope.round;
		mail->has_reported = false;
		for (int i = 0; i < mail->child_count; i++) {
			int err = mail->comm->post(mail->comm, mail->children[i], &envelope, sizeof(envelope));

			if (err)
				return err;
		}
		return 0;
	}
	mail->reports++;
	mail->below_sent += envelope.sent;
	mail->below_received += envelope.received;
	if (envelope.error < mail->below_error)
		mail->below_error = envelope.error;
	return 0;
}

/* Takes a posted message from comm. *got: there was one. */
static int poll_one(struct fathom_waits_mail *mail, const struct fathom_waits_stage *stage, bool wait, bool *got)
{
	struct envelope envelope;
	size_t bytes;
	int from, err;

	err = mail->comm->poll(mail->comm, &from, mail->incoming, &bytes, wait);
	*got = !err && from >= 0;
	if (!*got)
		return err;
	memcpy(&envelope, mail->incoming, sizeof(envelope));
	if (envelope.stage != mail->stage)
		return keep_early(mail, bytes);
	return open_envelope(mail, stage, mail->incoming, bytes);
}

static void take_queue(struct fathom_waits_mail *mail, const struct fathom_waits_stage *stage)
{
	while (mail->queue.bytes) {
		struct buffer taken = mail->queue;

		mail->queue = mail->taken;
		mail->queue.bytes = 0;
		mail->taken = taken;
		take_all(mail, stage, taken.data, taken.bytes);
	}
}

/* Takes the messages for this stage that came while this host was in the stage before. */
static int take_early(struct fathom_waits_mail *mail, const struct fathom_waits_stage *stage)
{
	struct early *early = mail->first_early, *next;
	int err = 0;

	mail->first_early = mail->last_early = NULL;
	for (; early; early = next) {
		next = early->next;
		if (!err)
			err = open_envelope(mail, stage, early->data, early->bytes);
		free(early);
	}
	return err;
}

/* --- the end of a stage -------------------------------------------------------------------------------- */

/* Called without work: reports for this round, if all children did. */
static int report(struct fathom_waits_mail *mail)
{
	struct envelope envelope = { mail->stage, mail->round, 0, 0, mail->error, mail->sent + mail->below_sent,
				     mail->received + mail->below_received };
	int err = 0;

	if (mail->has_reported || mail->reports < mail->child_count)
		return 0;
	if (mail->below_error < envelope.error)
		envelope.error = mail->below_error;
	mail->reports = mail->below_error = 0;
	mail->below_sent = mail->below_received = 0;
	if (mail->parent >= 0) {
		mail->has_reported = true;
		return mail->comm->post(mail->comm, mail->parent, &envelope, sizeof(envelope));
	}
	envelope.is_over = mail->round > 1 && envelope.sent == envelope.received &&
			   envelope.sent == mail->last_sent && envelope.received == mail->last_received;
	envelope.is_answer = 1;
	mail->last_sent = envelope.sent;
	mail->last_received = envelope.received;
	envelope.round = ++mail->round;
	for (int i = 0; i < mail->child_count && !err; i++)
		err = mail->comm->post(mail->comm, mail->children[i], &envelope, sizeof(envelope));
	mail->is_over = envelope.is_over;
	if (envelope.is_over)
		mail->error = envelope.error;
	return err;
}

int fathom_waits_mail_run(struct fathom_waits_mail *mail, const struct fathom_waits_stage *stage)
{
	int err;

	mail->stage++;
	mail->round = 1;
	mail->is_over = mail->has_reported = false;
	mail->sent = mail->received = 0;
	mail->error = 0;
	err = take_early(mail, stage);
	while (!err && !mail->is_over) {
		bool is_idle = true, got = false, got_any = false;

		if (stage->work && !mail->error)
			mail->error = stage->work(stage->context, &is_idle);
		is_idle |= mail->error != 0;
		if (mail->queue.bytes) {
			is_idle = false;
			take_queue(mail, stage);
		}
		while (!err && mail->comm->size > 1 && !mail->is_over) {
			err = poll_one(mail, stage, false, &got);
			if (!got)
				break;
			got_any = true;
		}
		if (err || !is_idle || got_any || mail->queue.bytes || mail->is_over)
			continue;
		if (mail->comm->size == 1)
			break;
		err = flush(mail);
		if (!err)
			err = report(mail);
		if (!err && !mail->is_over && (mail->parent >= 0 || mail->child_count))
			err = poll_one(mail, stage, true, &got);
	}
	return err ? err : mail->error;
}

/* --- sums ---------------------------------------------------------------------------------------------- */

static int combine(struct fathom_waits_mail *mail, double *numbers, int count, bool sums)
{
	struct fathom_comm *comm = mail->comm;
	double other[MOST_NUMBERS];
	int err = 0;

	for (int c = 0; c < mail->child_count && !err; c++) {
		err = comm->receive(comm, mail->children[c], other, (size_t)count * sizeof(*other));
		for (int i = 0; i < count && !err; i++) {
			if (sums)
				numbers[i] += other[i];
			else if (other[i] > numbers[i])
				numbers[i] = other[i];
		}
	}
	if (!err && mail->parent >= 0)
		err = comm->send(comm, mail->parent, numbers, (size_t)count * sizeof(*numbers));
	return err ? err : comm->broadcast(comm, 0, numbers, (size_t)count * sizeof(*numbers));
}

int fathom_waits_mail_sum(struct fathom_waits_mail *mail, double *numbers, int count)
{
	return combine(mail, numbers, count, true);
}

int fathom_waits_mail_largest(struct fathom_waits_mail *mail, double *numbers, int count)
{
	return combine(mail, numbers, count, false);
}

int fathom_waits_mail_agree(struct fathom_waits_mail *mail, int err)
{
	double worst = -err;
	int broken = fathom_waits_mail_largest(mail, &worst, 1);

	return broken ? broken : -(int)worst;
}
