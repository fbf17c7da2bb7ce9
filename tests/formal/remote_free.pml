/* A model of the remote free: gather, keep, send home, take what came home, steal what came home to another, post, publish,
 * collect, release, and the adoption of orphans.
 *
 * Each step carries the name of the function in src/warm that it stands for. What one step does here is one atomic
 * operation, one critical section, or work on memory that only the heap's user touches. All atomic operations of the
 * protocol order what they must, so that their interleavings are all there is; the hints that are read relaxed (is the
 * queue or the stack empty, is there an orphan, has the owner become one) only ever decide to look or not to look, or
 * which of two right ways a block takes, which is a free choice here.
 *
 * A slab is one bitmap word of BLOCKS blocks, all of one class. A magazine is full with two blocks. A thread gathers in one magazine:
 * owners collide always, and at any moment something outside of the model may collide too. The thread's cache and the depot are one
 * set of blocks for each heap, `cached`; what a thread frees to itself goes straight to its slab, as a block in its cache is live to
 * the protocol. The set holds what came home, which may be of a slab that another heap has adopted meanwhile.
 *
 * `fate` is what the model knows of each block beyond the program's own data; it is what the claims are about:
 *
 *   no block is given twice       a block that is handed out was FREE in its slab or CACHED
 *   a block is in one place       live, free in its slab, posted, gathered, on its way home, cached, or in one thread's hands: each
 *                                 step finds it where it comes from
 *   no block is lost              when all threads have ended, and all heaps have been claimed and given back once more, what was
 *                                 posted thereby is collected, and then every block that is not live is free in its slab
 *   no slab is released early     a released slab is on no list, has no remote bits, and no block of it is in use
 *   what comes home is full, and an orphan holds no block outside its slabs, but for what is on its stack
 *   one user a heap, one party a token, no slab queued twice
 *
 * SCENE says where the threads begin:
 *   0 nothing is bound; one allocates and ends, one frees and never has a heap, one does both and may adopt
 *   1 three blocks of the first are live, in two slabs, and it ends; one frees them and sends them home, one may adopt
 *   2 four blocks of the first are live or gathered by the two others, each of which may send a full magazine
 *   3 as 1, and the third has a heap only for the time of each malloc
 *   4 as 2, and the second may steal
 *
 * PLANT names a bug to plant, for the test that the claims can fail, in a scene:
 *   1 in 0: the token is given back after the bits were collected, not before
 *   2 in 0: a slab is released without its token
 *   3 in 0: a slab moves to another heap without its token
 *   4 in 0: the owner is read before the token is held
 *   5 in 1: a thread ends without posting what it has gathered
 *   6 in 1: a magazine that is not full is sent home
 *   7 in 1: a magazine leaves and its entry is not cleared
 *   8 in 1: a foreign block goes into its slab
 *   9 in 1: the stack of an orphan is forgotten by its adopter
 *  10 in 1: the stack is read and cleared, not exchanged
 *  11 in 2: a magazine goes onto the stack by a store
 *  12 in 1: a thread empties its depot before it takes what came home
 *  13 in 1: who collects an orphan leaves its depot as it is
 *  14 in 3: who borrows a heap for one malloc leaves its depot as it is
 *  15 in 1: a foreign block is posted and its slab not published
 *  16 in 4: what a thief leaves goes back onto the stack by a store
 *  17 in 4: what a thief takes stays on the stack
 *  18 in 1: what the cache keeps is gathered as well
 *
 * REACH names what must happen somewhere, for the test that the claims are not empty, in a scene:
 *   1 in 1: a heap hands out a block of another heap's slab
 *   2 in 1: a magazine comes onto the stack of an orphan
 *   3 in 1: a foreign block is put
 *   4 in 2: a magazine comes onto a stack that has one
 *   5 in 1: a magazine holds blocks of two heaps
 *   6 in 4: a thread uses what came home to another
 *   7 in 4: a magazine comes home while a thief looks through those that are there
 *   8 in 1: the cache of the thread keeps a block of another's
 */
#ifndef PLANT
#define PLANT 0
#endif
#ifndef SCENE
#define SCENE 0
#endif
#ifndef REACH
#define REACH 0
#endif
#define REACHED(sight, is_seen) assert(REACH != sight || !(is_seen))

/* How many mallocs and frees the threads make at most, in any order. */
#define THREADS 3
#ifndef MALLOCS
#define MALLOCS 1 /* of the third; in 2 and 4, of the first */
#endif
#ifndef OWNER_MALLOCS
#define OWNER_MALLOCS 0 /* of the first, in 1 and 3 */
#endif
#ifndef FREES
#define FREES 1 /* of the third */
#endif
#define SLABS 2
#define BLOCKS 2
#define ALL ((1 << BLOCKS) - 1)
#define LAST_BLOCK (SLABS * BLOCKS - 1)
#define NONE 255

mtype = { FREE, LIVE, MOVING, POSTED, GATHERED, HOME, CACHED };

byte free_bits[SLABS];
byte remote_bits[SLABS];
bool token[SLABS];
byte owner[SLABS];     /* struct slab: heap */
byte tag[SLABS];       /* owner as the tags of its units say it */
byte queue_next[SLABS];
bool bound[SLABS];
bool pooled[SLABS];
bool on_queue[SLABS]; /* published, and not collected yet */
mtype fate[SLABS * BLOCKS];

byte queue[THREADS];        /* struct remote_queue: first */
byte lane_queued[THREADS];  /* struct lane: queued */
byte returned[THREADS];     /* struct home_stack: first */
byte gathered[THREADS];     /* struct home_entry: its blocks */
byte gathered_tag[THREADS]; /* struct home_entry: tag; NONE: no magazine */
byte cached[THREADS];       /* blocks in the depot, and in the magazine of the heap's thread */
byte user[THREADS];         /* of a heap: the thread that has it, or NONE */
bool orphan[THREADS];
byte ended;

/* Magazines on their way home, by the lowest of their blocks. */
byte contents[SLABS * BLOCKS];
byte slot_0[SLABS * BLOCKS];

/* Sets of blocks are bits: of one slab, or of all. */
#define SLAB_OF(block) ((block) / BLOCKS)
#define BIT(block) (1 << ((block) % BLOCKS))
#define IN(block) (1 << (block))
#define OF_SLAB(set, slab) (((set) >> ((slab) * BLOCKS)) & ALL)
#define TO_SET(slab, bits) ((bits) << ((slab) * BLOCKS))
#define LOWEST(set) (((set) & 1) -> 0 : (((set) & 2) -> 1 : (((set) & 4) -> 2 : 3)))
#define IS_FULL(set) (((set) & ((set) - 1)) != 0) /* two blocks */
#define MUST_USE(heap) assert(user[heap] == me)

inline MOVE(set, from, to) {
  for (i : 0 .. LAST_BLOCK) {
    if
    :: ((set) & IN(i)) != 0 ->
      assert(fate[i] == from);
      fate[i] = to
    :: else
    fi
  }
  i = 0
}

/* ---- remote ---- */

inline remote_token_take(s, got) {
  got = false;
  if
  :: token[s] == 0 ->
    atomic {
      got = token[s] == 0;
      token[s] = 1
    }
  :: else
  fi
}

inline remote_token_give(s) {
  atomic {
    assert(token[s]);
    token[s] = 0
  }
}

inline remote_post(s, posted, got) {
  d_step {
    assert(bound[s] && (remote_bits[s] & posted) == 0);
    MOVE(TO_SET(s, posted), MOVING, POSTED);
    remote_bits[s] = remote_bits[s] | posted
  }
  remote_token_take(s, got)
}

inline remote_enqueue(h, s) {
  assert(token[s]);
  do
  :: atomic {
      first = queue[h];
      queue_next[s] = first
    }
    atomic {
      if
      :: queue[h] == first ->
        assert(!on_queue[s]);
        on_queue[s] = true;
        queue[h] = s;
        first = NONE;
        break
      :: else
      fi
    }
  od
}

inline remote_queue_take(h, s) {
  d_step {
    s = queue[h];
    queue[h] = NONE
  }
}

/* ---- home ---- */

/* `carry`, by a thread that has left its entry. */
inline home_stack_push(h) {
  d_step {
    REACHED(2, orphan[h]);
    REACHED(4, returned[h] != NONE);
    REACHED(5, OF_SLAB(carry, 0) != 0 && OF_SLAB(carry, 1) != 0 && owner[0] != owner[1]);
    magazine = LOWEST(carry);
    contents[magazine] = carry;
    MOVE(carry, MOVING, HOME);
    carry = 0
  }
  do
  :: atomic {
      first = returned[h];
      slot_0[magazine] = first
    }
    atomic {
      if
#if PLANT == 11
      :: true ->
#else
      :: returned[h] == first ->
#endif
        returned[h] = magazine;
        magazine = NONE;
        first = NONE;
        break
      :: else
      fi
    }
  od
}

inline home_stack_take(h) {
#if PLANT == 10
  magazine = returned[h];
  returned[h] = NONE;
#else
  d_step {
    magazine = returned[h];
    returned[h] = NONE
  }
#endif
}

/* What is left in `magazine`: one, or two. */
inline give_back(h) {
  atomic {
    if
#if PLANT == 16
    :: true ->
#else
    :: returned[h] == NONE ->
#endif
      returned[h] = magazine;
      magazine = NONE
    :: else
    fi
  }
  if
  :: magazine != NONE ->
    at = (slot_0[magazine] == NONE -> magazine : slot_0[magazine]);
    do
    :: atomic {
        first = returned[h];
        slot_0[at] = first;
        REACHED(7, first != NONE)
      }
      atomic {
        if
        :: returned[h] == first ->
          returned[h] = magazine;
          magazine = NONE;
          at = NONE;
          first = NONE;
          break
        :: else
        fi
      }
    od
  :: else
  fi
}

/* Which are of the class that it wants the model does not know: none may be, or the first, or the second. */
inline home_stack_steal(h) {
  home_stack_take(h);
  d_step {
    if
    :: magazine != NONE ->
      at = magazine;
      magazine = slot_0[at]
    :: else
    fi
  }
  if
  :: at != NONE -> /* the first */
    d_step {
      slot_0[at] = NONE
    }
  :: at != NONE -> /* none */
    d_step {
      magazine = at;
      at = NONE
    }
  :: magazine != NONE -> /* the second */
    d_step {
      slot_0[at] = NONE;
      first = at;
      at = magazine;
      magazine = first;
      first = NONE
    }
  :: at == NONE
  fi;
  d_step {
    if
    :: at != NONE ->
      REACHED(6, true);
      assert(IS_FULL(contents[at]));
      MOVE(contents[at], HOME, CACHED);
      cached[heap] = cached[heap] | contents[at];
#if PLANT == 17
      returned[h] = at
#else
      contents[at] = 0
#endif
    :: else
    fi;
    at = NONE
  }
  if
  :: magazine != NONE -> give_back(h)
  :: else
  fi
}

/* ---- slab, of a heap that this thread uses ---- */

inline slab_bind(s, h) {
  d_step {
    free_bits[s] = ALL;
    tag[s] = h;
    owner[s] = h;
    bound[s] = true
  }
  token[s] = 0
}

inline slab_put(s, bits, from) {
  assert(bound[s] && (free_bits[s] & (bits)) == 0);
  free_bits[s] = free_bits[s] | (bits);
  MOVE(TO_SET(s, bits), from, FREE)
}

inline slab_collect(s) {
  d_step {
    slab_put(s, remote_bits[s], POSTED);
    remote_bits[s] = 0
  }
}

inline slab_unbind(s) {
  d_step {
    assert(bound[s] && remote_bits[s] == 0 && free_bits[s] == ALL);
    assert(!on_queue[s] && token[s]);
    bound[s] = false;
    pooled[s] = true;
    tag[s] = NONE;
    queue_next[s] = NONE
  }
}

/* ---- heap ---- */

inline release(s) {
#if PLANT == 2
  got = true;
  token[s] = 1;
#else
  remote_token_take(s, got);
#endif
  if
  :: got -> slab_unbind(s)
  :: else
  fi;
  got = false
}

/* Nothing is kept. */
inline lane_gained(s) {
  if
  :: free_bits[s] == ALL -> release(s)
  :: else
  fi
}

/* Bits of blocks in hand; `sent`: it was published. */
inline heap_send_bits(s, bits) {
#if PLANT == 4
  to = owner[s];
#endif
  remote_post(s, bits, sent);
  if
  :: sent ->
#if PLANT != 4
    to = owner[s];
#endif
    remote_enqueue(to, s);
    to = NONE
  :: else -> to = NONE
  fi
}

/* ---- put: `carry` ---- */

inline heap_put(h) {
  MUST_USE(h);
  do
  :: carry != 0 ->
    at = SLAB_OF(LOWEST(carry));
    if
#if PLANT == 8
    :: false ->
#else
    :: tag[at] != h ->
#endif
      d_step {
        REACHED(3, true);
        one = BIT(LOWEST(carry));
        carry = carry & (carry - 1)
      }
#if PLANT == 15
      d_step {
        MOVE(TO_SET(at, one), MOVING, POSTED);
        remote_bits[at] = remote_bits[at] | one
      }
#else
      heap_send_bits(at, one);
#endif
      sent = false;
      one = 0
    :: else ->
      d_step {
        assert(owner[at] == h);
        slab_put(at, OF_SLAB(carry, at), MOVING);
        carry = carry & ~TO_SET(at, ALL)
      }
      lane_gained(at)
    fi;
    at = NONE
  :: else -> break
  od
}

inline heap_put_depot(h) {
  atomic {
    MUST_USE(h);
    carry = cached[h];
    MOVE(carry, CACHED, MOVING);
    cached[h] = 0
  }
  heap_put(h)
}

/* ---- collect ---- */

inline sort_queue(h) {
  MUST_USE(h);
  remote_queue_take(h, slab);
  do
  :: slab != NONE ->
    d_step {
      assert(owner[slab] == h && bound[slab]);
      next = queue_next[slab];
      queue_next[slab] = lane_queued[h];
      lane_queued[h] = slab;
      slab = next;
      next = NONE
    }
  :: else -> break
  od
}

inline collect_lane(h) {
  atomic {
    MUST_USE(h);
    slab = lane_queued[h];
    lane_queued[h] = NONE
  }
  do
  :: slab != NONE ->
    d_step {
      next = queue_next[slab];
      on_queue[slab] = false
    }
#if PLANT == 1
    slab_collect(slab);
    remote_token_give(slab);
#else
    remote_token_give(slab);
    slab_collect(slab);
#endif
    lane_gained(slab);
    slab = next;
    next = NONE
  :: else -> break
  od
}

inline heap_collect_class(h) {
  sort_queue(h);
  collect_lane(h)
}

/* Each magazine goes to the depot, or to the slabs where it is full. */
inline heap_take_returned(h) {
  MUST_USE(h);
  home_stack_take(h);
  do
  :: magazine != NONE ->
    d_step {
      assert(IS_FULL(contents[magazine]));
      MOVE(contents[magazine], HOME, CACHED);
      carry = contents[magazine];
      contents[magazine] = 0;
      at = magazine;
      magazine = slot_0[magazine];
      slot_0[at] = NONE;
      at = NONE
    }
    if
    :: true ->
      d_step {
        cached[h] = cached[h] | carry;
        carry = 0
      }
    :: true ->
      d_step {
        MOVE(carry, CACHED, MOVING)
      }
      heap_put(h)
    fi
  :: else -> break
  od
}

inline heap_collect(h) {
  heap_take_returned(h);
  heap_collect_class(h)
}

/* ---- claim: the registry has one lock, so each is one step ---- */

inline heap_give(h) {
  atomic {
    MUST_USE(h);
    assert(!orphan[h] && cached[h] == 0 && lane_queued[h] == NONE);
    assert(gathered[h] == 0);
    orphan[h] = true;
    user[h] = NONE
  }
}

inline heap_claim_this(h, got) {
  d_step {
    got = orphan[h];
    if
    :: got ->
      orphan[h] = false;
      user[h] = me
    :: else
    fi
  }
}

/* Any orphan, or none: that the list is in order is not the model's concern. */
inline heap_claim_oldest(h) {
  atomic {
    if
    :: orphan[0] -> h = 0
    :: orphan[1] -> h = 1
    :: orphan[2] -> h = 2
    :: h = NONE
    fi;
    if
    :: h != NONE ->
      orphan[h] = false;
      user[h] = me
    :: else
    fi
  }
}

/* ---- adopt ---- */

inline adopt_slab(s) {
  tag[s] = heap;
  owner[s] = heap;
#if PLANT != 3
  remote_token_give(s);
#endif
  slab_collect(s);
  lane_gained(s)
}

inline adopt_from_orphan() {
  heap_claim_oldest(other);
  if
  :: other != NONE ->
#if PLANT == 9
    returned[other] = NONE;
#endif
    heap_collect(other);
#if PLANT != 13
    heap_put_depot(other);
#endif
    slab = 0;
    do
    :: slab < SLABS ->
      if
      :: bound[slab] && owner[slab] == other && free_bits[slab] != 0 ->
#if PLANT == 3
        got = true;
#else
        remote_token_take(slab, got);
#endif
        if
        :: got ->
          adopt_slab(slab);
          if
          :: bound[slab] && owner[slab] == heap -> break /* it has room */
          :: else
          fi
        :: else
        fi;
        got = false
      :: else
      fi;
      slab++
    :: else -> break
    od;
    slab = NONE;
    got = false;
    heap_give(other);
    other = NONE
  :: else
  fi
}

/* ---- post ---- */

inline collect_for_orphan(h) {
  heap_claim_this(h, got);
  if
  :: got ->
    got = false;
    heap_collect(h);
#if PLANT != 13
    heap_put_depot(h);
#endif
    heap_give(h)
  :: else
  fi
}

/* Every 16th publication. */
inline published(h) {
  if
  :: orphan[h] -> collect_for_orphan(h)
  :: true
  fi
}

inline heap_post_bits(s, bits) {
  heap_send_bits(s, bits);
  if
  :: sent ->
    sent = false;
    other = owner[s]
  :: else
  fi
}

/* `carry`, which are bits of one slab or of both. What an orphan is collected for comes after the last of them: it needs
 * hands of its own. */
inline heap_post_blocks() {
  do
  :: carry != 0 ->
    d_step {
      at = SLAB_OF(LOWEST(carry));
      one = OF_SLAB(carry, at);
      carry = carry & ~TO_SET(at, ALL)
    }
    heap_post_bits(at, one);
    at = NONE;
    one = 0
  :: else -> break
  od;
  if
  :: other != NONE ->
    published(other);
    other = NONE
  :: else
  fi
}

inline leave() {
  d_step {
    carry = gathered[heap];
    MOVE(carry, GATHERED, MOVING);
#if PLANT != 7
    gathered[heap] = 0;
    gathered_tag[heap] = NONE
#endif
  }
}

inline heap_post() {
  leave();
  heap_post_blocks()
}

/* The owner is that of the block on top, which is any. */
inline heap_send_home() {
  if
  :: OF_SLAB(gathered[heap], 0) != 0 -> other = owner[0]
  :: OF_SLAB(gathered[heap], 1) != 0 -> other = owner[1]
  fi;
  leave();
  if
#if PLANT == 6
  :: true ->
#else
  :: IS_FULL(carry) ->
#endif
    home_stack_push(other)
  :: other = NONE /* it is not full, its owner is an orphan, or many wait there */
  fi;
  heap_post_blocks()
}

/* ---- threads ---- */

/* Takes the lowest block that came home, or else the lowest free block of the heap's slabs, if there is one. */
inline heap_take() {
  d_step {
    for (i : 0 .. LAST_BLOCK) {
      if
      :: block == NONE && bound[SLAB_OF(i)] && owner[SLAB_OF(i)] == heap && (free_bits[SLAB_OF(i)] & BIT(i)) != 0 ->
        assert(fate[i] == FREE);
        free_bits[SLAB_OF(i)] = free_bits[SLAB_OF(i)] & ~BIT(i);
        fate[i] = LIVE;
        block = i
      :: else
      fi
    }
    i = 0
  }
}

inline depot_pop() {
  d_step {
    if
    :: cached[heap] != 0 ->
      block = LOWEST(cached[heap]);
      MOVE(IN(block), CACHED, LIVE);
      REACHED(1, owner[SLAB_OF(block)] != heap);
      cached[heap] = cached[heap] & ~IN(block)
    :: else
    fi
  }
}

/* Each thread may make one heap. */
inline heap_new() {
  if
  :: heap == NONE && user[me] == NONE && !orphan[me] ->
    heap = me;
    user[heap] = me
  :: else
  fi
}

inline thread_start() {
  heap_claim_oldest(heap);
#if PLANT == 9
  if
  :: heap != NONE -> returned[heap] = NONE
  :: else
  fi;
#endif
  heap_new()
}

inline pool_take(s) {
  atomic {
    if
    :: !bound[0] && pooled[0] -> s = 0
    :: !bound[1] && pooled[1] -> s = 1
    :: else -> s = NONE
    fi;
    if
    :: s != NONE -> pooled[s] = false
    :: else
    fi
  }
}

inline refill_recycled() {
  MUST_USE(heap);
  if
  :: cached[heap] == 0 && returned[heap] != NONE -> heap_take_returned(heap)
  :: else
  fi;
  depot_pop();
  if
  :: block == NONE -> heap_take()
  :: else
  fi
}

inline heap_bind() {
  heap_collect(heap);
  adopt_from_orphan();
  heap_take();
  if
  :: block == NONE ->
    pool_take(slab);
    if
    :: slab != NONE ->
      slab_bind(slab, heap);
      slab = NONE;
      heap_take()
    :: else
    fi
  :: else
  fi
}

/* A thread without a heap has the one of another for this call, and takes nothing that came home but what it collects. */
inline refill() {
  if
  :: heap == NONE -> thread_start()
  :: else
  fi;
  if
  :: heap != NONE ->
    if
    :: light -> heap_take()
    :: else -> refill_recycled()
    fi;
#if SCENE == 4
    if
    :: block == NONE && heap != 0 ->
      home_stack_steal(0);
      depot_pop()
    :: else
    fi;
#endif
    if
    :: block == NONE -> heap_bind()
    :: else
    fi;
    block = NONE;
    if
    :: light -> refill_ended()
    :: else
    fi
  :: else
  fi
}

inline refill_ended() {
#if PLANT != 14
  heap_put_depot(heap);
#endif
  heap_give(heap);
  heap = NONE
}

/* free(): any live block, of whichever thread it was; in scenes 2 and 4 each frees its own. */
#define MAY_FREE(block) ((SCENE != 2 && SCENE != 4) || ((block) == 0) == (me == 1))

inline gate_free() {
  atomic {
    if
    :: fate[0] == LIVE && MAY_FREE(0) -> block = 0
    :: fate[1] == LIVE && MAY_FREE(1) -> block = 1
    :: fate[2] == LIVE && MAY_FREE(2) -> block = 2
    :: fate[3] == LIVE && MAY_FREE(3) -> block = 3
    :: else
    fi;
    if
    :: block != NONE -> fate[block] = MOVING
    :: else
    fi
  }
  if
  :: block != NONE ->
    if
    :: heap != NONE && tag[SLAB_OF(block)] == heap ->
      d_step {
        carry = IN(block);
        block = NONE
      }
      heap_put(heap)
    :: else ->
      free_remote()
    fi
  :: else
  fi
}

inline free_remote() {
  if
  :: heap == NONE ->
    d_step {
      carry = IN(block);
      block = NONE
    }
    heap_post_blocks()
  :: else ->
    seen = tag[SLAB_OF(block)];
    gather()
  fi
}

/* The thread's own cache takes the block: what it would take the place of in the magazine is another's, which may be one that the
 * model does not know. */
inline keep() {
  d_step {
    cached[heap] = cached[heap] | IN(block);
    MOVE(IN(block), MOVING, CACHED);
    REACHED(8, true);
#if PLANT != 18
    seen = NONE;
    block = NONE
#endif
  }
}

/* A block of another tag evicts what is gathered, and so does one that finds the magazine full; also one that the model does not
 * know. */
inline gather() {
  do
  :: block != NONE -> keep()
  :: block != NONE && (gathered[heap] == 0 || gathered_tag[heap] == seen) && !IS_FULL(gathered[heap]) ->
    d_step {
      gathered_tag[heap] = seen;
      gathered[heap] = gathered[heap] | IN(block);
      MOVE(IN(block), MOVING, GATHERED);
      seen = NONE;
      block = NONE
    }
  :: gathered[heap] != 0 -> heap_send_home()
  :: block == NONE -> break
  od
}

inline thread_drain(h) {
#if PLANT != 5
  heap_post();
#endif
#if PLANT == 12
  heap_put_depot(h);
  heap_collect(h)
#else
  heap_collect(h);
  heap_put_depot(h)
#endif
}

inline thread_end() {
  if
  :: heap != NONE ->
    thread_drain(heap);
    heap_give(heap);
    heap = NONE
  :: else
  fi
}

#define HANDS \
  byte other = NONE, slab = NONE, next = NONE, first = NONE, block = NONE, to = NONE, at = NONE, magazine = NONE; \
  byte carry = 0, one = 0, i = 0, seen = NONE; \
  bool got = false, sent = false

proctype thread(byte me; byte heap; bool light; byte mallocs; byte frees) {
  HANDS;
  do
  :: mallocs > 0 ->
    mallocs--;
    refill()
  :: frees > 0 ->
    frees--;
    gate_free()
  :: true -> break
  od;
  atomic {
    mallocs = 0;
    frees = 0
  }
  thread_end();
  ended++
}

/* When all have ended, whoever takes the heaps over finds everything; what a heap had of another's comes to that one. */
proctype successor(byte me) {
  byte heap = 0, round = 0;
  HANDS;
  ended == THREADS;
  do
  :: heap < THREADS ->
    heap_claim_this(heap, got);
    if
    :: got ->
      heap_collect(heap);
      heap_put_depot(heap);
      heap_give(heap)
    :: else
    fi;
    heap++
  :: heap == THREADS && round == 0 ->
    heap = 0;
    round = 1
  :: else -> break
  od;
  atomic {
    for (i : 0 .. LAST_BLOCK) {
      if
      :: bound[SLAB_OF(i)] ->
        assert(remote_bits[SLAB_OF(i)] == 0);
        assert(fate[i] == LIVE || (fate[i] == FREE && (free_bits[SLAB_OF(i)] & BIT(i)) != 0))
      :: else -> assert(fate[i] == FREE)
      fi
    }
  }
}

init {
  byte i;
  atomic {
    for (i : 0 .. SLABS - 1) {
      token[i] = 1;
      owner[i] = NONE;
      tag[i] = NONE;
      queue_next[i] = NONE;
      pooled[i] = true
    }
    for (i : 0 .. LAST_BLOCK) {
      fate[i] = FREE;
      slot_0[i] = NONE
    }
    for (i : 0 .. THREADS - 1) {
      queue[i] = NONE;
      lane_queued[i] = NONE;
      returned[i] = NONE;
      gathered_tag[i] = NONE;
      user[i] = NONE
    }
#if SCENE == 0
    run thread(0, NONE, false, 2, 0);
    run thread(1, NONE, false, 0, 2);
    run thread(2, NONE, false, MALLOCS, FREES);
#else
    for (i : 0 .. SLABS - 1) {
      pooled[i] = false;
      bound[i] = true;
      token[i] = 0;
      owner[i] = 0;
      tag[i] = 0
    }
    for (i : 0 .. LAST_BLOCK) {
      fate[i] = LIVE
    }
    user[0] = 0;
    user[1] = 1;
#if SCENE == 2 || SCENE == 4
    user[2] = 2;
    for (i : 1 .. 2) {
      gathered_tag[i] = 0;
      gathered[i] = IN(i);
      fate[i] = GATHERED
    }
    run thread(0, 0, false, MALLOCS, 0);
    run thread(1, 1, false, SCENE == 4, 1);
    run thread(2, 2, false, 0, FREES);
#else
    fate[3] = FREE;
    free_bits[1] = BIT(3);
    run thread(0, 0, false, OWNER_MALLOCS, 0);
    run thread(1, 1, false, 0, 2);
    run thread(2, NONE, SCENE == 3, MALLOCS, FREES);
#endif
#endif
    run successor(THREADS)
  }
}
