# test/check
