#include "config/distance.h"

#include <string.h>
#include <strings.h>

enum { NAME_MAX_LENGTH = 48, NEAR = 3 };

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

unsigned distance(const char *a, size_t a_length, const char *b) {
  unsigned row[NAME_MAX_LENGTH + 1];
  size_t b_length = strlen(b);
  if (a_length > NAME_MAX_LENGTH || b_length > NAME_MAX_LENGTH) {
    return NAME_MAX_LENGTH;
  }
  if (a_length >= NEAR && a_length < b_length && strncasecmp(a, b, a_length) == 0) {
    return 1;
  }
  for (unsigned j = 0; j <= b_length; j++) {
    row[j] = j;
  }
  for (unsigned i = 1; i <= a_length; i++) {
    unsigned diagonal = row[0];
    row[0] = i;
    for (unsigned j = 1; j <= b_length; j++) {
      unsigned above = row[j];
      unsigned differs = strncasecmp(&a[i - 1], &b[j - 1], 1) != 0;
      row[j] = smaller(smaller(row[j] + 1, row[j - 1] + 1), diagonal + differs);
      diagonal = above;
    }
  }
  return row[b_length];
}

bool is_near(const char *a, size_t a_length, const char *b) {
  size_t b_length = strlen(b);
  return NEAR * (size_t)distance(a, a_length, b) <= (a_length > b_length ? a_length : b_length);
}
