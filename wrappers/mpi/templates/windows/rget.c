/* sees: target win request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_records(scope, err) && @target@ != MPI_PROC_NULL)
		fathom_mpi_operation_begun(@win@, FATHOM_MPI_GET, @target@, 0, @bytes@, @*request@);
	else if (err == MPI_SUCCESS)
		fathom_mpi_request_of_nothing(@*request@);
	fathom_mpi_exit(scope);
	@return@;
}
