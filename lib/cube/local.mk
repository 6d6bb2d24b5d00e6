# lib/cube: noinst_LTLIBRARIES += libcube.la is made here
