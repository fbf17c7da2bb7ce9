/* os: the floor that talks to the operating system, and what it is to stop, to wait and to fork. */
#ifndef HAKMEM_OS_OS_H
#define HAKMEM_OS_OS_H

#include "os/critical.h"
#include "os/fatal.h"
#include "os/lock.h"
#include "os/system.h"

#endif
