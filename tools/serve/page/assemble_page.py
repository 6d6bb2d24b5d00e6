"""Puts the page of fathom serve together, as a C string (tools/serve/served_page.h). Arguments: the files."""
import sys


def text(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


files = sys.argv[1:]
scripts = "\n".join(text(name) for name in files if name.endswith(".js"))
page = [text(name) for name in files if name.endswith(".html")][0]
page = page.replace("@STYLE@", [text(name) for name in files if name.endswith(".css")][0]).replace("@SCRIPT@", scripts)
lines = [line.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("?", "\\?")
         for line in page.split("\n")]
print("/* Made by tools/serve/page/assemble_page.py. */\n#include \"tools/serve/served_page.h\"\n")
print("const char fathom_served_page[] =\n\t\"%s\";" % '\\n"\n\t"'.join(lines))
