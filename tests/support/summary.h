// The figures of the heap, as hak_heap_summarize gives them.
#ifndef HAKMEM_TESTS_SUPPORT_SUMMARY_H
#define HAKMEM_TESTS_SUPPORT_SUMMARY_H

#include <gtest/gtest.h>

#include "hakmem.h"

namespace support {

inline hak_heap_summary summarize() {
  hak_heap_summary summary = {};
  summary.struct_size = sizeof summary;
  EXPECT_TRUE(hak_heap_summarize(&summary));
  return summary;
}

} // namespace support

#endif
