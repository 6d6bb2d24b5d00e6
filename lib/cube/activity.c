#include "cube/activity.h"

#include <string.h>

#define NONE (-1)
#define UNDER(parent) FATHOM_ACTIVITY_##parent

const struct fathom_activity_info fathom_activity_table[FATHOM_ACTIVITY_COUNT] = {
	[FATHOM_ACTIVITY_EXECUTION] = { "execution", "Execution", NONE },
	[FATHOM_ACTIVITY_COMPUTATION] = { "comp", "Computation", UNDER(EXECUTION) },
	[FATHOM_ACTIVITY_IO] = { "io_time", "File I/O", UNDER(COMPUTATION) },
	[FATHOM_ACTIVITY_IO_META] = { "io_meta_time", "Open, close, seek", UNDER(IO) },
	[FATHOM_ACTIVITY_IO_READ] = { "io_reading_time", "Reading", UNDER(IO) },
	[FATHOM_ACTIVITY_IO_WRITE] = { "io_writing_time", "Writing", UNDER(IO) },
	[FATHOM_ACTIVITY_LIBWRAP] = { "libwrap_time", "Wrapped libraries", UNDER(COMPUTATION) },
	[FATHOM_ACTIVITY_MPI] = { "mpi", "MPI", UNDER(EXECUTION) },
	[FATHOM_ACTIVITY_MPI_MANAGEMENT] = { "mpi_management", "Management", UNDER(MPI) },
	[FATHOM_ACTIVITY_MPI_INIT_EXIT] = { "mpi_init_exit", "Init and finalize", UNDER(MPI_MANAGEMENT) },
	[FATHOM_ACTIVITY_MPI_COMM] = { "mpi_mgmt_comm", "Communicators", UNDER(MPI_MANAGEMENT) },
	[FATHOM_ACTIVITY_MPI_FILE] = { "mpi_mgmt_file", "File management", UNDER(MPI_MANAGEMENT) },
	[FATHOM_ACTIVITY_MPI_WIN] = { "mpi_mgmt_win", "Window management", UNDER(MPI_MANAGEMENT) },
	[FATHOM_ACTIVITY_MPI_SYNC] = { "mpi_synchronization", "Synchronization", UNDER(MPI) },
	[FATHOM_ACTIVITY_MPI_BARRIER] = { "mpi_sync_collective", "Barrier", UNDER(MPI_SYNC) },
	[FATHOM_ACTIVITY_MPI_RMA_SYNC] = { "mpi_rma_synchronization", "One-sided sync", UNDER(MPI_SYNC) },
	[FATHOM_ACTIVITY_MPI_RMA_ACTIVE] = { "mpi_rma_sync_active", "One-sided sync, active", UNDER(MPI_RMA_SYNC) },
	[FATHOM_ACTIVITY_MPI_RMA_PASSIVE] = { "mpi_rma_sync_passive", "One-sided sync, passive", UNDER(MPI_RMA_SYNC) },
	[FATHOM_ACTIVITY_MPI_COMMUNICATION] = { "mpi_communication", "Communication", UNDER(MPI) },
	[FATHOM_ACTIVITY_MPI_P2P] = { "mpi_point2point", "Point-to-point", UNDER(MPI_COMMUNICATION) },
	[FATHOM_ACTIVITY_MPI_COLLECTIVE] = { "mpi_collective", "Collective", UNDER(MPI_COMMUNICATION) },
	[FATHOM_ACTIVITY_MPI_RMA] = { "mpi_rma_communication", "One-sided", UNDER(MPI_COMMUNICATION) },
	[FATHOM_ACTIVITY_MPI_IO] = { "mpi_io", "File access", UNDER(MPI) },
	[FATHOM_ACTIVITY_MPI_IO_INDIVIDUAL] = { "mpi_io_individual", "File access, individual", UNDER(MPI_IO) },
	[FATHOM_ACTIVITY_MPI_IO_COLLECTIVE] = { "mpi_io_collective", "File access, collective", UNDER(MPI_IO) },
	[FATHOM_ACTIVITY_MPI_REQUEST] = { "mpi_request_handling", "Requests", UNDER(MPI) },
	[FATHOM_ACTIVITY_MPI_REQUEST_START] = { "mpi_request_start", "Start requests", UNDER(MPI_REQUEST) },
	[FATHOM_ACTIVITY_MPI_REQUEST_COMPLETION] = { "mpi_request_completion", "Wait and test", UNDER(MPI_REQUEST) },
	[FATHOM_ACTIVITY_SHMEM] = { "shmem_time", "SHMEM", UNDER(EXECUTION) },
	[FATHOM_ACTIVITY_OMP] = { "omp_time", "OpenMP", UNDER(EXECUTION) },
	[FATHOM_ACTIVITY_OMP_MANAGEMENT] = { "omp_management", "Management", UNDER(OMP) },
	[FATHOM_ACTIVITY_OMP_SYNC] = { "omp_synchronization", "Synchronization", UNDER(OMP) },
	[FATHOM_ACTIVITY_OMP_BARRIER] = { "omp_barrier", "Barrier", UNDER(OMP_SYNC) },
	[FATHOM_ACTIVITY_OMP_EXPLICIT_BARRIER] = { "omp_ebarrier", "Explicit barrier", UNDER(OMP_BARRIER) },
	[FATHOM_ACTIVITY_OMP_IMPLICIT_BARRIER] = { "omp_ibarrier", "Implicit barrier", UNDER(OMP_BARRIER) },
	[FATHOM_ACTIVITY_OMP_CRITICAL] = { "omp_critical", "Critical and atomic", UNDER(OMP_SYNC) },
	[FATHOM_ACTIVITY_OMP_LOCK] = { "omp_lock_api", "Locks", UNDER(OMP_SYNC) },
	[FATHOM_ACTIVITY_OMP_ORDERED] = { "omp_ordered", "Ordered", UNDER(OMP_SYNC) },
	[FATHOM_ACTIVITY_OMP_TASKWAIT] = { "omp_taskwait", "Task wait", UNDER(OMP_SYNC) },
	[FATHOM_ACTIVITY_OMP_FLUSH] = { "omp_flush", "Flush", UNDER(OMP) },
	[FATHOM_ACTIVITY_PTHREAD] = { "pthread_time", "Threads", UNDER(EXECUTION) },
	[FATHOM_ACTIVITY_PTHREAD_MANAGEMENT] = { "pthread_management", "Create and join", UNDER(PTHREAD) },
	[FATHOM_ACTIVITY_PTHREAD_SYNC] = { "pthread_synchronization", "Synchronization", UNDER(PTHREAD) },
	[FATHOM_ACTIVITY_PTHREAD_MUTEX] = { "pthread_lock_api", "Mutex", UNDER(PTHREAD_SYNC) },
	[FATHOM_ACTIVITY_PTHREAD_CONDITION] = { "pthread_conditional", "Condition", UNDER(PTHREAD_SYNC) },
	[FATHOM_ACTIVITY_PTHREAD_RWLOCK] = { "pthread_rwlock", "Read-write lock", UNDER(PTHREAD_SYNC) },
	[FATHOM_ACTIVITY_PTHREAD_SPIN] = { "pthread_spin", "Spin lock", UNDER(PTHREAD_SYNC) },
	[FATHOM_ACTIVITY_PTHREAD_BARRIER] = { "pthread_barrier", "Thread barrier", UNDER(PTHREAD_SYNC) },
	[FATHOM_ACTIVITY_PTHREAD_ONCE] = { "pthread_once", "Once", UNDER(PTHREAD_SYNC) },
	[FATHOM_ACTIVITY_OPENACC] = { "openacc_time", "OpenACC", UNDER(EXECUTION) },
	[FATHOM_ACTIVITY_OPENCL] = { "opencl_time", "OpenCL", UNDER(EXECUTION) },
	[FATHOM_ACTIVITY_CUDA] = { "cuda_time", "CUDA", UNDER(EXECUTION) },
	[FATHOM_ACTIVITY_HIP] = { "hip_time", "HIP", UNDER(EXECUTION) },
	[FATHOM_ACTIVITY_OVERHEAD] = { "overhead", "Measurement overhead", NONE },
};

/* A set of words: " one two three ". */
static bool among(const char *word, const char *words)
{
	size_t length = strlen(word);
	const char *at = words;

	if (length == 0 || strchr(word, ' '))
		return false;
	while ((at = strstr(at, word)) != NULL) {
		if (at[-1] == ' ' && at[length] == ' ')
			return true;
		at += length;
	}
	return false;
}

static bool starts(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool is_collective(const char *role)
{
	return strcmp(role, "one2all") == 0 || strcmp(role, "all2one") == 0 || strcmp(role, "all2all") == 0 ||
	       strcmp(role, "other collective") == 0;
}

static const char init_exit[] =
	" Init Init_thread Initialized Finalize Finalized Session_init Session_finalize Session_get_info"
	" Session_get_nth_pset Session_get_num_psets Session_get_pset_info ";

static const char communicators[] =
	" Cart_coords Cart_create Cart_get Cart_map Cart_rank Cart_shift Cart_sub Cartdim_get Comm_accept"
	" Comm_compare Comm_connect Comm_create Comm_create_group Comm_create_from_group Comm_create_keyval"
	" Comm_delete_attr Comm_disconnect Comm_dup Comm_dup_with_info Comm_free Comm_free_keyval Comm_get_attr"
	" Comm_get_info Comm_get_name Comm_get_parent Comm_group Comm_idup Comm_idup_with_info Comm_join Comm_rank"
	" Comm_remote_group Comm_remote_size Comm_set_attr Comm_set_info Comm_set_name Comm_size Comm_spawn"
	" Comm_spawn_multiple Comm_split Comm_split_type Comm_test_inter Dims_create Dist_graph_create"
	" Dist_graph_create_adjacent Dist_graph_neighbors Dist_graph_neighbors_count Graph_create Graph_get"
	" Graph_map Graph_neighbors Graph_neighbors_count Graphdims_get Intercomm_create"
	" Intercomm_create_from_groups Intercomm_merge Topo_test Close_port Open_port Lookup_name Publish_name"
	" Unpublish_name ";

static const char files[] =
	" File_close File_delete File_get_amode File_get_atomicity File_get_byte_offset File_get_group"
	" File_get_info File_get_position File_get_position_shared File_get_size File_get_type_extent"
	" File_get_view File_open File_preallocate File_seek File_seek_shared File_set_atomicity File_set_info"
	" File_set_size File_set_view File_sync Register_datarep ";

static const char windows[] =
	" Win_allocate Win_allocate_shared Win_attach Win_create Win_create_dynamic Win_create_keyval"
	" Win_delete_attr Win_detach Win_free Win_free_keyval Win_get_attr Win_get_group Win_get_info"
	" Win_get_name Win_set_attr Win_set_info Win_set_name Win_shared_query ";

static const char active_target[] = " Win_complete Win_fence Win_post Win_start Win_test Win_wait ";

static const char passive_target[] =
	" Win_flush Win_flush_all Win_flush_local Win_flush_local_all Win_lock Win_lock_all Win_unlock"
	" Win_unlock_all Win_sync ";

static const char individual_access[] =
	" File_read File_read_at File_read_shared File_write File_write_at File_write_shared File_iread"
	" File_iread_at File_iread_shared File_iwrite File_iwrite_at File_iwrite_shared ";

static const char collective_access[] =
	" File_iread_all File_iread_at_all File_iwrite_all File_iwrite_at_all"
	" File_read_all File_read_all_begin File_read_all_end"
	" File_read_at_all File_read_at_all_begin File_read_at_all_end"
	" File_read_ordered File_read_ordered_begin File_read_ordered_end"
	" File_write_all File_write_all_begin File_write_all_end"
	" File_write_at_all File_write_at_all_begin File_write_at_all_end"
	" File_write_ordered File_write_ordered_begin File_write_ordered_end ";

static const char request_completion[] =
	" Test Testall Testany Testsome Wait Waitall Waitany Waitsome Cancel Request_free Request_get_status ";

static const struct {
	const char *words;
	enum fathom_activity activity;
} mpi_names[] = {
	{ init_exit, FATHOM_ACTIVITY_MPI_INIT_EXIT },
	{ communicators, FATHOM_ACTIVITY_MPI_COMM },
	{ files, FATHOM_ACTIVITY_MPI_FILE },
	{ windows, FATHOM_ACTIVITY_MPI_WIN },
	{ active_target, FATHOM_ACTIVITY_MPI_RMA_ACTIVE },
	{ passive_target, FATHOM_ACTIVITY_MPI_RMA_PASSIVE },
	{ individual_access, FATHOM_ACTIVITY_MPI_IO_INDIVIDUAL },
	{ collective_access, FATHOM_ACTIVITY_MPI_IO_COLLECTIVE },
	{ " Start Startall ", FATHOM_ACTIVITY_MPI_REQUEST_START },
	{ request_completion, FATHOM_ACTIVITY_MPI_REQUEST_COMPLETION },
	{ " Test_cancelled ", FATHOM_ACTIVITY_MPI_REQUEST },
};

static enum fathom_activity mpi_activity(const char *name, const char *role)
{
	char word[64];
	size_t length, i;

	if (strcmp(role, "barrier") == 0)
		return FATHOM_ACTIVITY_MPI_BARRIER;
	if (strcmp(role, "point2point") == 0)
		return FATHOM_ACTIVITY_MPI_P2P;
	if (strcmp(role, "rma") == 0 || strcmp(role, "atomic") == 0)
		return FATHOM_ACTIVITY_MPI_RMA;
	if (is_collective(role))
		return FATHOM_ACTIVITY_MPI_COLLECTIVE;
	length = strlen(name);
	if (!starts(name, "MPI_") || length - 4 >= sizeof(word))
		return FATHOM_ACTIVITY_MPI;
	strcpy(word, name + 4);
	length -= 4;
	/* The large-count form of a call does what the call does. */
	if (length > 2 && strcmp(word + length - 2, "_c") == 0)
		word[length - 2] = '\0';
	for (i = 0; i < sizeof(mpi_names) / sizeof(mpi_names[0]); i++)
		if (among(word, mpi_names[i].words))
			return mpi_names[i].activity;
	return FATHOM_ACTIVITY_MPI;
}

static enum fathom_activity openmp_activity(const char *name, const char *role)
{
	static const struct {
		const char *role;
		enum fathom_activity activity;
	} roles[] = {
		{ "barrier", FATHOM_ACTIVITY_OMP_EXPLICIT_BARRIER },
		{ "implicit barrier", FATHOM_ACTIVITY_OMP_IMPLICIT_BARRIER },
		{ "atomic", FATHOM_ACTIVITY_OMP_CRITICAL },
		{ "critical", FATHOM_ACTIVITY_OMP_CRITICAL },
		{ "ordered", FATHOM_ACTIVITY_OMP_ORDERED },
		{ "taskwait", FATHOM_ACTIVITY_OMP_TASKWAIT },
		{ "flush", FATHOM_ACTIVITY_OMP_FLUSH },
		{ "task create", FATHOM_ACTIVITY_OMP_MANAGEMENT },
		{ "single", FATHOM_ACTIVITY_OMP_MANAGEMENT },	/* its block is a region of its own */
	};
	static const char locks[] =
		" omp_destroy_lock omp_init_lock omp_init_lock_with_hint omp_set_lock omp_test_lock omp_unset_lock"
		" omp_destroy_nest_lock omp_init_nest_lock omp_init_nest_lock_with_hint omp_set_nest_lock"
		" omp_test_nest_lock omp_unset_nest_lock ";
	size_t i;

	for (i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (strcmp(role, roles[i].role) == 0)
			return roles[i].activity;
	if (among(name, locks))
		return FATHOM_ACTIVITY_OMP_LOCK;
	/* Fork and join. Other artificial regions head trees and take no time themselves. */
	if (strcmp(role, "artificial") == 0 && starts(name, "!$omp "))
		return FATHOM_ACTIVITY_OMP_MANAGEMENT;
	return FATHOM_ACTIVITY_COMPUTATION;	/* parallel, loop, task, ...: the program's own code */
}

static enum fathom_activity pthread_activity(const char *name)
{
	static const struct {
		const char *beginning;
		enum fathom_activity activity;
	} kinds[] = {
		{ "pthread_mutex_", FATHOM_ACTIVITY_PTHREAD_MUTEX },
		{ "mtx_", FATHOM_ACTIVITY_PTHREAD_MUTEX },
		{ "pthread_cond_", FATHOM_ACTIVITY_PTHREAD_CONDITION },
		{ "cnd_", FATHOM_ACTIVITY_PTHREAD_CONDITION },
		{ "pthread_rwlock_", FATHOM_ACTIVITY_PTHREAD_RWLOCK },
		{ "pthread_spin_", FATHOM_ACTIVITY_PTHREAD_SPIN },
		{ "pthread_barrier_", FATHOM_ACTIVITY_PTHREAD_BARRIER },
	};

	if (among(name, " pthread_cancel pthread_clockjoin_np pthread_create pthread_detach pthread_exit pthread_join"
			" pthread_timedjoin_np pthread_tryjoin_np thrd_create thrd_detach thrd_exit thrd_join "))
		return FATHOM_ACTIVITY_PTHREAD_MANAGEMENT;
	if (among(name, " call_once pthread_once "))
		return FATHOM_ACTIVITY_PTHREAD_ONCE;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (starts(name, kinds[i].beginning))
			return kinds[i].activity;
	return FATHOM_ACTIVITY_COMPUTATION;	/* a thread itself: the program's own code */
}

static enum fathom_activity io_activity(const char *name, const char *role)
{
	if (strcmp(role, "file io metadata") == 0)
		return FATHOM_ACTIVITY_IO_META;
	if (among(name, " aio_read fgetc fgets fread fscanf getc getchar gets pread pread64 preadv preadv2 preadv64"
			" preadv64v2 read readv scanf vfscanf vscanf "))
		return FATHOM_ACTIVITY_IO_READ;
	if (among(name, " aio_write fflush fprintf fputc fputs fwrite printf putchar puts pwrite pwrite64 pwritev"
			" pwritev2 pwritev64 pwritev64v2 vfprintf vprintf write writev "))
		return FATHOM_ACTIVITY_IO_WRITE;
	return FATHOM_ACTIVITY_IO;
}

enum fathom_activity fathom_activity_of(const struct fathom_cube_region *region)
{
	const char *paradigm = region->paradigm, *name = region->name, *role = region->role;

	if (strcmp(paradigm, "mpi") == 0)
		return mpi_activity(name, role);
	if (strcmp(paradigm, "openmp") == 0)
		return openmp_activity(name, role);
	if (strcmp(paradigm, "pthread") == 0)
		return pthread_activity(name);
	if (strcmp(paradigm, "io") == 0)
		return io_activity(name, role);
	if (strcmp(paradigm, "shmem") == 0)
		return FATHOM_ACTIVITY_SHMEM;
	if (starts(paradigm, "libwrap:") && paradigm[8])
		return FATHOM_ACTIVITY_LIBWRAP;
	if (strcmp(paradigm, "measurement") == 0 && strcmp(name, "TRACE BUFFER FLUSH") == 0)
		return FATHOM_ACTIVITY_OVERHEAD;
	if (strcmp(paradigm, "openacc") == 0)
		return starts(name, "acc_") ? FATHOM_ACTIVITY_OPENACC : FATHOM_ACTIVITY_COMPUTATION;
	/* Kernels run on the device and count as computation. */
	if (strcmp(paradigm, "opencl") == 0 && strcmp(region->file, "OPENCL_KERNEL") != 0)
		return FATHOM_ACTIVITY_OPENCL;
	if (strcmp(paradigm, "cuda") == 0 && strcmp(region->file, "CUDA_KERNEL") != 0)
		return FATHOM_ACTIVITY_CUDA;
	if (strcmp(paradigm, "hip") == 0 && strcmp(region->file, "HIP_KERNEL") != 0)
		return FATHOM_ACTIVITY_HIP;
	return FATHOM_ACTIVITY_COMPUTATION;
}

enum fathom_activity fathom_activity_remapped(const struct fathom_cube_region *region)
{
	enum fathom_activity activity = fathom_activity_of(region);

	return activity == FATHOM_ACTIVITY_OMP_MANAGEMENT ? FATHOM_ACTIVITY_COMPUTATION : activity;
}

bool fathom_activity_within(enum fathom_activity activity, enum fathom_activity outer)
{
	int at = (int)activity;

	while (at >= 0 && at != (int)outer)
		at = fathom_activity_table[at].parent;
	return at >= 0;
}
