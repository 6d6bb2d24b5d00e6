/*
 * early_end: the actions of a process that ends before it could join the other MPI ranks and write one result with
 * them.
 *
 * Each rank then saves its own part. As soon as one rank has ended without MPI_Finalize, the process manager kills
 * the others, with a signal that cannot be caught. Often all ranks end early at about the same time; therefore a rank
 * that has saved its part waits a little, so that the others can save theirs.
 */
#ifndef FATHOM_RUN_EARLY_END_H
#define FATHOM_RUN_EARLY_END_H

/* The number of steps of 10 ms for which a rank waits for ranks that have not begun to save. */
enum fathom_early_end_patience {
	FATHOM_EARLY_END_WAIT_FOR_SOME = 30,	/* a crash often happens to one rank alone */
	FATHOM_EARLY_END_WAIT_FOR_ALL = 100,	/* an exit often happens in all ranks */
};

/* Reports whether the result of this process was saved. err: 0 or -errno of the saving; path: of the profile; why:
 * the reason for the end of the process. Context: finish, signal. */
void fathom_early_end_say(int err, const char *path, const char *why);

/*
 * Waits until all ranks have saved their parts: at most 20 s for a rank that has begun to save, and as long as patience
 * says for ranks that have not. Then all ranks return at the same time, so that none is killed because another one
 * ended a little earlier. Context: finish, signal.
 */
void fathom_early_end_wait(enum fathom_early_end_patience patience);

#endif
