# test/cube
