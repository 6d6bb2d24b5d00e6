#!/usr/bin/env python3
"""paraver.py FILE.prv [OTF2-PRINT]: reads a trace of Paraver by the description of its format, and checks it: the
header, the order of records, states without gaps, events that end, messages, names. With the output of otf2-print of the
trace that it was made from, enters, leaves and messages must be the same. Prints what there is."""
import collections, re, sys

def die(what):
    sys.exit("%s: %s" % (sys.argv[1], what))

def sections(path):
    """The .pcf file: {type: name}, {type: {value: name}}, {state: name}."""
    types, values, states, section, last = {}, {}, {}, None, []
    for line in open(path, encoding="utf-8", errors="replace"):
        line = line.rstrip("\n")
        word = line.split(" ")[0]
        if not line:
            section = None if section != "EVENT_TYPE" else section
            continue
        if re.fullmatch(r"[A-Z_]+", word) and not line[0].isdigit():
            if word == "EVENT_TYPE":
                last = []
            section = word
            continue
        if section == "EVENT_TYPE":
            gradient, number, name = re.split(r" +", line, maxsplit=2)
            types[int(number)] = name
            last.append(int(number))
        elif section == "VALUES":
            number, name = re.split(r" +", line, maxsplit=1)
            for t in last:
                values.setdefault(t, {})[int(number)] = name
        elif section == "STATES":
            number, name = re.split(r" +", line, maxsplit=1)
            states[int(number)] = name
    return types, values, states

def levels(path):
    """The .row file: {level: [names]}."""
    found, names, left = {}, None, 0
    for line in open(path, encoding="utf-8", errors="replace"):
        line = line.rstrip("\n")
        match = re.fullmatch(r"LEVEL (\w+) SIZE (\d+)", line)
        if match:
            if left:
                die("%s: too few names" % path)
            names, left = found.setdefault(match[1], []), int(match[2])
        elif left:
            names.append(line)
            left -= 1
    if left:
        die("%s: too few names" % path)
    return found

lines = open(sys.argv[1])
head = re.fullmatch(r"#Paraver \((\d\d/\d\d/\d{4}) at (\d\d:\d\d)\):(\d+)_ns:(\d+)\(([\d,]*)\):1:(\d+)\(([\d:,]*)\),(\d+)\n", next(lines))
if not head:
    die("the first line is wrong")
final = int(head[3])
cpus = [int(n) for n in head[5].split(",") if n]
tasks = [tuple(map(int, t.split(":"))) for t in head[7].split(",") if t]
if len(cpus) != int(head[4]) or len(tasks) != int(head[6]):
    die("numbers of nodes or tasks")
base = [sum(cpus[:n]) for n in range(len(cpus))]
types, values, states = sections(sys.argv[1][:-4] + ".pcf")
names = levels(sys.argv[1][:-4] + ".row")
if len(names["CPU"]) != sum(cpus) or len(names["NODE"]) != len(cpus) or len(names["THREAD"]) != sum(t[0] for t in tasks):
    die("numbers of names")

def place(fields):
    cpu, application, task, thread = map(int, fields)
    if application != 1 or not 1 <= task <= len(tasks) or not 1 <= thread <= tasks[task - 1][0]:
        die("no such thread: %s" % fields)
    node = tasks[task - 1][1] - 1
    if not base[node] < cpu <= base[node] + cpus[node]:
        die("a processor of another node: %s" % fields)
    return task, thread

until, comms, open_calls = {}, 0, collections.Counter()
enters, messages, counters = collections.Counter(), [], collections.Counter()
functions, previous = 0, (0, 0)
for number, line in enumerate(lines, 2):
    if line.startswith("c:"):
        fields = line.rstrip("\n").split(":")
        if len(fields) != 4 + int(fields[3]):
            die("line %d: a communicator" % number)
        comms += 1
        continue
    fields = line.rstrip("\n").split(":")
    kind = int(fields[0])
    where, time = place(fields[1:5]), int(fields[5])
    if (time, kind) < previous:
        die("line %d: not in order" % number)
    previous = (time, kind)
    if time > final:
        die("line %d: after the end" % number)
    if kind == 1:
        end, state = int(fields[6]), int(fields[7])
        if until.get(where, 0) != time or end <= time or end > final or state not in states:
            die("line %d: a state with a gap, or unknown" % number)
        until[where] = end
    elif kind == 2:
        for t, value in zip(map(int, fields[6::2]), map(int, fields[7::2])):
            if t not in types:
                die("line %d: type %d has no name" % (number, t))
            if 50000001 <= t <= 50000005:
                if value not in values[t]:
                    die("line %d: value %d of %d has no name" % (number, value, t))
                if value:
                    enters[values[t][value]] += 1
                open_calls[where] += 1 if value else -1
                if not 0 <= open_calls[where] <= 1:
                    die("line %d: MPI calls do not end" % number)
            elif t == 60000019:
                functions += 1
                if value not in values[t]:
                    die("line %d: function %d has no name" % (number, value))
            else:
                counters[t] += value
    elif kind == 3:
        physical = int(fields[6])
        to = place(fields[7:11])
        logical_receive, physical_receive, size, tag = map(int, fields[11:15])
        if physical < time or physical_receive < logical_receive or len(fields) != 15:
            die("line %d: a message" % number)
        messages.append((where[0] - 1, to[0] - 1, size, tag))
    else:
        die("line %d: kind %d" % (number, kind))
if comms != int(head[8]):
    die("%d communicators, %s announced" % (comms, head[8]))
for where, end in until.items():
    if end != final:
        die("thread %d.%d has no state at the end" % where)
if any(open_calls.values()):
    die("calls are open at the end")
print("%d tasks, %d threads, %d MPI calls, %d function events, %d messages of %d bytes, %d communicators" % (
    len(tasks), len(names["THREAD"]), sum(enters.values()), functions, len(messages), sum(m[2] for m in messages), comms))
for t in sorted(counters):
    print(types[t], counters[t])

if len(sys.argv) > 2:
    calls, others, sent = collections.Counter(), 0, []
    for line in open(sys.argv[2], errors="replace"):
        event = re.match(r"(ENTER|LEAVE) +\d+ +\d+ +Region: \"(.*)\" <\d+>", line)
        if event and event[2].startswith("MPI_"):
            calls[event[2]] += event[1] == "ENTER"
        elif event:
            others += 1
        event = re.match(r"MPI_I?SEND +\d+ .*Receiver: (\d+) .*Tag: (\d+), Length: (\d+)", line)
        if event:
            sent.append((int(event[3]), int(event[2])))
    known = {name: n for name, n in enters.items() if name != "another call"}
    init = calls["MPI_Init"] + calls["MPI_Init_thread"]
    for name, n in known.items():
        if n != (init if name == "MPI_Init" else calls[name]):
            die("%d calls of %s, not %d" % (n, name, calls[name]))
    if sum(enters.values()) != sum(calls.values()) or functions != others:
        die("%d calls and %d function events, not %d and %d" % (sum(enters.values()), functions, sum(calls.values()), others))
    if sorted((m[2], m[3]) for m in messages) != sorted(sent):
        die("other messages: %d, not %d" % (len(messages), len(sent)))
