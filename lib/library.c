/*
 * library: what says that this is libfathom, for people who look at the file.
 */
#include "config.h"
#include "platform/compiler.h"

FATHOM_API const char *fathom_version(void);
const char *fathom_version(void)
{
	return PACKAGE_VERSION;
}
