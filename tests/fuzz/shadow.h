/* shadow: what is known of every live block without asking the allocator.
 *
 * Owns:     the list of live blocks, in the order of their addresses, and the pattern written into each.
 * Promises: a block that is admitted overlaps no other, is aligned, and offers what was asked for; one that is removed
 *           still holds its pattern. What is wrong ends the program with one line.
 * Callers:  one thread at a time (turns.h).
 */
#ifndef HAKMEM_TESTS_FUZZ_SHADOW_H
#define HAKMEM_TESTS_FUZZ_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHADOW_BLOCKS = 2048, SHADOW_BYTES = 24 << 20 };

struct shadow_block {
  unsigned char *at;
  size_t size;      /* as asked for */
  size_t usable;    /* as filled with the pattern */
  size_t alignment; /* as asked for; 0: none */
  uint64_t pattern;
};

/* Ends the program with this line unless the condition holds. */
#define SHADOW_CHECK(condition, ...)                                                                                   \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      shadow_wrong(__VA_ARGS__);                                                                                       \
    }                                                                                                                  \
  } while (0)
_Noreturn void shadow_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

size_t shadow_count(void);

/* Whether a block of this size may be asked for now, so that the memory of the machine bounds no run. */
bool shadow_has_room(size_t size);

/* A block that a call has given; it is filled with a pattern of its own. */
void shadow_admit(void *at, size_t size, size_t alignment);

/* A live block, by its rank among the addresses. */
struct shadow_block shadow_block(size_t index);

/* Looks whether a block holds its pattern. */
void shadow_look(size_t index);

/* Looks, and forgets the block: the caller is to free it. */
struct shadow_block shadow_remove(size_t index);

/* Whether memory holds the beginning of a pattern that a block of `usable` bytes was filled with. */
void shadow_look_at(const unsigned char *at, size_t bytes, struct shadow_block filled);

/* Whether memory is zero, wherever a pattern could have been written. */
void shadow_look_for_zero(const unsigned char *at, size_t bytes);

#endif
