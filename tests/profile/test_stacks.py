"""Call stacks: with frame pointers and without, in C++ and Python, through recursion and signal handlers."""

import pytest
from sampling import at_function

NESTED = """
#include <stdlib.h>
#include <string.h>
#define N __attribute__((noinline))
N void *inner(size_t size) { char *volatile p = malloc(size); p[0] = 1; return p; }
N void *middle(size_t size) { void *volatile p = inner(size + 1); return p; }
N void *outer(size_t size) { void *volatile p = middle(size + 1); return p; }
N void *by_calloc(size_t size) { void *volatile p = calloc(1, size); return p; }
N void *by_realloc(size_t size) { void *volatile p = realloc(NULL, size); return p; }
N void *by_aligned(size_t size) { void *volatile p = aligned_alloc(64, size); return p; }
N char *by_strdup(void) { static char text[2000]; memset(text, 'x', 1999); char *volatile p = strdup(text); return p; }
N int compare(const void *a, const void *b) { free(inner(100)); return *(const int *)a - *(const int *)b; }
N void sort(void) { int numbers[200]; for (int i = 0; i < 200; i++) numbers[i] = i * 7919 % 200; qsort(numbers, 200, 4, compare); }
int main(void) {
  for (int i = 0; i < 300; i++) {
    free(outer(2000)); free(by_calloc(2000)); free(by_realloc(2000)); free(by_aligned(2048)); free(by_strdup());
  }
  sort();
  return 0;
}
"""


@pytest.mark.parametrize("flags", [[], ["-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"]], ids=["without", "with"])
def test_stacks_are_whole(profiled, compile_c, flags):
    profile = profiled(compile_c(NESTED, "nested", flags), every="1").profile()
    stacks = {sample.names()[: sample.names().index("main") + 1] for sample in profile.samples if "main" in sample.names()}
    assert ("inner", "middle", "outer", "main") in stacks
    for name in ("by_calloc", "by_realloc", "by_aligned"):
        assert (name, "main") in stacks
    assert any(stack[-2:] == ("by_strdup", "main") and len(stack) == 3 for stack in stacks), stacks
    through_libc = [stack for stack in stacks if stack[:2] == ("inner", "compare") and stack[-2:] == ("sort", "main")]
    assert through_libc and all(len(stack) >= 5 for stack in through_libc), "qsort is between, without a frame pointer"
    for name in ("outer", "by_calloc", "by_realloc", "by_aligned", "by_strdup"):
        assert at_function(profile, name)[0] == pytest.approx(300, rel=0.01)


def test_lines_and_files(profiled, compile_c):
    profile = profiled(compile_c(NESTED, "nested"), every="1").profile()
    places = {line.function: line for sample in profile.samples for place in sample.locations for line in place.lines}
    assert places["inner"].file.endswith("nested.c") and places["inner"].line == 5
    assert places["outer"].line == 7


CXX = """
#include <map>
#include <string>
#include <vector>
namespace shop {
template <class T> struct Shelf {
  std::vector<T *> things;
  __attribute__((noinline)) void put(int i) { things.push_back(new T(i, 'x')); }
};
}
int main() {
  shop::Shelf<std::string> shelf;
  for (int i = 0; i < 5000; i++) shelf.put(i);
  return (int)shelf.things.size() == 5000 ? 0 : 1;
}
"""


def test_cxx_has_its_names(profiled, compile_cc):
    profile = profiled(compile_cc(CXX, "shop")).profile()
    (name,) = {name for sample in profile.samples for name in sample.names() if "Shelf" in name and "put" in name}
    assert "shop::Shelf<std::" in name and "string" in name and "::put(int)" in name
    assert at_function(profile, name)[3] == pytest.approx(5000 * 2530, rel=0.2)


def test_python_has_its_names(profiled, tool):
    code = "kept = ['%d' % i * 500 for i in range(20000)]"
    profile = profiled(tool("python3"), "-c", code, every="64K").profile()
    named = [name for sample in profile.samples for name in sample.names() if name.startswith(("Py", "_Py"))]
    if not named:
        pytest.skip("this python3 has no symbols")
    assert any("EvalFrame" in name for name in named)


def test_build_ids_and_mappings(profiled, sites, plain, tool):
    done = profiled(sites)
    profile = done.profile()
    mapping = next(one for one in profile.mappings if one.file == str(sites))
    assert mapping.build_id in plain([tool("readelf"), "-n", sites]).out and len(mapping.build_id) == 40
    assert all(place.mapping in profile.mappings for sample in profile.samples for place in sample.locations)


def test_deep_recursion(profiled, compile_c):
    program = compile_c(
        """
        #include <stdlib.h>
        __attribute__((noinline)) int dive(int depth) {
          void *volatile p = malloc(200); free(p);
          return depth == 0 ? 0 : 1 + dive(depth - 1);
        }
        int main(void) { return dive(5000) == 5000 ? 0 : 1; }
        """,
        "dives",
    )
    done = profiled(program, every="1")
    assert done.code == 0
    profile = done.profile()
    assert at_function(profile, "dive")[0] == pytest.approx(5001, rel=0.01)
    assert max(len(sample.locations) for sample in profile.samples) == 256


def test_allocation_in_a_signal_handler_and_on_another_stack(profiled, compile_c):
    program = compile_c(
        """
        #include <signal.h>
        #include <stdlib.h>
        #include <sys/time.h>
        #include <ucontext.h>
        static volatile int ticks;
        static char stack[65536], small[16384];
        static ucontext_t first, second;
        static void tick(int number) { (void)number; ticks++; }
        static void handler_allocates(int number) { (void)number; free(malloc(3000)); }
        static void coroutine(void) { for (int i = 0; i < 200; i++) { free(malloc(2000)); swapcontext(&second, &first); } }
        int main(void) {
          stack_t other = {.ss_sp = small, .ss_size = sizeof small};
          sigaltstack(&other, NULL);
          struct sigaction action = {.sa_handler = handler_allocates, .sa_flags = SA_ONSTACK};
          sigaction(SIGUSR1, &action, NULL);
          action.sa_handler = tick;
          sigaction(SIGALRM, &action, NULL);
          struct itimerval often = {{0, 500}, {0, 500}};
          setitimer(ITIMER_REAL, &often, NULL);
          getcontext(&second);
          second.uc_stack.ss_sp = stack; second.uc_stack.ss_size = sizeof stack; second.uc_link = &first;
          makecontext(&second, coroutine, 0);
          for (int i = 0; i < 200; i++) swapcontext(&first, &second);
          for (int i = 0; i < 100; i++) raise(SIGUSR1);
          for (int i = 0; ticks < 100; i++) free(malloc((size_t)i % 3000));
          return 0;
        }
        """,
        "handler",
    )
    done = profiled(program, every="64")
    assert done.code == 0, done.err
    profile = done.profile()
    assert at_function(profile, "coroutine")[0] == pytest.approx(200, rel=0.1)
    assert at_function(profile, "handler_allocates")[0] == pytest.approx(100, rel=0.1)


def test_a_small_stack(profiled, compile_c):
    program = compile_c(
        """
        #include <limits.h>
        #include <pthread.h>
        #include <stdlib.h>
        static void *work(void *unused) { for (int i = 0; i < 300; i++) free(malloc(1000)); return unused; }
        int main(void) {
          pthread_attr_t small;
          pthread_attr_init(&small);
          pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
          for (int i = 0; i < 20; i++) {
            pthread_t thread;
            if (pthread_create(&thread, &small, work, NULL) != 0) return 1;
            pthread_join(thread, NULL);
          }
          return 0;
        }
        """,
        "small_stack",
    )
    done = profiled(program, every="1", HAKMEM_PROFILE_INTERVAL="1", HAKMEM_PROFILE_PEAK="1")
    assert done.code == 0, done.err
    done.recordings = {name: one for name, one in done.recordings.items() if "." not in name}
    assert at_function(done.profile(), "work")[0] == pytest.approx(6000, rel=0.01)


def test_a_library_that_is_gone_and_code_of_no_file(profiled, compile_c, tmp_path, tool, plain):
    source = tmp_path / "gone.c"
    source.write_text("#include <stdlib.h>\nvoid *from_library(void) { void *volatile p = malloc(5000); return p; }\n")
    library = tmp_path / "libgone.so"
    assert plain([tool("cc"), "-shared", "-fPIC", source, "-o", library]).code == 0
    program = compile_c(
        """
        #include <dlfcn.h>
        #include <stdlib.h>
        #include <unistd.h>
        int main(int count, char **arguments) {
          void *library = dlopen(arguments[1], RTLD_NOW);
          void *(*allocate)(void) = (void *(*)(void))dlsym(library, "from_library");
          for (int i = 0; i < 10; i++) allocate();
          unlink(arguments[1]);
          if (count > 2) dlclose(library);
        }
        """,
        "opens",
        ["-ldl"],
    )
    content = library.read_bytes()
    for more in ([], ["close"]):
        library.write_bytes(content)
        profile = profiled(program, library, *more, every="1").profile()
        assert at_function(profile, "main")[0] >= 10
        assert not any("from_library" in sample.names() for sample in profile.samples)
