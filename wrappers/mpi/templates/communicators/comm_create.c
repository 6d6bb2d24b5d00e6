/* sees: comm newcomm */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_records(scope, err))
		fathom_mpi_comm_agreed(@comm@);
	if (err == MPI_SUCCESS)
		fathom_mpi_communicator_made(@comm@, @*newcomm@);
	fathom_mpi_exit(scope);
	@return@;
}
