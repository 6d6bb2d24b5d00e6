"""Values of profiles for test/tools/algebra.sh.

algebra.py same A.json B.json		fails unless all values of A are those of B, by path
algebra.py zero A.json			fails unless all values are 0
algebra.py values A.json METRIC		a line "PATH OWN INCLUSIVE" for each call path with a value"""
import json
import math
import sys


def cells(document):
    paths, found = [], {}
    for node in document["call_tree"]:
        path = (paths[node["parent"]] + " > " if node["parent"] is not None else "") + node["name"].replace(" (", "(")
        paths.append(path)
        for metric, value in node["exclusive"].items():
            found[path, metric] = found.get((path, metric), 0) + (value or 0)
    return found


command, document = sys.argv[1], json.load(open(sys.argv[2]))
if command == "same":
    got, wanted = cells(document), cells(json.load(open(sys.argv[3])))
    assert len(got) > 3 and got.keys() == wanted.keys(), got.keys() ^ wanted.keys()
    # Own times may be differences of inclusive ones, so they have an error of these. Names lose the blank before "(".
    for key, value in got.items():
        assert math.isclose(value, wanted[key], rel_tol=1e-12, abs_tol=1e-11), (key, value, wanted[key])
elif command == "zero":
    assert document["call_tree"], "no call path"
    assert not any(cells(document).values()), [item for item in cells(document).items() if item[1]]
else:
    names = []
    for node in document["call_tree"]:
        names.append((names[node["parent"]] + ">" if node["parent"] is not None else "") + node["name"])
        if node["inclusive"].get(sys.argv[3]):
            print(names[-1], *("%g" % (node[part].get(sys.argv[3]) or 0) for part in ("exclusive", "inclusive")))
