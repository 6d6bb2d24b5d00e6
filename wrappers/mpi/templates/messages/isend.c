/* sees: peer tag comm request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (err == MPI_SUCCESS)
		fathom_mpi_isent(scope, @comm@, @peer@, @tag@, @bytes@, @*request@);
	fathom_mpi_exit(scope);
	@return@;
}
