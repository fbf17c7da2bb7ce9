/* window_table: a table with an entry for each superslab of the window, of which the part is writable that is used.
 *
 * The window is far larger than any heap, and so are its tables. Where the system counts what may be written (strict
 * overcommit, `ulimit -d`, mlockall), a table that may all be written would cost each process tens of megabytes. So it
 * can be read as a whole and is zero; 64 KiB of it after the other become writable as superslabs are cut.
 *
 * Owns:     the access to the table.
 * Promises: an entry that may be written stays so. Nothing here is half done at any moment, for a child of fork().
 * Callers:  cold/window.c, the secure library's states; under the lock of the shared pool, or at the start.
 */
#ifndef HAKMEM_COLD_WINDOW_TABLE_H
#define HAKMEM_COLD_WINDOW_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct window_table {
  char *start;          /* page-aligned */
  uint32_t entries;     /* as many as the window has superslabs */
  uint32_t entry_bytes; /* divides 64 KiB */
  uint32_t from, to;    /* entries that are known to be writable */
};

/* Bytes of a table, in whole pages. */
size_t window_table_bytes(const struct window_table *table);

/* The entry of one superslab may be written from here on; false where the system refuses. */
bool window_table_open(struct window_table *table, size_t index);

#endif
