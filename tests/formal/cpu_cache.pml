/* A model of the magazines that threads without a heap share by CPU (src/warm/cpu_cache.h, src/warm/light.h).
 *
 * The steps carry the names of the functions in src. Two threads share one CPU, and its row in each of two sets; a third
 * one, on another CPU, empties the set in use. The kernel takes the CPU from a thread at any step, and then abandons its
 * sequence; os_restart_sequences abandons all. A sequence reads first and ends with the one store that counts.
 *
 *   one place for each block     in one magazine, in one thread's hands, or posted
 *   none is lost                 all are somewhere at each moment
 *   nobody waits for ever        all come to their ends
 *
 * PLANT names a bug to plant, for the test that the claims can fail:
 *   1 the kernel does not abandon the sequence of a thread that loses the CPU
 *   2 sequences under way are not abandoned before a set is emptied
 *   3 which set is in use is read before the sequence begins
 *   4 a magazine is refilled while it stays in its row
 *   5 the set that is emptied stays in use
 */
#ifndef PLANT
#define PLANT 0
#endif

#define THREADS 2
#define ALL 3 /* two blocks, as bits */
#ifndef CALLS
#define CALLS 2 /* of each thread */
#endif
#ifndef EMPTYINGS
#define EMPTYINGS 1
#endif
#define NONE 0

byte in_use;             /* the set */
byte row[2];             /* the magazine of the row in each set: 1 and up, or NONE */
byte held[3];            /* the blocks of a magazine */
byte hands[THREADS];     /* the blocks that a thread has */
byte posted;
byte running;            /* the thread that has the CPU */
bool within[THREADS];    /* a sequence */
bool abandoned[THREADS];
byte ended;

inline check() {
  assert((held[1] & held[2]) == 0 && ((held[1] | held[2]) & (hands[0] | hands[1] | posted)) == 0);
  assert((hands[0] & hands[1]) == 0 && (posted & (hands[0] | hands[1])) == 0);
  assert((held[1] | held[2] | hands[0] | hands[1] | posted) == ALL)
}

/* ---- sequences: each step is one of a thread that has the CPU, and none is made of one that was abandoned ---- */

inline begin() {
#if PLANT == 3
  atomic { running == me -> set = in_use };
#endif
  atomic {
    running == me ->
    within[me] = true;
    abandoned[me] = false;
#if PLANT != 3
    set = in_use
#endif
  };
  atomic {
    running == me ->
    top = row[set];
    seen = held[top]
  }
}

inline finish() {
  within[me] = false;
  done = !abandoned[me]
}

inline cpu_pop() {
  begin();
  atomic {
    running == me ->
    if
    :: abandoned[me] || top == NONE || seen == 0
    :: else ->
      block = (seen & 1 -> 1 : 2);
      held[top] = seen & ~block;
      hands[me] = hands[me] | block;
      check()
    fi;
    finish()
  }
}

inline cpu_push() {
  begin();
  atomic {
    running == me ->
    if
    :: abandoned[me] || top == NONE || hands[me] == 0
    :: else ->
      block = (hands[me] & 1 -> 1 : 2);
      held[top] = seen | block;
      hands[me] = hands[me] & ~block;
      check()
    fi;
    finish()
  }
}

inline cpu_take() {
  begin();
  atomic {
    running == me ->
    mine = (abandoned[me] -> NONE : top);
#if PLANT != 4
    if
    :: mine != NONE -> row[set] = NONE
    :: else
    fi;
#endif
    finish()
  }
}

inline cpu_give() {
  begin();
  atomic {
    running == me ->
    if
    :: abandoned[me] || (top != NONE && PLANT != 4) -> finish(); done = false
    :: else -> row[set] = mine; finish()
    fi
  }
}

/* A magazine that is out of its row: what it holds is read, and written later. */
inline fill() {
  seen = held[mine];
  atomic {
    held[mine] = seen | hands[me];
    hands[me] = 0;
    check()
  }
}

inline heap_post_blocks() {
  atomic {
    posted = posted | held[mine];
    held[mine] = 0;
    check()
  }
}

inline light_refill() {
  cpu_take();
  if
  :: mine != NONE ->
    fill();
    cpu_give();
    if
    :: done
    :: else -> heap_post_blocks() /* and the magazine goes to a depot */
    fi;
    mine = NONE
  :: else
  fi
}

inline leave_row() {
  cpu_take();
  if
  :: mine != NONE ->
    heap_post_blocks();
    cpu_give(); /* if the row has another one meanwhile, the magazine goes to a depot */
    mine = NONE
  :: else
  fi
}

proctype thread(byte me) {
  byte calls = CALLS, set, top, seen, block, mine;
  bool done;
  do
  :: calls > 0 ->
    calls--;
    if
    :: cpu_pop()
    :: cpu_push()
    :: light_refill()
    :: leave_row()
    fi
  :: else -> break
  od;
  ended++
}

/* ---- the kernel ---- */

proctype scheduler() {
end:
  do
  :: atomic {
       running = 1 - running;
#if PLANT != 1
       abandoned[1 - running] = within[1 - running] || abandoned[1 - running]
#endif
     }
  od
}

inline os_restart_sequences() {
  d_step {
    abandoned[0] = within[0] || abandoned[0];
    abandoned[1] = within[1] || abandoned[1]
  }
}

/* ---- who empties the rows ---- */

inline cpu_empty() {
  set = in_use;
#if PLANT != 5
  in_use = 1 - set;
#endif
#if PLANT != 2
  os_restart_sequences();
#endif
  mine = row[set];
  if
  :: mine != NONE ->
    seen = held[mine];
    atomic {
      held[mine] = 0;
      posted = posted | seen;
      check()
    }
  :: else
  fi
}

proctype emptier() {
  byte emptyings = EMPTYINGS, set, mine, seen;
  do
  :: emptyings > 0 ->
    emptyings--;
    cpu_empty()
  :: else -> break
  od;
  ended++
}

init {
  atomic {
    row[0] = 1;
    row[1] = 2;
    held[1] = 1;
    hands[1] = 2;
    run thread(0);
    run thread(1);
    run emptier();
    run scheduler()
  }
}
