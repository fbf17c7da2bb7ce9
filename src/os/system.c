#include "os/system.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* As <linux/prctl.h> has them, where it is new enough. */
enum { SET_AREA = 0x53564d41, SET_AREA_NAME = 0 };

static _Atomic size_t map_calls, unmap_calls, purge_calls, remap_calls, mapped_bytes, unmapped_bytes, purged_bytes;

static void counted(_Atomic size_t *counter, size_t by) {
  atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
}

size_t os_page_size(void) {
  static _Atomic size_t known;
  size_t size = atomic_load_explicit(&known, memory_order_relaxed);
  if (unlikely(size == 0)) {
    size = (size_t)getauxval(AT_PAGESZ);
    if (size == 0) {
      size = 4 * KIB;
    }
    atomic_store_explicit(&known, size, memory_order_relaxed);
  }
  return size;
}

size_t os_page_ceil(size_t bytes) {
  size_t mask = os_page_size() - 1;
  return (bytes + mask) & ~mask;
}

static void *map(void *hint, size_t bytes, int access) {
  int saved = errno;
  void *start = mmap(hint, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  counted(&map_calls, 1);
  counted(&mapped_bytes, start == MAP_FAILED ? 0 : bytes);
  errno = saved;
  return start == MAP_FAILED ? NULL : start;
}

void *os_map(void *hint, size_t bytes) { return map(hint, bytes, PROT_READ | PROT_WRITE); }

void *os_reserve(void *hint, size_t bytes, enum os_access access) {
  return map(hint, bytes, access == OS_READABLE ? PROT_READ : PROT_NONE);
}

void *os_map_aligned(size_t bytes, size_t alignment) {
  if (bytes > SIZE_MAX - alignment) {
    return NULL;
  }
  size_t even = (bytes + alignment - 1) & ~(alignment - 1); /* Linux 6.7 aligns multiples of a huge page by itself */
  char *start = os_map(NULL, even);
  if (start == NULL || ((uintptr_t)start & (alignment - 1)) == 0) {
    if (start != NULL && even > bytes) {
      os_unmap(start + bytes, even - bytes);
    }
    return start;
  }
  os_unmap(start, even);
  char *wide = os_map(NULL, bytes + alignment);
  if (wide == NULL) {
    return NULL;
  }
  char *aligned = (char *)(((uintptr_t)wide + alignment - 1) & ~(uintptr_t)(alignment - 1));
  size_t before = (size_t)(aligned - wide);
  if (before > 0) {
    os_unmap(wide, before);
  }
  if (alignment > before) {
    os_unmap(aligned + bytes, alignment - before);
  }
  return aligned;
}

void os_name(void *start, size_t bytes, const char *name) {
  static atomic_bool unknown; /* to a system that was built without names */
  if (!atomic_load_explicit(&unknown, memory_order_relaxed)) {
    int saved = errno;
    if (prctl(SET_AREA, SET_AREA_NAME, start, bytes, name) != 0 && errno == EINVAL) {
      atomic_store_explicit(&unknown, true, memory_order_relaxed);
    }
    errno = saved;
  }
}

bool os_unmap(void *start, size_t bytes) {
  int saved = errno;
  bool done = munmap(start, bytes) == 0;
  counted(&unmap_calls, 1);
  counted(&unmapped_bytes, done ? bytes : 0);
  errno = saved;
  return done;
}

bool os_purge(void *start, size_t bytes) {
  int saved = errno;
  bool done = madvise(start, bytes, MADV_DONTNEED) == 0;
  counted(&purge_calls, 1);
  if (done) {
    counted(&purged_bytes, bytes);
  }
  errno = saved;
  return done;
}

/* The system's word for the calling process itself, where it takes one; and the call, which older headers do not
 * know. */
enum { THIS_PROCESS = -10001, PROCESS_MADVISE = 440 };

static size_t purge_at_once(const struct os_range *ranges, unsigned count, size_t bytes) {
  static atomic_bool unknown;
  _Static_assert(sizeof(struct os_range) == sizeof(struct iovec) &&
                     offsetof(struct os_range, bytes) == offsetof(struct iovec, iov_len),
                 "a range is what the system takes");
  if (atomic_load_explicit(&unknown, memory_order_relaxed)) {
    return 0;
  }
  int saved = errno;
  long done = syscall(PROCESS_MADVISE, THIS_PROCESS, ranges, (unsigned long)count, MADV_DONTNEED, 0);
  errno = saved;
  if (done < 0) {
    atomic_store_explicit(&unknown, true, memory_order_relaxed);
  }
  if (done < 0 || (size_t)done != bytes) {
    return 0;
  }
  counted(&purge_calls, 1);
  counted(&purged_bytes, bytes);
  return bytes;
}

size_t os_purge_ranges(const struct os_range *ranges, unsigned count) {
  size_t bytes = 0;
  for (unsigned i = 0; i < count; i++) {
    bytes += ranges[i].bytes;
  }
  if (count > 1 && purge_at_once(ranges, count, bytes) == bytes) {
    return bytes;
  }
  size_t purged = 0;
  for (unsigned i = 0; i < count && os_purge(ranges[i].start, ranges[i].bytes); i++) {
    purged += ranges[i].bytes;
  }
  return purged;
}

/* Older systems unmap what is there before they look at what is to be moved. What was mapped meanwhile stays. */
static bool map_there(void *there, size_t bytes) {
  void *start = mmap(there, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (start != MAP_FAILED && start != there) {
    munmap(start, bytes); /* to a system before 4.17 it was a hint */
  }
  return start == there;
}

enum os_moved os_move(void *from, size_t bytes, void *there) {
  int saved = errno;
  enum os_moved result = OS_MOVED;
  if (mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, there) == MAP_FAILED) {
    result = map_there(there, bytes) ? OS_STAYED : OS_LOST;
  }
  counted(&remap_calls, 1);
  counted(&unmapped_bytes, result == OS_MOVED ? bytes : 0);
  errno = saved;
  return result;
}

/* To fresh memory, but for pages that are zero, so that what was never touched is not. */
static void copy_pages(char *to, const char *from, size_t bytes) {
  size_t page = os_page_size();
  for (size_t at = 0; at < bytes; at += page) {
    if (from[at] != 0 || memcmp(from + at, from + at + 1, page - 1) != 0) {
      memcpy(to + at, from + at, page);
    }
  }
}

/* The system resizes no range that spans two of its own areas. The memory goes back piece by piece as it is copied. */
static void copy_whole(char *to, char *from, size_t bytes) {
  for (size_t piece; bytes > 0; from += piece, to += piece, bytes -= piece) {
    piece = bytes < OS_HUGE_PAGE ? bytes : OS_HUGE_PAGE;
    copy_pages(to, from, piece);
    if (!os_unmap(from, piece)) {
      os_purge(from, piece);
    }
  }
}

void *os_remap(void *start, size_t old_bytes, size_t new_bytes) {
  int saved = errno;
  void *moved = mremap(start, old_bytes, new_bytes, MREMAP_MAYMOVE);
  counted(&remap_calls, 1);
  if (moved == MAP_FAILED && errno == EFAULT && new_bytes > old_bytes) {
    moved = os_map(NULL, new_bytes);
    if (moved != NULL) {
      copy_whole(moved, start, old_bytes);
    }
  } else if (moved != MAP_FAILED) {
    counted(new_bytes > old_bytes ? &mapped_bytes : &unmapped_bytes,
            new_bytes > old_bytes ? new_bytes - old_bytes : old_bytes - new_bytes);
  }
  errno = saved;
  return moved == MAP_FAILED ? NULL : moved;
}

void os_populate(void *start, size_t bytes) {
  int saved = errno;
  if (madvise(start, bytes, MADV_POPULATE_WRITE) != 0) {
    os_touch(start, bytes);
  }
  errno = saved;
}

void os_touch(void *start, size_t bytes) {
  size_t page = os_page_size();
  for (size_t at = 0; at < bytes; at += page) {
    ((volatile char *)start)[at] = 0;
  }
}

static bool protect(void *start, size_t bytes, int access) {
  int saved = errno;
  bool done = mprotect(start, bytes, access) == 0;
  errno = saved;
  return done;
}

bool os_forbid(void *start, size_t bytes) { return protect(start, bytes, PROT_NONE); }
bool os_permit(void *start, size_t bytes) { return protect(start, bytes, PROT_READ | PROT_WRITE); }

static void advise(void *start, size_t bytes, int advice) {
  int saved = errno;
  madvise(start, bytes, advice);
  errno = saved;
}

void os_advise_huge(void *start, size_t bytes) { advise(start, bytes, MADV_HUGEPAGE); }
void os_advise_small(void *start, size_t bytes) { advise(start, bytes, MADV_NOHUGEPAGE); }

size_t os_resident(const void *start, size_t bytes) {
  enum { LEAST_PAGE = 4096 };
  unsigned char pages[OS_HUGE_PAGE / LEAST_PAGE];
  size_t page = os_page_size();
  size_t resident = 0;
  int saved = errno;
  if (mincore((void *)(uintptr_t)start, bytes, pages) == 0) { // NOLINT(performance-no-int-to-ptr)
    for (size_t i = 0; i < bytes / page; i++) {
      resident += (pages[i] & 1) != 0 ? page : 0;
    }
  }
  errno = saved;
  return resident;
}

struct os_counts os_counts(void) {
  return (struct os_counts){
      .map_calls = atomic_load_explicit(&map_calls, memory_order_relaxed),
      .unmap_calls = atomic_load_explicit(&unmap_calls, memory_order_relaxed),
      .purge_calls = atomic_load_explicit(&purge_calls, memory_order_relaxed),
      .remap_calls = atomic_load_explicit(&remap_calls, memory_order_relaxed),
      .mapped_bytes = atomic_load_explicit(&mapped_bytes, memory_order_relaxed),
      .unmapped_bytes = atomic_load_explicit(&unmapped_bytes, memory_order_relaxed),
      .purged_bytes = atomic_load_explicit(&purged_bytes, memory_order_relaxed),
  };
}
