"""Compares the data of a page of fathom view with `fathom report --json` of the same profile.

view.py PAGE REPORT.json [columns]"""
import base64
import json
import math
import re
import struct
import sys
import zlib

page, report = open(sys.argv[1], encoding="utf-8").read(), json.load(open(sys.argv[2]))
parts = dict(re.findall(r'<script type="application/octet-stream" id="(\w+)">([^<]*)</script>', page))
definitions = json.loads(zlib.decompress(base64.b64decode(parts["definitions"])))
blob = zlib.decompress(base64.b64decode(parts["values"]))
columns = definitions["columns"]["count"]

assert not re.search(r'(src|href)\s*=\s*"?(https?:)?//', page), "the page refers to something outside"
assert definitions["report"]["summary"] == report["summary"]
assert [metric["name"] for metric in definitions["metrics"]] == [metric["name"] for metric in report["metrics"]]
tree = report["scoped_call_tree"] if "origins" in definitions["report"] else report["call_tree"]
cnodes = definitions["cnodes"]
assert len(tree) == len(cnodes["region"])
for node, region, parent in zip(tree, cnodes["region"], cnodes["parent"]):
    assert (-1 if node["parent"] is None else node["parent"]) == parent
    name = definitions["regions"]["name"][region]
    assert name == node["name"] or name.startswith("inlined ") and node["scope"] or "region" in node and \
        name == report["regions"][node["region"]]["name"], (name, node)


def take(kind, count):
    global at
    values = struct.unpack_from("<%d%s" % (count, kind), blob, at)
    at += count * struct.calcsize("<" + kind)
    return values


at, sums, rows, compared = 0, {}, {}, 0
while at + 20 <= len(blob):
    metric, own, shared, base, rounded = take("I", 5)
    paths, others = take("I", own), take("I", shared)
    at = at + 7 & ~7
    sums[metric] = dict(zip(paths, take("d", own)))
    if rounded:
        most = take("f", own)
        cells = [take("b", columns) for _ in range(own)]
        cells = [[math.nan if cell == -128 else cell / 127 * m for cell in row] for row, m in zip(cells, most)]
    else:
        cells = [take("f", columns) for _ in range(own)]
    rows[metric] = dict(zip(paths, cells))
    at = at + 7 & ~7
    for path in others:
        sums[metric][path], rows[metric][path] = sums[base][path], rows[base][path]
assert at == len(blob), (at, len(blob))
for m, metric in enumerate(report["metrics"]):
    for node in tree:
        value = sums.get(m, {}).get(node["id"])
        if "ratio" in metric:
            continue
        wanted = node["exclusive"].get(metric["name"])
        if wanted is None or not wanted and value is None:
            continue
        # Own values are differences if the file has inclusive ones.
        scale = abs(node["inclusive"].get(metric["name"]) or 0)
        assert value is not None and math.isclose(value, wanted, rel_tol=1e-12, abs_tol=1e-12 * scale), (metric["name"], node, value)
        compared += 1
        if metric["aggregation"] == "sum":
            row = sum(rows[m][node["id"]])
            assert math.isclose(row, value, rel_tol=0.02 if definitions["columns"]["rounded"] else 1e-5,
                                abs_tol=1e-6 * scale), (metric["name"], node, row)
assert compared > len(tree), compared
if len(sys.argv) > 3:
    assert columns == int(sys.argv[3]), columns
print("with scopes:" if "origins" in definitions["report"] else "", compared, "values,", len(page), "bytes,", columns, "columns")
