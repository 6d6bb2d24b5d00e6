"""Prints what is in a profile, as test/tools/import.sh compares it.

import.py FILE             a line for each value: metric, rank, thread, call path, value
import.py --regions FILE   own times by process and region, below the root PROGRAM if the format has no call paths
import.py --total FILE     own times and visits of each region over all threads

Numbers are rounded to nine digits. Places of functions are left out.
"""
import csv
import os
import subprocess
import sys
from collections import defaultdict


def table(name, path):
    command = [os.environ["builddir"] + "/fathom-export", "--to", "csv", "--table", name, path]
    return list(csv.DictReader(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()))


def main():
    path = sys.argv[-1]
    paths = {row["id"]: row["path"] for row in table("calltree", path)}
    sums = defaultdict(float)
    for row in table("values", path):
        value = float(row["value"])
        if "--regions" in sys.argv:
            if row["metric"] == "time":
                sums["time", row["rank"], "PROGRAM/" + row["region"]] += value
        elif "--total" in sys.argv:
            if row["metric"] in ("time", "visits"):
                sums[row["metric"], row["region"]] += value
        else:
            sums[row["metric"], row["rank"], row["thread"], paths[row["id"]]] += value
    for key in sorted(sums):
        if sums[key]:
            print(*key, "%.9g" % sums[key])


main()
