#include "cold/words.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct words words_of_wrong(const void *pointer, const char *what, const char *kind) {
  struct words words;
  if ((uintptr_t)pointer % SIZE_CLASS_GRAIN != 0) {
    snprintf(words.text, sizeof words.text, "misaligned %s", what);
  } else {
    snprintf(words.text, sizeof words.text, "%s of %s pointer", what, kind);
  }
  return words;
}

struct words words_of_freed(const char *what) {
  struct words words;
  bool twice = strcmp(what, "free") == 0;
  snprintf(words.text, sizeof words.text, "%s%s", twice ? "double free" : what, twice ? "" : " of a freed block");
  return words;
}
