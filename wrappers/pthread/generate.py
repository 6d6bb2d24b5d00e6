#!/usr/bin/env python3
"""Writes the wrappers of thread calls from calls.txt, which has all that is known about them.

It writes, into the directory given:

    calls.h                  enum fathom_pthread_call, struct fathom_pthread_real
    calls.c                  by call: its facts, and its wrapper where that is not written by hand
    fathom-pthread.wrap      the linker's options for static programs: -Wl,@FILE
"""

import argparse
import os
import re
import sys

GROUPS = ("threads", "locks", "once")
SHAPES = ("plain", "acquire", "release", "wait", "forget", "join", "callback", "exit", "own")
ACTIVITIES = ("management", "mutex", "condition", "rwlock", "spin", "barrier", "once")
COLUMNS = 6
NOTE = "/* Made by generate.py from calls.txt. */\n"
HEADERS = "#include <pthread.h>\n#include <threads.h>\n#include <time.h>\n"


class TableError(Exception):
    """What is wrong, and where."""


class Call:
    def __init__(self, place, line):
        fields = line.split(None, COLUMNS - 1)
        if len(fields) != COLUMNS:
            raise TableError("%s: %d columns, not call group role activity shape prototype" % (place, len(fields)))
        self.name, self.group, self.role, self.activity, self.shape, prototype = fields
        if not re.fullmatch(r"[a-z0-9_]+", self.name):
            raise TableError("%s: %s is not the name of a call" % (place, self.name))
        for what, word, allowed in (("group", self.group, GROUPS), ("activity", self.activity, ACTIVITIES),
                                    ("shape", self.shape, SHAPES)):
            if word not in allowed:
                raise TableError("%s: %s %s is none of %s" % (place, what, word, " ".join(allowed)))
        match = re.fullmatch(r"(int|void) \((.+)\)", prototype.strip())
        if not match:
            raise TableError("%s: %s is not a prototype like int (type name, type name)" % (place, prototype.strip()))
        self.result, self.parameters = match.groups()
        # The name is the last word, or for a function the word in (*NAME).
        self.arguments = [re.search(r"\(\*(\w+)\)|(\w+)$", p) for p in re.split(r",\s*(?![^()]*\))", self.parameters)]
        if None in self.arguments:
            raise TableError("%s: a parameter of %s has no name" % (place, self.name))
        self.arguments = ", ".join(m.group(1) or m.group(2) for m in self.arguments)
        if self.shape == "exit" and self.result != "void":
            raise TableError("%s: %s does not return, and returns %s" % (place, self.name, self.result))

    def constant(self):
        return "FATHOM_CALL_" + self.name.upper()


def read_table(path):
    calls = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.strip() and not line.startswith("#"):
            call = Call("%s:%d" % (path, number), line.rstrip("\n"))
            if call.name in (c.name for c in calls):
                raise TableError("%s:%d: %s is there twice" % (path, number, call.name))
            calls.append(call)
    return calls


def header(calls):
    out = [NOTE, "#ifndef FATHOM_WRAPPERS_PTHREAD_CALLS_H\n#define FATHOM_WRAPPERS_PTHREAD_CALLS_H\n\n", HEADERS,
           "\nenum fathom_pthread_call {\n"]
    out += ["\t%s,\n" % c.constant() for c in calls]
    out += ["\tFATHOM_PTHREAD_CALLS\n};\n\n#ifdef FATHOM_PTHREAD_STATIC\n",
            "/* What a static program calls NAME, the linker changes to __wrap_NAME. */\n"]
    out += ["extern __typeof__({0}) __real_{0}, __wrap_{0};\n".format(c.name) for c in calls]
    out += ["#define {0} __wrap_{0}\n".format(c.name) for c in calls]
    out += ["#endif\n\n/* The C library's own. NULL: not looked up yet. */\nstruct fathom_pthread_real {\n"]
    out += ["\t__typeof__(&{0}) {0};\n".format(c.name) for c in calls]
    out += ["};\n\n#endif\n"]
    return "".join(out)


def facts(calls):
    out = ["const struct fathom_pthread_facts fathom_pthread_facts[FATHOM_PTHREAD_CALLS] = {\n"]
    for c in calls:
        out.append("\t[%s] = { \"%s\", FATHOM_ROLE_%s, FATHOM_ACTIVITY_PTHREAD_%s, FATHOM_PTHREAD_GROUP_%s },\n" %
                   (c.constant(), c.name, c.role.upper(), c.activity.upper(), c.group.upper()))
    out += ["};\n\n#ifndef FATHOM_PTHREAD_STATIC\nstruct fathom_pthread_real fathom_pthread_real;\n#else\n",
            "struct fathom_pthread_real fathom_pthread_real = {\n"]
    out += ["\t.{0} = __real_{0},\n".format(c.name) for c in calls]
    out += ["};\n#endif\n"]
    return "".join(out)


# What is recorded before and after the call, by shape; {} is the lock or thread.
BEFORE = {
    "release": "\tif (fathom_pthread_locking)\n"
               "\t\tfathom_event_lock_release((const void *){}, FATHOM_PARADIGM_PTHREAD);\n",
    "wait": "\tif (fathom_pthread_locking)\n"
            "\t\tdepth = fathom_event_lock_lend({}, FATHOM_PARADIGM_PTHREAD);\n",
}
AFTER = {
    "acquire": "\tif (fathom_pthread_locking && (!err || err == EOWNERDEAD))\n"
               "\t\tfathom_event_lock_acquired((const void *){}, FATHOM_PARADIGM_PTHREAD);\n",
    "wait": "\tif (depth)\n\t\tfathom_event_lock_regain({}, FATHOM_PARADIGM_PTHREAD, depth);\n",
    "forget": "\tif (fathom_pthread_locking && !err)\n\t\tfathom_event_lock_forget((const void *){});\n",
    "join": "\tif (fathom_pthread_tracing && !err)\n\t\tfathom_pthread_joined({});\n",
}


def wrapper(call):
    thing = "mutex" if call.shape == "wait" else call.arguments.split(", ")[0]
    real = "fathom_pthread_real.%s(%s)" % (call.name, call.arguments)
    out = ["\nFATHOM_API %s %s(%s)%s;\n" % (call.result, call.name, call.parameters,
                                          " __attribute__((noreturn))" if call.shape == "exit" else ""),
           "%s %s(%s)\n{\n" % (call.result, call.name, call.parameters),
           "\tconst struct fathom_region *region%s = fathom_pthread_enter(%s,\n" %
           (" FATHOM_PTHREAD_SCOPED" if call.shape == "callback" else "", call.constant()),
           "\t\tFATHOM_PTHREAD_GROUP_%s, __builtin_return_address(0));\n" % call.group.upper()]
    if call.shape == "exit":
        out += ["\n\t(void)region;\t/* ends with the thread */\n",
                "\t%s;\n\t__builtin_unreachable();\n}\n" % real]
    elif call.shape == "callback":
        out += ["\n\t(void)region;\t/* left by its cleanup, for an exception may pass */\n",
                "\t%s%s;\n}\n" % ("" if call.result == "void" else "return ", real)]
    elif call.result == "void":
        if call.shape == "forget":
            out += ["\n\tif (fathom_pthread_locking)\n\t\tfathom_event_lock_forget(%s);" % thing]
        out += ["\n\t%s;\n\tif (region)\n\t\tfathom_event_exit(region);\n}\n" % real]
    else:
        out += ["\tuint32_t depth = 0;\n" if call.shape == "wait" else "",
                "\tint err;\n\n\tif (!region)\n\t\treturn %s;\n" % real,
                BEFORE.get(call.shape, "").format(thing), "\terr = %s;\n" % real,
                AFTER.get(call.shape, "").format(thing), "\tfathom_event_exit(region);\n\treturn err;\n}\n"]
    return "".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    try:
        calls = read_table(options.table)
    except (OSError, TableError) as error:
        sys.exit("generate.py: %s" % error)
    files = {
        "calls.h": header(calls),
        "calls.c": NOTE + '#include <errno.h>\n\n#include "pthread/scope.h"\n\n' + facts(calls) +
                   "".join(wrapper(c) for c in calls if c.shape != "own"),
        "fathom-pthread.wrap": "".join("--wrap=%s\n" % c.name for c in calls),
    }
    for name, text in files.items():
        with open(os.path.join(options.out, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
