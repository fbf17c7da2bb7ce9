#include "config/options.h"

struct options options = {
#define OPTION(option, environment, least, greatest, balanced, speed, lean, changeable, help) .option = (balanced),
#include "config/options.def"
};
