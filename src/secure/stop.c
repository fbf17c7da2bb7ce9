#include "secure/stop.h"

#include "os/os.h"
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
  stop_big(words_of_freed(what).text, block, size);
}
