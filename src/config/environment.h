/* environment: the options as the environment sets them.
 *
 * Owns:     nothing; the values are in config/options.h.
 * Promises: the environment is read once; a name or value that is not valid gives one warning, with the valid one that
 *           may have been meant, and changes nothing. Programs that run with raised privileges ignore the environment.
 * Callers:  warm/process.c, under the lock of the process's start.
 */
#ifndef HAKMEM_CONFIG_ENVIRONMENT_H
#define HAKMEM_CONFIG_ENVIRONMENT_H

/* Does nothing after the first time that there is an environment. Allocates nothing. */
void options_read(void);

#endif
