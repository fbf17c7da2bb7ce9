/* api: the floor of the names that programs call. */
#ifndef HAKMEM_API_API_H
#define HAKMEM_API_API_H

#include "api/contract.h"
#include "api/front.h"

#endif
