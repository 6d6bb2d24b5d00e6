#include "symbols/callees.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "symbols/code_file.h"
#include "symbols/instructions.h"
#include "symbols/source_functions.h"

/* Functions of the C and C++ libraries, and of gfortran's. */
static const char *const never_return[] = {
	"_Exit", "_Unwind_Resume", "__assert_fail", "__assert_perror_fail", "__chk_fail", "__clang_call_terminate",
	"__cxa_bad_cast", "__cxa_bad_typeid", "__cxa_call_unexpected", "__cxa_pure_virtual", "__cxa_rethrow",
	"__cxa_throw", "__cxa_throw_bad_array_new_length", "__fortify_fail", "__longjmp_chk", "__stack_chk_fail",
	"_exit", "_gfortran_os_error", "_gfortran_os_error_at", "_gfortran_runtime_error", "_gfortran_runtime_error_at",
	"_gfortran_stop_numeric", "_gfortran_stop_string", "_longjmp", "abort", "exit", "longjmp", "pthread_exit",
	"quick_exit", "siglongjmp", "thrd_exit",
};

/* std::terminate, and the functions std::__throw_length_error and so on, by their mangled names. */
static const char *const never_return_prefixes[] = { "_ZSt9terminatev", "_ZSt16__throw_", "_ZSt17__throw_",
	"_ZSt18__throw_", "_ZSt19__throw_", "_ZSt20__throw_", "_ZSt21__throw_", "_ZSt24__throw_", "_ZSt25__throw_",
	"_ZSt28__throw_" };

static bool is_known(const char *name)
{
	size_t length = strcspn(name, "@");		/* abort@@GLIBC_2.2.5 */

	for (size_t i = 0; i < sizeof(never_return) / sizeof(*never_return); i++)
		if (strlen(never_return[i]) == length && strncmp(never_return[i], name, length) == 0)
			return true;
	for (size_t i = 0; i < sizeof(never_return_prefixes) / sizeof(*never_return_prefixes); i++)
		if (strncmp(never_return_prefixes[i], name, strlen(never_return_prefixes[i])) == 0)
			return true;
	return false;
}

/* Returns the function whose entry in the procedure linkage table is at address; NULL: there is no such entry. */
static const char *linked_function(struct fathom_code_file *file, uint64_t address)
{
	enum { ENTRY_BYTES = 16 };
	struct fathom_instructions entry = { 0 };
	size_t bytes;
	const uint8_t *code = fathom_code_file_contents(file, address, &bytes);
	const struct fathom_relocation *relocation = NULL;

	if (!code || fathom_instructions_decode(&entry, code, bytes < ENTRY_BYTES ? bytes : ENTRY_BYTES, address))
		return NULL;
	for (size_t i = 0; i < entry.count && i < 2 && !relocation; i++)	/* endbr64, jmp *slot(%rip) */
		if (entry.list[i].flow == FATHOM_FLOW_INDIRECT && entry.list[i].operation == FATHOM_OPERATION_LOAD)
			relocation = fathom_code_file_relocation(file, entry.list[i].value);
	fathom_instructions_fini(&entry);
	return relocation ? relocation->symbol : NULL;
}

/* Returns whether the source says that the function never returns ([[noreturn]]). */
static bool is_declared(struct fathom_source_functions *functions, uint64_t address)
{
	const struct fathom_source_function *function = fathom_source_function_find(functions, address);
	Dwarf_Die die;

	if (!function || !function->has_die || function->entry != address)
		return false;
	die = function->die;
	return dwarf_hasattr_integrate(&die, DW_AT_noreturn);
}

const char *fathom_callee_name(struct fathom_source_functions *functions, uint64_t address)
{
	struct fathom_code_file *file = functions->file;
	GElf_Off offset = 1;
	GElf_Sym symbol;
	const char *name = dwfl_module_addrinfo(file->module, address + file->bias, &offset, &symbol, NULL, NULL, NULL);

	return name && !offset ? name : linked_function(file, address);
}

bool fathom_callee_never_returns(struct fathom_source_functions *functions, uint64_t address)
{
	const char *name = fathom_callee_name(functions, address);

	return (name && is_known(name)) || is_declared(functions, address);
}
