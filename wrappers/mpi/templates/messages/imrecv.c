/* sees: message request */
@head@
{
	struct fathom_mpi_scope scope = fathom_mpi_enter(@call@);
	struct fathom_mpi_request *matched = fathom_mpi_message_take(@*message@);
	@real@;

	fathom_mpi_message_ireceive(scope, matched, err, @request@);
	fathom_mpi_exit(scope);
	@return@;
}
