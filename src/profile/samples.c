#include "profile/samples.h"

#include "cold/cold.h"
#include "os/os.h"

enum { BUCKETS = 1 << 16, FILTER = 1 << 12, CHUNK = 128 };

struct entry {
  struct entry *next;
  struct sample sample;
};

typedef struct entry *bucket;

static bucket *table;
static struct entry *unused;
static _Atomic size_t count;
static _Atomic uint32_t big[FILTER]; /* blocks that lie in no slab, by a hash of their address */

static size_t hash_of(const void *block) { return (uintptr_t)block * UINT64_C(0x9E3779B97F4A7C15) >> 32; }

static _Atomic uint32_t *filter_of(const void *block) { return &big[hash_of(block) % FILTER]; }

static bool is_big(const void *block) { return route_of(unit_tag_of(block)) != ROUTE_SLAB; }

/* ---- under the lock ---- */

/* A lost thread was changing it: what is there is counted anew; an entry on its way is lost. */
static void mend(void) {
  size_t found = 0;
  for (size_t i = 0; i < FILTER; i++) {
    atomic_store_explicit(&big[i], 0, memory_order_relaxed);
  }
  for (size_t i = 0; table != NULL && i < BUCKETS; i++) {
    for (struct entry *entry = table[i]; entry != NULL; entry = entry->next) {
      found++;
      if (is_big(entry->sample.block)) {
        atomic_fetch_add_explicit(filter_of(entry->sample.block), 1, memory_order_relaxed);
      }
    }
  }
  atomic_store(&count, found);
}

static void samples_lock(void) {
  if (unlikely(lock_take(LOCK_SAMPLES))) {
    mend();
  }
}

static void samples_unlock(void) { lock_drop(LOCK_SAMPLES); }

static bool has_table(void) {
  if (table == NULL) {
    table = os_map(NULL, BUCKETS * sizeof(bucket));
    if (table != NULL) {
      os_name(table, BUCKETS * sizeof(bucket), "hakmem samples");
    }
  }
  return table != NULL;
}

static void step(void) { atomic_signal_fence(memory_order_seq_cst); }

static struct entry *entry_new(void) {
  if (atomic_load(&count) >= SAMPLES_MOST) {
    return NULL;
  }
  if (unused == NULL) {
    struct entry *chunk = meta_alloc(CHUNK * sizeof *chunk, _Alignof(struct entry));
    for (int i = 0; chunk != NULL && i < CHUNK; i++) {
      chunk[i].next = unused;
      step();
      unused = &chunk[i];
    }
  }
  struct entry *entry = unused;
  if (entry != NULL) {
    unused = entry->next;
    step();
  }
  return entry;
}

static bool put(const struct sample *sample) {
  struct entry *entry = has_table() ? entry_new() : NULL;
  if (entry == NULL) {
    return false;
  }
  bucket *place = &table[hash_of(sample->block) % BUCKETS];
  entry->sample = *sample;
  entry->next = *place;
  step();
  *place = entry;
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  return true;
}

/* The place that points at the block's entry; NULL: there is none. */
static bucket *find(const void *block) {
  bucket *place = table == NULL ? NULL : &table[hash_of(block) % BUCKETS];
  while (place != NULL && (*place == NULL || (*place)->sample.block != block)) {
    place = *place == NULL ? NULL : &(*place)->next;
  }
  return place;
}

static bool take(const void *block, struct sample *sample) {
  bucket *place = find(block);
  if (place == NULL) {
    return false;
  }
  struct entry *entry = *place;
  *sample = entry->sample;
  *place = entry->next;
  step();
  entry->next = unused;
  step();
  unused = entry;
  atomic_fetch_sub_explicit(&count, 1, memory_order_relaxed);
  return true;
}

/* ---- for all ---- */

bool samples_put(const struct sample *sample) {
  bool counts = is_big(sample->block);
  samples_lock();
  bool done = put(sample);
  if (done && counts) {
    atomic_fetch_add_explicit(filter_of(sample->block), 1, memory_order_relaxed);
  }
  samples_unlock();
  return done;
}

bool samples_take(const void *block, struct sample *sample) {
  bool counts = is_big(block);
  samples_lock();
  bool found = take(block, sample);
  if (found && counts) {
    atomic_fetch_sub_explicit(filter_of(block), 1, memory_order_relaxed);
  }
  samples_unlock();
  return found;
}

bool samples_may_have_big(const void *block) {
  return atomic_load_explicit(filter_of(block), memory_order_relaxed) != 0;
}

size_t samples_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

size_t samples_copy(struct sample *to, size_t room) {
  size_t found = 0;
  samples_lock();
  for (size_t i = 0; table != NULL && i < BUCKETS; i++) {
    for (const struct entry *entry = table[i]; entry != NULL; entry = entry->next, found++) {
      if (found < room) {
        to[found] = entry->sample;
      }
    }
  }
  samples_unlock();
  return found;
}
