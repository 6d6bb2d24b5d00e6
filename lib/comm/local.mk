# How the processes of a run talk to each other.
comm_sources = \
	lib/comm/binomial_tree.c \
	lib/comm/chunked_transfer.c lib/comm/chunked_transfer.h \
	lib/comm/comm.h \
	lib/comm/plain_file.c \
	lib/comm/serial.c
