/* Reads the members of a tar archive. The Cube library and other programs disagree about members whose size is a
 * multiple of 512: Cube writes and expects one more block of zeros behind such a member. This reader accepts both,
 * because it skips blocks of zeros wherever a header may begin, as Cube does. */
#include "cube/reader/container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cube/reader/error_line.h"
#include "cube/tar.h"

#define WINDOW_BYTES ((size_t)64 << 10)

/* The archive has ended after this number of zero blocks. tar programs write up to 20 of them. */
#define MOST_ZERO_BLOCKS 64

/* An attribute header holds a few short lines. */
#define MOST_ATTRIBUTE_BYTES ((uint64_t)64 << 10)

#define NO_SIZE UINT64_MAX

static int read_file(struct fathom_cube_container *container, uint64_t place, unsigned char *buffer, size_t bytes,
		     size_t at_least, size_t *done, struct fathom_cube_error *error)
{
	*done = 0;
	while (*done < at_least) {
		ssize_t now = pread(container->fd, buffer + *done, bytes - *done, (off_t)(place + *done));

		if (now < 0 && errno == EINTR)
			continue;
		if (now < 0)
			return fathom_cube_error_set(error, -errno, container->path, "cannot be read at byte %llu: %s",
						     (unsigned long long)place, strerror(errno));
		if (now == 0)
			return fathom_cube_error_set(error, -EILSEQ, container->path, "ends at byte %llu: truncated",
						     (unsigned long long)(place + *done));
		*done += (size_t)now;
	}
	return 0;
}

int fathom_cube_container_read(struct fathom_cube_container *container, uint64_t place, void *buffer, size_t bytes,
			       struct fathom_cube_error *error)
{
	uint64_t into = place - container->window_place;
	size_t done;
	int err;

	if (bytes >= WINDOW_BYTES)
		return read_file(container, place, buffer, bytes, bytes, &done, error);
	if (place < container->window_place || into > container->window_bytes ||
	    bytes > container->window_bytes - into) {
		container->window_bytes = 0;
		container->window_place = place;
		err = read_file(container, place, container->window, WINDOW_BYTES, bytes, &done, error);
		if (err)
			return err;
		container->window_bytes = done;
		into = 0;
	}
	memcpy(buffer, container->window + into, bytes);
	return 0;
}

/* Parses a number of a header: octal digits between blanks, or binary, as GNU tar writes large numbers. */
static bool parse_number(const char *field, size_t length, uint64_t *number)
{
	size_t i = 0;
	size_t digits = 0;

	*number = 0;
	if (field[0] & 0x80) {
		*number = (unsigned char)field[0] & 0x7f;
		for (i = 1; i < length; i++) {
			if (*number >> 55)
				return false;
			*number = *number << 8 | (unsigned char)field[i];
		}
		return true;
	}
	while (i < length && field[i] == ' ')
		i++;
	for (; i < length && field[i] >= '0' && field[i] <= '7'; i++, digits++)
		*number = *number << 3 | (uint64_t)(field[i] - '0');
	for (; i < length; i++) {
		if (field[i] != ' ' && field[i] != '\0')
			return false;
	}
	return digits > 0;
}

static bool is_zero(const struct fathom_tar_header *header)
{
	const char *bytes = (const char *)header;

	return bytes[0] == 0 && memcmp(bytes, bytes + 1, sizeof(*header) - 1) == 0;
}

static int add_member(struct fathom_cube_container *container, const char *name, uint64_t place, uint64_t size,
		      struct fathom_cube_error *error)
{
	struct fathom_cube_member *member;

	if (container->count == container->room) {
		uint32_t room = container->room ? container->room * 2 : 64;
		struct fathom_cube_member *members = NULL;

		if (room > container->room)
			members = realloc(container->members, room * sizeof(*members));
		if (!members)
			return fathom_cube_error_set(error, -ENOMEM, container->path,
						     "too many members for the memory");
		container->members = members;
		container->room = room;
	}
	member = &container->members[container->count++];
	strcpy(member->name, name);
	member->place = place;
	member->size = size;
	return 0;
}

/* Reads the size of the next member from an attribute header, whose content is lines of "LENGTH KEY=VALUE". */
static int read_attributes(struct fathom_cube_container *container, uint64_t place, uint64_t size, uint64_t *result,
			   struct fathom_cube_error *error)
{
	char *content = NULL;
	const char *line;
	int err = 0;

	if (size <= MOST_ATTRIBUTE_BYTES) {
		content = malloc(size + 1);
		if (!content)
			return fathom_cube_error_set(error, -ENOMEM, container->path, "out of memory");
		err = fathom_cube_container_read(container, place, content, size, error);
		content[err ? 0 : size] = '\0';
	}
	for (line = content; line && !err && *line;) {
		char *after;
		unsigned long length = strtoul(line, &after, 10);

		if (*after != ' ' || length < (unsigned long)(after - line) + 2 ||
		    length > size - (uint64_t)(line - content) || line[length - 1] != '\n') {
			line = NULL;
			break;
		}
		if (strncmp(after, " size=", 6) == 0)
			*result = strtoull(after + 6, NULL, 10);
		line += length;
	}
	free(content);
	if (!err && !line)
		err = fathom_cube_error_set(error, -EILSEQ, container->path, "attribute header at byte %llu is damaged",
					    (unsigned long long)place);
	return err;
}

/* Checks the header at place, and returns the name of the member and the size of its content. */
static int check_header(struct fathom_cube_container *container, const struct fathom_tar_header *header,
			uint64_t place, char name[101], uint64_t *size, struct fathom_cube_error *error)
{
	uint64_t checksum;

	if (memcmp(header->magic, "ustar", 5)) {
		if (place == 0)
			return fathom_cube_error_set(error, -EILSEQ, container->path,
						     "is not a .cubex profile: no tar file of the ustar kind");
		return fathom_cube_error_set(error, -EILSEQ, container->path,
					     "no member header at byte %llu: damaged", (unsigned long long)place);
	}
	memcpy(name, header->name, sizeof(header->name));
	name[sizeof(header->name)] = '\0';
	if (!parse_number(header->checksum, sizeof(header->checksum), &checksum) ||
	    checksum != fathom_tar_checksum(header))
		return fathom_cube_error_set(error, -EILSEQ, container->path,
					     "header of member %s at byte %llu: wrong checksum", name,
					     (unsigned long long)place);
	if (!parse_number(header->size, sizeof(header->size), size))
		return fathom_cube_error_set(error, -EILSEQ, container->path,
					     "header of member %s at byte %llu: its size is no number", name,
					     (unsigned long long)place);
	return 0;
}

/* Reads the header at *place and moves *place behind the member. *attribute_size is the size that the attribute header
 * before this member gave, and is set if this member is such a header. */
static int walk_member(struct fathom_cube_container *container, const struct fathom_tar_header *header,
		       uint64_t *place, uint64_t *attribute_size, struct fathom_cube_error *error)
{
	uint64_t content = *place + FATHOM_TAR_BLOCK;
	char name[101];
	uint64_t size;
	int err;

	err = check_header(container, header, *place, name, &size, error);
	if (err)
		return err;
	if (header->type >= '1' && header->type <= '6')
		size = 0;	/* links, devices and directories have no content */
	if (header->type != 'x' && *attribute_size != NO_SIZE) {
		size = *attribute_size;
		*attribute_size = NO_SIZE;
	}
	if (size > container->size - content)
		return fathom_cube_error_set(error, -EILSEQ, container->path,
					     "member %s ends at byte %llu of %llu: truncated", name,
					     (unsigned long long)(container->size - content),
					     (unsigned long long)size);
	if (header->type == 'x')
		err = read_attributes(container, content, size, attribute_size, error);
	else if (header->type == '0' || header->type == '7' || header->type == '\0')
		err = add_member(container, name, content, size, error);
	*place = content + size + (FATHOM_TAR_BLOCK - size % FATHOM_TAR_BLOCK) % FATHOM_TAR_BLOCK;
	return err;
}

static int walk(struct fathom_cube_container *container, struct fathom_cube_error *error)
{
	uint64_t attribute_size = NO_SIZE;
	uint64_t place = 0;
	uint32_t zeros = 0;

	while (place + FATHOM_TAR_BLOCK <= container->size && zeros < MOST_ZERO_BLOCKS) {
		struct fathom_tar_header header;
		int err = fathom_cube_container_read(container, place, &header, sizeof(header), error);

		if (err)
			return err;
		if (is_zero(&header) && place) {
			zeros++;
			place += FATHOM_TAR_BLOCK;
			continue;
		}
		zeros = 0;
		err = walk_member(container, &header, &place, &attribute_size, error);
		if (err)
			return err;
	}
	/* All known programs write zero blocks at the end. If there are none, the file was truncated. */
	if (!zeros)
		return fathom_cube_error_set(error, -EILSEQ, container->path,
					     "ends at byte %llu without an end mark: truncated",
					     (unsigned long long)container->size);
	return 0;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(((const struct fathom_cube_member *)left)->name,
		      ((const struct fathom_cube_member *)right)->name);
}

static int sort_members(struct fathom_cube_container *container, struct fathom_cube_error *error)
{
	if (container->count)
		qsort(container->members, container->count, sizeof(*container->members), by_name);
	for (uint32_t i = 1; i < container->count; i++) {
		if (by_name(&container->members[i - 1], &container->members[i]) == 0)
			return fathom_cube_error_set(error, -EILSEQ, container->path, "has two members named %s",
						     container->members[i].name);
	}
	return 0;
}

const struct fathom_cube_member *fathom_cube_container_find(const struct fathom_cube_container *container,
							    const char *name)
{
	struct fathom_cube_member *found;
	struct fathom_cube_member key = { .size = 0 };
	size_t length = strlen(name);

	if (!container->count || length >= sizeof(key.name))
		return NULL;
	memcpy(key.name, name, length + 1);
	found = bsearch(&key, container->members, container->count, sizeof(key), by_name);
	return found && found->size ? found : NULL;
}

/* Checks the size and the first bytes of a file, before its first header is read. */
static int check_file(struct fathom_cube_container *container, struct fathom_cube_error *error)
{
	unsigned char first[2];
	struct stat status;

	if (fstat(container->fd, &status))
		return fathom_cube_error_set(error, -errno, container->path, "%s", strerror(errno));
	if (S_ISDIR(status.st_mode))
		return fathom_cube_error_set(error, -EISDIR, container->path, "is a directory, not a .cubex file");
	if (!S_ISREG(status.st_mode))
		return fathom_cube_error_set(error, -EILSEQ, container->path, "is not a regular file");
	container->size = (uint64_t)status.st_size;
	if (!container->size)
		return fathom_cube_error_set(error, -EILSEQ, container->path, "is empty, not a .cubex profile");
	if (container->size < FATHOM_TAR_BLOCK)
		return fathom_cube_error_set(error, -EILSEQ, container->path,
					     "is not a .cubex profile: only %llu bytes long",
					     (unsigned long long)container->size);
	if (fathom_cube_container_read(container, 0, first, sizeof(first), error))
		return -EIO;
	if (first[0] == 0x1f && first[1] == 0x8b)
		return fathom_cube_error_set(error, -EILSEQ, container->path,
					     "is compressed by gzip: unpack it with gunzip first");
	return 0;
}

int fathom_cube_container_open(struct fathom_cube_container *container, const char *path,
			       struct fathom_cube_error *error)
{
	int err = -ENOMEM;

	memset(container, 0, sizeof(*container));
	/* Without O_NONBLOCK the open of a named pipe would wait for a writer. */
	container->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (container->fd < 0)
		return fathom_cube_error_set(error, -errno, path, "%s", strerror(errno));
	container->path = strdup(path);
	container->window = malloc(WINDOW_BYTES);
	if (!container->path || !container->window)
		fathom_cube_error_set(error, err, path, "out of memory");
	else
		err = check_file(container, error);
	if (!err)
		err = walk(container, error);
	if (!err)
		err = sort_members(container, error);
	if (err)
		fathom_cube_container_close(container);
	return err;
}

void fathom_cube_container_close(struct fathom_cube_container *container)
{
	close(container->fd);
	free(container->members);
	free(container->window);
	free(container->path);
}
