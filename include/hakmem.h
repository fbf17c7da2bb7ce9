/* hakmem.h: the public interface of hakmem, a general-purpose malloc for Linux.
 *
 * Two ways in:
 *   - link or preload libhakmem and call malloc, free, operator new and the rest of the standard family; or
 *   - call the functions below, which are the same allocator under names that nothing interposes.
 *
 * Rules common to all functions here, unless said otherwise:
 *   - any thread may call them at any time, from the first constructor to the last destructor, and in a child of
 *     fork(), where the heaps of threads that are gone serve those that follow;
 *   - sizes are in bytes; 0 is a valid size and yields a unique block;
 *   - a function that returns a block returns NULL with errno set to ENOMEM when the memory cannot be had or when the
 *     size exceeds PTRDIFF_MAX, and leaves errno alone on success;
 *   - a block is aligned to 16 bytes, to 8 when 8 bytes or fewer were asked for;
 *   - none of them is async-signal-safe, as malloc itself is not;
 *   - a block pointer that hakmem did not return, or that was freed before, stops the program with one line on
 *     standard error: at once if it was freed by the call before, else at the latest when the block reaches its slab.
 * Blocks of hak_* and of the standard family are the same blocks: each may be freed by the other.
 */
#ifndef HAKMEM_H
#define HAKMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HAKMEM_VERSION_MAJOR 0
#define HAKMEM_VERSION_MINOR 1
#define HAKMEM_VERSION_PATCH 0
#define HAKMEM_VERSION "0.1.0"

#if defined(__GNUC__)
#define HAK_API __attribute__((visibility("default")))
#define HAK_MALLOC_LIKE __attribute__((malloc, warn_unused_result))
#else
#define HAK_API
#define HAK_MALLOC_LIKE
#endif

#ifdef __cplusplus
#define HAK_NOEXCEPT noexcept
extern "C" {
#else
#define HAK_NOEXCEPT
#endif

/* Allocation: the standard functions of the same names (ISO C, POSIX, GNU), whose contracts they keep. */

/* For 0 bytes: an address of its own, where nothing can be read or written. */
HAK_API HAK_MALLOC_LIKE void *hak_malloc(size_t size) HAK_NOEXCEPT;

/* count * size bytes, all zero; ENOMEM when the product overflows. */
HAK_API HAK_MALLOC_LIKE void *hak_calloc(size_t count, size_t size) HAK_NOEXCEPT;

/* Resizes `block`, keeping min(old, new) bytes; NULL block: as hak_malloc. On failure the old block stays valid. Size
 * 0 with a block frees it and returns NULL, as glibc does. */
HAK_API void *hak_realloc(void *block, size_t size) HAK_NOEXCEPT;

/* hak_realloc(block, count * size); ENOMEM when the product overflows, with the block untouched. */
HAK_API void *hak_reallocarray(void *block, size_t count, size_t size) HAK_NOEXCEPT;

/* Releases a block; NULL is allowed. Keeps errno. */
HAK_API void hak_free(void *block) HAK_NOEXCEPT;

/* C23: as hak_free; `size` (and `alignment`) must be those the block was asked for with. A size that the block cannot
 * hold stops the program. */
HAK_API void hak_free_sized(void *block, size_t size) HAK_NOEXCEPT;
HAK_API void hak_free_aligned_sized(void *block, size_t alignment, size_t size) HAK_NOEXCEPT;

/* A block aligned to `alignment`, a power of two; otherwise NULL with EINVAL. `size` need not be a multiple of it. */
HAK_API HAK_MALLOC_LIKE void *hak_aligned_alloc(size_t alignment, size_t size) HAK_NOEXCEPT;

/* POSIX: stores the block in *out and returns 0; returns EINVAL (alignment not a power of two or not a multiple of
 * sizeof(void *)) or ENOMEM, leaving *out unchanged; errno changes only with ENOMEM. */
HAK_API int hak_posix_memalign(void **out, size_t alignment, size_t size) HAK_NOEXCEPT;

/* Looking at blocks. */

/* Bytes that may be used in `block`, at least the size asked for; 0 for NULL. The block must be live. */
HAK_API size_t hak_usable_size(const void *block) HAK_NOEXCEPT;

/* The least usable size that hak_malloc(size) gives, without allocating: asking for it costs no more than asking for
 * `size`. 0 when `size` exceeds PTRDIFF_MAX. */
HAK_API size_t hak_good_size(size_t size) HAK_NOEXCEPT;

/* The heap as a whole. */

/* Empties the calling thread's caches, collects what other threads freed to it and to ended threads, and gives empty
 * memory back to the operating system. Returns the bytes given back. */
HAK_API size_t hak_collect(void) HAK_NOEXCEPT;

/* How far hak_purge goes; each level does what those before it do. */
enum {
  HAK_PURGE_RETAINED = 0, /* whole free units (64 KiB) and address ranges that are retained for reuse */
  HAK_PURGE_THREAD = 1,   /* the calling thread too: its caches, what others freed to it, free pages inside its slabs */
  HAK_PURGE_ALL = 2       /* heaps of ended threads too: this is hak_collect() */
};

/* Gives free memory back to the operating system, up to one of the levels above. Returns the bytes given back, whole
 * pages; where other threads give memory back meanwhile, theirs may count too. 0 with EINVAL for another level; errno
 * is kept otherwise. Any thread may call it, at any time; caches of other threads that run are left alone. */
HAK_API size_t hak_purge(int level) HAK_NOEXCEPT;

/* Looks for misuse that was not found yet, and stops the program with one line if there is any. libhakmem-secure:
 * every block of the process, whether a byte behind or before it was written, or after it was freed. The other
 * libraries: the blocks that the calling thread has freed and cached, for double frees and pointers into blocks, and
 * the bytes beside guarded samples. All do so at exit, too. Returns how many blocks were looked at; keeps errno. Any
 * thread may call it at any time while others go on: what they are about to allocate or free is left out. In a signal
 * handler it is not allowed; one that interrupts an allocation gets 0. */
HAK_API size_t hak_check(void) HAK_NOEXCEPT;

/* Figures of the whole process; nothing is counted on the common path of a malloc or free. All sizes
 * in bytes. */
typedef struct hak_heap_summary {
  size_t struct_size;         /* set by the caller to sizeof(hak_heap_summary) */
  size_t arenas;              /* ranges asked of the operating system and cut into superslabs */
  size_t superslabs;          /* superslabs of 2 MiB cut so far */
  size_t superslabs_open;     /* tier: more than a quarter used, or still filling up */
  size_t superslabs_draining; /* tier: a quarter or less used, receives no new slab while an OPEN one has room */
  size_t superslabs_free;     /* tier: nothing used */
  size_t slabs_bound;         /* slabs given to a thread heap, in total since the start */
  size_t slabs_recycled;      /* of these, how many reused the memory of an earlier slab */
  size_t remote_batches;      /* publications of a slab to its owner by other threads */
  size_t orphans_adopted;     /* heaps of ended threads taken over */
  size_t large;               /* large blocks allocated, in total */
  size_t huge;                /* huge blocks allocated, in total */
  size_t mmap_calls;          /* system calls made */
  size_t munmap_calls;
  size_t purged_bytes;         /* given back to the operating system, in total */
  size_t retained_bytes;       /* free but resident, for reuse */
  size_t active_bytes;         /* in slabs, large and huge blocks now */
  size_t peak_committed_bytes; /* highest sum of active and retained */
  size_t counted_bytes;        /* may be resident now, as the limits count it: see hak_limit_set */
  size_t limit_bytes;          /* the hard limit; 0: none */
  size_t limit_soft_bytes;     /* the soft limit; 0: none */
} hak_heap_summary;

/* Fills *summary. Returns false, and changes nothing, when summary is NULL or its struct_size is 0; a smaller
 * struct_size of an older header is filled as far as it goes. */
HAK_API bool hak_heap_summarize(hak_heap_summary *summary) HAK_NOEXCEPT;

/* Limits, in bytes, of the memory that is resident because of hakmem: slabs as far as they are used, large and huge
 * blocks whole, what is retained, and hakmem's own records. 0: no limit. Both start at HAKMEM_LIMIT and
 * HAKMEM_LIMIT_SOFT, and are the options "limit" and "limit_soft".
 *
 * Hard: a request that would pass it is tried once more when all free memory has been given back, and then refused with
 *       ENOMEM.
 * Soft: above it nothing free is retained or cached, as far as threads come by.
 *
 * Any thread may set them at any time, for the whole process and its later children; of two that do at once each value
 * is that of one of them, and a request under way may be judged by the old ones. A hard limit below what is counted
 * already gives back what is free, and refuses until less is counted. Returns false with EINVAL, and changes nothing,
 * when a limit exceeds 2^47 or the soft one a hard one that is not 0. */
HAK_API bool hak_limit_set(size_t soft_bytes, size_t hard_bytes) HAK_NOEXCEPT;

/* Stores the limits in force; either pointer may be NULL. */
HAK_API void hak_limit_get(size_t *soft_bytes, size_t *hard_bytes) HAK_NOEXCEPT;

/* Prints, on standard error, what has happened since the start: the lines that libhakmem-observe prints at exit, of the
 * boxes chosen by the option "stats" (hakmem(3) explains them). Figures of threads that are busy meanwhile are of some
 * moment during the call. Returns false, and prints nothing, in any other library: only libhakmem-observe counts. Keeps
 * errno. */
HAK_API bool hak_stats_print(void) HAK_NOEXCEPT;

/* The figures of the heap as text: what it holds, by size class and in all, and what has happened since the start.
 * docs/seeing.md explains the words; those that name a state of memory (live, cached, free, ...) are bytes of now, blocks
 * and slabs are numbers of now, what ends in _calls, _allocated, _bound, _recycled, _batches or _adopted is a number since
 * the start, and "purged" bytes since the start.
 *
 *   hak_stats_json         one JSON object on one line: "hakmem" (format, version, variant, pid, time_ms since 1970),
 *                          "total", and "classes", a list of the size classes that have slabs, if there are any
 *   hak_stats_openmetrics  OpenMetrics 1.0 text, for Prometheus and others: hakmem_live_bytes,
 *                          hakmem_class_live_bytes{size="64"}, hakmem_mmap_calls_total and so on, to the line "# EOF"
 *
 * Stores at most `bytes` bytes, a zero at the end included, in `buffer`, which may be NULL if `bytes` is 0. Returns the
 * length of the whole text without that zero: a text of `bytes` or more was cut off, and another call with more room
 * has it, of a later moment. 32 KiB are enough. Counts by the bitmaps of free blocks less the caches: some microseconds
 * for each MiB of small blocks, and nothing on the path of a malloc or free. Allocates nothing and keeps errno; needs
 * 10 KiB of the stack. Exact while no other thread works; else each figure is of some moment during the call, and
 * "changing" says how many heaps changed while they were looked at. libhakmem-secure: big blocks in quarantine count as
 * live. */
HAK_API size_t hak_stats_json(char *buffer, size_t bytes) HAK_NOEXCEPT;
HAK_API size_t hak_stats_openmetrics(char *buffer, size_t bytes) HAK_NOEXCEPT;

/* What hak_heap_visit says of a block that no size class serves. */
enum {
  HAK_CLASS_LARGE = -1, /* above 32 KiB, up to 1 MiB: whole units of 64 KiB */
  HAK_CLASS_HUGE = -2   /* above 32 KiB: whole pages, each block found in a table */
};

/* Gets a live block, the bytes that the heap has for it (hak_usable_size of it; in libhakmem-secure that or more), its
 * size class (0 is the smallest) or one of the two above, and the visit's context. False: enough. */
typedef bool hak_visit_function(void *block, size_t bytes, int size_class, void *context);

/* Calls `visit` for each block that the program holds, of all threads, those of malloc(0) left out. Returns 0; EINVAL when
 * `visit` is NULL; ENOMEM when there is no memory for the set of what is free, a 64th of the address range of small
 * blocks at most, which the system gives and not the heap: then nothing was visited. Keeps errno. No lock is held and no
 * thread is stopped: `visit` may allocate, free, and visit again; it must not throw. Any thread may call it at any time,
 * but for a signal handler. While no other thread works each live block is visited once and nothing else is. Else blocks
 * that are allocated or freed during the call may be visited or not; a free block of another thread is visited
 * wrongly at worst when it goes from one cache to another meanwhile; and that thread may have freed the block by the time
 * that `visit` has its address. */
HAK_API int hak_heap_visit(hak_visit_function *visit, void *context) HAK_NOEXCEPT;

/* Options: the names of the environment without "HAKMEM_", in lower case ("retain_kib"); `hakmem(3)` lists them. */

/* Reads an option into *value. Returns 0, or ENOENT for an unknown name, EINVAL for a NULL argument. */
HAK_API int hak_option_get(const char *name, long *value) HAK_NOEXCEPT;

/* Sets an option for what follows. Returns 0, ENOENT, EINVAL (NULL name or value out of range), EPERM for an option
 * that is fixed once the program has started, or EAGAIN: "background" needs a thread, and the system has none; it stays
 * 0. */
HAK_API int hak_option_set(const char *name, long value) HAK_NOEXCEPT;

/* "MAJOR.MINOR.PATCH" of the library in use; it may differ from HAKMEM_VERSION of this header. */
HAK_API const char *hak_version(void) HAK_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
