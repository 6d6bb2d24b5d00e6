"""Tests a server of fathom serve.

serve.py answers ADDRESS EVENTS.json    its answers are those of all events, as fathom export writes them
serve.py fuzz ADDRESS REQUESTS          so many wrong requests, slow clients, 50 clients at a time; then it still answers
"""
import http.client
import json
import random
import re
import socket
import sys
import threading

HOST, PORT, TOKEN = re.fullmatch(r"http://([0-9.]+):(\d+)/([0-9a-f]{32})/", sys.argv[2]).groups()
PORT = int(PORT)


def get(path, method="GET", body=None):
    connection = http.client.HTTPConnection(HOST, PORT, timeout=60)
    connection.request(method, path, body)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, text


def ask(request):
    status, text = get("/%s/%s" % (TOKEN, request))
    assert status == 200, (request, status, text[:200])
    return json.loads(text)


def intervals(events):
    stack, last = [], None
    for time, kind, name in events:
        if last is not None and stack and time > last:
            yield last, time, tuple(stack)
        if kind == "B":
            stack.append(name)
        else:
            stack.pop()
        last = time


def answers(path):
    trace, threads, names, sends = ask("trace"), {}, {}, []
    for event in json.load(open(path))["traceEvents"]:
        if event["ph"] == "M" and event["name"] == "process_name":
            names[event["pid"]] = event["args"]["name"]
        if event["ph"] == "M" and event["name"] == "thread_name":
            names[event["pid"], event["tid"]] = names[event["pid"]] + " " + event["args"]["name"]
        if event["ph"] in "BE":
            threads.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ph"], event.get("name")))
    rows = [list(intervals(next(list_ for key, list_ in threads.items() if names[key] == row))) for row in trace["rows"]]
    name = trace["regions"]["name"]

    def path_of(node):
        found = []
        while node >= 0:
            found.insert(0, name[trace["nodes"]["region"][node]])
            node = trace["nodes"]["parent"][node]
        return tuple(found)

    random.seed(1)
    for request in range(12):
        length = trace["length"] * (1 if request == 0 else random.random() ** 6)
        begin = random.random() * (trace["length"] - length)
        end = begin + length
        window = "from=%r&to=%r" % (begin, end)
        answer, summary = ask("window?" + window), ask("summary?" + window)
        begin, end = answer["begin"] * 1e6, answer["end"] * 1e6
        ticks, own, same, busy = (end - begin) / trace["columns"], {}, 0, 0
        for row, runs in zip(rows, answer["cells"]):
            cells = [node for node, count in zip(runs[::2], runs[1::2]) for _ in range(count)]
            assert len(cells) == trace["columns"]
            shares = [{} for _ in cells]
            for first, last, path in row:
                first, last = max(first, begin), min(last, end)
                if first < last:
                    own[path[-1]] = own.get(path[-1], 0) + last - first
                column = int((first - begin) / ticks)
                while first < last - 1e-9 and column < len(cells):
                    until = min(last, begin + (column + 1) * ticks)
                    shares[column][path] = shares[column].get(path, 0) + max(until - first, 0)
                    first, column = max(first, until), column + 1
            for node, share in zip(cells, shares):
                if share and max(share.values()) > ticks / 10:
                    busy += 1
                    same += share.get(path_of(node), 0) >= 0.8 * max(share.values())
        assert same >= 0.97 * busy, (window, same, busy)
        assert len(summary["regions"]) == len([1 for value in own.values() if value > 1e-3]), (window, summary, own)
        for region in summary["regions"]:
            assert abs(region["seconds"] * 1e6 - own[region["name"]]) < 0.01 + 1e-6 * own[region["name"]], (window, region, own)
        visits = ask("search?region=MPI_SEND&" + window)["visits"]
        expected = sorted((min(last, end) - max(first, begin) for row in rows for first, last in joined(row, "MPI_Sendrecv")
                           if last > begin and first < end), reverse=True)[:100]
        found = [(visit["end"] - visit["begin"]) * 1e6 for visit in visits]
        assert len(found) == len(expected) and all(abs(a - b) < 0.01 for a, b in zip(found, expected)), (found[:5], expected[:5])
        print(window, busy, same)


def joined(row, region):
    """Returns the visits of a region: parts of one call path without a gap are one."""
    visits = []
    for first, last, path in row:
        if region not in path:
            continue
        path = path[:path.index(region) + 1]
        if visits and visits[-1][1] == first and visits[-1][2] == path:
            visits[-1] = (visits[-1][0], last, path)
        else:
            visits.append((first, last, path))
    return [(first, last) for first, last, _ in visits]


def raw(data, reads=True):
    """Sends bytes, and returns what comes back."""
    with socket.create_connection((HOST, PORT), timeout=30) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            return connection.recv(200) if reads else b""
        except OSError:
            return b""


def random_path(chance):
    tricks = ["..", "%2e%2e", "%00", "%2f", "etc", "passwd", "traces.otf2", "window", "trace", "search", "", ".", "\\..",
              "%c0%ae", "~root", "a" * chance.choice([1, 10, 5000]), TOKEN[:31], TOKEN.upper() + "0", "?from=0&to=1"]
    return "/" + "/".join(chance.choice(tricks) for _ in range(chance.randrange(6)))


def fuzz(count):
    chance = random.Random(5)
    slow = [socket.create_connection((HOST, PORT), timeout=60) for _ in range(20)]
    for number, connection in enumerate(slow):      # they never finish what they say
        connection.sendall((b"GET /%s/trace HTTP/1.1\r\nHo" % TOKEN.encode())[:5 + 3 * number])
    for number in range(count):
        kind = number % 5
        if kind == 0:       # without a token, or with tricks behind it
            path = random_path(chance)
            if chance.random() < 0.5:
                path = "/" + TOKEN + path
            path = path.replace(TOKEN + "/?", TOKEN + "?")
            status, text = get(path, chance.choice(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]))
            right = path.startswith("/" + TOKEN + "/")
            assert status in (200, 400, 404, 405, 414, 431) if right else status in (400, 403, 414, 431), (path, status)
            assert b"root:" not in text and b"FathomFx" not in text
        elif kind == 1:     # wrong numbers
            values = ["0", "-1", "nan", "inf", "1e300", "", "x", "0x10", "1e-9", "9" * 400, "%00", "1;2", "0.01"]
            path = "/%s/%s?from=%s&to=%s&region=%s" % (TOKEN, chance.choice(["window", "summary", "search", "messages", "matrix"]),
                                                      chance.choice(values), chance.choice(values), chance.choice(["", "a", "%ff%fe", "(" * 50]))
            status, text = get(path)
            assert status in (200, 400), (path, status, text[:100])
            json.loads(text)
        elif kind == 2:     # no HTTP
            raw(bytes(chance.randrange(256) for _ in range(chance.randrange(1, 300))) + b"\r\n\r\n", reads=False)
        elif kind == 3:     # a token that is wrong in one character, or in its length
            at = chance.randrange(32)
            token = TOKEN[:at] + chance.choice("0123456789abcdefX/") + TOKEN[at + 1:] if chance.random() < 0.7 else TOKEN[:at]
            status, text = get("/%s/trace" % token)
            assert status == (200 if token == TOKEN else 403), (token, status)
        else:               # a client that goes away
            raw(b"GET /%s/trace HTTP/1.1\r\nHost: x\r\n\r\n" % TOKEN.encode(), reads=False)
    failures = []

    def client(number):
        try:
            for request in range(4):
                begin = number / 50 * 0.0001 * request
                ask("window?from=%r&to=%r" % (begin, begin + 0.0002))
        except Exception as error:      # the thread must not end silently
            failures.append(repr(error))

    clients = [threading.Thread(target=client, args=(number,)) for number in range(50)]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    for connection in slow:
        connection.close()
    assert not failures, failures[:3]


if sys.argv[1] == "answers":
    answers(sys.argv[3])
else:
    fuzz(int(sys.argv[3]))
