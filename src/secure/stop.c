#include "secure/stop.h"

#include <stdio.h>
#include <string.h>

#include "warm/warm.h"

enum { WORDS_BYTES = 64 };

void stop_slab(const char *what, const void *block, size_t size_class) {
  const struct slab *slab = place_of(block, size_class).slab;
  fatal("%s: pointer %p, class of %u bytes, slab %p, thread %ld", what, block, size_classes[size_class].stride,
        (void *)slab_start(slab), os_thread_id());
}

/* What a use of a freed block is called. */
static const char *freed_words(const char *what, char *buffer) {
  if (strcmp(what, "free") == 0) {
    return "double free";
  }
  snprintf(buffer, WORDS_BYTES, "%s of a freed block", what);
  return buffer;
}

void stop_freed(const char *what, const void *block, size_t size_class) {
  char words[WORDS_BYTES];
  stop_slab(freed_words(what, words), block, size_class);
}

void stop_big(const char *what, const void *block, size_t usable) {
  fatal("%s: pointer %p, a block of %zu bytes with a mapping of its own, thread %ld", what, block, usable,
        os_thread_id());
}

void stop_big_freed(const char *what, const void *block, size_t usable) {
  char words[WORDS_BYTES];
  stop_big(freed_words(what, words), block, usable);
}
