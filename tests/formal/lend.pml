/* A model of the hand-shake by which another has the heap of a thread that sleeps (src/warm/lend.h): the helper here,
 * who stands for whoever borrows, one at a time.
 *
 * The steps carry the names of the functions in src. The heap has one thread after the other: the first gives it away,
 * the second claims it. Their stores are seen late: each thread has a buffer from which the stores of `state` drain in
 * their order, and what it changes in the heap drains whenever it likes, but for what a store with release order waits
 * for. os_barrier drains the buffers of all threads. A load sees what has drained.
 *
 *   one user of the heap         the helper has it only while no thread is between heap_enter and heap_leave
 *   the helper sees all of it    whatever a thread changed before has drained
 *   nobody waits for ever        all come to their ends
 *
 * PLANT names a bug to plant, for the test that the claims can fail:
 *   1 there is no barrier between lending and the look at the state
 *   2 the thread looks whether the heap is lent before it says CHANGING
 *   3 OWNED is stored without release order
 *   4 the helper takes a heap that is CHANGING
 *   5 a thread that has waited does not look again
 */
#ifndef PLANT
#define PLANT 0
#endif

#define THREADS 2
#ifndef SECTIONS
#define SECTIONS 2 /* of each thread */
#endif
#ifndef LENDS
#define LENDS 2
#endif
#define ROOM 16

mtype = { OWNED, CHANGING, ORPHAN, LENT_NOT, LENT, LENT_AWAITED };

mtype state = ORPHAN;
mtype lent = LENT_NOT;

/* A thread's stores of `state` that have not drained, the oldest first, and how much must have drained before each. */
typedef buffer {
  mtype stored[ROOM];
  byte needs[ROOM];
  byte length
}
buffer late[THREADS];

byte changed;          /* how often a thread has changed the heap, */
byte drained;          /* and how much of that is seen */
bool inside[THREADS];  /* between heap_enter and heap_leave */
bool lending;          /* the helper has the heap */
byte ended;

inline heap_state_set(what, need) {
  d_step {
    assert(late[me].length < ROOM);
    late[me].stored[late[me].length] = what;
    late[me].needs[late[me].length] = need;
    late[me].length++
  }
}

inline drain_first(t) {
  state = late[t].stored[0];
  for (i : 1 .. ROOM - 1) {
    late[t].stored[i - 1] = late[t].stored[i];
    late[t].needs[i - 1] = late[t].needs[i]
  }
  late[t].length--
}

inline drain_all() {
  drained = changed;
  for (t : 0 .. THREADS - 1) {
    do
    :: late[t].length > 0 -> drain_first(t)
    :: else -> break
    od
  }
  t = 0
}

/* ---- the thread ---- */

inline heap_await() {
  do
  :: lent != LENT_NOT ->
    heap_state_set(OWNED, changed);
    do
    :: lent == LENT_NOT -> break
    :: atomic { lent == LENT -> lent = LENT_AWAITED }
    :: lent == LENT_AWAITED -> lent != LENT_AWAITED /* os_wait */
    od;
#if PLANT == 5
    break;
#endif
    heap_state_set(CHANGING, changed)
  :: else -> break
  od
}

inline heap_enter() {
#if PLANT == 2
  heap_await();
  heap_state_set(CHANGING, changed);
#else
  heap_state_set(CHANGING, changed);
  heap_await();
#endif
  inside[me] = true;
  assert(!lending)
}

inline change() {
  changed++;
  assert(!lending)
}

inline heap_leave() {
  inside[me] = false;
#if PLANT == 3
  heap_state_set(OWNED, 0)
#else
  heap_state_set(OWNED, changed)
#endif
}

/* Both under the registry's lock: all that was stored before is seen. A claim does not look whether the heap is lent. */
inline registry_give() {
  d_step {
    drain_all();
    inside[me] = false;
    state = ORPHAN
  }
}

inline registry_take() {
  atomic {
    state == ORPHAN;
    d_step {
      drain_all();
      state = CHANGING;
      inside[me] = true
    }
  }
  assert(!lending)
}

proctype thread(byte me) {
  byte sections = SECTIONS, t = 0, i = 0;
  registry_take();
  change();
  heap_leave();
  do
  :: sections > 0 ->
    sections--;
    heap_enter();
    change();
    heap_leave()
  :: else -> break
  od;
  heap_enter();
  change();
  registry_give();
  ended++
}

/* What the processor does by itself. */
proctype memory() {
  byte t = 0, i = 0;
end:
  do
  :: atomic { drained < changed -> drained++ }
  :: atomic { late[0].length > 0 && drained >= late[0].needs[0] -> drain_first(0); i = 0 }
  :: atomic { late[1].length > 0 && drained >= late[1].needs[0] -> drain_first(1); i = 0 }
  od
}

/* ---- the helper ---- */

inline os_barrier() {
  d_step {
    drain_all();
    i = 0
  }
}

inline borrow() {
  lent = LENT;
#if PLANT != 1
  os_barrier();
#endif
  if
  :: state == OWNED || (PLANT == 4 && state == CHANGING) ->
    lending = true;
    assert(!inside[0] && !inside[1]);
    assert(drained == changed);
    skip;
    assert(!inside[0] && !inside[1]);
    lending = false
  :: else
  fi;
  lent = LENT_NOT /* and os_wake */
}

proctype helper() {
  byte lends = LENDS, t = 0, i = 0;
  do
  :: lends > 0 ->
    lends--;
    borrow()
  :: else -> break
  od
}

init {
  atomic {
    run thread(0);
    run thread(1);
    run memory();
    run helper()
  }
}
