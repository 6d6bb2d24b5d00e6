# wrappers: ompt calls become events.
