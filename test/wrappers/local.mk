# test/wrappers
