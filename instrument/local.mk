# instrument
