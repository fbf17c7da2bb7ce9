#include "secure/big.h"

#include <errno.h>
#include <string.h>

#include "secure/big_edges.h"
#include "secure/big_find.h"
#include "secure/big_quarantine.h"
#include "secure/os_secure.h"
#include "warm/warm.h"

/* All blocks are aligned to it. */
static const size_t block_grain = 16;

static size_t page(void) { return os_page_size(); }

static void big_lock(void) {
  if (unlikely(lock_take(LOCK_BIG))) { /* a lost thread was changing the quarantine */
    big_quarantine_mend();
  }
}

static void big_unlock(void) { lock_drop(LOCK_BIG); }

static _Noreturn RARE void stop_damaged_big(const struct huge_entry *entry, struct damage damage) {
  stop_big_damaged(damage.from < 0 ? "write before the start of a block" : "write past the end of a block",
                   entry->note.block, entry->note.size, damage);
}

/* ---- allocating ---- */

static bool guard(const struct huge_entry *entry) {
  char *end = edges_end(entry);
  return (edges_first(entry) == entry->start || os_forbid(entry->start, page())) &&
         os_forbid(end, (size_t)(entry->start + entry->bytes - end));
}

/* The block is whole: from here on it may be checked. */
static void publish(const struct huge_entry *entry) {
  edges_set(entry);
  huge_note_set(entry->start, entry->note);
}

static size_t round_up(size_t size, size_t alignment) { return (size + alignment - 1) & ~(alignment - 1); }

/* Bytes from the first guard's end to the second; 0: too many. */
static size_t room_for(size_t size, size_t alignment) {
  return size < OS_ADDRESSABLE ? os_page_ceil(round_up(size + (size == 0), alignment < page() ? alignment : 1)) : 0;
}

/* What was used before is out of bounds as a whole. */
static bool open_up(const struct huge_entry *entry, bool fresh) {
  char *first = edges_first(entry);
  return (fresh || os_permit(first, (size_t)(edges_end(entry) - first))) &&
         ((!fresh && big_quarantine_closes()) || guard(entry));
}

static void *guarded(size_t size, size_t alignment, size_t room) {
  bool fresh;
  size_t before = alignment > page() ? 0 : page();
  struct huge_entry entry = {.bytes = before + room + page()};
  entry.start = huge_allocate(entry.bytes, alignment > page() ? alignment : page(), &fresh);
  if (entry.start == NULL) {
    return NULL;
  }
  entry.note.size = size;
  entry.note.block = before == 0 ? entry.start : entry.start + before + room - round_up(size + (size == 0), alignment);
  if (open_up(&entry, fresh)) {
    publish(&entry);
    return entry.note.block;
  }
  big_quarantine_refuse(&entry);
  return NULL;
}

bool big_is_possible(size_t size) { return size < OS_ADDRESSABLE; }

void *big_allocate(size_t size, size_t alignment) {
  alignment = alignment < block_grain ? block_grain : alignment;
  size_t room = room_for(size, alignment);
  void *block = NULL;
  if (room != 0 && alignment < OS_ADDRESSABLE && process_start()) {
    relief_before(room);
    block = guarded(size, alignment, room);
    if (unlikely(block == NULL) && room <= os_writable_limit()) {
      big_release_all();
      (void)make_way_for(room);
      block = guarded(size, alignment, room);
    }
  }
  if (unlikely(block == NULL)) {
    errno = ENOMEM;
  }
  return block;
}

/* ---- freeing ---- */

enum verdict { VERDICT_NOT_OURS, VERDICT_FREED, VERDICT_TWICE, VERDICT_DAMAGED };

/* Of two threads that free the same block only one finds it live. */
static enum verdict take_freed(const void *block, struct huge_entry *entry, struct damage *damage) {
  enum verdict verdict = VERDICT_FREED;
  big_lock();
  enum found found = big_find(block, entry);
  if (found != FOUND_LIVE) {
    verdict = found == FOUND_FREED ? VERDICT_TWICE : VERDICT_NOT_OURS;
  } else if (!edges_hold(entry, damage)) {
    verdict = VERDICT_DAMAGED;
  } else {
    huge_note_set(entry->start, (struct huge_note){.freed = entry->note.block, .size = entry->note.size});
  }
  big_unlock();
  return verdict;
}

/* Nobody can read or write the block, and it is zero when that ends. */
static void put_away(const struct huge_entry *entry) {
  size_t kept = big_quarantine_close(entry);
  big_lock();
  big_quarantine_add(entry, kept);
  big_unlock();
}

/* An address within a live block, or between its guards. */
static void stop_interior(const void *address) {
  struct huge_entry entry;
  const void *start = huge_around(address);
  if (start != NULL && huge_note_get(start, &entry) && entry.note.block != NULL) {
    fatal("%s: pointer %p lies %td bytes from the start of the block %p of %zu bytes, thread %ld",
          words_of_wrong(address, "free", "an interior").text, address, (const char *)address - entry.note.block,
          (void *)entry.note.block, entry.note.size, os_thread_id());
  }
}

bool big_free(void *block) {
  struct huge_entry entry;
  struct damage damage;
  enum verdict verdict = take_freed(block, &entry, &damage);
  if (likely(verdict == VERDICT_FREED)) {
    put_away(&entry);
    return true;
  }
  /* The program is stopped without the lock: its handler of SIGABRT may allocate. */
  if (unlikely(verdict == VERDICT_TWICE)) {
    stop_big_freed("free", block, entry.note.size);
  }
  if (unlikely(verdict == VERDICT_DAMAGED)) {
    stop_damaged_big(&entry, damage);
  }
  if (unlikely(verdict == VERDICT_NOT_OURS)) {
    stop_interior(block);
  }
  return false;
}

size_t big_usable_size(const void *block, const char *what) {
  struct huge_entry entry;
  enum found found = big_find(block, &entry);
  if (unlikely(found == FOUND_FREED)) {
    stop_big_freed(what, block, entry.note.size);
  }
  return found == FOUND_LIVE ? entry.note.size : BIG_NONE;
}

/* ---- resizing ---- */

/* Nobody checks a block whose note is empty. Stops the program unless it is whole. */
static bool take(void *block, struct huge_entry *entry) {
  struct damage damage;
  big_lock();
  bool found = big_find_live(block, entry);
  bool whole = found && edges_hold(entry, &damage);
  if (whole) {
    huge_note_set(entry->start, (struct huge_note){0});
  }
  big_unlock();
  if (found && !whole) {
    stop_damaged_big(entry, damage);
  }
  return found;
}

/* What lies behind the new size is zero, and out of bounds from the next page on: so is what the block had written
 * there. Should the system refuse the guard now, the block does without. */
static void end_at(struct huge_entry *entry, size_t size) {
  char *written = edges_end(entry);
  char *mapped = entry->start + entry->bytes; /* a block that shrank has lost the rest */
  entry->note.size = size;
  char *end = entry->note.block + size;
  char *edge = edges_end(entry);
  written = written < mapped ? written : mapped;
  if (end < written) {
    memset(end, 0, (size_t)(edge - end));
  }
  if (edge < written) {
    os_clear(edge, (size_t)(written - edge));
  }
  guard(entry);
  publish(entry);
}

bool big_settle(void *block, size_t size, bool force) {
  struct huge_entry entry;
  if (!big_is_possible(size) || !big_find_live(block, &entry) ||
      (!force && round_up(size, block_grain) != round_up(entry.note.size, block_grain)) || !take(block, &entry)) {
    return false;
  }
  edges_clear_end(&entry);
  end_at(&entry, size);
  return true;
}

void *big_resize(void *block, size_t size) {
  struct huge_entry entry;
  if (!big_is_possible(size) || !big_find_live(block, &entry) || size < BIG_MOVES_FROM ||
      entry.note.size < BIG_MOVES_FROM || !take(block, &entry)) {
    return NULL;
  }
  size_t was = entry.note.size;
  ptrdiff_t offset = entry.note.block - entry.start;
  size_t bytes = os_page_ceil((size_t)offset + size) + page();
  edges_clear_end(&entry);
  char *moved = NULL;
  if (os_permit(entry.start, entry.bytes)) { /* a block that grew before has addresses ahead */
    moved = size >= was && bytes <= entry.bytes ? entry.start : huge_resize(entry.start, bytes);
  }
  if (moved == NULL) {
    end_at(&entry, was);
    return NULL;
  }
  entry.start = moved;
  entry.bytes = huge_usable_size(moved);
  entry.note.block = moved + offset;
  end_at(&entry, size);
  return entry.note.block;
}

/* ---- families ---- */

void big_set_family(const void *block, enum family family) {
  struct huge_entry entry;
  if (big_find_live(block, &entry)) {
    entry.note.family = family;
    huge_note_set(entry.start, entry.note);
  }
}

enum family big_family(const void *block) {
  struct huge_entry entry;
  return big_find_live(block, &entry) ? (enum family)entry.note.family : FAMILY_MALLOC;
}

/* ---- all of them ---- */

struct check {
  size_t blocks;
  struct huge_entry entry; /* the first that is damaged */
  struct damage damage;
};

static void look_at(struct huge_entry *entry, void *context) {
  struct check *check = context;
  struct damage damage;
  if (entry->note.block == NULL) {
    return;
  }
  check->blocks++;
  if (check->damage.count == 0 && !edges_hold(entry, &damage)) {
    check->entry = *entry;
    check->damage = damage;
  }
}

size_t big_check_all(void) {
  struct check check = {0};
  big_lock();
  huge_visit(NULL, look_at, &check);
  big_unlock();
  if (unlikely(check.damage.count != 0)) {
    stop_damaged_big(&check.entry, check.damage);
  }
  return check.blocks;
}

void big_release_all(void) {
  big_lock();
  big_quarantine_release_all();
  big_unlock();
}
