/*
 * substrates: which there are, and which settings ask for them.
 */
#include "event/substrate.h"
#include "platform/settings.h"
#include "profile/profile.h"

const struct fathom_substrate *fathom_substrate_choose(const struct fathom_settings *settings)
{
	if (settings->mode & FATHOM_MODE_PROFILE)
		return fathom_profile_substrate(settings);
	return NULL;
}
