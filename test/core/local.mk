# test/core
