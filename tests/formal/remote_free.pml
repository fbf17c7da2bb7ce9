/* A model of the remote free: gather, post, publish, collect, release, and the adoption of orphans.
 *
 * Each step carries the name of the function in src/warm that it stands for. What one step does here is one atomic
 * operation, one critical section, or work on memory that only the heap's user touches. All atomic operations of the
 * protocol are sequentially consistent in C, so that their interleavings are all there is; the hints that are read
 * relaxed (is the queue empty, is there an orphan) only ever decide to look or not to look, which is a free choice here.
 *
 * A slab is one bitmap word of BLOCKS blocks. Thread caches and depots are left out: to the protocol a cached block is
 * live. `fate` is what the model knows of each block beyond the program's own data; it is what the claims are about:
 *
 *   no block is given twice       a block that is taken was FREE
 *   no block is lost              when all threads have ended, every block that is not live is free in its slab
 *   no slab is released early     a released slab is on no list, has no remote bits, and no block of it is in use
 *   one user a heap, one party a token, no slab queued twice
 *
 * PLANT names a bug to plant, for the test that the claims can fail:
 *   1 the token is given back after the bits were collected, not before
 *   2 a slab is released without its token
 *   3 a slab moves to another heap without its token
 *   4 the owner is read before the token is held
 *   5 a thread ends without posting what it has gathered
 */
#ifndef PLANT
#define PLANT 0
#endif

/* How many mallocs and frees each thread makes at most, in any order: one that allocates and ends, one that frees what
 * others allocated and never has a heap, one that does both and may adopt. */
#define THREADS 3
#ifndef MALLOCS
#define MALLOCS 2 /* of the third */
#endif
#ifndef FREES
#define FREES 1
#endif
#define SLABS 2
#define BLOCKS 2
#define ALL ((1 << BLOCKS) - 1)
#define NONE 255

mtype = { FREE, LIVE, FREED };

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

byte queue[THREADS];          /* struct remote_queue: first */
byte lane_queued[THREADS];    /* struct lane: queued */
byte user[THREADS];           /* of a heap: the thread that has it, or NONE */
bool orphan[THREADS];
byte ended;

#define IS_BLOCK_OF(slab, block) ((block) / BLOCKS == (slab))
#define BIT(block) (1 << ((block) % BLOCKS))
#define MUST_USE(heap) assert(user[heap] == me)

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
    remote_bits[s] = remote_bits[s] | posted
  }
  remote_token_take(s, got)
}

inline remote_enqueue(h, s) {
  assert(token[s]);
  do
  :: first = queue[h];
    queue_next[s] = first;
    atomic {
      if
      :: queue[h] == first ->
        assert(!on_queue[s]);
        on_queue[s] = true;
        queue[h] = s;
        break
      :: else
      fi
    }
  od
}

inline remote_queue_take(h, s) {
  atomic {
    s = queue[h];
    queue[h] = NONE
  }
}

/* ---- slab, of a heap that this thread uses ---- */

inline slab_bind(s, h) {
  free_bits[s] = ALL;
  tag[s] = h;
  owner[s] = h;
  bound[s] = true;
  token[s] = 0
}

inline slab_put(s, bits) {
  d_step {
    assert(bound[s] && (free_bits[s] & bits) == 0);
    free_bits[s] = free_bits[s] | bits;
    for (i : 0 .. SLABS * BLOCKS - 1) {
      if
      :: IS_BLOCK_OF(s, i) && (bits & BIT(i)) != 0 ->
        assert(fate[i] == FREED);
        fate[i] = FREE
      :: else
      fi
    }
    i = 0
  }
}

inline slab_collect(s) {
  atomic {
    bits = remote_bits[s];
    remote_bits[s] = 0
  }
  slab_put(s, bits);
  bits = 0
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

inline lane_gained(s) {
  if
  :: free_bits[s] == ALL -> release(s)
  :: else
  fi
}

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
  MUST_USE(h);
  d_step {
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

inline heap_collect(h) {
  sort_queue(h);
  collect_lane(h)
}

/* ---- claim: the registry has one lock, so each is one step ---- */

inline heap_give(h) {
  d_step {
    MUST_USE(h);
    assert(!orphan[h]);
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
inline heap_claim(h) {
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

/* ---- warm ---- */

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
  heap_claim(other);
  if
  :: other != NONE ->
    heap_collect(other);
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
        :: got -> adopt_slab(slab)
        :: else
        fi;
        got = false
      :: else
      fi;
      slab++
    :: else -> break
    od;
    slab = NONE;
    heap_give(other);
    other = NONE
  :: else
  fi
}

inline collect_for_orphan(h) {
  heap_claim_this(h, got);
  if
  :: got ->
    heap_collect(h);
    heap_give(h)
  :: else
  fi;
  got = false
}

inline heap_post_bits() {
#if PLANT == 4
  other = owner[gathered_slab];
#endif
  remote_post(gathered_slab, gathered_bits, got);
  gathered_bits = 0;
  if
  :: got ->
#if PLANT != 4
    other = owner[gathered_slab];
#endif
    remote_enqueue(other, gathered_slab);
    gathered_slab = NONE;
    got = false;
    if /* every 16th publication */
    :: orphan[other] -> collect_for_orphan(other)
    :: true
    fi
  :: else -> gathered_slab = NONE
  fi;
  other = NONE
}

/* Takes the lowest free block of the heap's, if there is one. */
inline heap_take() {
  d_step {
    for (i : 0 .. SLABS * BLOCKS - 1) {
      if
      :: block == NONE && bound[i / BLOCKS] && owner[i / BLOCKS] == heap && (free_bits[i / BLOCKS] & BIT(i)) != 0 ->
        assert(fate[i] == FREE);
        free_bits[i / BLOCKS] = free_bits[i / BLOCKS] & ~BIT(i);
        fate[i] = LIVE;
        block = i
      :: else
      fi
    }
    i = 0
  }
}

inline thread_start() {
  heap_claim(heap);
  if
  :: heap == NONE && user[me] == NONE && !orphan[me] -> /* heap_new: each thread may make one */
    heap = me;
    user[heap] = me
  :: else
  fi
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



inline refill() {
  if
  :: heap == NONE -> thread_start()
  :: else
  fi;
  if
  :: heap != NONE ->
    MUST_USE(heap);
    heap_take();
    if
    :: block == NONE ->
      heap_collect(heap);
      heap_take()
    :: else
    fi;
    if
    :: block == NONE ->
      adopt_from_orphan();
      heap_take()
    :: else
    fi;
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
    fi;
    block = NONE
  :: else
  fi
}

/* free(): any live block, of whichever thread it was. */
inline gate_free() {
  atomic {
    if
    :: fate[0] == LIVE -> block = 0
    :: fate[1] == LIVE -> block = 1
    :: fate[2] == LIVE -> block = 2
    :: fate[3] == LIVE -> block = 3
    :: else
    fi;
    if
    :: block != NONE -> fate[block] = FREED
    :: else
    fi
  }
  if
  :: block != NONE ->
    if
    :: heap != NONE && tag[block / BLOCKS] == heap ->
      assert(owner[block / BLOCKS] == heap);
      bits = BIT(block);
      slab = block / BLOCKS;
      block = NONE;
      slab_put(slab, bits);
      bits = 0;
      lane_gained(slab);
      slab = NONE
    :: else ->
      free_remote()
    fi
  :: else
  fi
}

inline free_remote() {
  if
  :: gathered_slab != NONE && gathered_slab != block / BLOCKS -> heap_post_bits()
  :: else
  fi;
  d_step {
    gathered_slab = block / BLOCKS;
    gathered_bits = gathered_bits | BIT(block);
    block = NONE
  }
  if
  :: heap == NONE || gathered_bits == ALL -> heap_post_bits()
  :: true -> heap_post_bits()
  :: heap != NONE
  fi
}

inline thread_end() {
  if
  :: heap != NONE ->
#if PLANT != 5
    if
    :: gathered_slab != NONE -> heap_post_bits()
    :: else
    fi;
#endif
    heap_collect(heap);
    heap_give(heap);
    heap = NONE
  :: else
  fi
}

proctype thread(byte me; byte mallocs; byte frees) {
  byte heap = NONE, other = NONE, slab = NONE, next = NONE, first = NONE, block = NONE;
  byte gathered_slab = NONE, gathered_bits = 0, bits = 0, i = 0;
  bool got = false;
  do
  :: mallocs > 0 ->
    mallocs--;
    refill()
  :: frees > 0 ->
    frees--;
    gate_free()
  :: true -> break
  od;
  thread_end();
  ended++
}

/* When all have ended, whoever takes the heaps over finds everything. */
proctype successor(byte me) {
  byte heap = 0, slab = NONE, next = NONE, bits = 0, i = 0;
  bool got = false;
  ended == THREADS;
  do
  :: heap < THREADS ->
    heap_claim_this(heap, got);
    if
    :: got -> heap_collect(heap)
    :: else
    fi;
    heap++
  :: else -> break
  od;
  skip;
  d_step {
    for (i : 0 .. SLABS * BLOCKS - 1) {
      if
      :: bound[i / BLOCKS] ->
        assert(remote_bits[i / BLOCKS] == 0);
        assert(fate[i] == LIVE || (fate[i] == FREE && (free_bits[i / BLOCKS] & BIT(i)) != 0))
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
    for (i : 0 .. SLABS * BLOCKS - 1) {
      fate[i] = FREE
    }
    for (i : 0 .. THREADS - 1) {
      queue[i] = NONE;
      lane_queued[i] = NONE;
      user[i] = NONE
    }
    run thread(0, 2, 0);
    run thread(1, 0, 2);
    run thread(2, MALLOCS, FREES);
    run successor(THREADS)
  }
}
