#include "profile/result/writing_verdict.h"

void fathom_verdict_add(struct fathom_verdict *verdict, const struct fathom_verdict *other)
{
	if (other->err && (!verdict->err || (verdict->is_curable && !other->is_curable)))
		*verdict = *other;
}
