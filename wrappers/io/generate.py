#!/usr/bin/env python3
"""Writes the wrappers of input and output calls from calls.txt, which has all that is known about them.

It writes, into the directory given:

    calls.h    enum fathom_io_call, struct fathom_io_real
    calls.c    by call: its facts and its wrapper
"""

import argparse
import os
import re
import sys

ACTIVITIES = ("meta", "read", "write")
BYTES = ("result", "items", "text", "line", "-")
NOTE = "/* Made by generate.py from calls.txt. */\n"
HEADERS = ("#include <fcntl.h>\n#include <stdarg.h>\n#include <stdio.h>\n#include <sys/types.h>\n#include <sys/uio.h>\n"
           "#include <unistd.h>\n")


class TableError(Exception):
    """What is wrong, and where."""


class Call:
    def __init__(self, place, line):
        fields = line.split(None, 3)
        if len(fields) != 4:
            raise TableError("%s: %d columns, not call activity bytes prototype" % (place, len(fields)))
        self.name, self.activity, self.bytes, prototype = fields
        for what, word, allowed in (("activity", self.activity, ACTIVITIES), ("bytes", self.bytes, BYTES)):
            if word not in allowed:
                raise TableError("%s: %s %s is none of %s" % (place, what, word, " ".join(allowed)))
        match = re.fullmatch(r"(.*?\*?) ?\((.+)\)(?: (mode|list))?", prototype.strip())
        if not match:
            raise TableError("%s: %s is not a prototype like int (type name, type name)" % (place, prototype.strip()))
        self.result, self.parameters, self.rest = match.groups()
        if ("..." in self.parameters) != bool(self.rest):
            raise TableError("%s: %s: ... needs mode or list, and only ... has them" % (place, self.name))
        named = [p for p in re.split(r",\s*", self.parameters) if p != "..."]
        self.arguments = [re.search(r"(\w+)$", p).group(1) for p in named]
        for word, needed in (("items", "size"), ("text", "text")):
            if self.bytes == word and needed not in self.arguments:
                raise TableError("%s: %s has no parameter %s" % (place, self.name, needed))

    def constant(self):
        return "FATHOM_IO_CALL_" + self.name.upper()

    def region(self):
        """The name that people know: open64 is open, __read_chk is read, __open_2 is open."""
        return re.sub(r"^__(\w+?)(_chk|_2)?$", r"\1", self.name).replace("64", "")

    def real(self):
        """The C library's function that the wrapper calls."""
        if self.rest != "list":
            return self.name
        return re.sub(r"^(__)?", r"\1v", self.name, count=1)

    def code(self):
        pointer = "" if self.result.endswith("*") else " "
        head = "%s%s%s(%s)" % (self.result, pointer, self.name, self.parameters)
        passed = list(self.arguments)
        out = ["\nFATHOM_API %s;\n%s\n{\n" % (head, head),
               "\tbool is_recorded = fathom_io_enter(%s, __builtin_return_address(0));\n" % self.constant()]
        before, after = "", ""
        if self.rest == "list":
            out.append("\tva_list list;\n")
            before, after = "\tva_start(list, %s);\n" % passed[-1], "\tva_end(list);\n"
            passed.append("list")
        elif self.rest == "mode":
            out.append("\tmode_t mode = 0;\n\tva_list list;\n")
            before = ("\tif (fathom_io_creates(flags)) {\n\t\tva_start(list, flags);\n"
                      "\t\tmode = va_arg(list, mode_t);\n\t\tva_end(list);\n\t}\n")
            passed.append("mode")
        out.append("\t%s%sresult;\n\n" % (self.result, pointer))
        if before:
            out.append(before)
        out.append("\tresult = fathom_io_real.%s(%s);\n" % (self.real(), ", ".join(passed)))
        if after:
            out.append(after)
        amount = {"result": "result > 0 ? (uint64_t)result : 0", "items": "(uint64_t)result * size",
                  "text": "is_recorded && result >= 0 ? strlen(text) : 0",
                  "line": "is_recorded && result ? strlen(result) : 0", "-": "0"}[self.bytes]
        if "close" in self.name:
            take = "fathom_io_take" if self.name == "close" else "fathom_io_stream_take"
            out[2] = "\tuint32_t number = is_recorded && fathom_io_is_traced ? %s(file) : FATHOM_IO_NO_HANDLE;\n%s" % (
                take, out[2])
        record = self.record()
        if not record:
            out.append("\tif (is_recorded)\n\t\tfathom_io_exit(%s, %s);\n\treturn result;\n}\n" %
                       (self.constant(), amount))
            return "".join(out)
        if amount != "0":
            out[-1] += "\tbytes = %s;\n" % amount
            out[2] = "\tuint64_t bytes;\n" + out[2]
            amount = "bytes"
        out.append("\tif (is_recorded && fathom_io_is_traced)\n\t\t%s;\n" % record)
        out.append("\tif (is_recorded)\n\t\tfathom_io_exit(%s, %s);\n\treturn result;\n}\n" % (self.constant(), amount))
        return "".join(out)

    def record(self):
        """What a trace gets of the call after it."""
        region = self.region()
        if region in ("open", "openat", "creat"):
            return "fathom_io_opened(result, path, %s)" % ("O_WRONLY | O_CREAT | O_TRUNC" if region == "creat" else "flags")
        if region == "fopen":
            return "fathom_io_stream_opened(result, path, mode)"
        if region in ("close", "fclose"):
            return "fathom_io_closed(number)"
        if "file" not in self.arguments or region == "fdopen":
            return None
        number = "fathom_io_stream_number(file)" if "FILE *file" in self.parameters else "fathom_io_number(file)"
        if region == "lseek":
            return "fathom_io_sought(%s, offset, whence, result)" % number
        if self.activity == "meta":
            return None
        if self.bytes == "-":
            return "fathom_io_moved(%s, FATHOM_IO_FLUSH, 0, 0, FATHOM_IO_NO_OFFSET)" % number
        wanted = "bytes"
        if self.bytes == "items":
            wanted = "(uint64_t)size * count"
        elif "size_t count" in self.parameters:
            wanted = "count"
        offset = "(uint64_t)offset" if "offset" in self.arguments else "FATHOM_IO_NO_OFFSET"
        return "fathom_io_moved(%s, FATHOM_IO_%s,\n\t\t\t\t%s, bytes, %s)" % (number, self.activity.upper(), wanted, offset)


def read_table(path):
    calls = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.strip() and not line.startswith("#"):
            call = Call("%s:%d" % (path, number), line.rstrip("\n"))
            if call.name in (c.name for c in calls):
                raise TableError("%s:%d: %s is there twice" % (path, number, call.name))
            calls.append(call)
    for call in calls:
        if call.real() not in (c.name for c in calls):
            raise TableError("%s: %s needs a line for %s" % (path, call.name, call.real()))
    return calls


def header(calls):
    out = [NOTE, "#ifndef FATHOM_WRAPPERS_IO_CALLS_H\n#define FATHOM_WRAPPERS_IO_CALLS_H\n\n", HEADERS,
           "\nenum fathom_io_call {\n"]
    out += ["\t%s,\n" % c.constant() for c in calls]
    out += ["\tFATHOM_IO_CALLS\n};\n\n/* The C library's functions. NULL: not found yet. */\nstruct fathom_io_real {\n"]
    out += ["\t%s%s(*%s)(%s);\n" % (c.result, "" if c.result.endswith("*") else " ", c.name, c.parameters) for c in calls]
    return "".join(out + ["};\n\n#endif\n"])


def source(calls):
    out = [NOTE, '#include <stdint.h>\n#include <string.h>\n\n#include "io/scope.h"\n\n',
           "const struct fathom_io_facts fathom_io_facts[FATHOM_IO_CALLS] = {\n"]
    for c in calls:
        role = "FILE_IO_METADATA" if c.activity == "meta" else "FILE_IO"
        out.append("\t[%s] = { \"%s\", \"%s\", FATHOM_ROLE_%s, FATHOM_ACTIVITY_IO_%s },\n" %
                   (c.constant(), c.name, c.region(), role, c.activity.upper()))
    out += ["};\n\nstruct fathom_io_real fathom_io_real;\n"]
    return "".join(out + [c.code() for c in calls])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    try:
        calls = read_table(options.table)
    except (OSError, TableError) as error:
        sys.exit("generate.py: %s" % error)
    for name, text in (("calls.h", header(calls)), ("calls.c", source(calls))):
        with open(os.path.join(options.out, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
