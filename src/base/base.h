/* base: the lowest floor: compiler macros, units of size, size classes. */
#ifndef HAKMEM_BASE_BASE_H
#define HAKMEM_BASE_BASE_H

#include "base/compiler.h"
#include "base/family.h"
#include "base/size_class.h"

#endif
