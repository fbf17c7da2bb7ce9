/* os: the floor of the operating system: system calls, locks, critical sections, and the line that ends a program. */
#ifndef HAKMEM_OS_OS_H
#define HAKMEM_OS_OS_H

#include "os/cgroup.h"
#include "os/code_place.h"
#include "os/critical.h"
#include "os/fatal.h"
#include "os/fault.h"
#include "os/file.h"
#include "os/held.h"
#include "os/lock.h"
#include "os/machine.h"
#include "os/output.h"
#include "os/pieces.h"
#include "os/signals.h"
#include "os/stack.h"
#include "os/system.h"
#include "os/threads.h"
#include "os/zero.h"

#endif
