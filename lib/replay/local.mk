# Replay of a measured run on a model of a machine. Tools alone link it.
noinst_LTLIBRARIES += libreplay.la
libreplay_la_SOURCES = \
	lib/replay/balance.c lib/replay/balance.h \
	lib/replay/calibration.c lib/replay/calibration.h \
	lib/replay/dimemas_config.c lib/replay/dimemas_config.h \
	lib/replay/dimemas_trace.c lib/replay/dimemas_trace.h \
	lib/replay/event_queue.c lib/replay/event_queue.h \
	lib/replay/machine.c lib/replay/machine.h \
	lib/replay/measured_times.c lib/replay/measured_times.h \
	lib/replay/processor_slices.c lib/replay/processor_slices.h \
	lib/replay/replay.h \
	lib/replay/replay_program.c lib/replay/replay_program.h \
	lib/replay/simulated_collective.c \
	lib/replay/simulated_message.c \
	lib/replay/simulation.c lib/replay/simulation.h \
	lib/replay/slice_length.c lib/replay/slice_length.h
libreplay_la_CFLAGS = $(AM_CFLAGS)
