#!/bin/sh
# Our files are ordinary tar files with well-formed XML in them, to tar and to Python.
. "$srcdir/test/lib.sh"
set -e
"$builddir/test/cube/make_profile" random 9 p.cubex
tar -tf p.cubex > names
"$PYTHON3" - p.cubex names <<'PYTHON'
import sys
import tarfile
import xml.etree.ElementTree

path, names = sys.argv[1:]
with open(names) as listed:
    by_tar = listed.read().split()
with tarfile.open(path, "r:") as archive:
    members = archive.getmembers()
    assert [member.name for member in members] == by_tar, by_tar
    assert all(member.size % 512 and member.isfile() and member.mtime == 1700000000 for member in members)
    text = archive.extractfile("anchor.xml").read()
root = xml.etree.ElementTree.fromstring(text)
assert root.tag == "cube" and root.get("version") == "4.4", root.attrib
metrics = list(root.iter("metric"))
assert len(metrics) == 24, len(metrics)
# of each metric with rows, both members
assert by_tar[-2:] == ["remapping.spec", "anchor.xml"] and len(by_tar) % 2 == 0 and len(by_tar) > 30, by_tar
assert "ghost_22.data" in by_tar and "22.data" not in by_tar, by_tar
print("%d members, %d metrics, %d call paths" % (len(by_tar), len(metrics), len(list(root.iter("cnode")))))
PYTHON
