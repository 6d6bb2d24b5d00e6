"""Files the reader must take, and files it must refuse with one clear line.

    damaged.py DUMP
"""
import gzip
import os
import random
import struct
import subprocess
import sys
import zlib

BASE_XML = """<?xml version="1.0" encoding="UTF-8"?>
<cube version="4.4">
<attr key="CubePL Version" value="1.1"/>
<metrics>
<metric id="0" type="EXCLUSIVE">
<disp_name>Visits</disp_name>
<uniq_name>visits</uniq_name>
<dtype>UINT64</dtype>
<uom>occ</uom>
<url></url>
<descr></descr>
</metric>
<metric id="1" type="INCLUSIVE">
<disp_name>Time</disp_name>
<uniq_name>time</uniq_name>
<dtype>DOUBLE</dtype>
<uom>sec</uom>
<url></url>
<descr></descr>
</metric>
</metrics>
<program>
<region id="0" mod="" begin="-1" end="-1">
<name>main</name>
</region>
<region id="1" mod="a.c" begin="3" end="9">
<name>f</name>
</region>
<cnode id="0" calleeId="0">
<cnode id="1" calleeId="1">
</cnode>
<cnode id="2" calleeId="1">
</cnode>
</cnode>
</program>
<system>
<systemtreenode Id="0">
<name>m</name>
<class>machine</class>
<locationgroup Id="0">
<name>MPI Rank 0</name>
<rank>0</rank>
<type>process</type>
<location Id="0">
<name>Master thread</name>
<rank>0</rank>
<type>thread</type>
</location>
<location Id="1">
<name>OMP thread 1</name>
<rank>1</rank>
<type>thread</type>
</location>
</locationgroup>
</systemtreenode>
<topologies>
</topologies>
</system>
</cube>
"""
VISITS = [[1, 2], [3, 4]]               # of cnodes 0 and 2
TIME = [[9.0, 8.0], [1.5, 2.5], [0.5, 0.25]]
GOOD = ["visits;0;0;1", "visits;0;1;2", "visits;2;0;3", "visits;2;1;4",
        "time;0;0;9", "time;0;1;8", "time;1;0;1.5", "time;1;1;2.5", "time;2;0;0.5", "time;2;1;0.25"]
NO_VISITS = [line for line in GOOD if not line.startswith("visits")]


# ------------------------------------------------------------------ building
def header(name, size, kind=b"0", magic=b"ustar\0" + b"00"):
    if isinstance(size, int):
        size = b"%011o\0" % size
    block = (name.encode().ljust(100, b"\0") + b"0000600\0" + b"0000000\0" * 2 + size
             + b"14524500000\0" + b" " * 8 + kind + b"\0" * 100 + magic + b"nouser".ljust(32, b"\0")
             + b"users".ljust(32, b"\0")).ljust(512, b"\0")
    return block[:148] + b"%06o\0 " % sum(block) + block[156:]


def member(name, content, **options):
    return header(name, len(content), **options) + content + b"\0" * (-len(content) % 512)


def index(rows, order="<", form=1, version=0, one=1):
    head = b"CUBEX.INDEX" + struct.pack(order + "IHB", one, version, form)
    return head if rows is None else head + struct.pack(order + "I%dI" % len(rows), len(rows), *rows)


def data(rows, code, order="<"):
    return b"CUBEX.DATA" + b"".join(struct.pack(order + "2" + code, *row) for row in rows)


def packed(rows, code, entries=None, blocks=None):
    plain = [struct.pack("<2" + code, *row) for row in rows]
    blocks = blocks or [zlib.compress(row) for row in plain]
    table, start = b"", 0
    for k, block in enumerate(blocks):
        entry = (k * 16, start, len(block))
        table += struct.pack("<QQQ", *(entries[k] if entries else entry))
        start += len(block)
    return b"ZCUBEX.DATA" + struct.pack("<Q", len(blocks)) + table + b"".join(blocks)


def members(**changes):
    """The base profile, with members changed, or removed where None is given."""
    content = {"0.data": data(VISITS, "Q"), "0.index": index([0, 2]),
               "1.data": data(TIME, "d"), "1.index": index([0, 1, 2]),
               "anchor.xml": BASE_XML.encode()}
    for name, value in changes.items():
        content[name.replace("_", ".").replace("m0", "0").replace("m1", "1")] = value
    return {name: value for name, value in content.items() if value is not None}


END = b"\0" * 1024


def tar(content):
    return b"".join(member(name, value) for name, value in content.items()) + END


def profile(**changes):
    return tar(members(**changes))


def xml(*changes):
    """The base profile with texts of its anchor.xml replaced: each must be there."""
    text = BASE_XML
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return profile(anchor_xml=text.encode())


# ------------------------------------------------------------------ what is taken
def trap(extra):
    """A member of exactly 1024 bytes before all others, padded by one rule or the other."""
    return header("note", 1024) + b"x" * 1024 + extra + profile()


def pax():
    """An attribute header with more than one line in it; the header behind it says 0."""
    content = members()
    first = content.pop("0.data")
    lines = b"30 mtime=1700000000.123456789\n" + b"11 size=%d\n" % len(first)
    return (member("PaxHeader/0.data", lines, kind=b"x") + header("0.data", 0) + first.ljust(512, b"\0")
            + tar(content))


def base256():
    content = members()
    first = content.pop("0.data")
    size = b"\x80" + len(first).to_bytes(11, "big")
    return header("0.data", size) + first.ljust(512, b"\0") + tar(content)


def old_magic():
    return b"".join(member(name, value, magic=b"ustar  \0") for name, value in members().items()) + END


def reordered():
    """The id of a location is its column, wherever it stands in the document."""
    return xml(('<location Id="0">', '<location Id="X">'), ('<location Id="1">', '<location Id="0">'),
               ('<location Id="X">', '<location Id="1">'))


TAKEN = [
    ("plain", profile(), GOOD),
    ("anchor first", tar(dict(reversed(list(members().items())))), GOOD),
    ("one end block", profile()[:-512], GOOD),
    ("many end blocks", profile() + b"\0" * 9216, GOOD),
    ("512 trap, tar's padding", trap(b""), GOOD),
    ("512 trap, Cube's padding", trap(b"\0" * 512), GOOD),
    ("zero blocks between", tar({"note": b"n"}) + profile(), GOOD),
    ("empty member", header("note", 0) + profile(), GOOD),
    ("attribute header", pax(), GOOD),
    ("binary size", base256(), GOOD),
    ("old magic", old_magic(), GOOD),
    ("folder, link", header("folder/", 0, kind=b"5") + header("link", 4096, kind=b"2") + profile(), GOOD),
    ("gzip anchor", profile(anchor_xml=gzip.compress(BASE_XML.encode())), GOOD),
    ("no members", profile(m0_data=None, m0_index=None), NO_VISITS),
    ("no data", profile(m0_data=None), NO_VISITS),
    ("no index", profile(m0_index=None), NO_VISITS),
    ("18 byte index", profile(m0_data=b"CUBEX.DATA", m0_index=index(None)), NO_VISITS),
    ("index of no rows", profile(m0_data=b"CUBEX.DATA", m0_index=index([])), NO_VISITS),
    ("big endian", profile(m1_data=data(TIME, "d", ">"), m1_index=index([0, 1, 2], ">")), GOOD),
    ("dense", profile(m1_index=index(None, form=3)), GOOD),
    ("compressed", profile(m0_data=packed(VISITS, "Q"), m1_data=packed(TIME, "d")), GOOD),
    ("ghost", tar({name.replace("0.", "ghost_0."): value for name, value in members(anchor_xml=BASE_XML.replace(
        'id="0" type="EXCLUSIVE"', 'id="0" type="EXCLUSIVE" viztype="Ghost"').encode()).items()}), GOOD),
    ("metric not available", xml(("<uom>occ</uom>", "<uom>occ</uom><val>VOID</val>")), NO_VISITS),
    ("formula", xml(('type="EXCLUSIVE"', 'type="POSTDERIVED"')), NO_VISITS),
    ("columns out of order", reordered(),
     ["visits;0;0;2", "visits;0;1;1", "visits;2;0;4", "visits;2;1;3", "time;0;0;8", "time;0;1;9",
      "time;1;0;2.5", "time;1;1;1.5", "time;2;0;0.25", "time;2;1;0.5"]),
    ("several roots", xml(('calleeId="0">', 'calleeId="0">\n</cnode>'), ("</cnode>\n</cnode>", "</cnode>")), GOOD),
    ("unknown elements", xml(("<metrics>", "<!-- so --><new><metric id='7'/>text</new>\n<metrics>"),
                             ("<uom>sec</uom>", "<uom>sec</uom><color>red</color>")), GOOD),
    ("old spellings", xml(('<systemtreenode Id="0">', '<machine Id="0">'), ("</systemtreenode>", "</machine>"),
                          ('<locationgroup Id="0">', '<node Id="0"><name>n</name><process Id="0">'),
                          ("</locationgroup>", "</process></node>"), ('<location Id="0">', '<thread Id="0">'),
                          ("</location>", "</thread>"), ('<location Id="1">', '<thread Id="1">'),
                          ("</location>", "</thread>")), GOOD),
    ("line feed in a text", xml(("<uniq_name>visits", "<uniq_name>vis\nits")),
     [line.replace("visits", "vis its") for line in GOOD]),
    ("dtype synonyms", xml(("UINT64", "UNSIGNED INTEGER"), ("DOUBLE", "FLOAT")), GOOD),
]

# ------------------------------------------------------------------ what is refused
D0 = "0.data (metric visits): "
I0 = "0.index (metric visits): "


def patched(whole, place, new):
    return whole[:place] + new + whole[place + len(new):]


REFUSED = [
    ("empty file", b"", "is empty, not a .cubex profile"),
    ("short file", b"x" * 100, "is not a .cubex profile: only 100 bytes long"),
    ("text file", b"hello world\n" * 100, "is not a .cubex profile: no tar file of the ustar kind"),
    ("zeros", b"\0" * 4096, "is not a .cubex profile: no tar file of the ustar kind"),
    ("gzip of all", gzip.compress(random.Random(1).randbytes(1000) + profile()),
     "is compressed by gzip: unpack it with gunzip first"),
    ("other tar", tar({"readme": b"hello"}),
     "is not a .cubex profile, or truncated: it has no member anchor.xml"),
    ("./anchor.xml", tar({"./anchor.xml": BASE_XML.encode()}),
     "is not a .cubex profile, or truncated: it has no member anchor.xml"),
    ("no end", profile()[:-1024], "ends at byte %d without an end mark: truncated" % (len(profile()) - 1024)),
    ("cut in a header", profile()[:1024 + 100], "ends at byte 1124 without an end mark: truncated"),
    ("cut in a member", profile()[:520], "member 0.data ends at byte 8 of 42: truncated"),
    ("cut in the last member", profile()[:-1024 - 400],
     "member anchor.xml ends at byte 1136 of 1143: truncated"),
    ("wrong checksum", patched(profile(), 3, b"!"), "header of member 0.d!ta at byte 0: wrong checksum"),
    ("size no number", header("0.data", b"12x45678901\0") + profile(),
     "header of member 0.data at byte 0: its size is no number"),
    ("size beyond", header("0.data", b"77777777777\0") + profile(),
     "member 0.data ends at byte %d of 8589934591: truncated" % len(profile())),
    ("size huge", header("0.data", b"\xff" * 12) + profile(),
     "header of member 0.data at byte 0: its size is no number"),
    ("garbage between", member("note", b"n") + b"garbage!" * 64 + profile(),
     "no member header at byte 1024: damaged"),
    ("attribute header", member("PaxHeader/x", b"99 size=1\n", kind=b"x") + profile(),
     "attribute header at byte 512 is damaged"),
    ("attribute header, zero", member("PaxHeader/x", b"0 size=1\n", kind=b"x") + profile(),
     "attribute header at byte 512 is damaged"),
    ("twice", member("1.data", b"x") + profile(), "has two members named 1.data"),
    # anchor.xml
    ("not well-formed", xml(("<metrics>", "<metrics")), "anchor.xml line 5: not well-formed (invalid token)"),
    ("wrong nesting", xml(("</program>", "</cube>")), "anchor.xml line 35: mismatched tag"),
    ("ends early", xml(("</cube>", "")), "anchor.xml line 60: no element found"),
    ("not xml", profile(anchor_xml=b"hello"), "anchor.xml line 1: syntax error"),
    ("other root", profile(anchor_xml=b"<html></html>\n"), "anchor.xml line 1: root element is <html>, not <cube>"),
    ("invalid UTF-8", profile(anchor_xml=BASE_XML.encode().replace(b"Visits", b"V\xff")),
     "anchor.xml line 6: not well-formed (invalid token)"),
    ("entities", xml(('<cube version="4.4">', '<!DOCTYPE cube [<!ENTITY a "x">]>\n<cube version="4.4">')),
     "anchor.xml line 2: has a document type declaration, which no profile has"),
    ("undefined entity", xml(("Visits", "&a;")), "anchor.xml line 6: undefined entity"),
    ("no version", xml((' version="4.4"', "")), "anchor.xml line 2: <cube> has no version"),
    ("version 5", xml(('"4.4"', '"5.0"')),
     "anchor.xml line 2: cube version 5.0 is not known; 3.x and 4.x can be read"),
    ("gzip cut", profile(anchor_xml=gzip.compress(BASE_XML.encode())[:-20]), "compressed anchor.xml ends early"),
    ("gzip damaged", profile(anchor_xml=patched(gzip.compress(BASE_XML.encode()), 40, b"\xff\xff\xff\xff")),
     "compressed anchor.xml is damaged: *"),
    ("gzip bomb", profile(anchor_xml=gzip.compress(b"<cube version='4.4'>" + b" " * (70 << 20))),
     "compressed anchor.xml grows to more than 200 times its size"),
    ("long tag", xml(("Visits", "<a b='%s'/>" % ("x" * (6 << 20)))),
     "anchor.xml line 6: a tag is longer than 4194304 bytes"),
    ("long text", xml(("Visits", "x" * (2 << 20))), "anchor.xml line 6: a text is longer than 1048576 bytes"),
    ("metric without id", xml(('<metric id="0"', "<metric")), "anchor.xml line 5: <metric> has no id"),
    ("metric id no number", xml(('<metric id="0"', '<metric id="a"')),
     'anchor.xml line 5: <metric>: id="a" is no number from 0 on'),
    ("metric id twice", xml(('<metric id="1"', '<metric id="0"')), "anchor.xml: metric id 0 stands twice"),
    ("dtype without count", xml(("UINT64", "HISTOGRAM")),
     "anchor.xml line 8: dtype HISTOGRAM: its count is no number from 1 to 1000000"),
    ("dtype of too many", xml(("UINT64", "NDOUBLES(4294967297)")),
     "anchor.xml line 8: dtype NDOUBLES(4294967297): its count is no number from 1 to 1000000"),
    ("region twice", xml(('<region id="1"', '<region id="0"')), "anchor.xml: region id 0 stands twice"),
    ("region missing", xml(('<region id="1"', '<region id="2"')),
     "anchor.xml: region id 1 is missing (2 of them, up to 2)"),
    ("region line", xml(('begin="3"', 'begin="three"')),
     'anchor.xml line 26: <region>: begin="three" is no line number'),
    ("cnode missing", xml(('<cnode id="1"', '<cnode id="7"')),
     "anchor.xml: cnode id 1 is missing (3 of them, up to 7)"),
    ("cnode twice", xml(('<cnode id="1"', '<cnode id="2"')), "anchor.xml: cnode id 2 stands twice"),
    ("cnode id negative", xml(('<cnode id="1"', '<cnode id="-1"')),
     'anchor.xml line 30: <cnode>: id="-1" is no number from 0 on'),
    ("cnode id huge", xml(('<cnode id="1"', '<cnode id="99999999999999999999"')),
     'anchor.xml line 30: <cnode>: id="99999999999999999999" is no number from 0 on'),
    ("callee missing", xml(('id="2" calleeId="1"', 'id="2" calleeId="2"')),
     "anchor.xml: cnode 2 calls region 2, which is not defined"),
    ("no callee", xml(('id="2" calleeId="1"', 'id="2"')), "anchor.xml line 32: <cnode> has no calleeId"),
    ("parameter behind a child", xml(("</cnode>\n</cnode>", '</cnode>\n<parameter partype="string"/></cnode>')),
     "anchor.xml line 34: <parameter> stands behind a child of its cnode"),
    ("location missing", xml(('<location Id="1"', '<location Id="3"')),
     "anchor.xml: location id 1 is missing (2 of them, up to 3)"),
    ("location twice", xml(('<location Id="1"', '<location Id="0"')), "anchor.xml: location id 0 stands twice"),
    ("rank negative", xml(("<rank>1</rank>", "<rank>-1</rank>")),
     'anchor.xml line 51: rank "-1" of a location is no number from 0 on'),
    ("no metric", xml(("<metrics>", "<other>"), ("</metrics>", "</other>")), "anchor.xml defines no metric"),
    ("no program", xml(("<program>", "<other>"), ("</program>", "</other>")), "anchor.xml defines no region"),
    ("no system", xml(("<system>", "<other>"), ("</system>", "</other>")), "anchor.xml defines no location"),
    # index and data
    ("index magic", profile(m0_index=b"CUBEX.INDEZ" + index([0, 2])[11:]), I0 + "does not begin with CUBEX.INDEX"),
    ("index short", profile(m0_index=b"CUBEX.INDEX"), I0 + "only 11 bytes long"),
    ("index mark", profile(m0_index=index([0, 2], one=2)), I0 + "byte order mark is not 1 in either order"),
    ("index version", profile(m0_index=index([0, 2], version=1)), I0 + "version 1 is not known; only 0 is"),
    ("index format", profile(m0_index=index([0, 2], form=2)), I0 + "format 2 is not known; 1 and 3 are"),
    ("index count", profile(m0_index=index(None) + b"\xff\xff\xff\xff"),
     I0 + "22 bytes long, but 4294967295 rows need 17179869202"),
    ("index cut", profile(m0_index=index([0, 2])[:-4]), I0 + "26 bytes long, but 2 rows need 30"),
    ("index head cut", profile(m0_index=index([0, 2])[:20]), I0 + "only 20 bytes long"),
    ("row out of range", profile(m0_index=index([0, 3])), I0 + "entry 1 is row 3, but there are only 3"),
    ("rows not ascending", profile(m0_index=index([2, 0])), I0 + "row numbers do not ascend at entry 1"),
    ("row twice", profile(m0_index=index([2, 2])), I0 + "row numbers do not ascend at entry 1"),
    ("dense with more", profile(m0_index=index([0, 2], form=3)), I0 + "30 bytes long instead of 18"),
    ("data magic", profile(m0_data=b"CUBEX.DATE" + b"\0" * 32),
     D0 + "begins with neither CUBEX.DATA nor ZCUBEX.DATA"),
    ("data short", profile(m0_data=b"CUBEX"), D0 + "only 5 bytes long"),
    ("data cut", profile(m0_data=data(VISITS, "Q")[:-1]), D0 + "data end at byte 41, but 2 rows end at 42"),
    ("data too long", profile(m0_data=data(VISITS, "Q") + b"!"), D0 + "data end at byte 43, but 2 rows end at 42"),
    ("dense data cut", profile(m0_index=index(None, form=3)), D0 + "data end at byte 42, but 3 rows end at 58"),
    ("block table cut", profile(m0_data=packed(VISITS, "Q")[:30]),
     D0 + "ends at byte 30, inside the table of 2 blocks"),
    ("too many blocks", profile(m0_data=packed(TIME, "d")), D0 + "has 3 blocks for 2 rows"),
    ("block outside", profile(m0_data=packed(VISITS, "Q", entries=[(0, 0, 16), (16, 16, 1 << 40)])),
     D0 + "block 1 ends outside of the member"),
    ("block wraps", profile(m0_data=packed(VISITS, "Q", entries=[(0, 2 ** 64 - 1, 2), (16, 16, 16)])),
     D0 + "block 0 ends outside of the member"),
    ("blocks out of order", profile(m0_data=packed(VISITS, "Q", entries=[(16, 0, 16), (0, 16, 16)])),
     D0 + "block 0 is not that of its row"),
    ("block damaged", profile(m0_data=packed(VISITS, "Q", blocks=[b"x" * 16, b"y" * 16])),
     "metric visits: block 0 does not unpack to a row of 16 bytes"),
    ("block too short", profile(m0_data=packed(VISITS, "Q", blocks=[zlib.compress(b"x" * 8)] * 2)),
     "metric visits: block 0 does not unpack to a row of 16 bytes"),
    ("block too long", profile(m0_data=packed(VISITS, "Q", blocks=[zlib.compress(b"x" * 1000)] * 2)),
     "metric visits: block 0 does not unpack to a row of 16 bytes"),
    ("block of many bytes", profile(m0_data=packed(VISITS, "Q", blocks=[b"x" * 5000] * 2)),
     "metric visits: block 0 is too long"),
    ("unknown dtype", xml(("UINT64", "QUAD")), "metric visits has values that are no single numbers"),
]


# ------------------------------------------------------------------ running
def dump(program, path):
    return subprocess.run([program, path], capture_output=True, text=True, errors="replace")


def check_taken(program, path, name, expected):
    done = dump(program, path)
    seen = done.stdout.splitlines()
    if done.returncode or done.stderr or seen != expected:
        return "%s: exit %d, %s%s" % (name, done.returncode, done.stderr, seen)
    return None


def check_refused(program, path, name, expected):
    done = dump(program, path)
    lines = done.stderr.splitlines()
    if done.returncode != 1 or len(lines) != 1 or not lines[0].startswith(path + ": "):
        return "%s: exit %d, %r" % (name, done.returncode, done.stderr)
    said = lines[0][len(path) + 2:]
    if not said.startswith(expected[:-1]) if expected.endswith("*") else said != expected:
        return "%s: says %r instead of %r" % (name, said, expected)
    return None


def check_prefixes(program, path):
    """Whatever is missing at the end shows, but for the last of the two end blocks."""
    whole = profile()
    for size in list(range(1, len(whole) - 1023, 97)) + list(range(512, len(whole) - 1023, 512)):
        with open(path, "wb") as out:
            out.write(whole[:size])
        if dump(program, path).returncode != 1:
            yield "prefix of %d bytes was taken" % size


def main():
    program = sys.argv[1]
    path = "damaged.cubex"
    problems = []
    for name, content, expected in TAKEN + REFUSED:
        with open(path, "wb") as out:
            out.write(content)
        check = check_taken if isinstance(expected, list) else check_refused
        problems.append(check(program, path, name, expected))
    problems += check_prefixes(program, path)
    os.remove(path)
    problems.append(check_refused(program, path, "no file", "No such file or directory"))
    problems.append(check_refused(program, ".", "folder", "is a directory, not a .cubex file"))
    os.mkfifo(path)
    problems.append(check_refused(program, path, "named pipe", "is not a regular file"))
    os.remove(path)
    problems = [problem for problem in problems if problem]
    print("\n".join(problems) if problems else "%d files taken, %d refused as they should be"
          % (len(TAKEN), len(REFUSED) + 3))
    sys.exit(1 if problems else 0)


main()
