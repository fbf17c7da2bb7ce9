/* A process and its child, which allocate and free apart. Ends with status 9. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) void *before(size_t size) {
  void *volatile p = malloc(size);
  return p;
}
__attribute__((noinline)) void *in_child(size_t size) {
  void *volatile p = malloc(size);
  return p;
}
__attribute__((noinline)) void *in_parent(size_t size) {
  void *volatile p = malloc(size);
  return p;
}
int main(void) {
  static void *blocks[1000];
  for (int i = 0; i < 1000; i++)
    blocks[i] = before(1000);
  if (fork() == 0) {
    for (int i = 0; i < 500; i++)
      free(blocks[i]);
    for (int i = 0; i < 1000; i++)
      in_child(500);
    exit(0);
  }
  for (int i = 0; i < 1000; i++)
    in_parent(250);
  wait(NULL);
  return 9;
}
