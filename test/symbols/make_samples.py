#!/usr/bin/env python3
"""
make_samples.py PROGRAM FUNCTION...: writes the file samples.txt of a run to stdout that took as many samples at each
instruction of these functions (names of symbols) as the number of its line, by objdump. A call instruction also gets a
sample of 1 second in what it calls.
"""
import re
import subprocess
import sys


def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True).stdout
    build_id = re.search(r"Build ID: ([0-9a-f]+)", notes)
    print("fathom samples 1\nevent 0 time seconds\nevent 3 PAPI_TOT_CYC counts")
    print("module 0 %s %s" % (build_id.group(1) if build_id else "-", program))
    code = subprocess.run(["objdump", "-d", "-l", "--no-show-raw-insn", program], capture_output=True, text=True).stdout
    function, offset, line, called = None, 0, 0, False
    for text in code.split("\n"):
        begin = re.match(r"([0-9a-f]+) <(.*)>:$", text)
        place = re.match(r"\S.*:(\d+)(?: \(discriminator \d+\))?$", text)
        instruction = re.match(r"\s+([0-9a-f]+):\s+(\S+)", text)
        if begin:
            function, offset, line, called = begin.group(2), int(begin.group(1), 16), 0, False
        elif place:
            line = int(place.group(1))
        elif instruction and function in wanted:
            address = int(instruction.group(1), 16)
            if called:
                print("call 0 0 %x %x 200 1.000000000" % (offset, address))
            if line:
                print("leaf 0 0 %x %x %d %.9f" % (offset, address, line, line * 0.005))
                print("leaf 3 0 %x %x 1 %d" % (offset, address, 1000000))
            called = instruction.group(2).startswith("call")


main()
