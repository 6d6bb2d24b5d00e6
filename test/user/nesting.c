/* Regions that are not nested. */
#include <fathom/fathom.h>

static void leaver(void)
{
	FATHOM_FUNCTION();
	FATHOM_REGION_BEGIN("left open");
}

int main(void)
{
	FATHOM_REGION_BEGIN("outer");
	FATHOM_REGION_BEGIN("inner");
	FATHOM_REGION_END("outer");
	FATHOM_REGION_END("inner");
	FATHOM_REGION_BEGIN("behind");
	FATHOM_REGION_END("behind");
	leaver();
	return 0;
}
