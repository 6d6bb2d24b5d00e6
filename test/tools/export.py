"""Reads what fathom export has written, with readers that know the formats and nothing of fathom, and compares the sums of
regions with fathom report --json.

    export.py FORMAT FILE REPORT.json [METRIC]
    export.py trace FILE REPORT.json

Exit 0: they agree. Otherwise 1 and a line.
"""
import csv
import gzip
import json
import re
import sys
from collections import defaultdict


class Report:
    """What is expected: values of regions and of call paths, in the units of the formats."""

    def __init__(self, path, metric):
        with open(path, encoding="utf-8") as file:
            self.document = json.load(file)
        self.metric = metric
        self.regions = self.document["regions"]
        unit = next(m["unit"] for m in self.document["metrics"] if m["name"] == metric)
        self.factor = 1e9 if unit == "sec" else 1
        self.nodes = {n["id"]: n for n in self.document["call_tree"]}
        for node in self.nodes.values():
            parameters = "".join(" [%s=%s]" % p for p in node.get("parameters", {}).items())
            node["frame"] = node["name"] + parameters
        # A profile with explicit tasks has them twice: in detail below TASKS, and as leaves where threads ran them.
        self.tasks = next((n for n in self.nodes.values() if n["name"] == "TASKS"), None)
        parents = {n["parent"] for n in self.nodes.values()}
        regions = {n["region"] for n in self.nodes.values() if self.tasks and n["parent"] == self.tasks["id"]}
        for node in self.nodes.values():
            node["stub"] = (node["region"] in regions and node["id"] not in parents and node["parent"] != self.tasks["id"])

    def value(self, node, kind="exclusive"):
        value = node[kind].get(self.metric) or 0
        return value * self.factor if kind == "inclusive" or value > 0 else 0

    def own(self, key):
        sums = defaultdict(float)
        for node in self.nodes.values():
            if not node["stub"]:
                sums[key(node)] += self.value(node)
        return sums

    def is_outermost(self, node):
        above = node["parent"]
        while above is not None:
            if self.nodes[above]["region"] == node["region"]:
                return False
            above = self.nodes[above]["parent"]
        return True


def check(is_met, text, *parts):
    if not is_met:
        raise SystemExit(text % parts)


def same_sums(expected, found, what, slack=0.51):
    for key in set(expected) | set(found):
        e, f = expected.get(key, 0), found.get(key, 0)
        check(abs(e - f) <= slack + abs(e) * 1e-15, "%s of %.60r: expected %r, found %r", what, key, e, f)


# --- readers: each returns {name of a frame or region: own value}, and checks what else it can

def read_collapsed(path, report):
    """flamegraph.pl: the value behind the last blank; frames between semicolons."""
    sums, paths = defaultdict(int), defaultdict(int)
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        for line in file:
            match = re.fullmatch(r"(.+) (\d+)\n", line)
            check(match, "not a line of collapsed stacks: %.100r", line)
            frames = match.group(1).split(";")
            sums[frames[-1]] += int(match.group(2))
            paths[match.group(1)] += int(match.group(2))
    def spelled(text):
        return "".join(":" if c == ";" else " " if c < " " else c for c in text) or "?"
    def path_of(node):
        chain = []
        while node:
            chain.insert(0, spelled(node["frame"]))
            node = report.nodes.get(node["parent"])
        return ";".join(chain)
    # Regions are rounded as a whole; a frame that has parameters is a part of a region.
    same_sums(report.own(lambda n: spelled(n["frame"])), sums, "own value", 1.01)
    if len(report.nodes) < 200:
        same_sums(report.own(path_of), paths, "value of the path", slack=1.01)


def read_speedscope(path, report):
    """The rules of https://www.speedscope.app/file-format-schema.json, and those of speedscope's importer: positions
    do not fall, and the frame that is closed is the one that was opened last."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    check(document["$schema"] == "https://www.speedscope.app/file-format-schema.json", "$schema")
    check(set(document) <= {"$schema", "shared", "profiles", "name", "activeProfileIndex", "exporter"}, "members")
    frames = document["shared"]["frames"]
    for frame in frames:
        check(isinstance(frame["name"], str) and set(frame) <= {"name", "file", "line", "col"}, "frame %r", frame)
        check(isinstance(frame.get("file", ""), str) and isinstance(frame.get("line", 0), int), "frame %r", frame)
    check(isinstance(document["profiles"], list) and len(document["profiles"]) == 1, "profiles")
    profile = document["profiles"][0]
    check(set(profile) == {"type", "name", "unit", "startValue", "endValue", "events"}, "members of the profile")
    check(profile["type"] == "evented" and isinstance(profile["name"], str), "type")
    check(profile["unit"] in ("bytes", "microseconds", "milliseconds", "nanoseconds", "none", "seconds"), "unit")
    sums, stack, at = defaultdict(int), [], profile["startValue"]
    for event in profile["events"]:
        check(set(event) == {"type", "frame", "at"} and event["type"] in "OC", "event %r", event)
        check(at <= event["at"] <= profile["endValue"], "position %r after %r", event["at"], at)
        check(0 <= event["frame"] < len(frames), "frame %r", event)
        if event["at"] > at:
            check(stack, "a value outside of all frames")
            sums[frames[stack[-1]]["name"]] += event["at"] - at
        at = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            check(stack and stack.pop() == event["frame"], "%r closes another frame", event)
    check(not stack and at == profile["endValue"], "the profile ends before %r", profile["endValue"])
    same_sums(report.own(lambda n: n["frame"] or "?"), sums, "own value", 1.01)


def expected_calls(report):
    """{(caller, callee): [visits, inclusive value]} by names, and the inclusive values of regions."""
    calls, inclusive = defaultdict(lambda: [0, 0]), defaultdict(float)
    for node in report.nodes.values():
        if report.is_outermost(node):
            inclusive[node["name"]] += report.value(node, "inclusive")
        parent = report.nodes.get(node["parent"])
        if parent:
            calls[parent["name"], node["name"]][0] += node["exclusive"].get("visits", 0)
            if parent["region"] != node["region"]:
                calls[parent["name"], node["name"]][1] += report.value(node, "inclusive")
    return calls, inclusive


def read_callgrind(path, report):
    """The grammar of callgrind's manual: compressed names, cost lines, calls lines with a cost line behind them."""
    names, sums, calls = {}, defaultdict(int), defaultdict(lambda: [0, 0])
    functions = set()
    header, current, call = {}, None, None
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        lines = file.read().split("\n")
    check(lines[0] == "# callgrind format", "the first line")
    for line in lines[1:]:
        name = re.fullmatch(r"(fl|fi|fe|fn|cfi|cfl|cfn|ob|cob)=\((\d+)\)( .*)?", line)
        if name:
            kind = "fn" if name.group(1).endswith("fn") else "ob" if name.group(1).endswith("ob") else "fl"
            if name.group(3) is not None:
                check((kind, name.group(2)) not in names, "%s is named twice", line)
                names[kind, name.group(2)] = name.group(3)[1:]
            check((kind, name.group(2)) in names, "%s is not named", line)
            if name.group(1) == "fn":
                current = names[kind, name.group(2)]
                check(name.group(2) not in functions, "%s stands twice", line)
                functions.add(name.group(2))
            elif name.group(1) == "cfn":
                callee = names[kind, name.group(2)]
        elif re.fullmatch(r"calls=\d+ \d+", line):
            call = int(line.split()[0][6:])
        elif re.fullmatch(r"\d+ \d+", line):
            cost = int(line.split()[1])
            if call is None:
                sums[current] += cost
            else:
                calls[current, callee][0] += call
                calls[current, callee][1] += cost
                call = None
        elif ": " in line:
            header[line.split(": ")[0]] = line.split(": ", 1)[1]
        else:
            check(line == "", "not a line of callgrind: %.100r", line)
    check(header["positions"] == "line" and header["version"] == "1", "header %r", header)
    check(int(header["totals"]) == sum(sums.values()) == int(header["summary"]), "totals")
    same_sums(report.own(lambda n: spelled(n["name"])), sums, "own value")
    expected, _ = expected_calls(report)
    if all(report.is_outermost(n) for n in report.nodes.values()) and not report.tasks:
        expected = {(spelled(a), spelled(b)): v for (a, b), v in expected.items()}
        same_sums({k: v[0] for k, v in expected.items()}, {k: v[0] for k, v in calls.items()}, "calls")
        same_sums({k: v[1] for k, v in expected.items()}, {k: v[1] for k, v in calls.items()}, "inclusive value", 20)


def spelled(name):
    return "".join(" " if c < " " else c for c in name) or "?"


def read_gprof(path, report):
    """The flat profile, and the lines with an index of the call graph."""
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:
        flat, graph = file.read().split("\n\t\t\tCall graph\n")
    number = r"(\d+(?:\.\d{9})?)"
    def whole(text):
        return int(text.replace(".", ""))
    sums, names, last = defaultdict(int), {}, 0
    for line in flat.split("\n")[5:]:
        if not line:
            continue
        match = re.fullmatch(r" *[0-9.]+ +%s +%s +(\d+) +%s  (.*) \[(\d+)\]" % (number, number, number), line)
        check(match, "not a line of the flat profile: %.100r", line)
        sums[match.group(5)] += whole(match.group(2))
        last += whole(match.group(2))
        check(last == whole(match.group(1)), "cumulative value in %.100r", line)
        names[match.group(6)] = match.group(5)
        check(whole(match.group(4)) >= whole(match.group(2)), "total in %.100r", line)
    same_sums(report.own(lambda n: spelled(n["name"])), sums, "own value")
    inclusive = defaultdict(int)
    for line in graph.split("\n"):
        match = re.fullmatch(r"\[(\d+)\] +[0-9.]+ +%s +%s +\d+(?:\+\d+)?  (.*) \[\1\]" % (number, number), line)
        if match:
            inclusive[match.group(4)] += whole(match.group(2)) + whole(match.group(3))
    _, expected = expected_calls(report)
    if not report.tasks:
        same_sums({spelled(k): v for k, v in expected.items()}, inclusive, "inclusive value", 20)


def protobuf_fields(data):
    """The fields of a message: (number, value); bytes for wire type 2."""
    at = 0
    def number():
        nonlocal at
        result = shift = 0
        while True:
            byte = data[at]
            at += 1
            result |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return result
    while at < len(data):
        key = number()
        if key & 7 == 0:
            yield key >> 3, number()
        elif key & 7 == 2:
            length = number()
            check(at + length <= len(data), "a field longer than its message")
            yield key >> 3, data[at:at + length]
            at += length
        else:
            check(False, "wire type %d", key & 7)


def packed(data):
    numbers, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(value)
            value = shift = 0
    return numbers


def read_pprof(path, report):
    """profile.proto of github.com/google/pprof, with the checks of its CheckValid."""
    with gzip.open(path) as file:
        fields = defaultdict(list)
        for number, value in protobuf_fields(file.read()):
            fields[number].append(value)
    strings = [s.decode("utf-8") for s in fields[6]]
    check(strings[0] == "", "the first string is not empty")
    types = [{k: strings[v] for k, v in protobuf_fields(t)} for t in fields[1]]
    names = [t[1] for t in types]
    check(names[-1] == report.metric and strings[fields[14][0]] == report.metric, "sample types %r", names)
    functions = {}
    for data in fields[5]:
        function = dict(protobuf_fields(data))
        check(function[1] > 0 and function[1] not in functions, "id of a function")
        functions[function[1]] = strings[function[2]]
        check(all(function.get(k, 0) < len(strings) for k in (2, 3, 4)), "a string of a function")
    locations = {}
    for data in fields[4]:
        location = dict(protobuf_fields(data))
        check(location[1] > 0 and location[1] not in locations, "id of a location")
        locations[location[1]] = functions[dict(protobuf_fields(location[4]))[1]]
    sums, visits = defaultdict(int), defaultdict(int)
    for data in fields[2]:
        sample = dict(protobuf_fields(data))
        values = packed(sample[2])
        check(len(values) == len(types), "%d values of a sample", len(values))
        stack = [locations[i] for i in packed(sample[1])]
        sums[stack[0]] += values[-1]
        if len(values) > 1:
            visits[stack[0]] += values[0]
    same_sums(report.own(lambda n: n["name"] or "?"), sums, "own value")
    if names[0] == "visits" and len(names) > 1:
        expected = defaultdict(int)
        for node in report.nodes.values():
            expected[node["name"] or "?"] += 0 if node["stub"] else node["exclusive"].get("visits", 0)
        same_sums(expected, visits, "visits", 0)


def read_csv(path, report):
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    check(rows, "no line")
    headings = set(rows[0])
    metrics = [m["name"] for m in report.document["metrics"] if m["values"] and m["name"] in headings]
    check(report.metric in metrics or "metric" in headings, "headings %r", headings)
    check(all(None not in r and None not in r.values() for r in rows), "a line with another number of fields")
    if "path" in headings:          # call tree
        check(len(rows) == len(report.nodes), "%d lines", len(rows))
        for row in rows:
            node = report.nodes[int(row["id"])]
            check(row["region"] == node["name"] and row["parent"] == ("" if node["parent"] is None else str(node["parent"])),
                  "call path %r", row["id"])
            for metric in metrics:
                for heading, kind in ((metric, "exclusive"), (metric + " (inclusive)", "inclusive")):
                    found = float(row[heading]) if row[heading] else None
                    check((found or 0) == (node[kind].get(metric) or 0), "%s of %s: %r", heading, row["id"], found)
    elif "call_paths" in headings:  # regions
        own, count = defaultdict(float), defaultdict(int)
        for node in report.nodes.values():
            own[node["region"]] += 0 if node["stub"] else node["exclusive"].get(report.metric) or 0
            count[node["region"]] += 1
        for row in rows:
            check(row["region"] == report.regions[int(row["id"])]["name"], "region %r", row["id"])
            check(int(row["call_paths"]) == count[int(row["id"])], "call paths of %r", row["id"])
        same_sums(own, {int(r["id"]): float(r[report.metric] or 0) for r in rows}, "own value", 0)
    elif "metric" in headings:      # values
        own = defaultdict(float)
        for row in rows:
            if row["metric"] == report.metric:
                own[int(row["id"])] += float(row["value"])
        same_sums({n["id"]: n["exclusive"].get(report.metric) or 0 for n in report.nodes.values()}, own, "value", 1e-9)
    else:                           # ranks
        balance = {b["rank"]: b["time"] for b in report.document["balance"] if "rank" in b}
        by_rank = defaultdict(float)
        for row in rows:
            by_rank[int(row["rank"])] += float(row[report.metric] or 0)
        if report.metric == "time" and balance:
            same_sums(balance, by_rank, "time", 1e-9)
        check(len(rows) == report.document["summary"]["threads"], "%d lines", len(rows))


def read_trace(path, report_path):
    """Chrome's trace event format: events of a thread nest, flows have both ends, names are there."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    own, visits = defaultdict(int), defaultdict(int)
    stacks, since, begun, ended, named, last = defaultdict(list), {}, set(), set(), set(), 0
    for event in events:
        thread = event.get("pid"), event.get("tid")
        check(event["ph"] in "MBEsfCiX" and thread[0] > 0, "event %r", event)
        if event["ph"] == "M":
            check(event["name"] in ("process_name", "process_sort_index", "thread_name", "thread_sort_index"), "%r", event)
            named.add((event["name"].split("_")[0],) + thread)
            continue
        check(("process", thread[0], None) in named and ("thread",) + thread in named, "no name for %r", event)
        at = round(event["ts"] * 1000)
        check(at >= last, "the time goes back in %r", event)
        last = at
        stack = stacks[thread]
        if event["ph"] in "BE":
            if stack:
                own[stack[-1]] += at - since[thread]
            since[thread] = at
            if event["ph"] == "B":
                stack.append(event["name"])
                visits[event["name"]] += 1
            else:
                check(stack, "%r ends nothing", event)
                stack.pop()
        elif event["ph"] == "s":
            check(stack and event["id"] not in begun, "flow %r", event)
            begun.add(event["id"])
        elif event["ph"] == "f":
            check(stack and event["id"] not in ended and event["bp"] == "e", "flow %r", event)
            ended.add(event["id"])
        elif event["ph"] == "C":
            check(isinstance(event["args"]["value"], (int, float)), "counter %r", event)
    check(not any(stacks.values()), "regions stay open")
    check(len(ended - begun) == 0, "messages that nobody sent: %r", ended - begun)
    sends = sum(report["events"].get(e, 0) for e in ("MpiSend", "MpiIsend"))
    check(len(begun) == sends, "%d messages, not %d", len(begun), sends)
    tasks = "ThreadTaskSwitch" in report["events"]
    # The format does not say when measurement was off: this time is the own time of the regions around it there.
    regions = [r for r in report["regions"] if r["name"] != "MEASUREMENT OFF"]
    is_off = len(regions) < len(report["regions"])
    for region in regions:
        check(visits[region["name"]] == region["visits"] or (tasks and visits[region["name"]] > region["visits"]),
              "%d visits of %s", visits[region["name"]], region["name"])
        more, error = own[region["name"]] - region["own_time"] * 1e9, 1 + region["visits"]
        check(-error <= more and (more <= error or is_off) or tasks, "%d ns of %s, not %r",
              own[region["name"]], region["name"], region["own_time"])
    both = sum(r["own_time"] for r in report["regions"]) * 1e9
    check(abs(sum(own.values()) - both) <= sum(1 + r["visits"] for r in report["regions"]) or tasks,
          "%d ns of all regions, not %d", sum(own.values()), both)
    print(len(begun), "messages", len(events), "events")


def main():
    kind, path, report = sys.argv[1:4]
    if kind == "trace":
        read_trace(path, report)
    else:
        globals()["read_" + kind](path, Report(report, sys.argv[4] if len(sys.argv) > 4 else "time"))


main()
