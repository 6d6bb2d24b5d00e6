/* sees: comm tag newcomm */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (err == MPI_SUCCESS)
		fathom_mpi_communicator_made_apart(scope, @comm@, @tag@, @*newcomm@);
	fathom_mpi_exit(scope);
	@return@;
}
