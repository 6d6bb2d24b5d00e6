/* sees: target win kind */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	@real@;

	if (fathom_mpi_records(scope, err) && @target@ != MPI_PROC_NULL)
		fathom_mpi_operation(@win@, @kind@, @target@, @bytes@, 0);
	fathom_mpi_exit(scope);
	@return@;
}
