# test/run
