#!/bin/sh
# Odd files the reader takes, damaged ones it refuses: test/cube/damaged.py has the list.
. "$srcdir/test/lib.sh"
"$PYTHON3" "$srcdir/test/cube/damaged.py" "$builddir/test/cube/dump"
