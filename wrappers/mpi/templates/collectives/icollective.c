/* sees: comm request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	struct fathom_mpi_transfer transfer = { 0 };
	@real@;

	if (fathom_mpi_records(scope, err))
		transfer = @bytes@;
	if (err == MPI_SUCCESS)
		fathom_mpi_collective_begun(scope, @comm@, &transfer, false, @*request@);
	fathom_mpi_exit(scope);
	@return@;
}
