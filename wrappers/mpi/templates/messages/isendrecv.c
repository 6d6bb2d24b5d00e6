/* sees: dest tag source recvtag comm request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (err == MPI_SUCCESS)
		fathom_mpi_isendrecv(scope, @comm@, @dest@, @tag@, @bytes@, @source@, @recvtag@, @bytes2@, @*request@);
	fathom_mpi_exit(scope);
	@return@;
}
