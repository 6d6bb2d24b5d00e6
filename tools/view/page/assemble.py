"""Puts the files of the page together, as C strings (page_text.h). Arguments: this directory, the files."""
import os
import sys

directory, *files = sys.argv[1:]
names = [os.path.basename(name) for name in files]


def text(name):
    with open(os.path.join(directory, name), encoding="utf-8") as file:
        return file.read()


scripts = "\n".join(text(name) for name in names if name.endswith(".js"))
page = text("page.html").replace("@STYLE@", text("style.css")).replace("@SCRIPT@", scripts)
before_definitions, rest = page.split("@DEFINITIONS@")
before_values, rest = rest.split("@VALUES@")
before_first, end = rest.split("@FIRST@")


def string(name, content):
    lines = [line.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("?", "\\?")
             for line in content.split("\n")]
    return "const char %s[] =\n\t\"%s\";\n" % (name, '\\n"\n\t"'.join(lines))


print("/* Made by tools/view/page/assemble.py. */\n#include \"tools/view/page_text.h\"\n")
print(string("fathom_page_before_definitions", before_definitions))
print(string("fathom_page_before_values", before_values))
print(string("fathom_page_before_first", before_first))
print(string("fathom_page_end", end), end="")
