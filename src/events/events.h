/* events: the floor that is told what happens, and asks nobody. */
#ifndef HAKMEM_EVENTS_EVENTS_H
#define HAKMEM_EVENTS_EVENTS_H

#include "events/event.h"

#endif
