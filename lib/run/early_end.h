/*
 * early_end: a process that ends before it could join the other MPI ranks and write one result with them.
 *
 * Each rank then saves its own part. The first rank to vanish without MPI_Finalize makes the process manager kill the
 * others, without a signal that could be caught. Where all ranks end like that at about the same time, a moment of
 * patience is all they need to save what they have.
 */
#ifndef FATHOM_RUN_EARLY_END_H
#define FATHOM_RUN_EARLY_END_H

/* How many steps of 10 ms a rank waits for others that have not begun to save. */
enum fathom_early_end_patience {
	FATHOM_EARLY_END_WAIT_FOR_SOME = 30,	/* what happens to one rank (a crash) often happens to it alone */
	FATHOM_EARLY_END_WAIT_FOR_ALL = 100,	/* all ranks may end in the same way (exit) */
};

/* Says how saving the result of this process went. err: 0 or -errno; path: the profile's; why: why the process ends.
 * Context: finish, signal. */
void fathom_early_end_say(int err, const char *path, const char *why);

/* Waits until all ranks have saved their parts: a rank that has begun gets 20 s, one that has not the patience given.
 * Then all leave at the same time, so that none is killed because another was a little earlier. Context: finish,
 * signal. */
void fathom_early_end_wait(enum fathom_early_end_patience patience);

#endif
