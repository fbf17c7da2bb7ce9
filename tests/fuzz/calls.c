/* A libFuzzer target: the input is a list of calls of the hak_* functions by four threads that take turns.
 *
 * A call is one byte, the function in its low half and the thread in two bits above, and the bytes that its arguments
 * take (a size takes two); where the input ends, bytes are zero. shadow.h says what is checked. After the last call the
 * threads end and all blocks are freed, so that each input finds the allocator as nearly empty as the one before.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/size_class.h"
#include "fuzz/shadow.h"
#include "fuzz/turns.h"
#include "hakmem.h"

enum { UNTOUCHED = 4711, MEBIBYTE = 1 << 20, HUGE_MIB = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- the input ---- */

static const uint8_t *next, *end;

static uint8_t byte(void) { return next < end ? *next++ : 0; }

/* Two bytes: the range and the place in it. */
static size_t any_size(void) {
  unsigned kind = byte();
  size_t value = byte();
  size_t near = (kind >> 3) % 4; /* about an edge: -1, 0, 1, 2 */
  switch (kind % 8) {
  case 0:
    return value;
  case 1:
  case 2:
    return size_classes[value % SIZE_CLASS_COUNT].stride + near - 1;
  case 3:
    return value * 16 + near;
  case 4:
    return value * 128 + near;
  case 5:
    return (value % 34 + 1) * UNIT_BYTES + near - 1; /* large, and the least of the huge ones */
  case 6:
    return value % 4 != 0 ? (size_t)SIZE_CLASS_MAX + value * near : (value / 4 % HUGE_MIB + 1) * MEBIBYTE + near - 1;
  default:
    return (size_t)1 << value % 24;
  }
}

static size_t any_block(void) { return (byte() * 256U + byte()) % shadow_count(); }

/* ---- calls that give a block ---- */

static void admit(void *at, size_t size, size_t alignment) {
  SHADOW_CHECK(errno == UNTOUCHED, "errno is %d after a call that succeeded", errno);
  SHADOW_CHECK(at != NULL, "no block of %zu bytes, aligned to %zu", size, alignment);
  shadow_admit(at, size, alignment);
}

static void call_malloc(void) {
  size_t size = any_size();
  if (shadow_has_room(size)) {
    admit(hak_malloc(size), size, 0);
  }
}

static void call_malloc_often(void) {
  size_t size = any_size();
  for (unsigned left = byte(); left > 0 && shadow_has_room(size); left--) {
    admit(hak_malloc(size), size, 0);
  }
}

static void call_calloc(void) {
  size_t size = any_size();
  size_t count = byte() % 4 + 1U;
  if (shadow_has_room(count * size)) {
    unsigned char *at = hak_calloc(count, size);
    SHADOW_CHECK(at != NULL, "calloc gives no block of %zu bytes", count * size);
    shadow_look_for_zero(at, count * size);
    admit(at, count * size, 0);
  }
}

/* A power of two, or now and then something else. */
static size_t any_alignment(void) {
  unsigned value = byte();
  return value < 200 ? (size_t)1 << value % 22 : value - 200U;
}

static bool is_power_of_two(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

static void call_aligned_alloc(void) {
  size_t alignment = any_alignment();
  size_t size = any_size();
  if (!is_power_of_two(alignment)) {
    SHADOW_CHECK(hak_aligned_alloc(alignment, size) == NULL && errno == EINVAL, "alignment %zu is accepted", alignment);
  } else if (shadow_has_room(size)) {
    admit(hak_aligned_alloc(alignment, size), size, alignment);
  }
}

static void call_posix_memalign(void) {
  size_t alignment = any_alignment();
  size_t size = any_size();
  void *at = &at;
  if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0) {
    SHADOW_CHECK(hak_posix_memalign(&at, alignment, size) == EINVAL && at == &at && errno == UNTOUCHED,
                 "posix_memalign accepts the alignment %zu", alignment);
  } else if (shadow_has_room(size)) {
    int error = hak_posix_memalign(&at, alignment, size);
    SHADOW_CHECK(error == 0, "posix_memalign(%zu, %zu) gives %d", alignment, size, error);
    admit(at, size, alignment);
  }
}

static void call_realloc(void) {
  size_t size = any_size();
  if (shadow_count() == 0 || !shadow_has_room(size)) {
    return;
  }
  struct shadow_block old = shadow_remove(any_block());
  void *at = size % 2 == 0 ? hak_realloc(old.at, size) : hak_reallocarray(old.at, 1, size);
  if (size == 0) {
    SHADOW_CHECK(at == NULL && errno == UNTOUCHED, "realloc to nothing gives %p, errno %d", at, errno);
    return;
  }
  SHADOW_CHECK(at != NULL, "realloc gives no block of %zu bytes", size);
  shadow_look_at(at, old.usable < size ? old.usable : size, old);
  admit(at, size, 0);
}

/* ---- calls that take one ---- */

static void free_block(size_t index, unsigned how) {
  struct shadow_block block = shadow_remove(index);
  if (how % 2 == 0) {
    hak_free(block.at);
  } else if (block.alignment == 0) {
    hak_free_sized(block.at, block.size);
  } else {
    hak_free_aligned_sized(block.at, block.alignment, block.size);
  }
  SHADOW_CHECK(errno == UNTOUCHED, "free changes errno to %d", errno);
}

static void call_free(void) {
  if (shadow_count() > 0) {
    free_block(any_block(), 0);
  }
}

static void call_free_sized(void) {
  if (shadow_count() > 0) {
    free_block(any_block(), 1);
  }
}

/* Many, upwards or downwards, with live ones left between. */
static void call_free_often(void) {
  unsigned how = byte();
  unsigned count = byte() * 4U;
  size_t index = shadow_count() > 0 ? any_block() : 0;
  size_t gap = how >> 2 & 7;
  for (; count > 0 && shadow_count() > 0; count--) {
    index = index < shadow_count() ? index : how % 2 != 0 ? shadow_count() - 1 : 0;
    free_block(index, how >> 1);
    index = how % 2 != 0 ? index - 1 - gap : index + gap;
  }
}

/* ---- the others ---- */

static void call_collect(void) { (void)hak_collect(); }

static void call_look(void) {
  if (shadow_count() > 0) {
    shadow_look(any_block());
  }
}

static void call_summarize(void) {
  hak_heap_summary summary = {.struct_size = sizeof summary};
  SHADOW_CHECK(hak_heap_summarize(&summary), "no summary");
  size_t tiers = summary.superslabs_open + summary.superslabs_draining + summary.superslabs_free;
  SHADOW_CHECK(tiers == summary.superslabs, "%zu superslabs, %zu in a tier", summary.superslabs, tiers);
  SHADOW_CHECK(summary.slabs_recycled <= summary.slabs_bound, "more slabs recycled than bound");
  SHADOW_CHECK(summary.active_bytes + summary.retained_bytes <= summary.peak_committed_bytes, "more than the peak");
}

static void call_option(void) {
  static const char *const names[] = {"depot_kib", "retain_kib", "ss_prefault", "no_such_option"};
  static const long values[] = {0, 1, 2, 64, 1024, -1, 1L << 40};
  unsigned which = byte() % 4;
  long value = values[byte() % 7];
  int error = hak_option_set(names[which], value);
  bool known = which < 3, in_range = value >= 0 && value <= (which == 2 ? 2 : 1L << 30);
  SHADOW_CHECK(error == (!known     ? ENOENT
                         : in_range ? 0
                                    : EINVAL),
               "option_set(%s, %ld) gives %d", names[which], value, error);
}

/* What cannot be had, and what is nothing. */
static void call_impossible(void) {
  size_t size = SIZE_MAX - byte() * (SIZE_MAX / 512 / 256) * 256;
  struct shadow_block block = {0};
  if (shadow_count() > 0) {
    block = shadow_block(any_block());
  }
  switch (byte() % 6) {
  case 0:
    SHADOW_CHECK(hak_malloc(size) == NULL && errno == ENOMEM, "malloc(%zu)", size);
    break;
  case 1:
    SHADOW_CHECK(hak_calloc(size / 2, 5) == NULL && errno == ENOMEM, "calloc(%zu, 5)", size / 2);
    break;
  case 2:
    SHADOW_CHECK(hak_aligned_alloc((size_t)1 << 40, size) == NULL && errno == ENOMEM, "aligned_alloc(%zu)", size);
    break;
  case 3:
    SHADOW_CHECK(hak_realloc(block.at, size) == NULL && errno == ENOMEM, "realloc(%zu)", size);
    break;
  case 4:
    SHADOW_CHECK(hak_reallocarray(block.at, size, 3) == NULL && errno == ENOMEM, "reallocarray(%zu, 3)", size);
    break;
  default:
    hak_free(NULL);
    hak_free_sized(NULL, size);
    SHADOW_CHECK(hak_usable_size(NULL) == 0 && errno == UNTOUCHED, "NULL is more than nothing");
  }
}

/* ---- a run ---- */

typedef void call(void);

static call *const calls[16] = {
    call_malloc,       call_malloc_often, call_calloc,     call_aligned_alloc, call_posix_memalign,
    call_realloc,      call_free,         call_free_often, call_look,          call_collect,
    call_summarize,    call_option,       call_impossible, call_free_sized,    NULL, /* the thread ends */
    call_malloc_often,
};

static void make_call(void *argument) {
  errno = UNTOUCHED;
  (*(call *const *)argument)();
}

static void free_all(void *argument) {
  (void)argument;
  errno = UNTOUCHED;
  while (shadow_count() > 0) {
    free_block(shadow_count() - 1, 0);
  }
}

static void begin_anew(void) {
  for (unsigned slot = 1; slot < TURN_SLOTS; slot++) {
    turn_end(slot);
  }
  free_all(NULL);
  (void)hak_option_set("depot_kib", 256);
  (void)hak_option_set("retain_kib", 2048);
  (void)hak_option_set("ss_prefault", 0);
  (void)hak_collect();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  next = data;
  end = data + size;
  while (next < end) {
    unsigned what = byte();
    unsigned slot = what >> 4 & (TURN_SLOTS - 1);
    if (calls[what % 16] == NULL) {
      turn_end(slot);
    } else {
      turn_run(slot, make_call, (void *)&calls[what % 16]);
    }
  }
  begin_anew();
  return 0;
}
