#!/usr/bin/env python3
"""
words.py ROOT [--everywhere]: complains about names and words that HACKING.md and the glossary do not allow, one line each.

What a script can keep: names of files and of variables at file scope, words that the glossary replaces, a comment for
each header and for each function that a header declares. Whether a sentence is clear, only a reader can say.
"""
import os
import re
import sys

FOLDERS = ("lib", "wrappers", "tools", "instrument")
WITH_HEADERS = ("lib", "wrappers")

# A file is named by the noun that it is about, and not by a verb, an adjective or a picture.
FILE_NAMES = set("""
    all arrived beside choose each find given hidden it kin known label links mend mute notes off own plain quiet real say
    spread store stored strand talk that told title turn twins unborn valid what who
""".split())
# A variable at file scope is named by what it holds.
VARIABLES = "own|all|known|real|it|that"
# Comments have other words in place of these: those of the glossary of doc/internals/architecture.md, or plainer ones.
REPLACED = (
    (r"strands?", "coroutine stack"),
    (r"hollow", "placeholder frame"),
    (r"quiet(ly)?", "drained region"),
    (r"doz(e|es|ing)", "orphaned worker"),
    (r"unborn", "initial location"),
    (r"mut(e|ed|es)", "paused thread"),
    (r"told", "notified, passed, defined"),
    (r"beside", "in addition to, next to; sibling library"),
    (r"mend(s|ed|ing)?", "repair"),
    (r"talk(s|ed|ing)?", "transfer"),
    (r"(a|the|one|next|last|each|every)[\s*]+look", "patch check, check"),
    (r"(a|the|its|next|each|every)[\s*]+turn", "sampling point"),
)

# Folders and files in which a rule does not hold yet. The lists only ever get shorter.
NOT_YET = {
    "file name": (),
    "variable": (),
    "replaced word": (),
    "header": (),
    "glossary": (),
}


def sources(root, folders, endings):
    for folder in folders:
        for place, _, names in sorted(os.walk(os.path.join(root, folder))):
            for name in sorted(names):
                if name.endswith(endings):
                    path = os.path.join(place, name)
                    yield os.path.relpath(path, root), path


def is_not_yet(rule, file):
    return any(file == part or file.startswith(part + "/") for part in NOT_YET[rule])


def check_file_names(root):
    seen = {}
    for file, _ in sources(root, FOLDERS, (".c", ".h", ".cc", ".py")):
        name = os.path.basename(file)
        if os.path.splitext(name)[0] in FILE_NAMES and not is_not_yet("file name", file):
            yield "%s: the name is no noun that says what the file is about" % file
        if file.startswith("lib/"):
            if name in seen:
                yield "%s: has the name of %s" % (file, seen[name])
            seen[name] = file


def check_variables(root):
    pattern = re.compile(r"^(?:static |extern |const |volatile |FATHOM_\w+ |struct \w+ |enum \w+ |[a-z_0-9]+ )+\**(%s)\b *(?:;|=|\[)"
                         r"|^\} *\**(%s)\b *(?:;|=|\[)" % (VARIABLES, VARIABLES))
    for file, path in sources(root, FOLDERS, (".c", ".h", ".cc")):
        if is_not_yet("variable", file):
            continue
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            found = pattern.match(line)
            if found:
                yield "%s:%d: a variable at file scope is called %s" % (file, number, found.group(1) or found.group(2))


def check_words(root):
    patterns = [(re.compile(r"(?<![A-Za-z])%s(?![A-Za-z])" % pattern, re.I), better)
                for pattern, better in REPLACED]
    for file, path in sources(root, FOLDERS, (".c", ".h", ".cc", ".txt", ".py")):
        if is_not_yet("replaced word", file):
            continue
        text = open(path, encoding="utf-8").read()
        # Texts that users see are no comments, and keep their words.
        text = re.sub(r'"(?:[^"\\\n]|\\.)*"', lambda found: " " * len(found.group(0)), text)
        for pattern, better in patterns:
            for found in pattern.finditer(text):
                yield "%s:%d: \"%s\": write instead: %s" % (file, text.count("\n", 0, found.start()) + 1,
                                                            " ".join(found.group(0).split()), better)


def check_glossary(root):
    text = open(os.path.join(root, "doc/internals/architecture.md"), encoding="utf-8").read()
    part = text[text.index("## Glossary"):]
    part = part[:part.index("\n## ", 4)]
    terms = re.findall(r"^\| (?!term|-)([^|]+?) \|", part, re.M)
    if len(terms) > 40:
        yield "the glossary has %d terms, more than 40" % len(terms)
    everything = " ".join(open(path, encoding="utf-8").read().lower()
                          for _, path in sources(root, FOLDERS + ("doc", "include"), (".c", ".h", ".cc", ".md", ".txt", ".py")))
    everything = everything.replace(part.lower(), "")
    everything = re.sub(r"[\s*]+", " ", everything)
    for term in terms:
        for word in term.split(", "):
            if word.lower() not in everything and word not in NOT_YET["glossary"]:
                yield "no file uses the glossary's term %s" % word


def declared(text):
    """The functions that a header declares, each with the comment above it: [line, name, comment]."""
    comment, number, depth, lines = "", 0, 0, text.split("\n")
    while number < len(lines):
        line = lines[number]
        if line.startswith("/*"):
            begin = number
            while "*/" not in lines[number]:
                number += 1
            comment = "\n".join(lines[begin:number + 1])
        elif not line.strip():
            # A blank line ends what a comment is about.
            comment = ""
        elif depth == 0 and re.match(r"^[A-Za-z_]", line) and "(" in line and not line.startswith(("#", "_Static_assert")):
            begin, whole = number, line
            while not re.search(r"[;{]", whole) and number + 1 < len(lines):
                number += 1
                whole += " " + lines[number].strip()
            name = re.search(r"(\w+)\s*\(", re.sub(r"__attribute__\s*\(\(.*?\)\)|FATHOM_PRINTF\([^)]*\)", "", whole))
            if name and not whole.startswith("typedef") and not 0 <= whole.find("{") < whole.find("("):
                yield begin + 1, name.group(1), comment, whole
            depth += whole.count("{") - whole.count("}")
            number += 1
            continue
        depth += line.count("{") - line.count("}")
        number += 1


def check_headers(root):
    for file, path in sources(root, WITH_HEADERS, (".h",)):
        if is_not_yet("header", file):
            continue
        text = open(path, encoding="utf-8").read()
        name = os.path.basename(file)[:-2]
        if not re.match(r"/\*(\n \*)? %s: " % re.escape(name), text):
            yield "%s: does not begin with a comment \"%s: ...\"" % (file, name)
        # One sentence for all functions of a header, or for those that follow, does.
        for_all = "Context" in text[:text.find("*/")] or re.search(
            r"Context: [^.]*(all (of them|here|below|functions)|as all|so all|as of all)", text)
        commented = set()
        for number, function, comment, whole in declared(text):
            # The empty function that stands for a part that was left out has its comment where the part's is declared.
            if function in commented:
                continue
            if comment:
                commented.add(function)
            if not comment:
                yield "%s:%d: %s has no comment" % (file, number, function)
            elif not for_all and "ontext" not in comment:
                yield "%s:%d: the comment of %s names no context" % (file, number, function)


def main():
    root = sys.argv[1]
    if "--everywhere" in sys.argv:
        NOT_YET.update({rule: () for rule in NOT_YET})
    for check in (check_file_names, check_variables, check_words, check_glossary, check_headers):
        for line in check(root):
            print(line)


if __name__ == "__main__":
    main()
