"""Each bug of docs/bugs.md, as a change that puts it back: the file, the right text, the wrong one."""

PLANTS = {
    "remote drain by a thread that does not own the slab": (
        "src/warm/heap.c",
        "  remote_enqueue(&owner->queue, slab);\n",
        "  remote_token_give(slab);\n  slab_collect(slab);\n  gained(owner, slab);\n",
    ),
    "free list updated without atomics by two threads": (
        "src/warm/remote.c",
        "  uint64_t before = atomic_fetch_or(&slab->remote[word], bits);\n",
        "  uint64_t before = atomic_load(&slab->remote[word]);\n  atomic_store(&slab->remote[word], before | bits);\n",
    ),
    "a batch that forgot its counter, ending in a false out-of-memory": (
        "src/warm/slab.h",
        "  slab->free_count += count;\n",
        "  slab->free_count += count > 1 ? 1 : count;\n",
    ),
    "blocks lost when a thread's cache is drained at exit": (
        "src/warm/thread.c",
        "(void **)&no_magazine[MAGAZINE_SLOTS - 1];\n      heap_put_magazine(heap, size_class, top);\n",
        "(void **)&no_magazine[MAGAZINE_SLOTS - 1];\n",
    ),
    "blocks doubled when a thread's cache is drained at exit": (
        "src/warm/thread.c",
        "      thread_cache.top[size_class] = (void **)&no_magazine[MAGAZINE_SLOTS - 1];\n      heap_put",
        "      heap_put",
    ),
    "block stride and usable size computed differently in two places": (
        "src/warm/warm.c",
        "    return size_classes[size_class].stride;\n  }\n  if (tag_is_large(tag))",
        "    return size_classes[size_class].stride - 8;\n  }\n  if (tag_is_large(tag))",
    ),
    "a full slab handed out again": (
        "src/warm/heap.c",
        "  if (slab_is_empty(slab)) {\n    release(heap, slab);",
        "  if (slab->free_count > 0) {\n    release(heap, slab);",
    ),
    "a batch larger than its buffer": (
        "src/warm/warm.c",
        "unsigned want = (size_classes[size_class].magazine + 1U) / 2;",
        "unsigned want = size_classes[size_class].magazine * 2U;",
    ),
    "reading the byte before a foreign pointer": (
        "src/hot/gate.h",
        "  size_t unit = window_unit(block);\n  if (unlikely(unit >= window_units)) {",
        "  size_t unit = window_unit(block);\n"
        "  if (unlikely(unit >= window_units && (block == NULL || ((volatile char *)block)[-1] != 0x7F))) {",
    ),
    "a pointer of another allocator freed here": (
        "src/warm/warm.c",
        '    fatal_foreign(block, "free");\n',
        "",
    ),
    "recursion through the wrappers and through `dlsym`": (
        "src/warm/thread.c",
        "  if (thread_cache.state == THREAD_ENDED || !process_start()) {",
        "  extern void *malloc(size_t);\n"
        "  if (malloc(1) == NULL || thread_cache.state == THREAD_ENDED || !process_start()) {",
    ),
    "two locks taken in two orders": (
        "src/warm/process.c",
        "  huge_fork_lock();\n  pool_fork_lock();\n",
        "  pool_fork_lock();\n  huge_fork_lock();\n",
    ),
    "a fixed table that fills up": (
        "src/cold/huge.c",
        "  size_t size = live_size * 2;\n",
        "  size_t size = live_size * 2;\n  if (size > 1024) {\n    return false;\n  }\n",
    ),
    "a slab released while still on a list": (
        "src/warm/heap.c",
        "  if (!remote_token_take(slab)) {\n    return;\n  }\n  lane_leave",
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
}
