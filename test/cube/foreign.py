"""Whether other programs can take a profile: what they demand, as their sources say it.

    foreign.py [--not RULE]... FILE...

pycubexr (2.1): Python's tarfile and ElementTree; one root call path, one root of the system tree, metrics of the two
types and of its value types, a sparse index with at least one row and without gaps in size, a row for each entry with a
value for each location. (Of a metric without any row it raises an exception when the values are asked for; files of the
established system have such metrics, too.)
cube_exclusify, cube_remap2 -d (CubeLib 4.8): no metric without values of its own.
cube_remap2 -d [-s]: remapping.spec in the language of its scanner; expressions name metrics that are defined; the
metrics that option -s adds to.
cube_canonize [-p]: a letter or digit in each name (-p: in the last word before the first parenthesis).
cube_sanity: names, and no value below zero in metrics that the measurement itself defines.
Exit 0: all of them can. Otherwise 1 and a line for each fault.
"""
import re
import struct
import sys
import tarfile
from xml.etree import ElementTree

TYPES = {"DOUBLE": "d", "UINT64": "Q", "INT64": "q", "UINT32": "I", "INT32": "i", "UINT16": "H", "INT16": "h",
         "UINT8": "B", "INT8": "b", "MINDOUBLE": "d", "MAXDOUBLE": "d", "TAU_ATOMIC": "Idddd"}
TEXT_TAGS = {"disp_name", "uniq_name", "dtype", "uom", "val", "url", "descr"}
CODE_TAGS = {"cubepl", "cubeplinit"}
STORED_AT_LEAST_ZERO = -1e-12           # cube_sanity's threshold


class Fault(Exception):
    pass


def demand(is_met, text, *parts):
    if not is_met:
        raise Fault(text % parts)


# --- pycubexr

def walk(element, tag):
    for child in element.findall(tag):
        yield child
        yield from walk(child, tag)


def wide(nodes):
    """Rows of inclusive metrics: all children of a node, then those of each child."""
    order = list(nodes)
    stack = list(reversed(nodes))
    while stack:
        children = stack.pop().findall("cnode")
        order += children
        stack += reversed(children)
    return order


def rows_of(archive, metric, cnodes, locations):
    """{cnode: [value of each location]}; None: no members, which pycubexr reports when it is asked for values."""
    names = archive.getnames()
    ident, spelled = metric.get("id"), metric.findtext("dtype")
    if ident + ".index" not in names:
        return None
    index = archive.extractfile(ident + ".index").read()
    data = archive.extractfile(ident + ".data").read()
    demand(index[:11] == b"CUBEX.INDEX" and index[11:18] == b"\1\0\0\0\0\0\1", "%s: index", ident)
    count = struct.unpack("<i", index[18:22])[0]
    demand(count > 0 and len(index) == 22 + 4 * count, "%s: %d rows in %d bytes", ident, count, len(index))
    demand(data[:10] == b"CUBEX.DATA", "%s: data", ident)
    width = struct.calcsize("<" + TYPES[spelled])
    demand(len(data) == 10 + count * locations * width, "%s: %d bytes of data", ident, len(data))
    values = [v[0] if len(v) == 1 else v for v in struct.iter_unpack("<" + TYPES[spelled], data[10:])]
    rows = struct.unpack("<%di" % count, index[22:])
    demand(list(rows) == sorted(set(rows)) and rows[-1] < len(cnodes), "%s: rows", ident)
    return {cnodes[row]: values[k * locations:(k + 1) * locations] for k, row in enumerate(rows)}


def read(path):
    with tarfile.open(path) as archive:
        anchor = ElementTree.fromstring(archive.extractfile("anchor.xml").read())
        demand(len(anchor.find("program").findall("cnode")) == 1, "several root call paths")
        demand(len(anchor.find("system").findall("systemtreenode")) == 1, "several roots of the system tree")
        for region in anchor.find("program").findall("region"):
            int(region.get("begin")), int(region.get("end"))
            demand(all(region.find(tag) is not None for tag in ("name", "mangled_name", "paradigm", "role", "url",
                                                                "descr")), "region %s", region.get("id"))
        for parameter in anchor.iter("parameter"):
            if parameter.get("partype") == "numeric":
                float(parameter.get("parvalue"))
        metrics = list(walk(anchor.find("metrics"), "metric"))
        for metric in metrics:
            name = metric.findtext("uniq_name")
            demand(metric.get("type") in ("INCLUSIVE", "EXCLUSIVE"), "metric %s is of type %s", name, metric.get("type"))
            demand(metric.findtext("dtype") in TYPES, "metric %s has values of type %s", name, metric.findtext("dtype"))
        roots = anchor.find("program").findall("cnode")
        orders = {"EXCLUSIVE": [c for root in roots for c in root.iter("cnode")], "INCLUSIVE": wide(roots)}
        locations = len(list(anchor.iter("location")))
        values = {metric.findtext("uniq_name"): rows_of(archive, metric, orders[metric.get("type")], locations)
                  for metric in metrics}
        names = archive.getnames()
        spec = archive.extractfile("remapping.spec").read().decode() if "remapping.spec" in names else None
    return anchor, metrics, values, spec


# --- cube_remap2

def scan(spec):
    """Tokens of the specification: ("open", tag, attributes), ("text", tag, text), ("close", tag)."""
    spec = re.sub(r"<!--[^\n]*?-->", "", spec)
    at = 0
    while at < len(spec):
        if spec[at] in " \t\n":
            at += 1
            continue
        tag = re.compile(r"<(/?)(\w+)((?:\s+\w+=\"[^\"]*\")*)\s*>").match(spec, at)
        demand(tag is not None, "the specification has %r", spec[at:at + 30])
        closes, name, attributes = tag.groups()
        at = tag.end()
        if name in TEXT_TAGS | CODE_TAGS | {"murl"} and not closes:
            end = spec.find("</%s>" % name, at)
            demand(end >= 0, "%s is not closed", name)
            text = spec[at:end]
            demand(name in CODE_TAGS or "<" not in text, "%s contains an element", name)
            if name != "murl":
                yield "text", name, text
            at = end + len(name) + 3
        elif closes:
            yield "close", name, None
        else:
            yield "open", name, dict(re.findall(r"(\w+)=\"([^\"]*)\"", attributes))


def specified(spec):
    """{uniq_name: (type, expression)} in the grammar of cube_remap2: doc?, metrics, nested metric elements."""
    demand(spec, "no remapping.spec")
    metrics, depth, now, seen = {}, 0, None, []
    for kind, tag, what in scan(spec):
        if kind == "open" and tag == "metric":
            unknown = set(what) - {"type", "viztype", "convertible", "cacheable"}
            demand(not unknown, "metric has attributes %s", unknown)
            depth += 1
            now = {"type": what.get("type", "EXCLUSIVE"), "convertible": what.get("convertible", "true")}
            seen.append(now)
        elif kind == "close" and tag == "metric":
            depth -= 1
            demand(depth >= 0, "metric elements are not nested")
            now = None
        elif kind == "text":
            demand(now is not None and tag not in now, "%s stands twice or outside", tag)
            now[tag] = what
        else:
            demand(tag in ("metrics", "doc", "mirrors"), "unknown element %s", tag)
    demand(depth == 0, "metric elements are not closed")
    for one in seen:
        demand(one.get("uniq_name") and one["uniq_name"] not in metrics, "name %s stands twice", one.get("uniq_name"))
        metrics[one["uniq_name"]] = one
    return metrics


def remaps(metrics, spec):
    stored = [metric.findtext("uniq_name") for metric in metrics]
    wanted = specified(spec)
    for name in stored:
        demand(name in wanted, "the specification lacks %s", name)
        demand("cubepl" not in wanted[name], "the specification makes a formula of %s", name)
    demand(wanted["time"]["type"] == "EXCLUSIVE", "time is %s in the specification", wanted["time"]["type"])
    needed = ["imbalance", "imbalance_above", "imbalance_above_single", "imbalance_below", "imbalance_below_bypass",
              "imbalance_below_singularity"]
    if "omp_time" in stored:
        needed += ["omp_idle_threads", "omp_limited_parallelism"]
    for name in needed:
        demand(name in wanted, "the specification lacks %s, which option -s adds to", name)
    for name, one in wanted.items():
        if one["type"] == "POSTDERIVED":
            demand(one["convertible"] == "false", "values of %s would be stored", name)
            used = re.findall(r"metric::([A-Za-z0-9_:=]+)\(", one.get("cubepl", ""))
            demand(used and set(used) <= set(stored), "the formula of %s names %s", name, used)
    return [name for name, one in wanted.items() if one["type"] == "POSTDERIVED"]


# --- cube_canonize, cube_sanity

def canonizes(anchor):
    for region in anchor.iter("region"):
        name = region.findtext("name")
        demand(re.search("[A-Za-z0-9]", name), "region %r has no letter", name)
        word = name[:name.find("(")] if "(" in name else name
        demand(re.search("[A-Za-z0-9]", word[word.rfind(" ") + 1:]), "region %r has no letter in its last word", name)


def extremes_match(anchor, metrics, values):
    """Minima are given exactly where there were visits, maxima are 0 or neutral elsewhere."""
    def cell(name, cnode, location, missing):
        row = (values.get(name) or {}).get(cnode)
        return row[location] if row else missing

    locations = len(list(anchor.iter("location")))
    if not {"min_time", "max_time", "visits"} <= set(values) or isinstance(
            next(iter((values["visits"] or {}).values()), [0])[0], tuple):
        return
    for cnode in anchor.iter("cnode"):
        for location in range(locations):
            visits = cell("visits", cnode, location, 0)
            least, most = (cell(name, cnode, location, None) for name in ("min_time", "max_time"))
            given = least not in (None, sys.float_info.max), most not in (None, 0, -sys.float_info.max)
            demand(given[0] == (visits > 0) and (visits > 0 or not given[1]),
                   "%s visits, min_time %s, max_time %s", visits, least, most)
            demand(not all(given) or least <= most, "min_time %s is above max_time %s", least, most)


def is_sane(anchor, metrics, values, wanted):
    for region in anchor.iter("region"):
        demand(region.findtext("name") not in ("", "UNKNOWN"), "region %s has no name", region.get("id"))
    for metric in metrics:
        name = metric.findtext("uniq_name")
        rows = values[name] or {}
        if name not in wanted or metric.findtext("dtype") == "TAU_ATOMIC":     # at tuples cube_sanity itself stops
            continue
        demand(metric.findtext("dtype") != "MAXDOUBLE" or len(rows) == len(list(anchor.iter("cnode"))),
               "%s: a missing row reads as less than zero", name)
        demand(all(value >= STORED_AT_LEAST_ZERO for row in rows.values() for value in row),
               "%s has values below zero", name)


def main():
    arguments, left_out = sys.argv[1:], set()
    while arguments[0] == "--not":
        left_out.add(arguments[1])
        del arguments[:2]
    faults = 0
    for path in arguments:
        try:
            anchor, metrics, values, spec = read(path)
            formulas = remaps(metrics, spec) if "remap" not in left_out else []
            if "canonize" not in left_out:
                canonizes(anchor)
            if "sanity" not in left_out:
                is_sane(anchor, metrics, values, ("visits", "time", "min_time", "max_time"))
                extremes_match(anchor, metrics, values)
            print("%s: %d metrics, formulas: %s" % (path, len(metrics), " ".join(formulas) or "none"))
        except (Fault, ValueError, KeyError, AttributeError) as fault:
            print("%s: %s: %s" % (path, type(fault).__name__, fault))
            faults += 1
    return 1 if faults else 0


sys.exit(main())
