#!/usr/bin/env python3
"""alignment.py SEQUENCES LETTERS: sequences that descend from one, by halves, as FastTree reads them."""
import random
import sys

random.seed(7)


def changed(letters, part):
    return "".join(random.choice("ACGT") if random.random() < part else c for c in letters)


def descend(letters, count):
    if count == 1:
        return [letters]
    return descend(changed(letters, .06), count // 2) + descend(changed(letters, .04), count - count // 2)


count, length = int(sys.argv[1]), int(sys.argv[2])
for i, sequence in enumerate(descend("".join(random.choice("ACGT") for _ in range(length)), count)):
    print(f">s{i}\n{sequence}")
