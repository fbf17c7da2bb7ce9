/* slab_hooks: what a variant of the library does when a superslab or a slab is set up; in release, nothing.
 *
 * Owns:     the declarations. The secure library defines them in secure/slab_hooks_secure.c.
 * Promises: HOOK_GUARD_UNITS at the end of every superslab are not handed out. Each hook may fail, and be called again
 *           then.
 * Callers:  cold/superslab.c and cold/superslab_lists.c, under the shared pool's lock; warm/slab.c and warm/holes.c,
 *           for a slab of their own.
 */
#ifndef HAKMEM_COLD_SLAB_HOOKS_H
#define HAKMEM_COLD_SLAB_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slab;

#if HAKMEM_SECURE

/* Beside the guard: what each of its three tables has for a superslab. */
enum {
  HOOK_GUARD_UNITS = 1,
  HOOK_STATES_BYTES = 32 * sizeof(void *),
  HOOK_SIZES_BYTES = 32,
  HOOK_GUARDS_BYTES = sizeof(uint32_t)
};

/* A superslab is about to be used. */
bool hook_superslab(char *start);

/* A slab is about to be bound to a class. */
bool hook_slab(const struct slab *slab, size_t size_class);

/* Bytes of a slab whose blocks are of `stride` bytes are about to be handed out, and some of them are not resident. */
void hook_fresh(char *start, size_t bytes, size_t stride);

/* A slab whose blocks are all free is about to be unbound. */
void hook_slab_ends(const struct slab *slab);

/* How many fresh blocks are taken at once at least: their order is random, and nobody is to know what lies beside
 * what. */
static inline unsigned hook_carve_least(size_t stride) {
  enum { BYTES = 16 * 1024, BLOCKS = 4 };
  return stride < BYTES / BLOCKS ? (unsigned)(BYTES / stride) : BLOCKS;
}

#else

enum { HOOK_GUARD_UNITS = 0, HOOK_STATES_BYTES = 0, HOOK_SIZES_BYTES = 0, HOOK_GUARDS_BYTES = 0 };

/* NOLINTNEXTLINE(readability-non-const-parameter): the secure library takes access to it away */
static inline bool hook_superslab(char *start) {
  (void)start;
  return true;
}

static inline bool hook_slab(const struct slab *slab, size_t size_class) {
  (void)slab;
  (void)size_class;
  return true;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the secure library writes there */
static inline void hook_fresh(char *start, size_t bytes, size_t stride) {
  (void)start;
  (void)bytes;
  (void)stride;
}

static inline void hook_slab_ends(const struct slab *slab) { (void)slab; }

static inline unsigned hook_carve_least(size_t stride) {
  (void)stride;
  return 0;
}

#endif

#endif
