/* sees: target win */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_records(scope, err) && @target@ != MPI_PROC_NULL)
		fathom_mpi_operation(@win@, FATHOM_MPI_GET, @target@, 0, @bytes@);
	fathom_mpi_exit(scope);
	@return@;
}
