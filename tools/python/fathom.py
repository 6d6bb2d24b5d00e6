"""Reads the profiles of fathom, and of other tools that write CUBE4 (.cubex), as tables.

    import fathom
    profile = fathom.open("heat.exp")           # a directory, a .cubex file; without a name, the newest experiment here
    for path in profile.call_paths:
        print(path, profile.total("time", path))
    rows = profile.table("regions")             # a list of dictionaries
    frame = profile.frame("regions")            # the same as a pandas DataFrame, if pandas is installed

Only Python's standard library is needed. Values stay in the file until they are asked for. Errors are fathom.Error.
"""
import array
import builtins
import gzip
import os
import struct
import sys
import tarfile
import zlib
from xml.etree import ElementTree

__all__ = ["Error", "Profile", "Metric", "Region", "CallPath", "Location", "SystemNode", "open"]

# The types of values: letter of struct, and what a missing row means.
_TYPES = {
    "DOUBLE": ("d", 0), "UINT64": ("Q", 0), "INT64": ("q", 0), "INTEGER": ("q", 0), "UINT32": ("I", 0), "INT32": ("i", 0),
    "UINT16": ("H", 0), "INT16": ("h", 0), "UINT8": ("B", 0), "INT8": ("b", 0),
    # older names
    "FLOAT": ("d", 0), "UNSIGNED INTEGER": ("Q", 0), "SIGNED INTEGER": ("q", 0), "UNSIGNED INT": ("I", 0), "INT": ("i", 0),
    "SIGNED INT": ("i", 0), "UNSIGNED SHORT INT": ("H", 0), "SHORT UNSIGNED INT": ("H", 0), "SHORT INT": ("h", 0),
    "SIGNED SHORT INT": ("h", 0), "CHAR": ("B", 0),
    "MINDOUBLE": ("d", sys.float_info.max), "MAXDOUBLE": ("d", -sys.float_info.max),
}
_TUPLE = struct.Struct("Idddd")         # count, minimum, maximum, sum, sum of squares; without padding
_DATA, _COMPRESSED, _INDEX = b"CUBEX.DATA", b"ZCUBEX.DATA", b"CUBEX.INDEX"


class Error(Exception):
    """A file that cannot be read, or a name that it does not have."""


class Metric:
    """A metric: name ("time"), title ("Time"), unit ("sec"), description, parent (a Metric or None), kind ("sum",
    "minimum", "maximum", "formula", "other")."""

    def __init__(self, element, parent):
        self.id = element.get("id")
        self.name = element.findtext("uniq_name") or ""
        self.title = element.findtext("disp_name") or self.name
        self.unit = element.findtext("uom") or ""
        self.description = element.findtext("descr") or ""
        self.parent = parent
        self.dtype = (element.findtext("dtype") or "").strip().upper()
        self.is_inclusive = element.get("type") == "INCLUSIVE"
        self._is_ghost = element.get("viztype") == "GHOST"
        if element.get("type") not in ("INCLUSIVE", "EXCLUSIVE", None):
            self.kind = "formula"
        elif self.dtype == "MINDOUBLE":
            self.kind = "minimum"
        elif self.dtype == "MAXDOUBLE":
            self.kind = "maximum"
        else:
            self.kind = "sum" if self.dtype in _TYPES or self.dtype == "TAU_ATOMIC" else "other"

    def __repr__(self):
        return "<metric %s>" % self.name


class Region:
    """A place in the program: name, mangled, file, begin_line and end_line (0: not known), paradigm, role,
    description, attributes."""

    def __init__(self, element):
        self.id = int(element.get("id"))
        self.name = element.findtext("name") or ""
        self.mangled = element.findtext("mangled_name") or ""
        self.file = element.get("mod") or ""
        self.begin_line = max(int(element.get("begin", 0)), 0)
        self.end_line = max(int(element.get("end", 0)), 0)
        self.paradigm = element.findtext("paradigm") or ""
        self.role = element.findtext("role") or ""
        self.description = element.findtext("descr") or ""
        self.attributes = _attributes(element)

    def __repr__(self):
        return "<region %s>" % self.name


class CallPath:
    """A node of the call tree: region, parent (a CallPath or None), children, parameters, depth. id is its index in
    profile.call_paths, file_id its number in the file. is_counted is false for a call path whose values other call paths have, too (explicit tasks)."""

    def __init__(self, ident, file_id, region, parent):
        self.id = ident
        self.file_id = file_id
        self.region = region
        self.parent = parent
        self.children = []
        self.parameters = {}
        self.depth = parent.depth + 1 if parent else 0
        self.is_counted = True
        self._is_task = parent._is_task if parent else False

    @property
    def name(self):
        return self.region.name

    @property
    def frames(self):
        """The names from the root to this call path."""
        names, path = [], self
        while path:
            names.append(path.name)
            path = path.parent
        return names[::-1]

    def walk(self):
        """This call path and all below it, each one before those below it."""
        stack = [self]
        while stack:
            path = stack.pop()
            yield path
            stack.extend(reversed(path.children))

    def __str__(self):
        return "/".join(self.frames)

    def __repr__(self):
        return "<call path %s>" % self


class Location:
    """A column of values, usually a thread: name, rank (of its process; None outside of processes), thread, type,
    process (its name), node (a SystemNode)."""

    def __init__(self, ident, element, group, node):
        self.id = ident
        self.name = element.findtext("name") or ""
        self.thread = int(element.findtext("rank") or 0)
        self.type = element.findtext("type") or "thread"
        self.process = group.findtext("name") or ""
        self.rank = int(group.findtext("rank") or 0)
        self.node = node
        self.attributes = _attributes(element)

    def __repr__(self):
        return "<location %s, %s>" % (self.process, self.name)


class SystemNode:
    """A node of the system tree (a machine, a node): name, type, parent, children, locations below it directly."""

    def __init__(self, element, parent):
        self.name = element.findtext("name") or ""
        self.type = element.findtext("class") or ""
        self.parent = parent
        self.children = []
        self.locations = []
        self.attributes = _attributes(element)

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def __repr__(self):
        return "<%s %s>" % (self.type or "system node", self.name)


def _attributes(element):
    return {a.get("key", ""): a.get("value", "") for a in element.findall("attr")}


def _is_tasks(path):
    """Whether a call path is the root of the tree that has explicit tasks in detail."""
    region = path.region
    return (path.parent is not None and path.parent.parent is None and region.name == "TASKS"
            and region.role.lower() == "artificial")


class _Member:
    """A part of the archive, which is read piece by piece."""

    def __init__(self, file, info):
        self.file, self.begin, self.size = file, info.offset_data, info.size

    def read(self, first, count):
        self.file.seek(self.begin + first)
        return self.file.read(max(0, min(count, self.size - first)))


class _Rows:
    """The rows of a metric in the file: the values of a call path, by location."""

    def __init__(self, index, data, width, cnodes):
        head = index.read(0, 18)
        if head[:11] != _INDEX or len(head) < 18:
            raise Error("the index is damaged")
        self.order = "<" if head[11:15] == b"\1\0\0\0" else ">"
        if head[17] == 1:
            count = struct.unpack(self.order + "I", index.read(18, 4))[0] if index.size > 18 else 0
            if 22 + 4 * count > index.size and count:
                raise Error("the index is damaged")
            numbers = struct.unpack("%s%dI" % (self.order, count), index.read(22, 4 * count))
        elif head[17] == 3:
            numbers = range(cnodes)
        else:
            raise Error("the index has a format that is not known (%d)" % head[17])
        self.position = {number: k for k, number in enumerate(numbers)}
        self.data, self.width = data, width
        self.blocks = None
        if data.read(0, 11) == _COMPRESSED:
            count = struct.unpack(self.order + "Q", data.read(11, 8))[0]
            if 19 + 24 * count > data.size:
                raise Error("the values are damaged")
            table = struct.unpack("%s%dQ" % (self.order, 3 * count), data.read(19, 24 * count))
            self.blocks = [(19 + 24 * count + table[3 * k + 1], table[3 * k + 2]) for k in range(count)]
        elif data.read(0, 10) != _DATA:
            raise Error("the values are damaged")

    def read(self, number):
        """The bytes of a row; None: the file does not have it."""
        k = self.position.get(number)
        if k is None:
            return None
        if self.blocks is None:
            row = self.data.read(10 + k * self.width, self.width)
        elif k < len(self.blocks):
            try:
                row = zlib.decompress(self.data.read(*self.blocks[k]))
            except zlib.error as error:
                raise Error("the values are damaged (%s)" % error) from None
        else:
            row = b""
        return row.ljust(self.width, b"\0")[:self.width]


class Profile:
    """An open profile. Use it in a with statement, or call close()."""

    def __init__(self, path):
        self.path = path
        self._rows = {}
        self._sums = {}
        try:
            self._file = builtins.open(path, "rb")
        except OSError as error:
            raise Error("%s: %s" % (path, error.strerror)) from None
        try:
            self._read()
        except (tarfile.TarError, ElementTree.ParseError, struct.error, EOFError, OSError, KeyError, ValueError,
                TypeError, AttributeError) as error:
            self._file.close()
            raise Error("%s: no profile, or damaged (%s)" % (path, error)) from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return "<profile %s>" % self.path

    def close(self):
        self._file.close()

    # --- definitions

    def _read(self):
        with tarfile.open(fileobj=self._file, mode="r:", ignore_zeros=True) as archive:
            self._members = {m.name: _Member(self._file, m) for m in archive.getmembers()}
        anchor = self._members["anchor.xml"]
        text = anchor.read(0, anchor.size)
        if text[:2] == b"\x1f\x8b":
            text = gzip.decompress(text)
        root = ElementTree.fromstring(text)
        self.attributes = _attributes(root)
        self.metrics = []
        for element in root.find("metrics").findall("metric"):
            self._add_metric(element, None)
        self.regions = [Region(e) for e in root.find("program").findall("region")]
        regions = {r.id: r for r in self.regions}
        self.call_paths, elements = [], []
        for element in root.find("program").findall("cnode"):
            self._add_call_paths(element, regions)
        self.system, found = [], []
        for element in root.find("system").findall("systemtreenode"):
            self.system.append(self._add_node(element, None, found))
        found.sort(key=lambda parts: int(parts[0].get("Id")))      # the column of a location is its number
        self.locations = [Location(k, *parts) for k, parts in enumerate(found)]
        for location in self.locations:
            location.node.locations.append(location)
        self._wide = self._wide_rows()
        self._choose_counted()

    def _add_metric(self, element, parent):
        metric = Metric(element, parent)
        self.metrics.append(metric)
        for child in element.findall("metric"):
            self._add_metric(child, metric)

    def _add_call_paths(self, root, regions):
        stack = [(root, None)]
        while stack:
            element, parent = stack.pop()
            path = CallPath(len(self.call_paths), int(element.get("id")), regions[int(element.get("calleeId"))], parent)
            path.parameters = {p.get("parkey", ""): p.get("parvalue", "") for p in element.findall("parameter")}
            path._is_task = path._is_task or _is_tasks(path)
            self.call_paths.append(path)
            if parent:
                parent.children.append(path)
            stack.extend((child, path) for child in reversed(element.findall("cnode")))

    def _add_node(self, element, parent, found):
        node = SystemNode(element, parent)
        for group in element.findall("locationgroup"):
            for location in group.findall("location"):
                found.append((location, group, node))
        for child in element.findall("systemtreenode"):
            node.children.append(self._add_node(child, node, found))
        return node

    @property
    def roots(self):
        """The call paths without a parent."""
        return [path for path in self.call_paths if path.parent is None]

    def _wide_rows(self):
        """The row numbers of inclusive metrics: all children of a call path, then those of each child."""
        numbers, count = [0] * len(self.call_paths), 0
        for root in self.roots:
            numbers[root.id] = count
            count += 1
            stack = [root]
            while stack:
                children = stack.pop().children
                for child in children:
                    numbers[child.id] = count
                    count += 1
                stack.extend(reversed(children))
        return numbers

    def _choose_counted(self):
        """Explicit tasks are in a profile twice: in detail, and as leaves where threads ran them. The details are
        counted if the times of both agree, otherwise the leaves."""
        roots = {c.region.id for p in self.call_paths if _is_tasks(p) for c in p.children}
        if not roots:
            return
        stubs = [p for p in self.call_paths if not p._is_task and p.region.id in roots and not p.children]
        agree = False
        if "time" in [m.name for m in self.metrics] and self.metric("time").kind == "sum":
            own = self._own_sums(self.metric("time"))
            inside = sum(own[p.id] for p in stubs)
            details = sum(own[p.id] for p in self.call_paths if p._is_task)
            agree = abs(inside - details) <= 0.01 * inside + 1e-6
        for path in self.call_paths:
            path.is_counted = agree or not path._is_task
        if agree:
            for path in stubs:
                path.is_counted = False

    def metric(self, name):
        """The metric with that name."""
        if isinstance(name, Metric):
            return name
        for metric in self.metrics:
            if metric.name == name:
                return metric
        raise Error("%s: has no metric %s (%s)" % (self.path, name, ", ".join(m.name for m in self.metrics)))

    # --- values

    def _stored(self, metric, path):
        """The row of a call path as it is in the file: an array, or a list of tuples; None: a neutral row."""
        if metric.kind in ("formula", "other"):
            raise Error("%s: the metric %s has no values of its own" % (self.path, metric.name))
        letter = _TYPES[metric.dtype][0] if metric.dtype in _TYPES else None
        width = (_TYPES_SIZE[letter] if letter else 36) * len(self.locations)
        if metric not in self._rows:
            prefix = ("ghost_" if metric._is_ghost else "") + metric.id
            index, data = self._members.get(prefix + ".index"), self._members.get(prefix + ".data")
            self._rows[metric] = None
            if index and data and index.size and data.size:
                try:
                    self._rows[metric] = _Rows(index, data, width, len(self.call_paths))
                except Error as error:
                    raise Error("%s: metric %s: %s" % (self.path, metric.name, error)) from None
        rows = self._rows[metric]
        data = rows.read(self._wide[path.id] if metric.is_inclusive else path.id) if rows else None
        if data is None:
            return None
        if letter is None:
            return list(struct.iter_unpack(rows.order + "Idddd", data))
        values = array.array(letter)
        values.frombytes(data)
        if (rows.order == "<") != (sys.byteorder == "little"):
            values.byteswap()
        return values

    def _row(self, metric, path):
        row = self._stored(metric, path)
        if row is None:
            return [_TYPES.get(metric.dtype, ("d", 0))[1]] * len(self.locations)
        if metric.dtype == "TAU_ATOMIC":
            return [t[3] for t in row]
        return row

    def values(self, metric, path):
        """The own values of a call path (without those below it): a list, by location. Minima and maxima without any
        visit are None."""
        metric = self.metric(metric)
        row = list(self._row(metric, path))
        if metric.kind in ("minimum", "maximum"):
            return [None if abs(v) >= sys.float_info.max else v for v in row]
        if metric.is_inclusive:
            for child in path.children:
                if child._is_task == path._is_task:
                    row = [a - b for a, b in zip(row, self._row(metric, child))]
        return row

    def statistics(self, metric, path):
        """For values that are statistics over threads: a list of (count, minimum, maximum, sum, sum of squares)."""
        metric = self.metric(metric)
        if metric.dtype != "TAU_ATOMIC":
            raise Error("%s: the values of the metric %s are no statistics" % (self.path, metric.name))
        neutral = (0, sys.float_info.max, -sys.float_info.max, 0.0, 0.0)
        return self._stored(metric, path) or [neutral] * len(self.locations)

    def _combine(self, metric, values):
        values = [v for v in values if v is not None]
        if metric.kind == "minimum":
            return min(values, default=None)
        if metric.kind == "maximum":
            return max(values, default=None)
        return sum(values)

    def _own_sums(self, metric):
        """The own values of all call paths, over all locations."""
        if metric not in self._sums:
            if metric.is_inclusive and metric.kind == "sum":
                sums = [sum(self._row(metric, p)) for p in self.call_paths]
                own = list(sums)
                for path in self.call_paths:
                    if path.parent and path._is_task == path.parent._is_task:
                        own[path.parent.id] -= sums[path.id]
            else:
                own = [self._combine(metric, self.values(metric, p)) for p in self.call_paths]
            self._sums[metric] = own
        return self._sums[metric]

    def total(self, metric, path=None, inclusive=False):
        """The value of a call path over all locations, own or inclusive; without a call path, that of the whole
        profile. None: there is no value (a minimum without visits)."""
        metric = self.metric(metric)
        own = self._own_sums(metric)
        if path is None:
            return self._combine(metric, [own[p.id] for p in self.call_paths if p.is_counted])
        if not inclusive or metric.kind != "sum":       # minima and maxima are those of one visit
            return own[path.id]
        return self._combine(metric, [own[p.id] for p in path.walk() if p is path or p._is_task == path._is_task])

    def _inclusive_sums(self, metric):
        own = self._own_sums(metric)
        sums = list(own)
        if metric.kind != "sum":
            return sums
        for path in reversed(self.call_paths):
            if path.parent and path._is_task == path.parent._is_task:
                sums[path.parent.id] += sums[path.id]
        return sums

    # --- tables

    def _chosen(self, metrics):
        if metrics is None:
            return [m for m in self.metrics if m.kind not in ("formula", "other")]
        return [self.metric(m) for m in ([metrics] if isinstance(metrics, (str, Metric)) else metrics)]

    def table(self, name, metrics=None):
        """A table as a list of dictionaries: "call_tree", "regions", "locations", "values", "metrics", "system".

        metrics: the names of the metrics in it (a name, or a list); by default all that have values. The columns of
        "call_tree" and "regions" are own values, and inclusive ones with the name "METRIC (inclusive)"."""
        tables = {"call_tree": self._call_tree, "regions": self._regions, "locations": self._locations,
                  "values": self._values, "metrics": self._metrics, "system": self._system}
        if name not in tables:
            raise Error("there is no table %s (%s)" % (name, ", ".join(tables)))
        return list(tables[name](self._chosen(metrics)))

    def frame(self, name, metrics=None):
        """A table as a pandas DataFrame. The tables "call_tree", "regions" and "locations" are indexed by "id"."""
        import pandas
        frame = pandas.DataFrame(self.table(name, metrics))
        return frame.set_index("id") if "id" in frame.columns and name != "values" else frame

    def array(self, metric):
        """The own values of a metric as a numpy array: a line for each call path, a column for each location."""
        import numpy
        return numpy.array([[numpy.nan if v is None else v for v in self.values(metric, p)] for p in self.call_paths])

    @staticmethod
    def _region_columns(region):
        return {"region": region.name, "file": region.file, "line": region.begin_line or None,
                "paradigm": region.paradigm, "role": region.role}

    def _call_tree(self, metrics):
        sums = [(m.name, self._own_sums(m), self._inclusive_sums(m)) for m in metrics]
        for path in self.call_paths:
            row = {"id": path.id, "parent": path.parent.id if path.parent else None, "depth": path.depth}
            row.update(self._region_columns(path.region))
            row["path"] = str(path)
            for name, own, inclusive in sums:
                row[name] = own[path.id]
                row[name + " (inclusive)"] = inclusive[path.id]
            yield row

    def _regions(self, metrics):
        paths, outermost, end = {}, [], {}
        last = list(range(len(self.call_paths)))        # the last call path below each one
        for path in reversed(self.call_paths):
            if path.parent:
                last[path.parent.id] = max(last[path.parent.id], last[path.id])
        for path in self.call_paths:
            outermost.append(path.id > end.get(path.region.id, -1))
            if outermost[-1]:
                end[path.region.id] = last[path.id]
            paths.setdefault(path.region.id, []).append(path)
        sums = [(m, self._own_sums(m), self._inclusive_sums(m)) for m in metrics]
        for region in self.regions:
            if region.id not in paths:
                continue
            row = {"id": region.id}
            row.update(self._region_columns(region))
            row["call_paths"] = len(paths[region.id])
            counted = [p.id for p in paths[region.id] if p.is_counted]
            for metric, own, inclusive in sums:
                row[metric.name] = self._combine(metric, [own[i] for i in counted])
                row[metric.name + " (inclusive)"] = self._combine(metric, [inclusive[i] for i in counted if outermost[i]])
            yield row

    def _locations(self, metrics):
        sums = {}
        for metric in metrics:
            columns = [[] for _ in self.locations]
            for path in self.call_paths:
                if path.is_counted:
                    for column, value in zip(columns, self.values(metric, path)):
                        column.append(value)
            sums[metric.name] = [self._combine(metric, column) for column in columns]
        for location in self.locations:
            row = {"id": location.id, "node": location.node.name, "process": location.process, "rank": location.rank,
                   "thread_name": location.name, "thread": location.thread}
            row.update((name, values[location.id]) for name, values in sums.items())
            yield row

    def _values(self, metrics):
        for path in self.call_paths:
            for metric in metrics:
                for location, value in zip(self.locations, self.values(metric, path)):
                    if value:
                        yield {"id": path.id, "region": path.name, "metric": metric.name, "location": location.id,
                               "rank": location.rank, "thread": location.thread, "value": value}

    def _metrics(self, _):
        for metric in self.metrics:
            yield {"name": metric.name, "title": metric.title, "unit": metric.unit, "kind": metric.kind,
                   "within": metric.parent.name if metric.parent else None, "description": metric.description}

    def _system(self, _):
        for root in self.system:
            for node in root.walk():
                yield {"name": node.name, "type": node.type, "parent": node.parent.name if node.parent else None,
                       "processes": len({l.process for l in node.locations}), "locations": len(node.locations)}


_TYPES_SIZE = {letter: struct.calcsize("=" + letter) for letter, _ in _TYPES.values()}


def _profile_in(directory):
    """The profile in an experiment directory: profile.cubex, or that of the lowest rank; None: there is none."""
    path = os.path.join(directory, "profile.cubex")
    if os.path.isfile(path):
        return path
    ranks = []
    for name in os.listdir(directory):
        number = name[5:-6]
        if name.startswith("rank-") and name.endswith(".cubex") and number.isdigit():
            ranks.append((int(number), os.path.join(directory, name)))
    return min(ranks)[1] if ranks else None


def open(path=None):
    """Opens a profile: a .cubex file, an experiment directory, or a directory with experiments, of which the newest
    is taken. Without a path, the newest experiment in FATHOM_DIR or here."""
    path = os.fspath(path if path is not None else os.environ.get("FATHOM_DIR") or ".")
    if not os.path.isdir(path):
        return Profile(path)
    profile = _profile_in(path)
    if not profile:
        found = [_profile_in(os.path.join(path, name)) for name in os.listdir(path)
                 if os.path.isdir(os.path.join(path, name))]
        profile = max((p for p in found if p), key=os.path.getmtime, default=None)
    if not profile:
        raise Error("%s: has no profile" % path)
    return Profile(profile)
