#!/usr/bin/env python3
"""Writes the functions that code rewritten by OPARI2 calls, from calls.txt, which has all that is known about them.

It writes, into the directory given:

    calls.h                the prototypes, for C and for Fortran
    calls_c.c              the functions for C and C++
    calls_fortran.c        the functions for Fortran: the arguments come by reference
    libfathom-pomp2.map    the names that the library exports
    elsewhere.options      the linker's options that make the runtime's lock functions stand for fathom_omp_elsewhere
"""

import argparse
import os
import re
import sys

NOTE = "/* Made by wrappers/openmp/pomp2/generate.py from calls.txt. */\n"
COLUMNS = ("call", "fortran", "event", "region")
REGIONS = ("own", "block", "barrier", "-")
WIDTH = 112
# What a function does. {construct}: the construct of its handle, which the first call with a text defines; {region}: its
# region; other words in braces are arguments. The functions called are in events.h and nesting.h.
EVENTS = {
    "meet": "(void){construct};",
    "no_task": "return 0;\t/* numbers of tasks come from the create functions; nothing calls this */",
    "max_threads": "return fathom_pomp2_max_threads();",
    "fork_team": "fork_team({construct}, {parallel}, {threads}, old);",
    "begin_team": "fathom_pomp2_team_begin();",
    "end_team": "end_team();",
    "join_team": "fathom_pomp2_join();",
    "enter": "enter({construct}->{region});",
    "leave": "leave({construct}->{region});",
    "enter_from": "enter_from({construct}->{region}, old);",
    "leave_to": "leave_to({construct}->{region}, {old});",
    "wait_from": "wait_from({construct}->{region}, old);",
    "wait_to": "wait_to({construct}->{region}, {old});",
    "begin_critical": "begin_critical({construct});",
    "end_critical": "end_critical({construct});",
    "task_create_begin": "task_create_begin({construct}, new, old);",
    "begin_tied_task": "task_begin({new}, true);",
    "begin_untied_task": "task_begin({new}, false);",
    "end_task": "task_end();",
    "nothing": None,
}
# By event, the result in C and in Fortran; void where nothing stands here. A LOGICAL of Fortran fills the register, for the
# program may take 8 bytes of it (-fdefault-integer-8).
RESULTS = {"no_task": ("int64_t", None), "max_threads": ("int", "int32_t"), "test": ("int", "int64_t")}
# What a lock function does to its lock: role of its region, effect (lock_call.h), function that calls the runtime's.
LOCKS = {
    "forget": ("WRAPPER", "FORGET", "fathom_lock_call(&{call}, lock);"),
    "forget_with_hint": ("WRAPPER", "FORGET", "fathom_lock_call_with_hint_{language}(&{call}, &{plain}, lock, hint);"),
    "acquire": ("LOCK", "ACQUIRE", "fathom_lock_call(&{call}, lock);"),
    "release": ("WRAPPER", "RELEASE", "fathom_lock_call(&{call}, lock);"),
    "test": ("LOCK", "ACQUIRE", "return fathom_lock_call_test(&{call}, lock);"),
}
# Other functions of the runtime that the library calls.
RUNTIME = ("omp_get_cancellation", "omp_get_max_threads", "omp_get_num_threads", "omp_get_thread_num")


class TableError(Exception):
    """What is wrong, and where."""


class Call:
    def __init__(self, place, line):
        words = line.partition("#")[0].split()
        if len(words) < len(COLUMNS):
            raise TableError("%s: %d columns, not %s arguments" % (place, len(words), " ".join(COLUMNS)))
        self.name, self.fortran_word, self.event, self.region = words[:len(COLUMNS)]
        self.arguments = words[len(COLUMNS):]
        if self.event not in EVENTS and self.event not in LOCKS:
            raise TableError("%s: event %s is none of %s" % (place, self.event, " ".join([*EVENTS, *LOCKS])))
        if self.region not in REGIONS:
            raise TableError("%s: region %s is none of %s" % (place, self.region, " ".join(REGIONS)))
        if self.is_lock() and self.arguments:
            raise TableError("%s: the arguments of lock functions are known: leave them out" % place)
        if self.is_lock():
            self.arguments = ["lock", "hint"] if self.event.endswith("hint") else ["lock"]
            return
        code = EVENTS[self.event] or ""
        if ("{region}" in code) != (self.region != "-"):
            raise TableError("%s: event %s %s a region" % (place, self.event,
                                                         "needs" if self.region == "-" else "has no use for"))
        known = [argument.lstrip("*") for argument in self.arguments]
        for wanted in set(re.findall(r"{(\w+)}", code.replace("{construct}", "{handle}"))) - {"region"}:
            if wanted not in known:
                raise TableError("%s: event %s needs the argument %s" % (place, self.event, wanted))

    def is_lock(self):
        return self.event in LOCKS

    def symbol(self, language):
        if language == "c":
            return "POMP2_" + self.name
        return "pomp2_%s_" % (self.name.lower() if self.fortran_word == "-" else self.fortran_word)

    def is_in(self, language):
        return language == "c" or self.fortran_word != "none"

    def runtime(self, language):
        """The function of the runtime that a lock function stands in place of."""
        return "omp_%s%s" % (self.name.lower(), "_" if language == "fortran" else "")

    def result(self, language):
        return RESULTS.get(self.event, ("void", "void"))[language == "fortran"]

    def parameters(self, language):
        fortran = language == "fortran"
        found = []
        for argument in self.arguments:
            if argument == "handle":
                found.append("void **handle")
            elif argument == "text":
                found.append("const char *text" + (", size_t length" if fortran else ""))
            elif argument == "lock":
                found.append("void *lock")
            elif argument.startswith("*"):
                found.append("int64_t *" + argument[1:])
            elif argument == "hint":
                found.append("void *hint" if fortran else "int hint")
            elif argument in ("old", "new"):
                found.append(("const int64_t *" if fortran else "int64_t ") + argument)
            else:
                found.append(("const int32_t *" if fortran else "int ") + argument)
        return ", ".join(found) or "void"

    def head(self, language):
        text = "%s %s(%s)" % (self.result(language), self.symbol(language), self.parameters(language))
        if len(text) <= WIDTH:
            return text
        at = text.rfind(", ", 0, WIDTH)
        return text[:at + 1] + "\n\t\t" + text[at + 2:]

    def prototype(self, language):
        return "FATHOM_API %s;\n" % self.head(language).replace("\n\t\t", "\n\t\t\t")

    def code(self, language):
        """The lines of the function's body."""
        fortran = language == "fortran"
        if self.is_lock():
            plain = self.name.lower().replace("_with_hint", "")
            return [LOCKS[self.event][2].format(call=self.name.lower(), plain=plain, language=language)]
        template = EVENTS[self.event]
        if template is None:
            return []
        meet = "fathom_construct_meet%s(handle, text%s)" % (("_fortran", ", length") if fortran else ("", ""))
        values = {name: "*" + name if fortran else name for name in self.arguments}
        values["construct"] = meet if "text" in self.arguments else "fathom_construct_met(handle)"
        values["region"] = self.region
        line = template.format(**values)
        unused = [name for name in self.arguments
                  if not name.startswith("*") and not re.search(r"\b%s\b" % name, line)]
        return ["(void)%s;" % name for name in unused] + [line]

    def function(self, language):
        return "%s\n{\n%s}\n" % (self.head(language), "".join("\t%s\n" % line for line in self.code(language)))


def read_table(path):
    calls = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.strip() and not line.startswith("#"):
            call = Call("%s:%d" % (path, number), line)
            if call.name in (c.name for c in calls):
                raise TableError("%s:%d: %s is there twice" % (path, number, call.name))
            calls.append(call)
    return calls


def header(calls):
    out = [NOTE, "#ifndef FATHOM_POMP2_CALLS_H\n#define FATHOM_POMP2_CALLS_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n",
           '#include "platform/compiler.h"\n\n']
    out += [c.prototype("c") for c in calls] + ["\n"]
    out += [c.prototype("fortran") for c in calls if c.is_in("fortran")]
    return "".join(out + ["\n#endif\n"])


def lock_calls(calls, language):
    """The runtime's lock functions, and the record of each."""
    out = []
    for c in calls:
        hint = (", void *hint" if language == "fortran" else ", int hint") if "hint" in c.arguments else ""
        out.append("extern %s %s(void *lock%s)%s;\n" % ("int" if c.event == "test" else "void", c.runtime(language), hint,
                                                      " __attribute__((weak))" if hint else ""))
    for c in calls:
        role, effect, _ = LOCKS[c.event]
        out.append('static struct fathom_lock_call %s =\n\tFATHOM_LOCK_CALL("%s", %s, %s, %s);\n' %
                   (c.name.lower(), c.runtime("c"), c.runtime(language), role, effect))
    return "".join(out)


def source(calls, language):
    calls = [c for c in calls if c.is_in(language)]
    locks = [c for c in calls if c.is_lock()]
    out = [NOTE, '#include "openmp/pomp2/calls.h"\n\n#include "openmp/pomp2/construct.h"\n#include "openmp/pomp2/events.h"\n',
           '#include "openmp/pomp2/lock_call.h"\n#include "openmp/pomp2/nesting.h"\n']
    out += ["\n", lock_calls(locks, language)] if locks else []
    return "".join(out + ["\n" + c.function(language) for c in calls])


def version_script(calls):
    names = [c.symbol(language) for language in ("c", "fortran") for c in calls if c.is_in(language)] + ["pomp_tpd_"]
    return (NOTE + "/* Without a version: the interface is not fathom's, and another library may take its place. */\n{\n\tglobal:\n" +
            "".join("\t\t%s;\n" % name for name in names) + "\tlocal:\n\t\t*;\n};\n")


def elsewhere(calls):
    names = list(RUNTIME) + [c.runtime(language) for language in ("c", "fortran") for c in calls if c.is_lock()]
    return "".join("--defsym=%s=fathom_omp_elsewhere\n" % name for name in names)


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
        "calls_c.c": source(calls, "c"),
        "calls_fortran.c": source(calls, "fortran"),
        "libfathom-pomp2.map": version_script(calls),
        "elsewhere.options": elsewhere(calls),
    }
    for name, text in files.items():
        with open(os.path.join(options.out, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
