/* size_value: a number of bytes as a user writes it.
 *
 * Owns:     nothing.
 * Promises: digits, with a suffix K, M, G or T (powers of 1024, small letters too), or a percentage from 1% to 100% of
 *           the memory that the process may have (os/cgroup.h), which is asked for then only. Nothing else is taken, no
 *           sign and no space.
 * Callers:  config/environment.c, config/number_value.c.
 */
#ifndef HAKMEM_CONFIG_SIZE_VALUE_H
#define HAKMEM_CONFIG_SIZE_VALUE_H

/* NULL, and *bytes; or the nearest text that is right, for a message: "" where nothing is near. */
const char *size_value(const char *text, long greatest, long *bytes);

#endif
