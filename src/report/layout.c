#include "report/layout.h"

#include "config/config.h"
#include "events/events.h"

#if HAKMEM_SECURE
#include "secure/secure.h"

enum {
  VARIANT = LAYOUT_SECURE,
  QUARANTINE_OFFSET = sizeof(struct thread_heap) + offsetof(struct quarantine, slot),
  QUARANTINE_SLOTS_OF_CLASS = QUARANTINE_SLOTS,
  HUGE_BLOCK_OFFSET = offsetof(struct huge_entry, note.block)
};
#define SHARED_QUARANTINE shared_quarantine
#else
enum {
#if HAKMEM_PROFILE
  VARIANT = LAYOUT_PROFILE,
#else
  VARIANT = OBSERVE_COUNTS ? LAYOUT_OBSERVE : LAYOUT_RELEASE,
#endif
  QUARANTINE_OFFSET = 0,
  QUARANTINE_SLOTS_OF_CLASS = 0,
  HUGE_BLOCK_OFFSET = offsetof(struct huge_entry, start) /* it begins where its mapping does */
};
#define SHARED_QUARANTINE NULL
#endif

/* Not among the constants: with its addresses it would fill one more page that each process writes at its start. */
__attribute__((section(".data.hak_layout"))) const struct hak_layout hak_layout = {
    .magic = LAYOUT_MAGIC,
    .version = LAYOUT_VERSION,
    .variant = VARIANT,
    .roots = LAYOUT_ROOTS,
    .numbers = LAYOUT_NUMBERS,
    .classes = SIZE_CLASS_COUNT,
    .bytes = sizeof(struct hak_layout),
    .library = HAKMEM_VERSION,
    .self = &hak_layout,
    .root =
        {
#define ROOT(name, address) [LAYOUT_ROOT_##name] = (address),
#define NUMBER(name, value)
#include "report/layout.def"
#undef ROOT
#undef NUMBER
        },
    .size_class =
        {
#define SHAPE(index, before, bytes)                                                                                    \
  [index] = {(bytes) / SIZE_CLASS_GRAIN, SIZE_CLASS_CAPACITY(bytes), SIZE_CLASS_UNITS(bytes)},
            SIZE_CLASSES(SHAPE)
#undef SHAPE
        },
    .number =
        {
#define ROOT(name, address)
#define NUMBER(name, value) [LAYOUT_NUMBER_##name] = (uint16_t)(value),
#include "report/layout.def"
#undef ROOT
#undef NUMBER
        },
};

#define ROOT(name, address)
#define NUMBER(name, value) _Static_assert((value) <= UINT16_MAX, #name " fits its place");
#include "report/layout.def"
