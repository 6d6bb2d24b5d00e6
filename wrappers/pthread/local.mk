# wrappers: pthread calls become events.
