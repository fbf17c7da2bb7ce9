#include "warm/magazine.h"

_Alignas(MAGAZINE_BYTES) void *const no_magazine[MAGAZINE_SLOTS];
