"""Compares the kinds in time lines with those of the list of bursts that fathom clusters has written.

picture LIST SVG WIDTH FIRST:LAST [FROM TO]: of the ranks from FIRST to LAST - 1; page LIST HTML
(writes expected.json for the browser); without HTML; served LIST ADDRESS
"""
import base64
import csv
import json
import re
import sys
import urllib.request
import zlib

COLOURS = ["bbbbbb", "0072b2", "d55e00", "009e73", "cc79a7", "e69f00", "56b4e9", "8c6d31", "7570b3", "66a61e", "e7298a"]
NAMES, RIGHT, TOP = 160, 10, 24


def bursts_of(name):
    """The bursts by process: [(begin, end, kind)] in nanoseconds; kind 0: none."""
    bursts = {}
    for row in csv.DictReader(open(name)):
        bursts.setdefault(int(row["TaskId"]), []).append(
            (int(row["Begin_Time"]), int(row["End_Time"]), max(0, int(row["ClusterID"]))))
    return bursts


def times_of(bursts, begin, end):
    """The time of each kind in a part of the time."""
    times = {}
    for burst in bursts:
        time = min(burst[1], end) - max(burst[0], begin)
        if time > 0:
            times[burst[2]] = times.get(burst[2], 0) + time
    return times


def check_row(bursts, rectangles, begin, end, width):
    """The colour of every place whose burst is there alone. Returns the number of these places."""
    count = 0
    for pixel in range(int(width)):
        left, right = (begin + (end - begin) * (pixel + d) / width for d in (-2, 3))
        times = times_of(bursts, left, right)
        if len(times) > 1 or times and abs(sum(times.values()) / (right - left) - 1) > 1e-6:
            continue
        found = [colour for x, w, colour in rectangles if x <= NAMES + pixel + .5 < x + w]
        assert found == [COLOURS[kind] for kind in times], (pixel, found, times)
        count += 1
    return count


def picture(name, svg, width, ranks, begin=None, end=None):
    bursts, text = bursts_of(name), open(svg).read()
    found = [float(s) for s in re.findall(r">([0-9.e-]+) s</text>", text)]
    first, last = map(int, ranks.split(":"))
    begin, end = (float(begin) if begin else found[0]) * 1e9, (float(end) if end else found[-1]) * 1e9
    assert abs(found[0] * 1e9 - begin) < 10 and abs(found[-1] * 1e9 - end) < 1e4, (found, begin, end)
    rows = {}
    for x, y, w, colour in re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="23" fill="#(\w+)"/>', text):
        rows.setdefault(round((float(y) - TOP) / 24), []).append((float(x), float(w), colour))
    assert sorted(rows) == list(range(last - first)), sorted(rows)
    places = sum(check_row(bursts[rank], rows[rank - first], begin, end, int(width) - NAMES - RIGHT)
                 for rank in range(first, last))
    assert places > 100 * (last - first), places
    times = times_of([burst for rank in range(first, last) for burst in bursts[rank]], begin, end)
    legend = {int(kind): float(share) for share, kind in re.findall(r">([\d.]+)% kind (\d+): ", text)}
    none = re.findall(r">([\d.]+)% bursts of no kind", text)
    if none:
        legend[0] = float(none[0])
    assert sorted(legend) == sorted(times), (legend, times)
    for kind, time in times.items():
        assert abs(legend[kind] - 100 * time / sum(times.values())) < 0.06, (legend, kind, time, sum(times.values()))


def compare(kinds, bursts, begin, end):
    """The kinds of a part of the time, in nanoseconds, as JSON."""
    columns, count = kinds["columns"], 0
    assert len(kinds["cells"]) == len(bursts)
    for process, runs in enumerate(kinds["cells"]):
        row = [max(0, kind) for i in range(0, len(runs), 2) for kind in runs[i:i + 1] * runs[i + 1]]
        assert len(row) == columns
        for column, kind in enumerate(row):
            left, right = (begin + (end - begin) * (column + d) / columns for d in (-.01, 1.01))
            times = times_of(bursts[process], left, right)
            best = max(times.values(), default=0)
            if sum(time > best * .95 for time in times.values()) < 2 and (best > 100 or not times):
                assert kind == max(times, key=times.get, default=0), (process, column, kind, times)
                count += 1
    assert count > .9 * len(bursts) * columns, count
    names = {name["kind"]: name for name in kinds["names"]}
    assert names[1]["name"] == "1: main > all" and names[1]["colour"] == "#" + COLOURS[1], names


def details_of(name):
    definitions = re.search(r'id="definitions">([^<]*)<', open(name, encoding="utf-8").read()).group(1)
    trace = json.loads(zlib.decompress(base64.b64decode(definitions)))["trace"]
    return trace["details"], trace["begin"] * 1e9, trace["end"] * 1e9


def page(name, html):
    details, begin, end = details_of(html)
    compare(details["kinds"], bursts_of(name), begin, end)
    json.dump({"shares": shares(bursts_of(name))}, open("expected.json", "w"))


def shares(bursts):
    times = times_of([burst for process in bursts.values() for burst in process], 0, 1e18)
    return {kind: time / sum(times.values()) for kind, time in times.items()}


def without(html):
    assert details_of(html)[0]["kinds"] is None


def served(name, address):
    for begin, end in ((0.01, 0.03), (0.0123, 0.0125)):
        with urllib.request.urlopen(address + "window?from=%.9f&to=%.9f" % (begin, end)) as answer:
            compare(json.loads(answer.read())["details"]["kinds"], bursts_of(name), begin * 1e9, end * 1e9)


globals()[sys.argv[1]](*sys.argv[2:])
