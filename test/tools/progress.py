"""Runs a command on a pseudo-terminal and prints what the terminal got, and what it shows at the end.

    progress.py COMMAND [ARGUMENT]...

The output is JSON: {"bytes": all text, "screen": lines at the end, "code": exit code}. The terminal is 40 columns wide.
"""
import fcntl
import json
import os
import pty
import re
import struct
import sys
import termios

pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    os.environ.setdefault("TERM", "xterm")
    os.execvp(sys.argv[1], sys.argv[1:])
data = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    data += part
text = data.decode("utf-8", "replace")
lines, column = [""], 0
for piece in re.findall(r"\x1b\[K|\r|\n|[^\x1b\r\n]+|\x1b", text):
    if piece == "\r":
        column = 0
    elif piece == "\n":
        lines.append("")
    elif piece == "\x1b[K":
        lines[-1] = lines[-1][:column]
    else:
        lines[-1] = lines[-1][:column].ljust(column) + piece + lines[-1][column + len(piece):]
        column += len(piece)
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
json.dump({"bytes": text, "screen": [l for l in lines if l], "code": code}, sys.stdout)
