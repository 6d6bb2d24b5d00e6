#!/bin/sh
# Calls of the program and its libraries are measured, those of runtime systems are not, and nothing that the
# threads of a runtime system do. Which library a call comes from is told by its file's name.
. "${srcdir:?}/test/pthread/lib.sh" || exit 99

cat > library.c <<'T'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void work(void *(*routine)(void *));
void work(void *(*routine)(void *))
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, routine, NULL))
		abort();
	pthread_join(thread, NULL);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}
T
cat > prog.c <<'T'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int calls;
static void count(void) { pthread_mutex_lock(&mutex); calls++; pthread_mutex_unlock(&mutex); }
static void *routine(void *argument) { count(); return argument; }
static void *work_of(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	void (*work)(void *(*)(void *));
	if (!library || !(*(void **)&work = dlsym(library, "work"))) { puts(dlerror()); exit(1); }
	work(routine);
	work(routine);
	dlclose(library);
	return (void *)work;
}
static void *first(const char *path) { return work_of(path); }
static void *second(const char *path) { return work_of(path); }
static void *third(const char *path) { return work_of(path); }
int main(int count, char **paths)
{
	void *a = first(paths[1]), *b = second(paths[2]), *c = third(paths[1]);
	(void)count;
	printf("%d calls\n", calls);
	fprintf(stderr, "%s\n", a == b && b == c ? "one place" : "several places");
	return 0;
}
T
mkdir a b
for name in libuser.so a/libmpich.so.12 a/libomp.so.5 a/libucs.so.0 a/libevent_core-2.1.so.7 b/libmpichelangelo.so; do
	"$CC" -shared -fPIC -O1 library.c -o "$name" -pthread || die "cannot build $name"
done
thread_build prog prog.c -ldl

measured() { same "$1: visits of $3" "$2" "$(value visits "prog/main/$3" "$result/profile.cubex")"; }

for name in libmpich.so.12 libomp.so.5 libucs.so.0 libevent_core-2.1.so.7; do
	run_both prog "./a/$name" ./libuser.so
	contains "the second library is where the first was" "$(cat said)" 'one place'
	for part in first third; do
		measured "$name" 0 "$part/work_of/pthread_create"
		measured "$name" 0 "$part/work_of/pthread_join"
		measured "$name" 0 "$part/work_of/pthread_mutex_lock"
		measured "$name" 0 "$part/work_of/{thread}/routine"
	done
	measured "$name" 2 second/work_of/pthread_create
	measured "$name" 2 second/work_of/pthread_mutex_unlock
	measured "$name" 2 "second/work_of/{thread}/routine/count/pthread_mutex_lock"
	# Threads that were not recorded have no location.
	same "$name: locations" 3 "$(tar xOf "$result/profile.cubex" anchor.xml | grep -c '^<location ')"
	rm -rf "$result"
done
# Only reads like one.
run_both prog ./b/libmpichelangelo.so ./libuser.so
measured libmpichelangelo 2 first/work_of/pthread_create

# OpenMP: its threads are not the program's.
cat > omp.c <<'T'
#include <stdio.h>
static int count;
static void work(void)
{
#pragma omp atomic
	count++;
}
int main(void)
{
#pragma omp parallel num_threads(3)
	work();
	printf("%d\n", count);
	return 0;
}
T
for compiler in "$CC" clang; do
	have "$compiler" || continue
	echo 'int main(void) { return 0; }' > try.c
	"$compiler" -fopenmp try.c -o try 2> /dev/null && ./try || continue
	CC=$compiler
	thread_build omp omp.c -fopenmp
	run_both omp
	values visits "$result/profile.cubex" > all
	! grep -e pthread_ -e '{thread}' all > calls || bad "OpenMP of $compiler: $(cat calls)"
	grep -q '/main$' all || bad "OpenMP of $compiler: no main: $(cat all)"
	rm -rf "$result"
done

# MPI with all its locks, and what it finds out about the machine.
if have_mpi; then
	cat > mpi.c <<'T'
#include <mpi.h>
#include <pthread.h>
static void *probe(void *argument)
{
	int flag;
	MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	return argument;
}
int main(int count, char **arguments)
{
	pthread_t thread;
	int level, mine = 1, all;
	MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &level);
	pthread_create(&thread, NULL, probe, NULL);
	pthread_join(thread, NULL);
	MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return all != 1;
}
T
	"$MPICC" mpi.c -o mpi -pthread || die "cannot build mpi.c"
	"$MPIRUN" -n 1 env "LD_PRELOAD=$builddir/.libs/libfathom-pthread.so:$builddir/.libs/libfathom.so" FATHOM_NAME=of-mpi \
		./mpi > said 2>&1 || bad "a program with MPI: exit code $?: $(cat said)"
	values visits of-mpi/profile.cubex | sed '1d; s, [^/]*/, ,' | sort -k2 | tr '\n' ';' > got
	same "calls in a program with MPI" "1 pthread_create;1 pthread_join;1 {thread};" "$(cat got)"
fi

# gfortran's library unlocks by its last instruction, a jump: the call returns to the program, and is not its own.
if have gfortran; then
	printf 'program hello\n print *, "hello"\nend program\n' > hello.f90
	gfortran -g -O1 hello.f90 -o hello -Wl,--push-state,--no-as-needed "$builddir/.libs/libfathom-pthread.so" \
		"$builddir/.libs/libfathom.so" -Wl,--pop-state,-rpath,"$builddir/.libs" || die "cannot build hello.f90"
	FATHOM_NAME=of-hello ./hello > out 2> said || bad "a Fortran program: $(cat said)"
	[ -d of-hello ] && bad "locks of the Fortran library: $(values visits of-hello/profile.cubex)"
fi
verdict
