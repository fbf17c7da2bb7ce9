/* config: the floor of what a user may choose. */
#ifndef HAKMEM_CONFIG_CONFIG_H
#define HAKMEM_CONFIG_CONFIG_H

#include "config/options.h"

#endif
