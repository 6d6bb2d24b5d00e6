# Each kind of program has a library of its own for thread calls (local.mk).
AM_CONDITIONAL([HAVE_SHARED], [test "x$enable_shared" = xyes])
AM_CONDITIONAL([HAVE_STATIC], [test "x$enable_static" = xyes])
