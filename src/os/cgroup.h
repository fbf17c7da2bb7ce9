/* cgroup: how much memory this process may have: its control groups' limits, else the machine's memory.
 *
 * Owns:     the places where the system says so.
 * Promises: reads the process's own group and all above it, of version 2 (memory.max) and of version 1
 *           (memory.limit_in_bytes); what cannot be read limits nothing. No stdio, no malloc; errno is kept.
 * Callers:  config/size_value.c, at the start of the process, when a percentage is asked for. Any thread.
 */
#ifndef HAKMEM_OS_CGROUP_H
#define HAKMEM_OS_CGROUP_H

#include <stddef.h>

#include "base/base.h"

/* Constant but for tests, which put a tree of their own here. */
extern HIDDEN const char *cgroup_of_process, *cgroup_tree;

/* In bytes. */
size_t os_memory_limit(void);

#endif
