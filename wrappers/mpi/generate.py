#!/usr/bin/env python3
"""Writes the MPI wrappers: prototypes of the installed mpi.h + meanings in calls.txt + templates.

What a call means stands in calls.txt, what the code looks like in templates/; this program joins
them and knows no call by name. It writes, into the directory given:

    calls.h calls.c     enum fathom_mpi_call, and by call: name, role, group
    wrap_GROUP.c        the wrappers of each group
    real_table.h .c     pointers to the MPI below, for the preloaded library
    wrap_f08.c          wrappers of what `use mpi_f08` calls, with --fortran-symbols
    wrap_pmpi.c        wrappers of PMPI_ names, with --pmpi: by them the MPI's Fortran library calls the C one
"""

import argparse
import os
import re
import sys

GROUPS = "p2p request coll rma io comm env type misc inquiry tool".split()
ROLES = ("function barrier coll_one2all coll_all2one coll_all2all coll_other point2point rma atomic "
         "file_io file_io_metadata allocate deallocate").split()
ACTIVITIES = ("init_exit comm file win rma_active rma_passive io_individual io_collective "
              "request request_start request_completion").split()
COLUMNS = "call type group role activity bytes".split()
WIDTH = 112
# A place in a template: a value, what a pointer leads to (*), or the length of a text (#).
PLACE = r"@([*#]?\w+)@"
# What templates call their variables: a parameter of such a name gets another one.
TAKEN = "scope err own completion matched freed transfer place".split()


class TableError(Exception):
    """What is wrong, and where: FILE:LINE:COLUMN."""

    def __init__(self, path, line, column, text):
        super().__init__("%s:%d:%d: %s" % (path, line, column, text))


# --- prototypes --------------------------------------------------------------------------------

class Parameter:
    """One parameter: "const MPI_Datatype sendtypes[]" has name, type, and is an array."""

    def __init__(self, text):
        text = re.sub(r"\b(%s)\b(?=[\s\[\]\d]*$)" % "|".join(TAKEN), r"\1_", text)
        self.text = re.sub(r"\*\s+", "*", text)
        match = re.search(r"(\w+)\s*((?:\[\d*\]\s*)*)$", text)
        self.name = match.group(1)
        self.array = bool(match.group(2))
        self.type = text[:match.start(1)].strip()
        self.pointer = self.array or self.type.endswith("*") or self.is_function()
        self.base = re.sub(r"\bconst\b|\*", "", self.type).strip()

    def is_function(self):
        return self.type.endswith("_function *") or self.type.endswith("_function_c *")


class Prototype:
    def __init__(self, result, name, parameters, variadic):
        self.result = result
        self.name = name
        self.parameters = parameters
        self.variadic = variadic
        self.by_name = {p.name: p for p in parameters}

    def learn(self, spellings):
        """Let the table's names stand for what this mpi.h calls otherwise."""
        for name, others in spellings.items():
            found = [self.by_name[other] for other in others if other in self.by_name]
            if name not in self.by_name and found:
                self.by_name[name] = found[0]


def without_attributes(text):
    """text with every __attribute__((...)) taken out."""
    out = []
    start = 0
    while True:
        found = text.find("__attribute__", start)
        if found < 0:
            return "".join(out) + text[start:]
        out.append(text[start:found])
        at = text.index("(", found)
        depth = 0
        while True:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
            if not depth:
                break
        start = at


def split_arguments(text):
    """Split at the commas that are in no parentheses."""
    parts = [""]
    depth = 0
    for char in text:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def read_header(path):
    """A preprocessed mpi.h as one line."""
    with open(path) as file:
        text = " ".join(line for line in file if not line.startswith("#"))
    return " ".join(without_attributes(text).split())


def read_objects(text):
    """The variables that mpi.h declares and its handles are addresses of: in Open MPI."""
    return re.findall(r"[;}] ?extern struct \w+ (ompi_\w+) ?(?=;)", text)


def read_prototypes(text):
    """
    The MPI_ and MPIX_ functions that mpi.h declares, in its order. A function of Open MPI's extensions may have no
    PMPIX_ name; then a wrapper would have nothing to call.
    """
    prototypes = {}
    for statement in re.split("[;{}]", text):
        match = re.match(r"\s*(?:extern\s+)?(\w[\w ]*?[\s*]+)(MPIX?_\w+)\s*\((.*)\)\s*$", statement)
        if not match or statement.strip().startswith("typedef"):
            continue
        arguments = split_arguments(match.group(3))
        variadic = arguments[-1] == "..."
        if variadic or arguments == ["void"] or arguments == [""]:
            arguments.pop()
        prototypes[match.group(2)] = Prototype(match.group(1).strip(), match.group(2),
                                               [Parameter(a) for a in arguments], variadic)
    return {name: prototype for name, prototype in prototypes.items()
            if not name.startswith("MPIX_") or re.search(r"\bP%s\b" % name, text)}


# --- the table -----------------------------------------------------------------------------------

class Row:
    """One line of calls.txt. Words remember their column, for messages."""

    def __init__(self, path, number, line):
        self.path = path
        self.number = number
        body, _, comment = line.partition("#")
        self.comment = comment.strip()
        words = [(match.group(), match.start() + 1) for match in re.finditer(r"\S+", body)]
        if len(words) < len(COLUMNS):
            raise TableError(path, number, len(body.rstrip()) + 1,
                             "column '%s' is missing" % COLUMNS[len(words)])
        (self.call, self.type, self.group, self.role, self.activity, self.bytes) = [w for w, _ in words[:6]]
        self.column = dict(zip(COLUMNS, [c for _, c in words[:6]]))
        self.sees = words[6:]

    def activity_constant(self):
        """The activity class as C; where it follows from the role, the core fills it in."""
        return "FATHOM_ACTIVITY_" + ("NONE" if self.activity == "-" else "MPI_" + self.activity.upper())

    def error(self, column, text):
        at = self.column[column] if isinstance(column, str) else column
        return TableError(self.path, self.number, at, text)

    def names(self):
        if self.call.endswith("[_c]"):
            return [self.call[:-4], self.call[:-4] + "_c"]
        return [self.call]


def read_table(path, templates, spellings):
    """The rows; what lines with = say goes into spellings: a parameter's name -> its other names."""
    rows = []
    known = {}
    with open(path) as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            if line.split()[0] == "=":
                words = line.partition("#")[0].split()[1:]
                if len(words) < 2:
                    raise TableError(path, number, 1, "'=' needs a parameter's name and its other names")
                spellings[words[0]] = words[1:]
                continue
            row = Row(path, number, line)
            check_words(row, templates)
            for name in row.names():
                if name in known:
                    raise row.error("call", "%s stands in line %d already" % (name, known[name]))
                known[name] = number
            rows.append(row)
    return rows


def check_words(row, templates):
    """All that can be wrong with a line in itself."""
    if not re.match(r"(MPIX?_\w+(\[_c\])?|mpix?_\w+_)$", row.call):
        raise row.error("call", "'%s' is no MPI call" % row.call)
    if row.type == "skip":
        if not row.comment:
            raise row.error("type", "%s is skipped without a reason: add one after #" % row.call)
        return
    if row.call.startswith("mpi"):
        raise row.error("type", "a Fortran entry point can only be skipped")
    if row.type != "own" and row.type not in templates:
        raise row.error("type", "there is no template for type '%s'; there are: own skip %s"
                        % (row.type, " ".join(sorted(templates))))
    if row.type == "own" and not row.comment:
        raise row.error("type", "%s is written by hand: say where after #" % row.call)
    if row.group not in GROUPS:
        raise row.error("group", "group '%s' is none of: %s" % (row.group, " ".join(GROUPS)))
    if row.role not in ROLES:
        raise row.error("role", "role '%s' is none of: %s" % (row.role, " ".join(ROLES)))
    if row.activity != "-" and row.activity not in ACTIVITIES:
        raise row.error("activity", "activity '%s' is none of: - %s" % (row.activity, " ".join(ACTIVITIES)))
    if row.type == "own":
        return
    wanted = templates[row.type].sees
    if len(row.sees) != len(wanted):
        column = row.sees[len(wanted)][1] if len(row.sees) > len(wanted) else row.column["bytes"]
        raise row.error(column, "type '%s' sees %d parameters (%s), here are %d"
                        % (row.type, len(wanted), " ".join(wanted) or "none", len(row.sees)))
    if templates[row.type].uses_bytes != (row.bytes not in ("-", "status")):
        raise row.error("bytes", "type '%s' %s a number of bytes"
                        % (row.type, "needs" if templates[row.type].uses_bytes else "has no use for"))


# --- templates -----------------------------------------------------------------------------------

class Template:
    """TYPE.c; its first line names what it sees."""

    def __init__(self, path):
        with open(path) as file:
            first, self.text = file.read().split("\n", 1)
        match = re.match(r"/\* sees:(.*?)(; Fortran: by hand)? \*/$", first)
        if not match:
            raise TableError(path, 1, 1, "the first line must read /* sees: NAMES */")
        self.sees = match.group(1).split()
        self.by_hand = bool(match.group(2))
        self.uses_bytes = "@bytes" in self.text
        fixed = {"head", "call", "real", "then", "return", "bytes", "bytes2"}
        for place in re.finditer(PLACE, self.text):
            if place.group(1).lstrip("*#") not in fixed | set(self.sees):
                line = self.text.count("\n", 0, place.start()) + 2
                column = place.start() - self.text.rfind("\n", 0, place.start())
                raise TableError(path, line, column, "%s is not among what the template sees" % place.group())


def read_templates(top):
    """The templates in a folder and its subfolders, by type."""
    templates = {}
    for folder, _, names in sorted(os.walk(top)):
        for name in sorted(names):
            if not name.endswith(".c"):
                continue
            path = os.path.join(folder, name)
            if name[:-2] in templates:
                raise TableError(path, 1, 1, "there is another template of this name")
            templates[name[:-2]] = Template(path)
    return templates


# --- languages: how a wrapper names its parameters ---------------------------------------------------

def wrap(lead, parts, end):
    """lead(parts)end as C code, broken and aligned with the parenthesis where it is too long."""
    indent = len(lead.expandtabs(8).rsplit("\n", 1)[-1]) + 1
    lines = [lead + "("]
    for i, part in enumerate(parts):
        text = part + (")" + end if i == len(parts) - 1 else ",")
        gap = "" if i == 0 else " "
        if i and len(lines[-1].expandtabs(8)) + len(text) + 1 > WIDTH:
            lines.append("\t" * (indent // 8) + " " * (indent % 8))
            gap = ""
        lines[-1] += gap + text
    return "\n".join(lines) if parts else lead + "()" + end


class C:
    """A wrapper of a C function."""

    def __init__(self, prototype):
        self.prototype = prototype

    def head(self):
        return wrap("FATHOM_API int %s" % self.prototype.name,
                    [p.text for p in self.prototype.parameters] or ["void"], "")

    def call(self, lead):
        parts = [p.name for p in self.prototype.parameters]
        return wrap("\t%sP%s" % (lead, self.prototype.name), parts, "").lstrip("\t")

    def real(self):
        return self.call("int err = ")

    def then(self):
        return self.call("err = ")

    def finish(self):
        return "return err"

    def here(self, name):
        """A parameter as this mpi.h calls it."""
        return self.prototype.by_name[name].name

    def value(self, name):
        return self.here(name)

    def target(self, name):
        return "*" + self.here(name)

    def length(self, name):
        return "strlen(%s)" % self.here(name)

    def counts(self, name):
        return "FATHOM_MPI_COUNTS(%s)" % self.here(name)


class Fortran(C):
    """
    A wrapper of a Fortran entry point: all arguments by reference and passed on untouched,
    ierror may be absent, and the lengths of strings come last, by value.
    """

    def __init__(self, prototype, symbol):
        super().__init__(prototype)
        self.symbol = symbol
        self.twin = re.sub("^mpi(x?)_", r"pmpi\1r_", symbol)
        parameters = prototype.parameters
        names = [p.name for p in parameters]
        # argc and argv of the program itself do not exist in Fortran.
        if "argc" in names and names[names.index("argc") + 1:][:1] == ["argv"]:
            parameters = [p for p in parameters if p.name not in ("argc", "argv")]
        self.parameters = parameters
        self.strings = [p.name for p in parameters if p.base == "char"]

    def arguments(self):
        return ["%s *%s" % ("MPI_Fint" if self.is_number(p) else "void", p.name) for p in self.parameters] + \
            ["MPI_Fint *ierror"] + ["size_t %s_length" % s for s in self.strings]

    @staticmethod
    def is_number(parameter):
        return parameter.base == "int" or (is_handle(parameter) and parameter.base != "MPI_File")

    def declaration(self, name):
        return wrap("void %s" % name, self.arguments(), ";")

    def head(self):
        return wrap("FATHOM_API void %s" % self.symbol, self.arguments(), "")

    def then(self):
        names = [p.name for p in self.parameters] + ["&err"] + ["%s_length" % s for s in self.strings]
        return wrap("\t" + self.twin, names, "").lstrip("\t")

    def real(self):
        return "int err;\n\n\t" + self.then()

    def finish(self):
        return "if (ierror)\n\t\t*ierror = err"

    def value(self, name):
        parameter = self.prototype.by_name[name]
        if parameter.pointer:
            return "(%s *)%s" % (parameter.base, name) if is_handle(parameter) else name
        return from_fortran(parameter)

    def target(self, name):
        return from_fortran(self.prototype.by_name[name])

    def length(self, name):
        return "fathom_mpi_length(%s, %s_length)" % (name, name)


HANDLES = "Comm Datatype Errhandler File Group Info Message Op Request Session Win".split()


def is_handle(parameter):
    return parameter.base.startswith("MPI_") and parameter.base[4:] in HANDLES


def from_fortran(parameter):
    if not is_handle(parameter):
        return "*" + parameter.name if Fortran.is_number(parameter) else "*(%s *)%s" % (parameter.base, parameter.name)
    number = parameter.name if Fortran.is_number(parameter) else "(MPI_Fint *)" + parameter.name
    # Of files only it is a function, and one of MPI's.
    base = parameter.base.replace("MPI_Datatype", "MPI_Type").replace("MPI_File", "PMPI_File")
    return "%s_f2c(*%s)" % (base, number)


# --- joining -----------------------------------------------------------------------------------

def is_constant(word):
    """A word in capitals is no parameter but FATHOM_MPI_WORD, for the template."""
    return re.match("[A-Z][A-Z_]*$", word)


def check_parameter(row, language, column, name):
    if name not in language.prototype.by_name:
        raise row.error(column, "%s has no parameter '%s'; it has: %s"
                        % (language.prototype.name, name,
                           " ".join(p.name for p in language.prototype.parameters) or "none"))


def product(row, language, text, column):
    """a*b*datatype as code."""
    factors = text.split("*")
    for factor in factors:
        check_parameter(row, language, column + text.find(factor), factor)
        if factor is not factors[-1] and language.prototype.by_name[factor].pointer:
            raise row.error(column, "'%s' is no number" % factor)
    if language.prototype.by_name[factors[-1]].base != "MPI_Datatype":
        raise row.error(column, "'%s' does not end with a datatype" % text)
    numbers = [language.value(f) for f in factors[:-1]] or ["1"]
    if len(numbers) > 1:
        numbers[0] = "(uint64_t)" + numbers[0]
    return "fathom_mpi_bytes(%s, %s)" % (" * ".join(numbers), language.value(factors[-1]))


def transfer(row, language, text):
    """name(a,b[],c) as code; the communicator comes first."""
    match = re.match(r"(\w+)\(([\w\[\],]*)\)$", text)
    if not match:
        raise row.error("bytes", "'%s' is neither a product like count*datatype nor name(parameters)" % text)
    arguments = [language.value(row.sees[0][0])]
    for name in [a for a in match.group(2).split(",") if a]:
        plain = name[:-2] if name.endswith("[]") else name
        check_parameter(row, language, row.column["bytes"] + text.find(name), plain)
        if name.endswith("[]") and not language.prototype.by_name[plain].pointer:
            raise row.error(row.column["bytes"] + text.find(name), "'%s' is no array" % plain)
        arguments.append(language.counts(plain) if name.endswith("[]") else language.value(plain))
    return "fathom_mpi_transfer_%s(%s)" % (match.group(1), ", ".join(arguments))


def bytes_code(row, language):
    if row.bytes in ("-", "status"):
        return []
    if "(" in row.bytes:
        return [transfer(row, language, row.bytes)]
    column = row.column["bytes"]
    code = []
    for text in row.bytes.split(","):
        code.append(product(row, language, text, column))
        column += len(text) + 1
    return code


def call_id(name):
    return "FATHOM_MPI_CALL_" + re.sub("^MPI_", "", re.sub("^MPIX_", "X_", name)).upper()


def break_line(line):
    """A line that is too long, broken after a comma and indented once more."""
    if len(line.expandtabs(8)) <= WIDTH + 8:
        return line
    indent = re.match(r"\t*", line).group()
    limit = WIDTH + 8 - 7 * len(indent)
    at = line.rfind(", ", 0, limit)
    if at < 0:
        return line
    return line[:at + 1] + "\n" + break_line(indent + "\t" + line[at + 2:])


def write_wrapper(row, template, language):
    """One wrapper, as code."""
    places = {"head": language.head(), "call": call_id(language.prototype.name), "real": language.real(),
              "then": language.then(), "return": language.finish()}
    for name, (word, column) in zip(template.sees, row.sees):
        if is_constant(word):
            places[name] = "FATHOM_MPI_" + word
            continue
        check_parameter(row, language, column, word)
        places[name] = language.value(word)
        places["*" + name] = language.target(word)
        places["#" + name] = language.length(word)
    code = bytes_code(row, language)
    if template.uses_bytes:
        places["bytes"] = code[0]
        if "@bytes2@" in template.text:
            if len(code) != 2:
                raise row.error("bytes", "type '%s' needs two numbers of bytes, with a comma" % row.type)
            places["bytes2"] = code[1]
    text = re.sub(PLACE, lambda m: places[m.group(1)], template.text)
    return "\n".join(break_line(line) if not line.startswith(" ") else line for line in text.split("\n"))


# --- output --------------------------------------------------------------------------------------

def write_file(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)


MADE = "/* Made by wrappers/mpi/generate.py: change calls.txt or templates/ instead. */\n"


def write_calls(folder, wrapped):
    write_file(folder, "calls.h", MADE + """#ifndef FATHOM_MPI_CALLS_H
#define FATHOM_MPI_CALLS_H

#include "define/region.h"
#include "run/runtime.h"

enum fathom_mpi_call {
%s
	FATHOM_MPI_CALLS
};

struct fathom_mpi_call_facts {
	const char *name;
	enum fathom_role role;
	enum fathom_activity activity;	/* FATHOM_ACTIVITY_NONE: it follows from the role */
	enum fathom_mpi_group group;
};

extern const struct fathom_mpi_call_facts fathom_mpi_call_facts[FATHOM_MPI_CALLS];

#endif
""" % "\n".join("\t%s," % call_id(name) for name, _ in wrapped))
    write_file(folder, "calls.c", MADE + """#include "mpi/calls.h"

const struct fathom_mpi_call_facts fathom_mpi_call_facts[FATHOM_MPI_CALLS] = {
%s
};
""" % "\n".join('\t[%s] = { "%s", FATHOM_ROLE_%s, %s, FATHOM_MPI_GROUP_%s },'
                % (call_id(name), name, row.role.upper(), row.activity_constant(), row.group.upper())
                for name, row in wrapped))


def write_groups(folder, wrapped, templates, prototypes):
    for group in GROUPS:
        code = [write_wrapper(row, templates[row.type], C(prototypes[name]))
                for name, row in wrapped if row.group == group and row.type != "own"]
        write_file(folder, "wrap_%s.c" % group,
                   MADE + '#include "mpi/collective.h"\n#include "mpi/completion.h"\n#include "mpi/file.h"\n#include "mpi/vote.h"\n#include "mpi/window.h"\n\n' + "\n".join(code))


def write_pmpi(folder, wrapped, prototypes):
    """
    What calls us by a PMPI_ name goes to our wrapper if it is the MPI's Fortran library, and else to where it
    wanted to go.
    """
    text = MADE + '#include "mpi/pmpi_calls.h"\n\n'
    for name, _ in wrapped:
        prototype = prototypes[name]
        parameters = [p.text for p in prototype.parameters] or ["void"]
        names = [p.name for p in prototype.parameters]
        text += "#undef P%s\n" % name
        text += wrap("FATHOM_API int P%s" % name, parameters + (["..."] if prototype.variadic else []), "") + "\n{\n"
        text += "\tif (fathom_mpi_pmpi_is_from_fortran(__builtin_return_address(0)))\n"
        text += wrap("\t\treturn %s" % name, names, ";") + "\n"
        text += wrap("\treturn fathom_mpi_real.%s" % name, names, ";") + "\n}\n\n"
    write_file(folder, "wrap_pmpi.c", text)


def write_real_table(folder, names, fortran, objects):
    members = ["\t__typeof__(%s) *%s;" % (name, name) for name in names]
    members += ["\tvoid (*%s)(void);" % twin for twin in fortran]
    members += ["\tvoid *%s;" % name for name in objects]
    defines = ["#define P%s (*fathom_mpi_real.%s)" % (name, name) for name in names]
    if objects:     # handles, too, are looked up: an address that is there at start need not be that of the MPI
        defines += ["#undef OMPI_PREDEFINED_GLOBAL",
                    "#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)fathom_mpi_real.global)"]
    write_file(folder, "real_table.h", MADE + """#ifndef FATHOM_MPI_REAL_TABLE_H
#define FATHOM_MPI_REAL_TABLE_H

struct fathom_mpi_real {
%s
};

extern struct fathom_mpi_real fathom_mpi_real;

struct fathom_mpi_real_name {
	const char *name;
	unsigned int offset;	/* of its pointer in struct fathom_mpi_real */
};

extern const struct fathom_mpi_real_name fathom_mpi_real_names[];	/* ends with a NULL name */

%s

#endif
""" % ("\n".join(members), "\n".join(defines)))
    entries = ['\t{ "P%s", offsetof(struct fathom_mpi_real, %s) },' % (name, name) for name in names]
    entries += ['\t{ "%s", offsetof(struct fathom_mpi_real, %s) },' % (twin, twin) for twin in fortran + objects]
    write_file(folder, "real_table.c", MADE + """#include "mpi/mpi_library.h"

#include <stddef.h>

struct fathom_mpi_real fathom_mpi_real;

const struct fathom_mpi_real_name fathom_mpi_real_names[] = {
%s
	{ NULL, 0 },
};
""" % "\n".join(entries))


def fortran_wrappers(symbols, rows, prototypes, templates):
    """(row, Fortran) of each entry point to be written; the others are by hand or skipped."""
    by_lower = {name.lower(): name for name in prototypes}
    row_of = {name: row for row in rows for name in row.names()}
    found = []
    for symbol in symbols:
        plain = re.sub("_f08_large_$", "_c", re.sub("_f08_$", "", symbol))
        name = by_lower.get(plain) or by_lower.get(plain.replace("mpi_", "mpix_", 1))
        row = row_of.get(symbol) or row_of.get(name)
        if row is None:
            print("generate.py: %s is in the Fortran library, but not in calls.txt: not wrapped" % symbol,
                  file=sys.stderr)
        elif row.type != "skip":
            found.append((row, Fortran(prototypes[name], symbol)))
    return found


def is_by_hand(row, templates):
    return row.type == "own" or templates[row.type].by_hand


def write_fortran(folder, wrappers, templates):
    wrappers = [(row, language) for row, language in wrappers if not is_by_hand(row, templates)]
    text = MADE + '#include "mpi/collective.h"\n#include "mpi/completion.h"\n#include "mpi/file.h"\n#include "mpi/vote.h"\n#include "mpi/window.h"\n\n'
    for _, language in wrappers:
        text += language.declaration(language.symbol) + "\n"
    text += "\n#ifdef FATHOM_MPI_PRELOAD\n"
    for _, language in wrappers:
        text += "#define %s (*(__typeof__(&%s))fathom_mpi_real.%s)\n" % (language.twin, language.symbol,
                                                                       language.twin)
    text += "#else\n"
    for _, language in wrappers:
        text += language.declaration(language.twin) + "\n"
    text += "#endif\n\n"
    text += "\n".join(write_wrapper(row, templates[row.type], language) for row, language in wrappers)
    write_file(folder, "wrap_f08.c", text)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--header", required=True, help="mpi.h after the preprocessor")
    parser.add_argument("--calls", default=os.path.join(here, "calls.txt"))
    parser.add_argument("--templates", default=os.path.join(here, "templates"))
    parser.add_argument("--fortran-symbols", help="a file: entry points of the mpi_f08 module, one a line")
    parser.add_argument("--pmpi", action="store_true", help="the MPI's Fortran library calls PMPI_ names")
    parser.add_argument("--strict", action="store_true", help="a call that calls.txt does not know is an error")
    parser.add_argument("--out", required=True, help="directory for the result")
    options = parser.parse_args()
    try:
        header = read_header(options.header)
        prototypes = read_prototypes(header)
        if "MPI_Init" not in prototypes:
            raise TableError(options.header, 1, 1, "declares no MPI_Init: this is not mpi.h after the preprocessor")
        templates = read_templates(options.templates)
        spellings = {}
        rows = read_table(options.calls, templates, spellings)
        for prototype in prototypes.values():
            prototype.learn(spellings)
        unknown = set(prototypes) - {name for row in rows for name in row.names()}
        for name in [n for n in prototypes if n in unknown]:
            print("generate.py: MPI's header declares %s, but calls.txt has no line for it: not wrapped" % name,
                  file=sys.stderr)
        if unknown and options.strict:
            return 1
        wrapped = [(name, row) for row in rows for name in row.names()
                   if row.type != "skip" and name in prototypes]
        os.makedirs(options.out, exist_ok=True)
        symbols = []
        if options.fortran_symbols:
            with open(options.fortran_symbols) as file:
                symbols = file.read().split()
        fortran = fortran_wrappers(symbols, rows, prototypes, templates)
        write_calls(options.out, wrapped)
        write_groups(options.out, wrapped, templates, prototypes)
        write_real_table(options.out, list(prototypes), [language.twin for _, language in fortran],
                         read_objects(header))
        if options.pmpi:
            write_pmpi(options.out, wrapped, prototypes)
        write_fortran(options.out, fortran, templates)
    except TableError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print("generate.py: %s: %s" % (error.filename, error.strerror), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
