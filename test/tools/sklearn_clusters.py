"""Compares the clusters of DBSCAN (cluster_points, the first argument) with those of scikit-learn: the same labels on the same points."""
import subprocess
import sys

import numpy
from sklearn.cluster import DBSCAN

random = numpy.random.default_rng(7)


def clouds(dimensions):
    """Elongated clouds, clouds of different density, a line, and noise."""
    parts = [random.normal(0.3, 0.01, (400, dimensions)), random.normal(0.6, 0.05, (400, dimensions)),
             random.uniform(0, 1, (300, dimensions))]
    line = random.normal(0.8, 0.004, (400, dimensions))
    line[:, 0] = random.uniform(0, 1, 400)
    slanted = random.normal(0, 0.004, (400, dimensions))
    slanted += random.uniform(0.1, 0.5, (400, 1))
    points = numpy.concatenate(parts + [line, slanted])
    random.shuffle(points)
    return points


cases = [(clouds(dimensions), eps, least) for dimensions in (1, 2, 3, 5)
         for eps, least in ((0.004, 4), (0.02, 4), (0.02, 10), (0.05, 25), (0.3, 3))]
moons = numpy.linspace(0, numpy.pi, 1000)
cases.append((numpy.concatenate([numpy.c_[numpy.cos(moons), numpy.sin(moons)], numpy.c_[1 - numpy.cos(moons), 0.5 - numpy.sin(moons)]]) +
              random.normal(0, 0.05, (2000, 2)), 0.1, 5))
cases.append((random.integers(0, 20, (2000, 2)) / 10.0, 0.05, 6))   # many equal points
for number, (points, eps, least) in enumerate(cases):
    text = "\n".join(" ".join(repr(float(value)) for value in point) for point in points)
    found = subprocess.run([sys.argv[1], repr(eps), str(least), str(points.shape[1])], input=text, text=True,
                           capture_output=True, check=True).stdout.split()
    wanted = DBSCAN(eps=eps, min_samples=least).fit(points).labels_ + 1
    if list(map(int, found)) != list(wanted):
        different = sum(int(a) != b for a, b in zip(found, wanted))
        sys.exit(f"case {number} (eps {eps}, {least} points, {points.shape[1]} dimensions): {different} labels differ")
print(len(cases), "cases")
