#include "profile/result/sibling_file.h"

#include <string.h>

#include "platform/log.h"

bool fathom_sibling_file(const char *profile, const char *name, char *path, size_t bytes)
{
	const char *slash = strrchr(profile, '/'), *base = slash ? slash + 1 : profile, *dot = strstr(base, ".cubex");
	bool is_of_rank = !strncmp(base, "rank-", 5) && dot;
	int kept = (int)((is_of_rank ? dot : base) - profile);

	return fathom_format(path, bytes, is_of_rank ? "%.*s.%s" : "%.*s%s", kept, profile, name) < (int)bytes;
}
