/* sees: dest tag source comm request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (err == MPI_SUCCESS)
		fathom_mpi_isendrecv(scope, @comm@, @dest@, @tag@, @source@, @bytes@, @*request@);
	fathom_mpi_exit(scope);
	@return@;
}
