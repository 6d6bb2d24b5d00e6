# test/bench
