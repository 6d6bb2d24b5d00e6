"""Compares a picture of fathom timeline with all events, or with the same picture in the other format.

timeline.py PICTURE.svg EVENTS.json [options of fathom timeline]
timeline.py PICTURE.svg PICTURE.png
"""
import json
import re
import struct
import sys
import xml.etree.ElementTree as xml
import zlib

NAMES, RIGHT, TOP = 160, 10, 24
SVG = "{http://www.w3.org/2000/svg}"


def read_svg(path):
    root = xml.parse(path).getroot()
    rects = [(float(r.get("x")), float(r.get("y")), float(r.get("width")), float(r.get("height")), r.get("fill"))
             for r in root.iter(SVG + "rect")]
    texts = [(float(t.get("x")), float(t.get("y")), t.text) for t in root.iter(SVG + "text")]
    return float(root.get("width")), rects[1:], texts


def read_png(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and colour in (2, 6)
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    step = 3 if colour == 2 else 4
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * step)
    for y in range(height):
        kind, row = raw[y * (width * step + 1)], bytearray(raw[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        for i in range(len(row)):
            a, b = row[i - step] if i >= step else 0, before[i]
            c = before[i - step] if i >= step else 0
            near = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[i] = (row[i] + (0, a, b, (a + b) // 2, near)[kind]) & 255
        rows.append(row)
        before = row
    return lambda x, y: "#%02x%02x%02x" % tuple(rows[int(y)][int(x) * step:int(x) * step + 3])


def compare_formats(svg, png):
    _, rects, _ = read_svg(svg)
    pixel, compared = read_png(png), 0
    for x, y, width, height, fill in rects:
        if width >= 3 and height >= 3:
            assert pixel(x + width / 2, y + height / 2) == fill, (x, y, fill, pixel(x + width / 2, y + height / 2))
            compared += 1
    assert compared > 20, compared


def option(words, name, default):
    return type(default)(words[words.index(name) + 1]) if name in words else default


def intervals(events, depth):
    """Yields (begin, end, region) of a thread, in microseconds; the region is the one that is shown."""
    stack, last = [], None
    for time, kind, name in events:
        if last is not None and stack and time > last:
            yield last, time, stack[min(depth or len(stack), len(stack)) - 1]
        if kind == "B":
            stack.append(name)
        else:
            stack.pop()
        last = time


def compare_events(svg, path, words):
    width, rects, texts = read_svg(svg)
    depth = option(words, "--depth", 0)
    names, threads = {}, {}
    for event in json.load(open(path))["traceEvents"]:
        if event["ph"] == "M" and event["name"] == "process_name":
            names[event["pid"]] = event["args"]["name"]
        if event["ph"] == "M" and event["name"] == "thread_name":
            names[event["pid"], event["tid"]] = names[event["pid"]] + " " + event["args"]["name"]
        if event["ph"] in "BE":
            threads.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ph"], event.get("name")))
    threads = {names[key]: list_ for key, list_ in threads.items()}
    rows = [(y, text) for x, y, text in texts if x == 4 and y > TOP]
    keys = [(x, y, fill, text) for x, y, w, h, fill in rects for tx, ty, text in texts if (tx, ty) == (x + 15, y + 10)]
    bottom = min(y for x, y, fill, text in keys)
    rows = [(y, text) for y, text in rows if y < bottom]
    end = [float(text[:-2]) for x, y, text in texts if text.endswith(" s") and x > width - 20][0]
    begin = [float(text[:-2]) for x, y, text in texts if text.endswith(" s") and x == NAMES][0]
    assert "--from" not in words or abs(begin - option(words, "--from", 0.0)) < 1e-9, begin
    legend = {fill: text.split(" ", 1)[1] for x, y, fill, text in keys}
    rects = [rect for rect in rects if rect[1] < bottom]
    columns = int(width) - NAMES
    step = (width - NAMES - RIGHT) / columns
    same = busy = 0
    for y, name in rows:
        shown = [None] * columns
        for x, top, w, h, fill in rects:
            if top <= y <= top + h + 2 and x >= NAMES:
                for column in range(round((x - NAMES) / step), round((x - NAMES + w) / step)):
                    shown[column] = legend[fill]
        shares = [{} for _ in range(columns)]
        matching = [key for key in threads if key.startswith(name[:18]) and key in (name, key)]
        key = name if name in threads else matching[0]
        ticks = (end - begin) * 1e6 / columns
        for first, last, region in intervals(threads.pop(key), depth):
            first, last = max(first, begin * 1e6), min(last, end * 1e6)
            column = int((first - begin * 1e6) / ticks)
            while first < last and column < columns:
                until = min(last, begin * 1e6 + (column + 1) * ticks)
                shares[column][region] = shares[column].get(region, 0) + max(until - first, 0)
                first, column = max(first, until), column + 1
        for column, share in enumerate(shares):
            if sum(share.values()) < ticks / 2:
                continue
            busy += 1
            most = max(share.values())
            same += any(value > 0.9 * most and region == shown[column] or shown[column] == "other regions"
                        for region, value in share.items())
    assert busy > 50 and same > 0.97 * busy, (same, busy)
    assert words.count("--ranks") or not threads or all(len(list_) < 2 for list_ in threads.values()), list(threads)
    print(same, busy)


if sys.argv[2].endswith(".png"):
    compare_formats(*sys.argv[1:])
else:
    compare_events(sys.argv[1], sys.argv[2], sys.argv[3:])
