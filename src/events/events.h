/* events: the floor that counts what happens. */
#ifndef HAKMEM_EVENTS_EVENTS_H
#define HAKMEM_EVENTS_EVENTS_H

#include "events/event.h"

#endif
