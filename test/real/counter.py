#!/usr/bin/env python3
"""counter.py MPI.i > counter.c: a library to be preloaded that counts MPI calls, independent of fathom.

MPI.i is the preprocessed mpi.h. Each call is counted by name and handed on to the next definition, be that
fathom's or MPI's; calls that come from inside another call are not counted. For the calls that the real
programs use, messages and bytes are counted as well: what goes out of and into this process if every
contributor sends its part directly to every consumer, itself included except with MPI_IN_PLACE.
MPI_Finalize writes a line "NAME CALLS MESSAGES SENT RECEIVED" for each call into $MPI_CALLS.RANK.
"""
import re
import sys

HEAD = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long long number;
struct count { const char *name; number calls, messages, sent, received; };
static struct count counts[];
static __thread int depth;
static __thread struct count *now;

static number bytes(number count, MPI_Datatype type) { int size; PMPI_Type_size(type, &size); return count * size; }
static number size_of(MPI_Comm comm) { int size; PMPI_Comm_size(comm, &size); return size; }
static number rank_in(MPI_Comm comm) { int rank; PMPI_Comm_rank(comm, &rank); return rank; }
static void message(number count, MPI_Datatype type, int to)
{
	if (to == MPI_PROC_NULL) return;
	now->messages++;
	now->sent += bytes(count, type);
}
static void data(number sent, number received) { now->sent += sent; now->received += received; }

/* Persistent requests for sending, until they are freed. */
static struct prepared { MPI_Request request; number bytes; } prepared[100000];
static int prepared_count;
static void prepare(MPI_Request request, number size, int to)
{
	if (to == MPI_PROC_NULL) return;
	if (prepared_count == 100000) abort();
	prepared[prepared_count++] = (struct prepared){ request, size };
}
static void start(MPI_Request request)
{
	for (int i = 0; i < prepared_count; i++)
		if (prepared[i].request == request) { now->messages++; now->sent += prepared[i].bytes; }
}
static void forget(MPI_Request request)
{
	for (int i = 0; i < prepared_count; i++)
		if (prepared[i].request == request) prepared[i] = prepared[--prepared_count];
}
static void sum_of(const int *counts, int n, number *sum) { for (*sum = 0; n-- > 0; ) *sum += *counts++; }

static void write_counts(void)
{
	char path[4096];
	int rank;
	FILE *file;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(path, sizeof(path), "%s.%d", getenv("MPI_CALLS"), rank);
	file = fopen(path, "w");
	for (struct count *c = counts; c->name; c++)
		if (c->calls) fprintf(file, "%s %llu %llu %llu %llu\n", c->name, c->calls, c->messages, c->sent, c->received);
	fclose(file);
}
"""

SEND = "message(count, datatype, dest);"
PREPARE = "prepare(*request, bytes(count, datatype), dest);"
# What is counted before a call, in the words of its parameters.
BEFORE = {
    **{"MPI_" + name: SEND for name in
       ("Send", "Bsend", "Ssend", "Rsend", "Isend", "Ibsend", "Issend", "Irsend", "Sendrecv_replace")},
    "MPI_Sendrecv": "message(sendcount, sendtype, dest);",
    "MPI_Start": "start(*request);",
    "MPI_Startall": "for (int i = 0; i < count; i++) start(array_of_requests[i]);",
    "MPI_Request_free": "forget(*request);",
    "MPI_Bcast": "number s = bytes(count, datatype), n = size_of(comm);"
                 "data(rank_in(comm) == root ? n * s : 0, s);",
    "MPI_Reduce": "number s = bytes(count, datatype), n = size_of(comm); int in = sendbuf == MPI_IN_PLACE;"
                  "data(in ? 0 : s, rank_in(comm) == root ? (n - in) * s : 0);",
    "MPI_Allreduce": "number s = bytes(count, datatype), n = size_of(comm) - (sendbuf == MPI_IN_PLACE);"
                     "data(n * s, n * s);",
    "MPI_Gather": "int in = sendbuf == MPI_IN_PLACE, at = rank_in(comm) == root;"
                  "data(in ? 0 : bytes(sendcount, sendtype), at ? (size_of(comm) - in) * bytes(recvcount, recvtype) : 0);",
    "MPI_Scatter": "int in = recvbuf == MPI_IN_PLACE, at = rank_in(comm) == root;"
                   "data(at ? (size_of(comm) - in) * bytes(sendcount, sendtype) : 0, in ? 0 : bytes(recvcount, recvtype));",
    "MPI_Allgather": "int in = sendbuf == MPI_IN_PLACE; number n = size_of(comm);"
                     "data(in ? (n - 1) * bytes(recvcount, recvtype) : n * bytes(sendcount, sendtype),"
                     "(n - in) * bytes(recvcount, recvtype));",
    "MPI_Scan": "number s = bytes(count, datatype), n = size_of(comm), r = rank_in(comm);"
                "int in = sendbuf == MPI_IN_PLACE; data((n - r - in) * s, (r + 1 - in) * s);",
    "MPI_Finalize": "write_counts();",
}
BEFORE["MPI_Alltoall"] = BEFORE["MPI_Allgather"]
BEFORE["MPI_Allgatherv"] = (
    "int in = sendbuf == MPI_IN_PLACE; number n = size_of(comm), sum; sum_of(recvcounts, n, &sum);"
    "number own = recvcounts[rank_in(comm)];"
    "data(in ? (n - 1) * bytes(own, recvtype) : n * bytes(sendcount, sendtype), bytes(sum - (in ? own : 0), recvtype));")
BEFORE["MPI_Alltoallv"] = (
    "if (sendbuf == MPI_IN_PLACE) abort(); number n = size_of(comm), s, r; sum_of(sendcounts, n, &s); sum_of(recvcounts, n, &r);"
    "data(bytes(s, sendtype), bytes(r, recvtype));")
AFTER = {"MPI_" + name: PREPARE for name in ("Send_init", "Bsend_init", "Ssend_init", "Rsend_init")}

# The Fortran calls (mpif.h) of the programs: number of arguments, what is counted.
FORTRAN = {
    "MPI_Init": (1, ""), "MPI_Finalize": (1, "write_counts();"), "MPI_Comm_rank": (3, ""),
    "MPI_Comm_size": (3, ""), "MPI_Barrier": (2, ""),
    "MPI_Allreduce": (7, "MPI_Comm comm = PMPI_Comm_f2c(*(MPI_Fint *)a5);"
                         "number s = size_of(comm) * bytes(*(MPI_Fint *)a2, PMPI_Type_f2c(*(MPI_Fint *)a3)); data(s, s);"),
}

BODY = """
{type} {symbol}({parameters})
{{
	static {type} (*next)({parameters});
	{result}
	if (!next) *(void **)&next = dlsym(RTLD_NEXT, "{symbol}");
	if (!depth++) {{
		now = &counts[{index}];
		now->calls++;
		{before}
	}}
	{call}
	if (!--depth) {{ {after} }}
	{give}
}}
"""


def prototypes(text):
    for kind, name, parameters in re.findall(r"\b(int|double)\s+(MPI_\w+)\s*\(([^()]*)\)", text):
        if "..." not in parameters:
            yield kind, name, " ".join(parameters.split())


def argument(parameter):
    return re.search(r"(\w+)\s*(\[\d*\]\s*)*$", parameter).group(1)


def main():
    calls = list({p[1]: p for p in prototypes(open(sys.argv[1]).read())}.values())
    names = [name for _, name, _ in calls]
    if len(names) < 300:
        sys.exit("counter.py: only %d calls found in %s" % (len(names), sys.argv[1]))
    print(HEAD)
    for index, (kind, name, parameters) in enumerate(calls):
        arguments = "" if parameters in ("void", "") else ", ".join(argument(p) for p in parameters.split(","))
        print(BODY.format(type=kind, symbol=name, parameters=parameters, index=index, result=kind + " outcome;",
                          call="outcome = next(%s);" % arguments, give="return outcome;",
                          before=BEFORE.get(name, ""), after=AFTER.get(name, "")))
    for name, (arity, before) in FORTRAN.items():
        arguments = ["a%d" % i for i in range(arity)]
        print(BODY.format(type="void", symbol=name.lower() + "_", parameters=", ".join("void *" + a for a in arguments),
                          index=names.index(name), result="", call="next(%s);" % ", ".join(arguments), give="",
                          before=before, after=""))
    print("static struct count counts[] = {\n%s\n\t{ NULL },\n};" % "\n".join('\t{ "%s" },' % n for n in names))


main()
