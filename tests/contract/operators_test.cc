// Every form of operator new and delete, and what they do when the memory cannot be had.

#include <algorithm>
#include <functional>
#include <limits>
#include <new>

#include <malloc.h>
#include <sys/resource.h>

#include "hakmem.h"
#include "support/support.h"

using namespace support;

namespace {

constexpr std::align_val_t kAlign{256};

struct Form {
  const char *name;
  bool throws;
  size_t alignment;
  std::function<void *(size_t)> allocate;
  std::function<void(void *, size_t)> release[3];
};

const std::nothrow_t &nothrow = std::nothrow;

const Form kForms[] = {
    {"plain",
     true,
     0,
     [](size_t n) { return ::operator new(n); },
     {[](void *p, size_t) { ::operator delete(p); }, [](void *p, size_t n) { ::operator delete(p, n); },
      [](void *p, size_t) { ::operator delete(p, nothrow); }}},
    {"array",
     true,
     0,
     [](size_t n) { return ::operator new[](n); },
     {[](void *p, size_t) { ::operator delete[](p); }, [](void *p, size_t n) { ::operator delete[](p, n); },
      [](void *p, size_t) { ::operator delete[](p, nothrow); }}},
    {"nothrow",
     false,
     0,
     [](size_t n) { return ::operator new(n, nothrow); },
     {[](void *p, size_t) { ::operator delete(p); }, [](void *p, size_t n) { ::operator delete(p, n); },
      [](void *p, size_t) { ::operator delete(p, nothrow); }}},
    {"array nothrow",
     false,
     0,
     [](size_t n) { return ::operator new[](n, nothrow); },
     {[](void *p, size_t) { ::operator delete[](p); }, [](void *p, size_t n) { ::operator delete[](p, n); },
      [](void *p, size_t) { ::operator delete[](p, nothrow); }}},
    {"aligned",
     true,
     256,
     [](size_t n) { return ::operator new(n, kAlign); },
     {[](void *p, size_t) { ::operator delete(p, kAlign); }, [](void *p, size_t n) { ::operator delete(p, n, kAlign); },
      [](void *p, size_t) { ::operator delete(p, kAlign, nothrow); }}},
    {"array aligned",
     true,
     256,
     [](size_t n) { return ::operator new[](n, kAlign); },
     {[](void *p, size_t) { ::operator delete[](p, kAlign); },
      [](void *p, size_t n) { ::operator delete[](p, n, kAlign); },
      [](void *p, size_t) { ::operator delete[](p, kAlign, nothrow); }}},
    {"aligned nothrow",
     false,
     256,
     [](size_t n) { return ::operator new(n, kAlign, nothrow); },
     {[](void *p, size_t) { ::operator delete(p, kAlign); }, [](void *p, size_t n) { ::operator delete(p, n, kAlign); },
      [](void *p, size_t) { ::operator delete(p, kAlign, nothrow); }}},
    {"array aligned nothrow",
     false,
     256,
     [](size_t n) { return ::operator new[](n, kAlign, nothrow); },
     {[](void *p, size_t) { ::operator delete[](p, kAlign); },
      [](void *p, size_t n) { ::operator delete[](p, n, kAlign); },
      [](void *p, size_t) { ::operator delete[](p, kAlign, nothrow); }}},
};

class NewHandlerGuard {
public:
  ~NewHandlerGuard() { std::set_new_handler(nullptr); }
};

TEST(OperatorNewTest, EveryFormAllocatesAndReleases) {
  for (const Form &form : kForms) {
    for (const auto &release : form.release) {
      for (size_t size : boundary_sizes(0, 4 * MiB)) {
        errno = kUntouchedErrno;
        void *block = form.allocate(size);
        ASSERT_EQ(errno, kUntouchedErrno);
        ASSERT_TRUE(aligned(block, std::max(form.alignment, natural_alignment(size))))
            << form.name << ", size " << size;
        ASSERT_GE(malloc_usable_size(block), size);
        if (form.alignment == 0) {
          ASSERT_GE(malloc_usable_size(block), hak_good_size(size));
        }
        fill(block, size, size);
        ASSERT_TRUE(holds(block, size, size));
        errno = kUntouchedErrno;
        release(block, size);
        ASSERT_EQ(errno, kUntouchedErrno);
      }
    }
  }
}

TEST(OperatorNewTest, ZeroIsUniqueAndNotNull) {
  for (const Form &form : kForms) {
    void *one = form.allocate(0), *other = form.allocate(0);
    EXPECT_NE(one, nullptr) << form.name;
    EXPECT_NE(other, nullptr) << form.name;
    EXPECT_NE(one, other) << form.name;
    form.release[0](one, 0);
    form.release[1](other, 0);
  }
}

TEST(OperatorNewTest, DeleteOfNullDoesNothing) {
  for (const Form &form : kForms) {
    for (const auto &release : form.release) {
      release(nullptr, 0);
    }
  }
}

TEST(OperatorNewTest, ImpossibleSizesThrowOrGiveNull) {
  for (const Form &form : kForms) {
    for (size_t size : impossible_sizes()) {
      if (form.throws) {
        EXPECT_THROW(form.allocate(size), std::bad_alloc) << form.name << ", size " << size;
      } else {
        EXPECT_EQ(form.allocate(size), nullptr) << form.name << ", size " << size;
      }
    }
  }
}

struct HandlerGaveUp {};
int handler_calls = 0;

TEST(OperatorNewTest, TheHandlerIsCalledUntilItIsGone) {
  NewHandlerGuard guard;
  for (const Form &form : kForms) {
    handler_calls = 0;
    std::set_new_handler([] {
      if (++handler_calls == 3) {
        std::set_new_handler(nullptr);
      }
    });
    if (form.throws) {
      EXPECT_THROW(form.allocate(SIZE_MAX / 2), std::bad_alloc) << form.name;
    } else {
      EXPECT_EQ(form.allocate(SIZE_MAX / 2), nullptr) << form.name;
    }
    EXPECT_EQ(handler_calls, 3) << form.name;
  }
}

TEST(OperatorNewTest, AHandlerMayThrow) {
  NewHandlerGuard guard;
  for (const Form &form : kForms) {
    // Any exception leaves the throwing forms as it is.
    std::set_new_handler([] { throw HandlerGaveUp(); });
    if (form.throws) {
      EXPECT_THROW(form.allocate(SIZE_MAX / 2), HandlerGaveUp) << form.name;
    }
    // What the nothrow forms turn into NULL is bad_alloc, which is all that a handler may throw.
    std::set_new_handler([] { throw std::bad_alloc(); });
    if (form.throws) {
      EXPECT_THROW(form.allocate(SIZE_MAX / 2), std::bad_alloc) << form.name;
    } else {
      EXPECT_EQ(form.allocate(SIZE_MAX / 2), nullptr) << form.name;
    }
  }
}

rlimit saved_limit;

size_t address_space_used() {
  size_t pages = 0;
  FILE *file = std::fopen("/proc/self/statm", "r");
  EXPECT_EQ(std::fscanf(file, "%zu", &pages), 1);
  std::fclose(file);
  return pages * counted_page_size();
}

TEST(OperatorNewTest, AHandlerThatMakesRoomIsRewarded) {
  NewHandlerGuard guard;
  size_t size = 0;
  for (const Form &form : kForms) {
    size += 1 * GiB;
    malloc_trim(0); // nothing that was freed before could serve
    ASSERT_EQ(getrlimit(RLIMIT_AS, &saved_limit), 0);
    rlimit tight = saved_limit;
    tight.rlim_cur = address_space_used() + 128 * MiB;
    handler_calls = 0;
    std::set_new_handler([] {
      handler_calls++;
      setrlimit(RLIMIT_AS, &saved_limit);
    });
    ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
    void *block = form.allocate(size);
    setrlimit(RLIMIT_AS, &saved_limit);
    EXPECT_NE(block, nullptr) << form.name;
    EXPECT_EQ(handler_calls, 1) << form.name;
    form.release[1](block, size);
  }
}

TEST(OperatorNewTest, EveryAlignment) {
  for (size_t alignment = 1; alignment <= 64 * MiB; alignment *= 2) {
    for (size_t size : {size_t{0}, size_t{1}, size_t{100}, size_t{5000}, size_t{100000}}) {
      void *block = ::operator new (opaque(size), std::align_val_t{alignment});
      ASSERT_TRUE(aligned(block, alignment));
      fill(block, size, 1);
      ::operator delete (block, size, std::align_val_t{alignment});
      block = ::operator new[](opaque(size), std::align_val_t{alignment}, std::nothrow);
      ASSERT_TRUE(aligned(block, alignment));
      fill(block, size, 1);
      ::operator delete[](block, std::align_val_t{alignment});
    }
  }
}

struct alignas(128) Overaligned {
  char bytes[300];
};

TEST(OperatorNewTest, ExpressionsUseThem) {
  auto *one = opaque(new Overaligned);
  auto *many = opaque(new Overaligned[17]);
  auto *plain = opaque(new int[100]);
  EXPECT_TRUE(aligned(one, 128));
  EXPECT_TRUE(aligned(many, 128));
  EXPECT_GE(malloc_usable_size(plain), 100 * sizeof(int));
  delete one;
  delete[] many;
  delete[] plain;
  EXPECT_THROW(opaque(new char[opaque(SIZE_MAX / 2)]), std::bad_alloc);
}

} // namespace
