/*
 * main: `fathom serve`: shows a trace of any length in a browser. A local server answers the browser's requests for
 * parts of the trace.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/hosts.h"
#include "tools/serve/server.h"

static const char help[] =
	"usage: fathom serve [--port N] [DIRECTORY | traces.otf2]\n"
	"\n"
	"Show the time line of a trace in a browser, also of one that is too long for the page\n"
	"of fathom view: the browser asks this command for the part of the time that it shows.\n"
	"The command prints an address, which begins with http://127.0.0.1, and answers until\n"
	"it is interrupted. Only programs on this machine that know the address get answers;\n"
	"nothing can be changed, and no files but the trace and its index are read. Without a\n"
	"name, the newest experiment with a trace in FATHOM_DIR, if that is set, else in the\n"
	"present directory.\n"
	"\n"
	"mpirun -n K fathom serve divides the threads of the trace over K processes.\n"
	"\n"
	"  --port N          the port of the server, 1024 to 65535 (any that is free)\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 interrupted, 1 failure, 2 wrong command line.\n";

enum { PORT = 256, POLL_MS = 200 };

static const struct option options_known[] = {
	{ "port", required_argument, NULL, PORT },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, FATHOM_ARGUMENT_VERSION },
	{ NULL, 0, NULL, 0 },
};

/* Waits until the user ends the command. The signals are blocked, also in the thread of the server. With several
 * processes there is no such thread, because only the thread that has initialized MPI may use it. */
static void wait_for_end(const sigset_t *signals, struct fathom_server *server)
{
	const struct timespec now = { 0, 0 };
	int signal;

	if (server->trace->comm->size == 1)
		sigwait(signals, &signal);
	else
		while (sigtimedwait(signals, NULL, &now) < 0)
			fathom_server_poll(server, POLL_MS);
}

/* Serves the trace. Returns an exit code. */
static int serve(struct fathom_served_trace *trace, uint16_t port)
{
	struct fathom_server server;
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	if (fathom_server_start(&server, trace, port))
		return FATHOM_TOOL_FAILURE;
	printf("fathom serve: http://127.0.0.1:%u/%s/ (open it in a browser; Ctrl-C ends the server)\n", server.port,
	       server.token);
	fflush(stdout);
	wait_for_end(&signals, &server);
	fathom_server_stop(&server);
	return 0;
}

/* Opens the trace: first in the first process, which makes the index if there is none, and then in the others. 0 or
 * -errno. */
static int open_trace(struct fathom_served_trace *trace, const char *target, struct fathom_comm *comm)
{
	static struct fathom_experiment experiment;
	int err = 0;

	if (comm->rank == 0) {
		err = fathom_experiment_find_trace(&experiment, target);
		if (!err)
			err = fathom_served_trace_open(trace, experiment.path, comm);
	}
	err = fathom_hosts_agree(comm, err);
	if (!err && comm->size > 1)
		err = comm->broadcast(comm, 0, experiment.path, sizeof(experiment.path));
	if (!err && comm->rank > 0)
		err = fathom_served_trace_open(trace, experiment.path, comm);
	return fathom_hosts_agree(comm, err);
}

int main(int argc, char **argv)
{
	static struct fathom_served_trace trace;
	struct fathom_comm *comm;
	const char *target;
	uint16_t port = 0;
	int code;

	fathom_tool_begin("serve");
	comm = fathom_hosts_open();
	if (!comm)
		return FATHOM_TOOL_FAILURE;
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", options_known, NULL)) != -1) {
		if (code == PORT)
			port = (uint16_t)fathom_argument_number("--port", optarg, 1024, 65535);
		else
			fathom_argument_other(argv, code, help);
	}
	target = fathom_argument_target(argc, argv);
	fathom_hosts_command_line_read();
	if (open_trace(&trace, target, comm))
		return FATHOM_TOOL_FAILURE;
	code = 0;
	if (comm->rank == 0) {
		code = serve(&trace, port);
		fathom_workers_end(comm);
	} else {
		fathom_workers_work(comm, &trace.frames, &trace.rows);
	}
	fathom_served_trace_close(&trace);
	fathom_hosts_close();
	return fathom_tool_end() ? FATHOM_TOOL_FAILURE : code;
}
