/*
 * finish: the orderly ends of a run: of all processes together in MPI_Finalize (runtime.h), or of this process alone.
 */
#ifndef FATHOM_RUN_FINISH_H
#define FATHOM_RUN_FINISH_H

/*
 * Ends the measurement of a process that ends in an orderly way (destructor, quick_exit): writes what has not been
 * written yet or, if another thread is doing so, waits for that thread. Errors are reported to the user. The caller has
 * blocked all signals. Context: finish.
 */
void fathom_finish_process(void);

#endif
