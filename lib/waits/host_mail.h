/*
 * host_mail: small messages between the hosts of a search, in stages.
 *
 * Messages for one host are joined in a buffer, which is posted when it is full or when the sender has nothing else to
 * do. Messages to the own host take the same way through a queue. A stage is over when no host has work and no message
 * is on its way. To find this out, hosts without work report along the binomial tree how many messages they sent and
 * received; the stage is over when two rounds in a row gave the same numbers, and as many messages were received as
 * sent.
 */
#ifndef FATHOM_WAITS_HOST_MAIL_H
#define FATHOM_WAITS_HOST_MAIL_H

#include <stddef.h>

#include "comm/comm.h"

struct fathom_waits_mail;

/* The most bytes of a message's data. */
enum { FATHOM_WAITS_MOST_MAIL = FATHOM_COMM_MOST_POSTED - 64 };

/* What a stage does. The functions return 0 or -errno. After an error the host does no more work and drops messages,
 * but stays until the stage is over, so that no other host waits for it. */
struct fathom_waits_stage {
	/* Takes a message; data is aligned to 8 bytes and valid during the call. May send. */
	int (*take)(void *context, uint32_t type, const void *data, size_t bytes);
	/* Works on for a while, and sets *is_idle if only messages can bring more work. May be NULL. */
	int (*work)(void *context, bool *is_idle);
	void *context;
};

/* Creates the mail of a rank of comm; all ranks create theirs. 0 or -ENOMEM. Context: finish. */
int fathom_waits_mail_create(struct fathom_waits_mail **mail, struct fathom_comm *comm);

/* Frees the mail. Context: finish. */
void fathom_waits_mail_destroy(struct fathom_waits_mail *mail);

/* Sends a message of two pieces, one after the other, to a host; inside of a stage only. 0 or -errno. Context:
 * finish. */
int fathom_waits_mail_send(struct fathom_waits_mail *mail, uint32_t host, uint32_t type, const void *head,
			   size_t head_bytes, const void *body, size_t body_bytes);

/* Runs a stage until it is over at all hosts, which all call this. 0 or the worst error of all hosts, which all get; or
 * an error of comm. Context: finish. */
int fathom_waits_mail_run(struct fathom_waits_mail *mail, const struct fathom_waits_stage *stage);

/* Sums up count numbers over all hosts, in the order of the tree; all hosts get the sums. 0 or -errno. Context:
 * finish. */
int fathom_waits_mail_sum(struct fathom_waits_mail *mail, double *numbers, int count);

/* As above, for the largest numbers. 0 or -errno. Context: finish. */
int fathom_waits_mail_largest(struct fathom_waits_mail *mail, double *numbers, int count);

/* Returns the worst error of all hosts, which all call this with 0 or their own error. Context: finish. */
int fathom_waits_mail_agree(struct fathom_waits_mail *mail, int err);

#endif
