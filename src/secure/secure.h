/* secure: the floor of what only libhakmem-secure has. */
#ifndef HAKMEM_SECURE_SECURE_H
#define HAKMEM_SECURE_SECURE_H

#include "secure/asked.h"
#include "secure/checked_gate.h"
#include "secure/families.h"
#include "secure/quarantine.h"
#include "secure/shared_quarantine.h"

#endif
