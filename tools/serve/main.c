/*
 * main: `fathom serve`: shows a trace of any length in a browser. A local server answers the browser's requests for
 * parts of the trace.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
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
	"  --port N          the port of the server, 1024 to 65535 (any that is free)\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 interrupted, 1 failure, 2 wrong command line.\n";

enum { PORT = 256 };

static const struct option options_known[] = {
	{ "port", required_argument, NULL, PORT },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, FATHOM_ARGUMENT_VERSION },
	{ NULL, 0, NULL, 0 },
};

/* Waits until the user ends the command. The signals are blocked, also in the thread of the server. */
static void wait_for_end(const sigset_t *signals)
{
	int signal;

	sigwait(signals, &signal);
}

int main(int argc, char **argv)
{
	static struct fathom_experiment experiment;
	static struct fathom_served_trace trace;
	struct fathom_server server;
	uint16_t port = 0;
	sigset_t signals;
	int code;

	fathom_tool_begin("serve");
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", options_known, NULL)) != -1) {
		if (code == PORT)
			port = (uint16_t)fathom_argument_number("--port", optarg, 1024, 65535);
		else
			fathom_argument_other(argv, code, help);
	}
	if (fathom_experiment_find_trace(&experiment, fathom_argument_target(argc, argv)) ||
	    fathom_served_trace_open(&trace, experiment.path))
		return FATHOM_TOOL_FAILURE;
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	code = fathom_server_start(&server, &trace, port) ? FATHOM_TOOL_FAILURE : 0;
	if (code == 0) {
		printf("fathom serve: http://127.0.0.1:%u/%s/ (open it in a browser; Ctrl-C ends the server)\n",
		       server.port, server.token);
		fflush(stdout);
		wait_for_end(&signals);
		fathom_server_stop(&server);
	}
	fathom_served_trace_close(&trace);
	return fathom_tool_end() ? FATHOM_TOOL_FAILURE : code;
}
