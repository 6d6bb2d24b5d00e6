#include "tools/serve/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "tools/common/command.h"
#include "tools/serve/answers.h"
#include "tools/serve/served_page.h"

/* Connections at a time; seconds after which a silent one is closed; bytes for the head of a request. */
enum { CONNECTIONS_MOST = 256, SILENT_SECONDS = 20, HEAD_BYTES = 16384 };

/* Sends a text, which is freed afterwards if the mode says so. */
static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status, const char *type, char *text,
				 enum MHD_ResponseMemoryMode mode)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(strlen(text), text, mode);
	enum MHD_Result result;

	if (!response) {
		if (mode == MHD_RESPMEM_MUST_FREE)
			free(text);
		return MHD_NO;
	}
	MHD_add_response_header(response, "Content-Type", type);
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
	MHD_add_response_header(response, "Content-Security-Policy",
				"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
				"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, "Allow", "GET, HEAD");
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result send_error(struct MHD_Connection *connection, unsigned status, const char *reason)
{
	json_t *object = json_pack("{s:s}", "error", reason);
	char *text = json_dumps(object, JSON_COMPACT);

	json_decref(object);
	return text ? send_text(connection, status, "application/json", text, MHD_RESPMEM_MUST_FREE) : MHD_NO;
}

/* Parses an argument of a request. False: it is missing, or no number. */
static bool number_argument(struct MHD_Connection *connection, const char *name, double *value)
{
	const char *text = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
	char *end;

	if (!text || !*text)
		return false;
	*value = strtod(text, &end);
	return !*end && *value >= 0 && *value <= 1e12;
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, json_t *answer, const char *reason)
{
	char *text;

	if (!answer)
		return send_error(connection, MHD_HTTP_BAD_REQUEST, reason);
	text = json_dumps(answer, JSON_COMPACT);
	json_decref(answer);
	return text ? send_text(connection, MHD_HTTP_OK, "application/json", text, MHD_RESPMEM_MUST_FREE) : MHD_NO;
}

/* Answers a request about a part of the time. */
static enum MHD_Result answer_part(struct fathom_server *server, struct MHD_Connection *connection, const char *request)
{
	const char *text = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "region"), *error = NULL;
	json_t *answer = NULL;
	double from, to;

	if (!number_argument(connection, "from", &from) || !number_argument(connection, "to", &to))
		return send_error(connection, MHD_HTTP_BAD_REQUEST, "from and to must be numbers of seconds");
	if (strcmp(request, "window") == 0)
		answer = fathom_answer_window(server->trace, from, to, &error);
	else if (strcmp(request, "summary") == 0)
		answer = fathom_answer_summary(server->trace, from, to, &error);
	else if (strcmp(request, "messages") == 0)
		answer = fathom_answer_messages(server->trace, from, to, &error);
	else if (strcmp(request, "matrix") == 0)
		answer = fathom_answer_matrix(server->trace, from, to, &error);
	else if (!text || !*text)
		return send_error(connection, MHD_HTTP_BAD_REQUEST, "region must be a part of a name");
	else
		answer = fathom_answer_search(server->trace, from, to, text, &error);
	return send_answer(connection, answer, error);
}

/* Returns the part of a path behind the token; NULL: the token is wrong. The time that this takes does not depend on
 * how much of the token is right. */
static const char *behind_token(const struct fathom_server *server, const char *path)
{
	size_t length = sizeof(server->token) - 1;
	unsigned char difference = 0;

	if (path[0] != '/' || strlen(path) < length + 2 || path[length + 1] != '/')
		return NULL;
	for (size_t i = 0; i < length; i++)
		difference |= (unsigned char)(path[i + 1] ^ server->token[i]);
	return difference ? NULL : path + length + 2;
}

/* Called by the library for a request: when its head has come, and when all of it has come. */
static enum MHD_Result answer(void *data, struct MHD_Connection *connection, const char *path, const char *method,
			      const char *version, const char *upload, size_t *upload_bytes, void **state)
{
	static const char *const of_parts[] = { "window", "summary", "messages", "matrix", "search" };
	static int head_has_come;
	struct fathom_server *server = data;
	const char *request, *error = NULL;

	(void)version;
	(void)upload;
	if (!*state) {
		*state = &head_has_come;
		return MHD_YES;
	}
	if (*upload_bytes) {
		*upload_bytes = 0;	/* what a client sends is not read */
		return MHD_YES;
	}
	request = behind_token(server, path);
	if (!request)
		return send_error(connection, MHD_HTTP_FORBIDDEN, "the address is wrong; fathom serve has printed it");
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return send_error(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD");
	if (!*request)
		return send_text(connection, MHD_HTTP_OK, "text/html; charset=utf-8", (char *)fathom_served_page,
				 MHD_RESPMEM_PERSISTENT);
	if (strcmp(request, "trace") == 0) {
		json_t *trace = fathom_answer_trace(server->trace, &error);

		return send_answer(connection, trace, error);
	}
	for (size_t i = 0; i < sizeof(of_parts) / sizeof(*of_parts); i++)
		if (strcmp(request, of_parts[i]) == 0)
			return answer_part(server, connection, request);
	return send_error(connection, MHD_HTTP_NOT_FOUND,
			  "there are trace, window, summary, messages, matrix and search");
}

/* Makes a token. 0 or -errno. */
static int make_token(char *token)
{
	unsigned char bytes[(FATHOM_SERVER_TOKEN_BYTES - 1) / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return -EIO;
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(token + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

int fathom_server_start(struct fathom_server *server, struct fathom_served_trace *trace, uint16_t port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
	const union MHD_DaemonInfo *bound;
	bool is_polled = trace->comm->size > 1;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server->trace = trace;
	if (make_token(server->token)) {
		fathom_tool_error("the system gives no random numbers for a token");
		return -EIO;
	}
	errno = 0;
	server->daemon = MHD_start_daemon(is_polled ? MHD_NO_FLAG : MHD_USE_AUTO_INTERNAL_THREAD, port,
					  NULL, NULL, answer, server,
					  MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
					  MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MOST,
					  MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENT_SECONDS,
					  MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_BYTES, MHD_OPTION_END);
	if (!server->daemon) {
		fathom_tool_error("--port %u: no server can be started there%s%s", port, errno ? ": " : "",
				  errno ? strerror(errno) : "");
		return -EIO;
	}
	bound = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
	server->port = bound && bound->port ? bound->port : port;
	return 0;
}

void fathom_server_poll(struct fathom_server *server, int most_ms)
{
	MHD_run_wait(server->daemon, most_ms);
}

void fathom_server_stop(struct fathom_server *server)
{
	MHD_stop_daemon(server->daemon);
}
