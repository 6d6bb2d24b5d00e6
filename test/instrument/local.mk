# test/instrument
