/*
 * finish: the regular ends of a run: all processes together in MPI_Finalize (runtime.h), or this process alone.
 */
#ifndef FATHOM_RUN_FINISH_H
#define FATHOM_RUN_FINISH_H

/* The process ends in an orderly way (destructor, quick_exit): writes what was not written yet, or waits for the
 * thread that does. The caller has blocked all signals. Context: finish. */
void fathom_finish_process(void);

#endif
