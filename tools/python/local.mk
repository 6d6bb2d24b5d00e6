# A reader of profiles for Python.
fathompythondir = $(pkgdatadir)/python
dist_fathompython_DATA = tools/python/fathom.py
