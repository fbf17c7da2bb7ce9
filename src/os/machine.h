/* machine: what the machine and the process have: memory, addresses, time, and a number at random.
 *
 * Owns:     nothing.
 * Promises: answers without memory; errno is kept.
 * Callers:  every box below HOT. Any thread, no lock needed.
 */
#ifndef HAKMEM_OS_MACHINE_H
#define HAKMEM_OS_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* No mapping is longer: what a process is given of the address space on x86-64, and at least on aarch64. */
#define OS_ADDRESSABLE ((size_t)1 << 47)

/* Physical memory, in bytes. */
size_t os_physical_memory(void);

/* Bytes that no mapping of this process can exceed: its limit on the address space (ulimit -v), or OS_ADDRESSABLE. */
size_t os_address_limit(void);

/* Bytes that no memory which may be written can exceed: the same, or the limit on data (ulimit -d) where it is less. */
size_t os_writable_limit(void);

/* A number that differs from run to run; for placing, not for secrets. */
uint64_t os_random(void);

/* Of a clock that never goes back; milliseconds are cheap, and good to some 4 ms. */
uint64_t os_milliseconds(void);
uint64_t os_nanoseconds(void);

#endif
