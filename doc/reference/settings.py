#!/usr/bin/env python3
"""Makes doc/reference/settings.md from the table of settings: fathom config --json | settings.py > settings.md"""
import json
import sys

print("""# Settings

fathom reads these environment variables. You need none of them. If a value is wrong, or if a name begins with `FATHOM_` and is
not on this page, fathom prints what is allowed, and the program ends before `main` with exit code 2. `fathom config` shows the
values in force. `doc/reference/settings.py` makes this page from the table in `lib/platform/settings.c`; a test compares them.
""")


def values(setting):
    if setting["type"] == "size":
        words = "".join("`%s`, " % word for word in setting.get("words", []))
        return "%soff, or a number of bytes from %d to %d; k, M, G for powers of 1000" % (
            words, setting["least"], setting["most"])
    if "words" in setting:
        text = ", ".join("`%s`" % word for word in setting["words"])
        return text + " (several, with commas between)" if setting["type"] == "words" else text
    if setting["type"] == "number":
        return "%d to %d; k, M, G for powers of 1000" % (setting["least"], setting["most"])
    return {"text": "a text", "name": "a name", "pattern": "levels, see [large runs](../guides/large-runs.md)",
            "time": "a time with its unit, such as `25ns`", "period": "a time such as `1s`, a directory, or `off`",
            "sampling": "a rate such as `200`, `EVENT@PERIOD` such as `cycles@1M` (several, with commas between), or `off`",
            "window": "times in seconds such as `0.5:2`, iterations of a phase such as `step#100-110`, or `off`",
            "ring": "bytes such as `8M` (1000000 to 16777216), a time such as `10s` (1ms to 3600s), or `off`",
            "percentage": "a percentage such as `5%`, or `off`",
            "build": "read when a program is compiled, see fathom(1)"}[setting["type"]]


pages = []
for setting in json.load(sys.stdin):
    default = "profile" if setting["name"] == "FATHOM_MODE" else setting["default"]
    pages.append("## %s\n\n%s\n\n* Values: %s\n* Default: %s" %
                 (setting["name"], setting["what"], values(setting), "none" if default is None else "`%s`" % default))
print("\n\n".join(pages))
