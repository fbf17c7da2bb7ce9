#include "config/distance.h"

#include <ctype.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 48 };

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

unsigned distance(const char *a, size_t a_length, const char *b) {
  unsigned row[NAME_MAX_LENGTH + 1];
  size_t b_length = strlen(b);
  if (a_length > NAME_MAX_LENGTH || b_length > NAME_MAX_LENGTH) {
    return NAME_MAX_LENGTH;
  }
  for (unsigned j = 0; j <= b_length; j++) {
    row[j] = j;
  }
  for (unsigned i = 1; i <= a_length; i++) {
    unsigned diagonal = row[0];
    row[0] = i;
    for (unsigned j = 1; j <= b_length; j++) {
      unsigned above = row[j];
      unsigned differs = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
      row[j] = smaller(smaller(row[j] + 1, row[j - 1] + 1), diagonal + differs);
      diagonal = above;
    }
  }
  return row[b_length];
}
