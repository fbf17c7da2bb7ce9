/* secure: the floor of what only libhakmem-secure has. */
#ifndef HAKMEM_SECURE_SECURE_H
#define HAKMEM_SECURE_SECURE_H

#include "secure/checked_gate.h"
#include "secure/quarantine.h"

#endif
