/* sees: source tag comm request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (err == MPI_SUCCESS)
		fathom_mpi_partitioned_receive_prepared(scope, @comm@, @source@, @tag@, @bytes@, @*request@);
	fathom_mpi_exit(scope);
	@return@;
}
