"""Writes the text of make_mpi_trace for a program that iterates, with known times.

    iterations.py RANKS BEGIN ITERATIONS PERIOD JITTER INNER END      times in microseconds

Each rank computes BEGIN, then ITERATIONS iterations of about PERIOD, and END without a call. An iteration is a sweep, which
computes INNER equal steps with a message to the next rank, and a solve, which ends in MPI_Allreduce. Every iteration is
longer or shorter by up to the share JITTER.
"""
import random
import sys

ranks, begin, iterations, period, jitter, inner, end = (float(a) for a in sys.argv[1:])
ranks, iterations, inner = int(ranks), int(iterations), int(inner)
random.seed(3)
factors = [1 + jitter * random.uniform(-1, 1) for _ in range(iterations)]


def rank_events(rank):
    time = 10

    def put(*words):
        print(rank, round(time), *words)

    put("enter", "main")
    put("enter", "init")
    time += begin
    put("leave", "init")
    for factor in factors:
        length = period * factor
        put("enter", "sweep")
        for step in range(inner):
            time += 0.4 * length / inner
            put("enter", "MPI_Send")
            put("send", (rank + 1) % ranks, step, 100)
            time += 0.01 * length / inner
            put("leave", "MPI_Send")
            put("enter", "MPI_Recv")
            time += 0.09 * length / inner
            put("recv", (rank - 1) % ranks, step, 100)
            put("leave", "MPI_Recv")
        put("leave", "sweep")
        put("enter", "solve")
        time += (0.4 - 0.02 * rank) * length
        put("enter", "MPI_Allreduce")
        put("begin")
        time += (0.1 + 0.02 * rank) * length
        put("end", "7 -1 8 8")
        put("leave", "MPI_Allreduce")
        put("leave", "solve")
    put("enter", "output")
    time += end
    put("leave", "output")
    put("leave", "main")


for rank in range(ranks):
    rank_events(rank)
