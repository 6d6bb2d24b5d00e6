"""Writes a file of recorded bursts (FATHOM_BURSTS) of a process with one thread, from doc/reference/files.md.

	make_recorded_bursts.py FILE DROPPED < LINES

Each line is the duration of a burst of main in seconds, and the name of the MPI call that takes a second after it.
DROPPED: the number of bursts that the run dropped. This code shares nothing with the writer of the library.
"""
import struct
import sys

MASK = (1 << 64) - 1
NO_PATH = 0xffffffff


def checksum(payload):
    words = struct.unpack("=%dQ" % (len(payload) // 8), payload)
    total = 0x9e3779b97f4a7c15 ^ len(words)
    for word in words:
        total = (total ^ word) * 0xff51afd7ed558ccd & MASK
        total ^= total >> 32
    return total


def block(kind, number, payload=b""):
    return struct.pack("=IIQQ", kind, number, len(payload), checksum(payload)) + payload


class Texts:
    def __init__(self):
        self.bytes = b""

    def add(self, text):
        place = len(self.bytes)
        self.bytes += text.encode() + b"\0"
        return place


def definitions(calls, bursts, dropped):
    texts = Texts()
    host, source, thread = texts.add("node"), texts.add("app.c"), texts.add("Master thread")
    regions = [(texts.add("main"), source, 1, 99, texts.add("compiler"), texts.add("function"))]
    paths = [(0, NO_PATH)]
    for number, call in enumerate(calls, 1):
        regions.append((texts.add(call), source, 0, 0, texts.add("mpi"), texts.add("point2point")))
        paths.append((number, 0))
    texts.bytes += b"\0" * (-len(texts.bytes) % 8)
    return (struct.pack("=QQdIIIIIIQ", 0, 10 ** 18, 1e9, 1, host, 1, 0, len(regions), len(paths), len(texts.bytes)) +
            struct.pack("=IIQQQ", thread, 0, bursts, dropped, 0) +
            b"".join(struct.pack("=6I", *region) for region in regions) +
            b"".join(struct.pack("=2I", *path) for path in paths) + texts.bytes)


def main():
    calls, records, time, before = [], b"", 0, NO_PATH
    lines = [line.split() for line in sys.stdin if line.split()]
    for seconds, call in lines:
        if call not in calls:
            calls.append(call)
        end, after = time + round(float(seconds) * 1e9), calls.index(call) + 1
        records += struct.pack("=QQII", time, end, before, after)
        time, before = end + 10 ** 9, after
    with open(sys.argv[1], "xb") as file:
        file.write(struct.pack("=8sII", b"FATHOMBU", 0x01020304, 1))
        file.write(block(1, 0, struct.pack("=IIQ", 0, 0, len(lines)) + records))
        file.write(block(2, 0, definitions(calls, len(lines), int(sys.argv[2]))))
        file.write(block(3, 2))


main()
