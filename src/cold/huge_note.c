#include "cold/huge_note.h"

#include "cold/huge.h"

#if HAKMEM_SECURE

static void read_entry(struct huge_entry *entry, void *copy) { *(struct huge_entry *)copy = *entry; }

bool huge_note_get(const void *start, struct huge_entry *entry) {
  entry->start = NULL;
  huge_visit(start, read_entry, entry);
  return entry->start != NULL;
}

static void write_note(struct huge_entry *entry, void *note) { entry->note = *(const struct huge_note *)note; }

void huge_note_set(const void *start, struct huge_note note) { huge_visit(start, write_note, &note); }

#endif
