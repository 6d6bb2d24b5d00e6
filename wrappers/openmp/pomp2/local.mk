# wrappers: pomp2 calls become events.
