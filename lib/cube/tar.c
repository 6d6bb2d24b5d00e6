#include "cube/tar.h"

#include <stddef.h>

uint32_t fathom_tar_checksum(const struct fathom_tar_header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	size_t first = offsetof(struct fathom_tar_header, checksum);
	uint32_t sum = ' ' * sizeof(header->checksum);

	for (size_t i = 0; i < sizeof(*header); i++) {
		if (i < first || i >= first + sizeof(header->checksum))
			sum += bytes[i];
	}
	return sum;
}
