/* config: the floor of what a user may choose. */
#ifndef HAKMEM_CONFIG_CONFIG_H
#define HAKMEM_CONFIG_CONFIG_H

#include "config/environment.h"
#include "config/option_table.h"
#include "config/option_text.h"
#include "config/options.h"

#endif
