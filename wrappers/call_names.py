#!/usr/bin/env python3
"""Writes what the tables of calls say about each call, by name: lib/cube/reader/call_names.h declares the result.

Arguments: PARADIGM=TABLE for each table, as mpi=wrappers/mpi/calls.txt. The line "# call ..." of a table names its columns.
A tool that reads a profile knows a call by its name alone.
"""

import re
import sys

HEAD = """/* Made by wrappers/call_names.py from the tables of calls: change these instead. */
#include "cube/reader/call_names.h"

const struct fathom_call_name fathom_call_names[] = {
"""


def read_table(path):
    """The lines of a table, each a dictionary by column; what stands behind the last column is in "rest"."""
    columns = None
    for line in open(path, encoding="utf-8"):
        if re.match(r"# call\s+\w+\s+\w+\s", line):
            columns = line[1:].split()
        body = line.partition("#")[0].split()
        if not body or body[0] == "=":
            continue
        if columns is None:
            sys.exit("call_names.py: %s: no line '# call ...' names the columns" % path)
        yield dict(zip(columns, body), rest=body[len(columns) - 1:])


def entries(paradigm, path):
    for row in read_table(path):
        kind = row.get("type") or row.get("shape")
        if kind == "skip":
            continue
        activity = "NONE" if row["activity"] == "-" else "%s_%s" % (paradigm.upper(), row["activity"].upper())
        constants = [word for word in row["rest"] if re.fullmatch("[A-Z][A-Z_]+", word)]
        names = [row["call"].replace("[_c]", "")] + ([row["call"].replace("[_c]", "_c")] if "[_c]" in row["call"] else [])
        for name in names:
            yield name, (paradigm, name, activity, kind, constants[-1] if constants else "")


def main():
    found = {}
    for argument in sys.argv[1:]:
        paradigm, path = argument.split("=", 1)
        found.update(entries(paradigm, path))
    lines = ['\t{ "%s", "%s", FATHOM_ACTIVITY_%s, "%s", "%s" },\n' % (p, name, activity, kind, constant)
             for p, name, activity, kind, constant in (found[name] for name in sorted(found))]
    sys.stdout.write(HEAD + "".join(lines) + "};\n\nconst unsigned int fathom_call_name_count = %d;\n" % len(lines))


if __name__ == "__main__":
    main()
