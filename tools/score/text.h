/*
 * text: the result of `fathom score` for people.
 */
#ifndef FATHOM_TOOLS_SCORE_TEXT_H
#define FATHOM_TOOLS_SCORE_TEXT_H

struct fathom_score;

void fathom_score_print(struct fathom_score *score);

#endif
