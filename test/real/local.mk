# test/real
