"""Compares messages, collective operations and curves of time lines with those of the trace of timeline_details.sh.

page FILE; picture SVG SVG; served ADDRESS; answers ADDRESS (prints
answers); sizes ADDRESS (prints the sizes of four answers); sums
ADDRESS: messages of a window with many of them, and of a short one
"""
import base64
import json
import re
import sys
import urllib.request
import zlib

MICRO = 1000                # ticks
LENGTH = 1000 * MICRO + 1   # of the trace
# from, to, send, receive, bytes: the first message with tag 1 belongs to the receive that was posted first, with request 7.
MESSAGES = [(0, 1, 100, 360, 10), (0, 1, 200, 250, 20), (0, 1, 300, 350, 30)]
COLLECTIVE = [(0, 500, 700), (1, 600, 700)]
FIRST = 0                   # the tick of time 0


def compare(details, begin, end):
    """The details of a window, whose ends are given in ticks."""
    def tick(micro):
        return micro * MICRO + FIRST - begin

    inside = [m for m in MESSAGES if tick(m[2]) < end - begin and tick(m[3]) >= 0]
    numbers = details["messages"]
    shown = [tuple(numbers[i:i + 5]) for i in range(0, len(numbers), 5)]
    assert details["begin"] == begin and details["ticks"] == end - begin, (details["begin"], details["ticks"])
    assert shown == [(f, t, tick(s), tick(r), b) for f, t, s, r, b in inside], (shown, inside)
    is_inside = any(tick(b) < end - begin and tick(e) >= 0 for _, b, e in COLLECTIVE)
    expected = [[n for row, b, e in COLLECTIVE for n in (row, tick(b), tick(e))]] if is_inside else []
    assert details["collectives"] == expected, (details["collectives"], expected)
    curves = {curve["name"]: curve for curve in details["curves"]}
    assert sorted(curves) == ["count", "level"] and curves["count"]["is_rate"] and not curves["level"]["is_rate"]
    assert curves["count"]["unit"] == "items" and curves["count"]["rows"][1] is None
    for name in curves:
        values = curves[name]["rows"][0] or []
        for column, value in enumerate(values):
            micro = (begin + (column + 0.5) * (end - begin) / len(values)) / MICRO
            width = (end - begin) / len(values) / MICRO
            if name == "count" and min(abs(micro - edge) for edge in (0, 400, 800)) > width:
                wanted = 1e6 if micro < 400 else 0 if micro < 800 else None     # 400 in 400 us
                assert value == wanted or wanted and abs(value / wanted - 1) < 1e-3, (micro, value)
            if name == "level" and min(abs(micro - edge) for edge in (10, 500)) > width:
                assert value == (5 if 10 < micro < 500 else None), (micro, value)


def page(name):
    definitions = re.search(r'id="definitions">([^<]*)<', open(name, encoding="utf-8").read()).group(1)
    compare(json.loads(zlib.decompress(base64.b64decode(definitions)))["trace"]["details"], 0, LENGTH)


def get(address):
    with urllib.request.urlopen(address) as answer:
        return answer.read()


def served(address):
    for begin, end in ((0, 0.00100001), (0.00015, 0.00022), (0.00055, 0.0009), (0.0009, 0.001)):
        answer = json.loads(get(address + "window?from=%.9f&to=%.9f" % (begin, end)))
        compare(answer["details"], round(begin * 1e9), min(round(end * 1e9), LENGTH))
    for begin, end, wanted in ((0, 1000, MESSAGES), (150, 250, MESSAGES[1:2]), (400, 900, [])):
        window = "?from=%.9f&to=%.9f" % (begin / 1e6, end / 1e6)
        answer = json.loads(get(address + "messages" + window))
        shown = [(m["from"], m["to"], round(m["send"] * 1e6), round(m["receive"] * 1e6), m["bytes"])
                 for m in answer["messages"]]
        assert shown == wanted and answer["count"] == len(wanted), (shown, wanted)
        pairs = json.loads(get(address + "matrix" + window))["pairs"]
        assert pairs == ([{"from": 0, "to": 1, "messages": len(wanted), "bytes": sum(m[4] for m in wanted)}]
                         if wanted else []), pairs


def lines_of(name):
    """The lines (x1, y1, x2, y2, colour, width) of a picture."""
    return [tuple(float(n) for n in line[:4]) + line[4:] for line in
            re.findall(r'<line x1="([^"]+)" y1="([^"]+)" x2="([^"]+)" y2="([^"]+)" stroke="(#\w+)" stroke-width="([^"]+)"',
                       open(name).read())]


def picture(name, curve):
    def place(micro):
        return 160 + (micro * MICRO + FIRST) / LENGTH * 1030

    lines = lines_of(name)
    wanted = [(place(s), 36, place(r), 60, "#10151c") for _, _, s, r, _ in MESSAGES]
    wanted.append((place(500), 36, place(600), 60, "#6f2da8"))
    for line in wanted:
        assert any(found[4] == line[4] and all(abs(a - b) < 0.1 for a, b in zip(found[:4], line[:4])) for found in lines), \
            (line, lines)
    # The curve: at the upper edge until 400 us, at the lower one until 800 us.
    flat = [line for line in lines_of(curve) if line[5] == "1.5" and line[1] == line[3]]
    assert flat and all(24 <= line[1] <= 48 for line in flat)
    for line in flat:
        middle = (line[0] + line[2]) / 2
        if middle < place(390):
            assert abs(line[1] - 26) < 0.5, line
        if place(410) < middle < place(790):
            assert abs(line[1] - 46) < 0.5, line
    assert max(line[2] for line in flat) < place(810)


def sizes(address):
    length = json.loads(get(address + "trace"))["length"]
    requests = ["trace", "window?from=0&to=%.9f" % length, "window?from=%.9f&to=%.9f" % (length * 0.4, length * 0.41),
                "summary?from=0&to=%.9f" % length]
    print(*(len(get(address + request)) for request in requests))


def sums(address):
    length = json.loads(get(address + "trace"))["length"]
    for begin, end in ((0, length), (0.3 * length, 0.7 * length)):
        window = "from=%.9f&to=%.9f" % (begin, end)
        details = json.loads(get(address + "window?" + window))["details"]
        wanted = json.loads(get(address + "summary?" + window))
        numbers = details["message_sums"]
        assert details["messages"] is None and len(numbers) % 5 == 0
        assert all(b == (a + 1) % 4 for a, b in zip(numbers[0::5], numbers[1::5]))
        assert len(numbers) <= 5 * 4 * 41 and all(0 <= tick < details["ticks"] for tick in numbers[2::5])
        assert abs(sum(numbers[3::5]) / wanted["messages"] - 1) < 0.02, (sum(numbers[3::5]), wanted["messages"])
        assert all(size == 800 * count for count, size in zip(numbers[3::5], numbers[4::5]))
    window = "from=%.9f&to=%.9f" % (0.5 * length, 0.52 * length)
    details = json.loads(get(address + "window?" + window))["details"]
    pairs = json.loads(get(address + "matrix?" + window))["pairs"]
    sent = json.loads(get(address + "summary?" + window))["messages"]
    inside = [tick for tick in details["messages"][2::5] if 0 <= tick < details["ticks"]]
    assert details["message_sums"] is None and len(inside) > 20
    # The last messages of a process may never be received.
    assert sum(pair["messages"] for pair in pairs) == len(inside) <= sent < len(inside) + 20, (pairs, len(inside), sent)


def answers(address):
    for request in ("trace", "window?from=0&to=0.001", "window?from=0.0002&to=0.0003", "summary?from=0.0001&to=0.0009",
                    "search?region=m&from=0&to=0.001", "messages?from=0&to=1", "matrix?from=0&to=1"):
        print(get(address + request).decode())


if __name__ == "__main__":
    {"page": page, "picture": picture, "served": served, "answers": answers, "sizes": sizes,
     "sums": sums}[sys.argv[1]](*sys.argv[2:])
