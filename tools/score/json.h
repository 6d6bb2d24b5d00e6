/*
 * json: the result of `fathom score` for programs; doc/man/fathom-score.1 describes its members.
 */
#ifndef FATHOM_TOOLS_SCORE_JSON_H
#define FATHOM_TOOLS_SCORE_JSON_H

struct fathom_score;

void fathom_score_json(struct fathom_score *score);

#endif
