"""Each bug of docs/bugs.md, as a change that puts it back: the file, the right text, the wrong one."""


def _held_over_a_fork(rank):
    """A lock that is taken before fork() and dropped after it, in the parent and in the child."""
    return (
        "src/warm/process.c",
        "static void fork_child(void) {\n  bool lost_threads = lock_fork_child();\n",
        f"static void hold(void) {{\n  lock_take({rank});\n  lock_fork_prepare();\n}}\n\n"
        f"static void drop(void) {{\n  lock_fork_parent();\n  lock_drop({rank});\n}}\n\n"
        "#define lock_fork_prepare hold\n#define lock_fork_parent drop\n\n"
        f"static void fork_child(void) {{\n  bool lost_threads = lock_fork_child();\n  lock_drop({rank});\n",
    )


_CANCELLABLE = (
    "src/os/pieces.c",
    "syscall(SYS_write, file, text, length)",
    "write(file, text, length)",
)

PLANTS = {
    "remote drain by a thread that does not own the slab": (
        "src/warm/heap.h",
        "    remote_enqueue(&atomic_load(&slab->heap)->queue, slab);\n",
        "    void lane_gained(struct thread_heap *, struct slab *);\n    unsigned slab_collect(struct slab *);\n"
        "    remote_token_give(slab);\n    slab_collect(slab);\n    lane_gained(atomic_load(&slab->heap), slab);\n",
    ),
    "free list updated without atomics by two threads": (
        "src/warm/remote.c",
        "  uint64_t before = atomic_fetch_or(&slab->remote[word], bits);\n",
        "  uint64_t before = atomic_load(&slab->remote[word]);\n"
        "  (void)os_thread_id(); /* a call long enough for another thread to come between */\n"
        "  atomic_store(&slab->remote[word], before | bits);\n",
    ),
    "a batch that forgot its counter, ending in a false out-of-memory": (
        "src/warm/slab.h",
        "  slab->free_count += count;\n",
        "  slab->free_count += count > 1 ? 1 : count;\n",
    ),
    "blocks lost when a thread's cache is drained at exit": (
        "src/warm/drain.c",
        "      heap_put_magazine(heap, size_class, top);\n",
        "",
    ),
    "blocks doubled when a thread's cache is drained at exit": (
        "src/warm/drain.c",
        "      thread_cache.top[size_class] = no_magazine_top();\n",
        "",
    ),
    "block stride and usable size computed differently in two places": (
        "src/warm/route.c",
        "  return size_classes[size_class].stride;\n}\n\nsize_t size_usable",
        "  return size_classes[size_class].stride - 8;\n}\n\nsize_t size_usable",
    ),
    "a full slab handed out again": (
        "src/warm/lane.c",
        "  if (slab_is_empty(slab) && !slab->kept) {\n    keep(heap, slab);",
        "  if (slab->free_count > 0 && !slab->kept) {\n    keep(heap, slab);",
    ),
    "a batch larger than its buffer": (
        "src/warm/refill.c",
        "unsigned want = (all + 1) / 2;",
        "unsigned want = size_classes[size_class].magazine * 2U;",
    ),
    "reading the byte before a foreign pointer": (
        "src/hot/gate.h",
        "  size_t unit = window_unit(block);\n  if (unlikely(unit >= window_units)) {",
        "  size_t unit = window_unit(block);\n"
        "  if (unlikely(unit >= window_units && (block == NULL || ((volatile char *)block)[-1] != 0x7F))) {",
    ),
    "a pointer of another allocator freed here": (
        "src/warm/free_remote.c",
        "    fatal_none(block);\n",
        "    (void)&fatal_none;\n",
    ),
    "recursion through the wrappers and through `dlsym`": (
        "src/warm/thread.c",
        "  if (thread_cache.state == THREAD_ENDED || !process_start() || light_stays()) {",
        "  extern void *malloc(size_t);\n"
        "  if (malloc(1) == NULL || thread_cache.state == THREAD_ENDED || !process_start() || light_stays()) {",
    ),
    "two locks taken in two orders": (
        "src/cold/reclaim.c",
        "\nsize_t reclaim(void) {\n  size_t unmapped = huge_purge() + guarded_release();\n",
        '#include "cold/superslab_lists.h"\n\n'
        "size_t reclaim(void) {\n  pool_lock(0);\n  size_t unmapped = huge_purge();\n  pool_unlock(0);\n",
    ),
    "a fixed table that fills up": (
        "src/cold/huge_table.c",
        "table->size * 3 ? table->size * 2 : table->size;\n",
        "table->size * 3 ? table->size * 2 : table->size;\n  if (size > 1024) {\n    return false;\n  }\n",
    ),
    "a slab released while still on a list": (
        "src/warm/lane.c",
        "  if (!remote_token_take(slab)) {\n    return false;\n  }\n  lane_leave",
        "  remote_token_take(slab);\n  lane_leave",
    ),
    "out-of-bounds class index": (
        "src/hot/gate.h",
        "  if (unlikely(size > SIZE_CLASS_MAX)) {\n    return allocate_large(size);",
        "  if (unlikely(size > SIZE_CLASS_MAX + 64)) {\n    return allocate_large(size);",
    ),
    "results measured while the program was in truth running on libc": (
        "tools/hakmem_lab/running/runner.py",
        "    if not allocator.served(path):",
        "    if not path:",
    ),
    "`fork()` hangs beside `getline()` and `fflush(NULL)`": _held_over_a_fork("LOCK_POOL"),
    "`fork()` in a signal handler hangs on a lock that its own thread holds": _held_over_a_fork("LOCK_START"),
    "`fork()` waits for threads that are in the allocator": _held_over_a_fork("LOCK_HUGE"),
    "secure: `calloc` gives a block that is not zero where a purge was refused": (
        "src/os/zero.c",
        "    memset(start, 0, bytes);\n",
        "",
    ),
    "secure: a handler of SIGABRT that allocates hangs": (
        "src/secure/big.c",
        "    verdict = found == FOUND_FREED ? VERDICT_TWICE : VERDICT_NOT_OURS;\n",
        '    verdict = VERDICT_NOT_OURS;\n    if (found == FOUND_FREED) {\n'
        '      stop_big_freed("free", block, entry->note.size);\n    }\n',
    ),
    "secure: what a block left when it got smaller is said to be an overrun later, and `calloc` shows it": (
        "src/secure/big.c",
        "    os_clear(edge, (size_t)(written - edge));\n",
        "",
    ),
    "secure: `realloc` of an aligned block of no bytes to an impossible size crashes": (
        "src/secure/big.c",
        "  if (!big_is_possible(size) || !big_find_live(block, &entry) ||\n      (!force",
        "  if (!big_find_live(block, &entry) ||\n      (!force",
    ),
    "a huge block that grows leaves retained memory beyond the budget": (
        "src/cold/huge.c",
        "  critical_leave();\n  residency_settle();\n  return moved;\n",
        "  critical_leave();\n  return moved;\n",
    ),
    "the count of bytes purged lately wraps below zero": (
        "src/cold/shared_figure.c",
        "    taken = smaller(wanted, there);\n",
        "    taken = wanted;\n",
    ),
    "a request of an impossible size gives back what is retained": (
        "src/warm/route.c",
        "  if (size < OS_ADDRESSABLE && alignment < OS_ADDRESSABLE && process_start()) {",
        "  if (process_start()) {",
    ),
    "a request above `ulimit -v` gives back what is retained": (
        "src/warm/route.c",
        "  if (size > os_writable_limit() || !limit_has_room_for(size)) {",
        "  if (size >= OS_ADDRESSABLE) {",
    ),
    "a thread that is cancelled in a warning leaves the lock of the start held": _CANCELLABLE,
    "a thread that is cancelled escapes the stop for its misuse": _CANCELLABLE,
    "`posix_memalign` leaves `errno` alone when memory is short": (
        "src/api/contract.c",
        "  void *block = aligned(alignment, size);\n  if (block == NULL) {\n",
        "  int saved = errno;\n  void *block = aligned(alignment, size);\n  if (block == NULL) {\n    errno = saved;\n",
    ),
    "`memalign` refuses an alignment that is no power of two": (
        "src/api/contract.c",
        "  return aligned(power, size);\n",
        "  return power == alignment ? aligned(power, size) : fail(EINVAL);\n",
    ),
    "`mallinfo2` counts whole slabs as in use": (
        "src/report/summary.c",
        "(size_t)slab_live_count(slab, unit_tag_class(tag))",
        "(slab == NULL ? 0 : (size_t)size_classes[unit_tag_class(tag)].capacity)",
    ),
    "release: `free(p); free(p)` passes": (
        "src/hot/cache.h",
        "(may_be_on_top && top[-1] == block)",
        "(may_be_on_top && top == NULL)",
    ),
    "misuse shortly before `exit()` passes": (
        "src/warm/process.c",
        "    cached = exit_check(heap);\n",
        "",
    ),
    "`free(NULL)` beside the first `malloc` of another thread crashes on aarch64": (
        "src/cold/window.c",
        "uintptr_t window_base = (uintptr_t)1 << 62;",
        "uintptr_t window_base;",
    ),
    "of very many threads that begin at once all have a heap of their own": (
        "src/cold/registry.c",
        "!atomic_compare_exchange_weak(&threads, &before, before + 1)",
        "!atomic_compare_exchange_weak(&threads, &before, before)",
    ),
    "of threads that begin at once one of the first four has no heap": (
        "src/cold/registry.c",
        "    if (before >= most) {\n",
        "    if (before + 1 >= most && most != SIZE_MAX) { /* one counts twice */\n",
    ),
    "each of very many threads that wait for a lock makes a heap": (
        "src/warm/light.c",
        "registry_make() <= FEW",
        "registry_make() <= 100 * FEW",
    ),
    "secure: a thread that is cancelled in its first `malloc` takes its heap with it": (
        "src/secure/os_secure.c",
        "syscall(SYS_getrandom, &secret, sizeof secret, GRND_NONBLOCK)",
        "getrandom(&secret, sizeof secret, GRND_NONBLOCK)",
    ),
    "before Linux 6.17 a huge block that grows takes the place of what another thread has just mapped": (
        "src/os/system.c",
        "      copy_whole(moved, start, old_bytes);",
        "      mremap(start, old_bytes, old_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, moved);\n"
        "      copy_whole(moved, start, old_bytes);",
    ),
    "a program that opens a library with `RTLD_DEEPBIND` dies in the C library's `free`": (
        "src/api/dlopen.c",
        "mode & ~RTLD_DEEPBIND",
        "mode",
    ),
    "a child forked beside the end of a large guarded sample gives back what is another's by then": (
        "src/cold/guarded_pages.c",
        "  if (range == NULL || !os_unmap(range, bytes)) {\n    record->range = range;\n    return 0;\n  }\n",
        "  record->range = range;\n  if (range == NULL || !os_unmap(range, bytes)) {\n    return 0;\n  }\n"
        "  atomic_signal_fence(memory_order_seq_cst);\n  record->range = NULL;\n",
    ),
    "a table of huge blocks that the system does not take back leaves more counted than there is": (
        "src/cold/huge_table.c",
        "      refused_bytes += old_bytes;\n",
        "",
    ),
    "so does a range of a freed huge block that the system neither unmaps nor empties": (
        "src/cold/huge_kept.c",
        "      atomic_fetch_add_explicit(&refused_bytes, range.bytes, memory_order_relaxed);\n",
        "",
    ),
    "a program that has had more than four threads ends 13 to 28 ms late on a machine with 16 cores": (
        "src/warm/process.c",
        "    cpu_begin();\n",
        "",
    ),
    "beyond the fourth thread one that has large blocks alone never gets a heap": (
        "src/warm/route.c",
        "struct thread_heap *heap = thread_heap();",
        "struct thread_heap *heap = thread_cache.heap;",
    ),
    "`calloc` of a huge block makes resident, and writes, all that the block freed before it never used": (
        "src/os/zero.c",
        "if (is_hardly_resident(part, length)) {",
        "if (length == 0 && is_hardly_resident(part, length)) {",
    ),
    "a large block passes the soft limit although the thread that takes it has as much cached": (
        "src/warm/growth.c",
        "  relief_before(bytes);\n",
        "",
    ),
    "blocks of 33 KB that a program uses whole make 64 KiB each resident": (
        "src/cold/probed.c",
        "slab_start(slab), 0, (size_t)units << UNIT_SHIFT);",
        "slab_start(slab), 0, (size_t)units << (UNIT_SHIFT - 1));",
    ),
    "on many cores a superslab that moves between parts of the pool gives blocks out twice": (
        "src/cold/superslab_find.c",
        "  lock_as_well(other, part);\n  struct superslab *found = find_here(other, units, use, kind);\n"
        "  if (found != NULL) {\n    lists_move(found, part, false);\n  }\n  pool_unlock(other);\n",
        "  pool_unlock(part);\n  pool_lock(other);\n"
        "  struct superslab *found = find_here(other, units, use, kind);\n  if (found != NULL) {\n"
        "    lists_leave(found);\n    superslab_set_part(found, part);\n  }\n  pool_unlock(other);\n"
        "  pool_lock(part);\n  if (found != NULL) {\n    lists_add(found, part, false);\n  }\n",
    ),
    "a fork handler of the child that runs before ours forks, and lost threads' locks stay held": (
        "src/os/lock.c",
        "  if (fork_depth > 0) {\n    look_whether_forked();",
        "  if (false) {\n    look_whether_forked();",
    ),
    "Redis 8 on Debian 13, which has blocks of jemalloc by that one's own functions, ends in `malloc_usable_size`": (
        "src/api/jemalloc.c",
        "  return allocate(size, flags);\n}\n\nHAK_API void *rallocx",
        "  return os_map(NULL, size + (size_t)flags);\n}\n\nHAK_API void *rallocx",
    ),
    "a sparsely used block of 4 GiB is resident whole because smaller ones before it were used whole": (
        "src/cold/huge_pages.c",
        "return options.thp == thp_default && bytes >",
        "return false && bytes >",
    ),
    "a thread's blocks that come and go are faulted in anew each time, as the budget is divided by threads that sleep": (
        "src/warm/share.c",
        "return bound >= active ? budget : budget / UNIT_BYTES * bound / active * UNIT_BYTES;",
        "return budget / registry_thread_count() + 0 * (bound + active);",
    ),
    "what a thread keeps in its slabs for blocks of one size raises the peak when blocks of others come": (
        "src/warm/trim.h",
        "  if (unlikely(heap->trim_waits)) {\n    trim_make_way(heap, bytes);",
        "  if (false) {\n    trim_make_way(heap, bytes);",
    ),
    "what a huge block loses by `realloc` goes back to the system at once, and is faulted in again when another one grows": (
        "src/warm/resize.c",
        "  size_t had = huge_resize_in_place(block, size);\n  if (had >= size) {",
        "  size_t had = huge_usable_size(block);\n  if (false) {",
    ),
    "`realloc` copies a huge block of which little was touched, and so makes all of it resident": (
        "src/cold/huge_pages.c",
        "return options.thp != thp_default || density_is_whole(is_short",
        "return true || density_is_whole(is_short",
    ),
    "blocks of 33 to 128 KB of many sizes make 1.4 times their bytes resident": (
        "src/warm/route.c",
        "(repeats || huge_live",
        "(true || repeats || huge_live",
    ),
    "eight threads that free each other's blocks come to hold four times their bytes": (
        "src/warm/gather.c",
        "return top != NULL || is_small ? top : steal",
        "return top != NULL || true ? top : steal",
    ),
    "threads that free blocks of many owners and classes post them one by one, and grow by what they gather": (
        "src/warm/gather.c",
        "  if (entry->tag != 0 && entry->tag != tag && keep(size_class, block)) {",
        "  if (false && keep(size_class, block)) {",
    ),
    "a request that the process's own limit refuses has free memory given back": (
        "src/warm/growth.c",
        "heap->kept.bytes > 0 && size <= os_writable_limit() ? release_kept",
        "heap->kept.bytes > 0 ? release_kept",
    ),
    "`calloc` gives bytes of other blocks where many of 96 KiB have been in memory that longer ones had used": (
        "src/warm/slab.c",
        "bytes = reach(slab, carved_bytes(slab), UNIT_BYTES - 1);",
        "bytes = (carved_bytes(slab) + UNIT_BYTES - 1) & ~(size_t)(UNIT_BYTES - 1);",
    ),
}
