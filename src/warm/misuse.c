#include "warm/misuse.h"

#include <stdio.h>

#include "os/os.h"

/* The slab that an address lies in. */
static const struct slab *slab_around(const void *block) {
  const struct superslab *superslab = superslab_of(block);
  return &superslab->slab[superslab->head[window_unit(block) % SUPERSLAB_UNITS]];
}

struct words misuse_owner(const struct slab *slab) {
  struct words words = {""};
  const struct heap_link *heap = (const void *)atomic_load(&slab->heap);
  uint32_t note = heap == NULL ? 0 : atomic_load_explicit(&heap->thread, memory_order_relaxed);
  long owner = os_noted_thread(note);
  if (owner != 0 && owner != os_thread_id()) {
    snprintf(words.text, sizeof words.text, ", owner thread %ld", owner);
  }
  return words;
}

static _Noreturn RARE void stop(const char *what, const void *block, const struct slab *slab, size_t size_class,
                                const void *start) {
  fatal("%s: pointer %p, class of %u bytes, slab %p, thread %ld%s", what, block, size_classes[size_class].stride, start,
        os_thread_id(), misuse_owner(slab).text);
}

static const void *unit_of(const void *block) {
  return (const void *)((uintptr_t)block & ~(uintptr_t)(UNIT_BYTES - 1)); // NOLINT(performance-no-int-to-ptr)
}

void fatal_double_free(const struct slab *slab, unsigned index) {
  const char *start = slab_start(slab);
  stop("double free", start + (size_t)index * size_classes[slab->size_class].stride, slab, slab->size_class, start);
}

void fatal_released(const void *block, size_t size_class) {
  fatal("double free: pointer %p, class of %u bytes, a slab that is no more, thread %ld", block,
        size_classes[size_class].stride, os_thread_id());
}

void fatal_freed(const void *block, size_t size_class, const char *what) {
  stop(words_of_freed(what).text, block, slab_around(block), size_class, unit_of(block));
}

void fatal_interior(const void *block, size_t size_class, const char *what) {
  stop(words_of_wrong(block, what, "an interior").text, block, slab_around(block), size_class, unit_of(block));
}
