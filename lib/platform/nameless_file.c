#include "platform/nameless_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/log.h"
#include "platform/write.h"

/* Opens a file without a name. Where the file system has no such files, the file gets a name and loses it at once. */
static int open_nameless(const char *directory, const char *name)
{
	char path[4096];
	int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (file >= 0)
		return file;
	fathom_format(path, sizeof(path), "%s/.%s-%d", directory, name, (int)getpid());
	file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (file >= 0)
		unlink(path);
	return file;
}

/* Returns whether the descriptor still belongs to the file: the program may have closed it. */
static bool is_open(const struct fathom_nameless_file *file, int descriptor)
{
	struct stat status;

	return descriptor > 0 && !fstat(descriptor, &status) && status.st_dev == file->device &&
	       status.st_ino == file->inode;
}

/* Opens the file at the first call. Returns its descriptor; negative: there is none. */
static int open_once(struct fathom_nameless_file *file)
{
	struct stat status;
	int descriptor;

	fathom_lock_take(&file->lock);
	descriptor = file->descriptor;
	if (!descriptor) {
		descriptor = open_nameless(file->directory, file->name);
		/* The low numbers are those that programs close or use without asking. */
		if (descriptor >= 0) {
			int high = fcntl(descriptor, F_DUPFD_CLOEXEC, 200);

			if (high >= 0) {
				close(descriptor);
				descriptor = high;
			}
		}
		if (descriptor >= 0 && !fstat(descriptor, &status)) {
			file->device = status.st_dev;
			file->inode = status.st_ino;
		}
		file->descriptor = descriptor >= 0 ? descriptor : -1;
	}
	fathom_lock_give(&file->lock);
	return is_open(file, descriptor) ? descriptor : -1;
}

int64_t fathom_nameless_file_append(struct fathom_nameless_file *file, const void *data, size_t bytes)
{
	int descriptor = open_once(file);
	uint64_t place = __atomic_fetch_add(&file->bytes, bytes, __ATOMIC_RELAXED);
	struct fathom_write_signals before;
	size_t done = 0;

	if (descriptor < 0 || place + bytes > file->most_bytes)
		return -1;
	fathom_write_signals_hold(&before);
	while (done < bytes) {
		ssize_t part = pwrite(descriptor, (const char *)data + done, bytes - done, (off_t)(place + done));

		if (part <= 0 && errno != EINTR)
			break;
		done += part > 0 ? (size_t)part : 0;
	}
	fathom_write_signals_release(&before);
	return done == bytes ? (int64_t)place : -1;
}

int fathom_nameless_file_descriptor(const struct fathom_nameless_file *file)
{
	return is_open(file, file->descriptor) ? file->descriptor : -1;
}

int fathom_nameless_file_read(const struct fathom_nameless_file *file, void *data, size_t bytes, uint64_t place)
{
	int descriptor = fathom_nameless_file_descriptor(file);

	if (descriptor < 0)
		return -EBADF;
	for (size_t done = 0; done < bytes;) {
		ssize_t part = pread(descriptor, (char *)data + done, bytes - done, (off_t)(place + done));

		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			return part ? -errno : -EIO;
		done += (size_t)part;
	}
	return 0;
}
