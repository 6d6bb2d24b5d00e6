#!/usr/bin/env python3
"""expect.py SOURCE ADAPTER THREADS PROFILE [RUN]: does the profile hold what the source expects?

The expectations are comments of the source, lines that begin with //! or !! and are read in their order:

    //! copies = 1                  a call path below main, by indentation, and its visits, summed over threads
    //! deeper = 2 ...              whatever may be below it
    //!   team @here = 2, 2 * T     two forks, and the visits of the region by all threads
    //! TASKS                       the tree of explicit tasks, beside main
    //!   !$omp task @that = 4      each instance is a visit
    //! stubs @that = 4             pieces executed, wherever that was; else: at least one for each instance
    //! anywhere NAME = 3           call paths that end in NAME, wherever, as one; they are not looked at elsewhere
    //! run WORDS [CODE]            what follows is of the program run with these words (and ends with CODE)
    //! strip PREFIX                of all names
    //! root NAME                   instead of main

//!p and //!o hold for POMP2 or OMPT only. T is the number of threads (OMP_NUM_THREADS), any Python expression goes;
>= for = is a lower bound. @here is the line that ends with the comment //@here, or the line after one that is
nothing but that comment; //@here:-1 the line before; @file.h:here is one of another file. Short forms:

    team @l = F, V          !$omp parallel @F:l, below it !$omp fork and join twice for each of F forks, and V visits of
                            the implicit barrier (team nobarrier: without; team left: and without the join)
    for @l = V              !$omp for with its implicit barrier (for nowait: without). So: do
    teamfor @l = F, V       combined: there is one barrier, the loop's. So: teamdo, teamworkshare, teamsections
    sections @l = V         the same (sections nowait)
    single @l = V, E        visited by V threads, executed by E; what is below it is below its sblock. nowait, copyprivate
    critical (name) @l = V  and its sblock. So: ordered

Everything that is in the profile and not expected is a fault, and so is a negative number in any metric.
"""
import os, re, subprocess, sys

source, adapter, threads, profile = sys.argv[1:5]
wanted_run = sys.argv[5] if len(sys.argv) > 5 else None
dump = os.path.join(os.environ["builddir"], "test/run/dump")
T = int(threads)
faults = []
stub_name = re.compile(r"!\$omp (untied )?task @")
outlined = re.compile(r"\.omp_")
# Of these the runtime system tells what it does, not what the source says: none in a team of one, two where
# a reduction has one of its own.
runtime_only = re.compile(r"!\$omp (implicit barrier|reduction|flush)( @|$)")


def plain_lambda(name):
    """Compilers number them in their own ways."""
    return re.sub(r"\{lambda\([^}]*#\d+\}|\$_\d+", "{lambda}", name)


class Node:
    def __init__(self, visits=None, least=False):
        self.visits, self.least, self.children = visits, least, {}
        self.open = False

    def child(self, name):
        return self.children.setdefault(name, Node())

    def add(self, visits):
        self.visits = (self.visits or 0) + visits

    def merge(self, other):
        if other.visits is not None:
            self.add(other.visits)
        for name, node in other.children.items():
            self.child(name).merge(node)


def labels_of(path):
    """Label -> file:line."""
    found = {}
    lines = open(path, encoding="utf-8").read().split("\n")
    for number, line in enumerate(lines, 1):
        match = re.search(r"(?://|/\*|!)@(\w+)(?::(-?\d+))?", line)
        if not match or re.match(r"\s*(//!|!!)", line):
            continue
        name, shift = match.group(1), int(match.group(2) or 0)
        if not line[:match.start()].strip():
            shift = 1
        if name in found:
            raise SystemExit(f"{path}:{number}: label {name} is there already")
        found[name] = f"{os.path.basename(path)}:{number + shift}"
    return found


class Expectations:
    def __init__(self, path):
        self.path, self.labels, self.roots, self.stubs = path, labels_of(path), {}, {}
        self.anywhere, self.strip, self.base, self.ignored = {}, "", "main", {"say"}
        self.own = path.endswith((".c", ".cc"))
        run = None
        stack = []
        for number, line in enumerate(open(path, encoding="utf-8"), 1):
            match = re.match(r"\s*(?://!|!!)([po]?)( .*)$", line)
            if not match or match.group(1) not in ("", "p" if adapter == "pomp2" else "o"):
                continue
            text = match.group(2)
            # A letter stands in the place of a blank.
            depth = (len(match.group(1)) + len(text) - len(text.lstrip()) - 1) // 2
            self.place = f"{path}:{number}"
            words = text.split()
            if words[0] == "run":
                run, stack = words[1], []
            elif run != wanted_run:
                continue
            elif words[0] == "strip":
                self.strip = words[1]
            elif words[0] == "root":
                self.base = words[1]
            else:
                self.line(text.strip(), depth, stack)

    def replaced(self, name):
        name = plain_lambda(name)
        def line_of(match):
            file, label = match.group(1), match.group(2)
            labels = self.labels if not file else labels_of(os.path.join(os.path.dirname(self.path), file[:-1]))
            if label not in labels:
                raise SystemExit(f"{self.place}: no label {label}")
            return "@" + labels[label]
        return re.sub(r"@([\w.]+:)?(\w+)$", line_of, name)

    def line(self, text, depth, stack):
        is_open = text.endswith(" ...")
        match = re.match(r"(.*?) (>?=) ([^=]*(?:[<>=]=[^=]*)*)$", text[:-4] if is_open else text)
        name, least, values = (match.group(1), match.group(2) == ">=", match.group(3)) if match else (text, False, None)
        values = eval(f"({values},)", {"T": T}) if values is not None else None
        name = self.replaced(name)
        self.open = is_open
        if name.startswith("stubs "):
            self.stubs[name[6:]] = (values[0], least)
            return
        del stack[depth:]
        if depth:
            if len(stack) < depth:
                raise SystemExit(f"{self.place}: indented too far")
            parent = stack[-1]
        elif name.startswith("anywhere "):
            name = name[9:]
            parent = Node()
            stack.append(self.made(parent, name, values, least))
            self.anywhere[next(iter(parent.children))] = parent
            return
        elif name == "TASKS":
            stack.append(self.roots.setdefault("TASKS", Node()))
            return
        elif name == self.base:
            stack.append(self.roots.setdefault(name, Node()))
            stack[-1].visits = values[0]
            return
        else:
            parent = self.roots.setdefault(self.base, Node(1))
        stack.append(self.made(parent, name, values, least))

    def made(self, parent, name, values, least):
        """The nodes of one line; what the next ones are below is returned."""
        def put(above, called, visits):
            node = above.child(called)
            node.visits, node.least, node.open = visits, least, self.open
            return node

        short = re.match(r"(team|for|do|workshare|sections|single|critical|ordered)(for|do|workshare|sections)?"
                         r"( nowait| nobarrier| left| copyprivate)?( \(.*\))? (@.*)$", name)
        if not short:
            return put(parent, name, values[0])
        kind, inner, word, called, where = short.groups()
        word, called = (word or "").strip(), called or ""
        if adapter == "ompt":  # critical sections have no names there, and who does not execute a single only passes
            called = ""
            if kind == "single":
                values = values[1], values[1]
        if kind == "team":
            forks, visits = values
            region = put(parent, f"!$omp parallel {where}", visits)
            put(region, f"!$omp fork and join {where}", forks * (1 if word == "left" else 2))
            if inner:
                region = put(region, f"!$omp {inner} {where}", visits)
            if word not in ("nobarrier", "left"):
                put(region, f"!$omp implicit barrier {where}", visits)
            return region
        region = put(parent, f"!$omp {kind}{called.strip()} {where}", values[0])
        if kind in ("critical", "ordered"):
            return put(region, f"!$omp {kind} sblock {where}", values[0])
        # OPARI2 leaves the barrier of a copyprivate to the runtime system, and says nothing of it.
        if word != "nowait" and not (word == "copyprivate" and adapter == "pomp2"):
            put(region, f"!$omp implicit barrier {where}", values[0])
        return put(region, f"!$omp single sblock {where}", values[1]) if kind == "single" else region


def values_of(metric):
    """The dump of one metric: value, names of the path, location."""
    text = subprocess.run([dump, "-l", metric, profile], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        value, path = line.split(" ", 1)
        path, location = path.rsplit(" @", 1)
        # Names have slashes only where files do.
        yield float(value), path, int(location)


def profile_tree(expected):
    """Call paths below the program, by name; stubs and what is expected anywhere apart."""
    top, stubs, anywhere = Node(), {}, {name: Node() for name in expected.anywhere}
    for value, path, _ in values_of("visits"):
        names = [plain_lambda(name.replace(expected.strip, "") if expected.strip else name) for name in path.split("/")[1:]]
        if not names:
            continue
        # What Fortran's own library locks is not looked at either.
        if any(name.split("(")[0].split("::")[-1] in expected.ignored or name.startswith("pthread_mutex_") for name in names):
            continue
        for at, name in enumerate(names):
            if stub_name.match(name) and not (at == 1 and names[0] == "TASKS"):
                place = name[name.index("@"):]
                if at == len(names) - 1:
                    stubs[place] = stubs.get(place, 0) + value
                # A signal may come between a stub's enter and the switch to the task's own call path.
                elif names[at + 1] not in expected.anywhere:
                    faults.append(f"below a stub: {path}")
                names = None
                break
        if names is None:
            continue
        # clang has hooks in the functions that it makes of bodies of constructs, too.
        if outlined.search(names[-1]):
            continue
        names = [name for name in names if not outlined.search(name)]
        found = [name for name in anywhere if name in names]
        if found:
            name = max(found, key=lambda each: -names.index(each))
            node, rest = anywhere[name], names[names.index(name):]
        else:
            node, rest = top, names
        for name in rest:
            node = node.child(name)
        if rest:
            node.add(value)
    return top, stubs, anywhere


def without_runtime_only(node):
    """Takes those nodes out, and returns how many barriers were visited there."""
    barriers = 0
    for name, child in list(node.children.items()):
        barriers += without_runtime_only(child)
        if runtime_only.match(name):
            del node.children[name]
            if "barrier" in name:
                barriers += child.visits or 0
            for inner, grandchild in child.children.items():
                node.child(inner).merge(grandchild)
    return barriers


def compare(path, expected, got):
    for name in list(expected.children) + [name for name in got.children if name not in expected.children]:
        want, have = expected.children.get(name), got.children.get(name)
        here = f"{path}/{name}"
        if want is None:
            faults.append(f"not expected: {here} ({have.visits:g})" if have.visits else f"not expected: {here}")
            continue
        if want.visits == 0 and have is None:
            continue
        have = have or Node(0)
        wrong = (have.visits or 0) < want.visits if want.least else (have.visits or 0) != want.visits
        if want.visits is not None and wrong:
            faults.append(f"{here}: {have.visits or 0:g}, not {'at least ' if want.least else ''}{want.visits:g}")
        if not want.open:
            compare(here, want, have)


def numbers_are_sound():
    metrics = re.findall(r"^metric (\S+)$", subprocess.run([dump, "-s", profile], check=True, capture_output=True,
                                                          text=True).stdout, re.M)
    for metric in metrics:
        for value, path, location in values_of(metric):
            # The greatest of nothing, where a thread was not.
            if not value >= 0 and not (metric == "max_time" and value == -sys.float_info.max):
                faults.append(f"{metric} of {path} @{location}: {value:g}")


def sums_are_exact():
    """On each thread, what its stubs took is what the tasks took; the rest is the life of the first thread's root."""
    stubs, tasks, total, nodes, life = {}, {}, {}, 0, 0
    for value, path, location in values_of("time"):
        names = path.split("/")
        nodes += 1
        kind = tasks if len(names) > 1 and names[1] == "TASKS" else total
        kind[location] = kind.get(location, 0) + value
        if kind is total and any(stub_name.match(name) for name in names):
            stubs[location] = stubs.get(location, 0) + value
    for value, path, location in values_of("max_time"):
        if "/" not in path and location == 0:
            life = value
    least = nodes * 2.0 ** -32  # each value is rounded down to a unit
    for location in set(stubs) | set(tasks):
        difference = stubs.get(location, 0) - tasks.get(location, 0)
        if abs(difference) > least:
            faults.append(f"@{location}: stubs and tasks differ by {difference:g} s")
    if abs(total[0] - life) > least:
        faults.append(f"@0: {total[0]:.9g} s in the tree, {life:.9g} s in its root")


def main():
    expected = Expectations(source)
    got, stubs, anywhere = profile_tree(expected)
    top = Node()
    top.children = expected.roots
    if adapter == "ompt":
        want = without_runtime_only(top) + sum(map(without_runtime_only, expected.anywhere.values()))
        have = without_runtime_only(got) + sum(map(without_runtime_only, anywhere.values()))
        if T > 1 and want > 0 and have < want / 2:
            faults.append(f"implicit barriers: {have:g}, of {want:g} in the source")
    compare("", top, got)
    for name, node in expected.anywhere.items():
        compare("anywhere", node, anywhere[name])
    tasks = expected.roots.get("TASKS", Node()).children
    instances = {name[name.index("@"):]: node for name, node in tasks.items()}
    for name in sorted(set(instances) | set(stubs) | set(expected.stubs)):
        count, least = expected.stubs.get(name, (instances[name].visits if name in instances else 0, True))
        have = stubs.get(name, 0)
        if name not in instances and name not in expected.stubs:
            faults.append(f"not expected: pieces of {name} ({have:g})")
        elif have < count or not least and have != count:
            faults.append(f"pieces of {name}: {have:g}, not {'at least ' if least else ''}{count:g}")
    numbers_are_sound()
    if wanted_run != "exit-busy":  # there threads go on while they are looked at
        sums_are_exact()
    for fault in faults[:40]:
        print(f"{os.path.basename(source)}, {T} threads: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


main()
