#include "secure/stop.h"

#include <stdio.h>
#include <string.h>

#include "warm/warm.h"

void stop_slab(const char *what, const void *block, size_t size_class) {
  const struct slab *slab = place_of(block, size_class).slab;
  fatal("%s: pointer %p, class of %u bytes, slab %p, thread %ld%s", what, block, size_classes[size_class].stride,
        (void *)slab_start(slab), os_thread_id(), misuse_owner(slab).text);
}

void stop_damaged(const char *what, const void *block, size_t size_class, struct damage damage) {
  const struct slab *slab = place_of(block, size_class).slab;
  fatal("%s: pointer %p, %zu bytes changed from byte %td on, class of %u bytes, slab %p, thread %ld%s", what, block,
        damage.count, damage.from, size_classes[size_class].stride, (void *)slab_start(slab), os_thread_id(),
        misuse_owner(slab).text);
}

const char *stop_freed_words(const char *what, char *buffer) {
  if (strcmp(what, "free") == 0) {
    return "double free";
  }
  snprintf(buffer, STOP_WORDS_BYTES, "%s of a freed block", what);
  return buffer;
}

void stop_freed(const char *what, const void *block, size_t size_class) {
  char words[STOP_WORDS_BYTES];
  stop_slab(stop_freed_words(what, words), block, size_class);
}

void stop_big(const char *what, const void *block, size_t size) {
  fatal("%s: pointer %p, a block of %zu bytes with a mapping of its own, thread %ld", what, block, size,
        os_thread_id());
}

void stop_big_damaged(const char *what, const void *block, size_t size, struct damage damage) {
  fatal(
      "%s: pointer %p, %zu bytes changed from byte %td on, a block of %zu bytes with a mapping of its own, thread %ld",
      what, block, damage.count, damage.from, size, os_thread_id());
}

void stop_big_freed(const char *what, const void *block, size_t size) {
  char words[STOP_WORDS_BYTES];
  stop_big(stop_freed_words(what, words), block, size);
}
