/*
 * server: answers requests of browsers on this machine about one trace.
 *
 * It listens on the loopback address only, and the first part of each path must be a token that nobody can guess.
 * It never opens a file that a request names: the requests are the names in answers.h, with numbers and a text. One
 * thread serves all connections, so that requests use the trace one after the other; a slow client does not hold the
 * others up. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_SERVE_SERVER_H
#define FATHOM_TOOLS_SERVE_SERVER_H

#include <stdint.h>

#include "tools/serve/answers.h"

enum { FATHOM_SERVER_TOKEN_BYTES = 33 };	/* 32 characters, 128 bits, and the end */

struct fathom_server {
	struct fathom_served_trace *trace;
	void *daemon;			/* of the library that speaks HTTP */
	char token[FATHOM_SERVER_TOKEN_BYTES];
	uint16_t port;
};

/* Starts a server about an open trace, on a port; 0: any that is free. port and token are set then. 0, or -errno after
 * an error message. */
int fathom_server_start(struct fathom_server *server, struct fathom_served_trace *trace, uint16_t port);

/* If several processes answer, no thread serves the connections: this serves those that want something, and waits for
 * them at most so many milliseconds. */
void fathom_server_poll(struct fathom_server *server, int most_ms);

/* Ends all connections. */
void fathom_server_stop(struct fathom_server *server);

#endif
