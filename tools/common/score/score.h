/*
 * score: `fathom score`: predicts from a profile how large the trace of the run would be, and chooses functions to
 * leave out of it.
 *
 * Only the files of events are predicted. Definitions take some hundred bytes for each thread and region in addition.
 */
#ifndef FATHOM_TOOLS_COMMON_SCORE_H
#define FATHOM_TOOLS_COMMON_SCORE_H

#include "tools/common/score/score_data.h"

/* Predicts the trace from score->profile, which is open. 0, or -errno after an error message. */
int fathom_score_analyse(struct fathom_score *score);
void fathom_score_fini(struct fathom_score *score);

#endif
