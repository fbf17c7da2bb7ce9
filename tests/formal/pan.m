#define rand	pan_rand
#define pthread_equal(a,b)	((a)==(b))
#if defined(HAS_CODE) && defined(VERBOSE)
	#ifdef BFS_PAR
		bfs_printf("Pr: %d Tr: %d\n", II, t->forw);
	#else
		cpu_printf("Pr: %d Tr: %d\n", II, t->forw);
	#endif
#endif
	switch (t->forw) {
	default: Uerror("bad forward move");
	case 0:	/* if without executable clauses */
		continue;
	case 1: /* generic 'goto' or 'skip' */
		IfNotBlocked
		_m = 3; goto P999;
	case 2: /* generic 'else' */
		IfNotBlocked
		if (trpt->o_pm&1) continue;
		_m = 3; goto P999;

		 /* PROC :init: */
	case 3: // STATE 1 - /tmp/wt/model/tests/formal/remote_free.pml:547 - [i = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[2][1] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->i);
		((P2 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval(":init::i", ((int)((P2 *)_this)->i));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 4: // STATE 2 - /tmp/wt/model/tests/formal/remote_free.pml:547 - [((i<=(2-1)))] (11:0:6 - 1)
		IfNotBlocked
		reached[2][2] = 1;
		if (!((((int)((P2 *)_this)->i)<=(2-1))))
			continue;
		/* merge: published[i] = 1(11, 3, 11) */
		reached[2][3] = 1;
		(trpt+1)->bup.ovals = grab_ints(6);
		(trpt+1)->bup.ovals[0] = ((int)now.published[ Index(((int)((P2 *)_this)->i), 2) ]);
		now.published[ Index(((P2 *)_this)->i, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[:init::i]", ((int)now.published[ Index(((int)((P2 *)_this)->i), 2) ]));
#endif
		;
		/* merge: owner[i] = 255(11, 4, 11) */
		reached[2][4] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.owner[ Index(((int)((P2 *)_this)->i), 2) ]);
		now.owner[ Index(((P2 *)_this)->i, 2) ] = 255;
#ifdef VAR_RANGES
		logval("owner[:init::i]", ((int)now.owner[ Index(((int)((P2 *)_this)->i), 2) ]));
#endif
		;
		/* merge: tag[i] = 255(11, 5, 11) */
		reached[2][5] = 1;
		(trpt+1)->bup.ovals[2] = ((int)now.tag[ Index(((int)((P2 *)_this)->i), 2) ]);
		now.tag[ Index(((P2 *)_this)->i, 2) ] = 255;
#ifdef VAR_RANGES
		logval("tag[:init::i]", ((int)now.tag[ Index(((int)((P2 *)_this)->i), 2) ]));
#endif
		;
		/* merge: queue_next[i] = 255(11, 6, 11) */
		reached[2][6] = 1;
		(trpt+1)->bup.ovals[3] = ((int)now.queue_next[ Index(((int)((P2 *)_this)->i), 2) ]);
		now.queue_next[ Index(((P2 *)_this)->i, 2) ] = 255;
#ifdef VAR_RANGES
		logval("queue_next[:init::i]", ((int)now.queue_next[ Index(((int)((P2 *)_this)->i), 2) ]));
#endif
		;
		/* merge: pooled[i] = 1(11, 7, 11) */
		reached[2][7] = 1;
		(trpt+1)->bup.ovals[4] = ((int)now.pooled[ Index(((int)((P2 *)_this)->i), 2) ]);
		now.pooled[ Index(((P2 *)_this)->i, 2) ] = 1;
#ifdef VAR_RANGES
		logval("pooled[:init::i]", ((int)now.pooled[ Index(((int)((P2 *)_this)->i), 2) ]));
#endif
		;
		/* merge: i = (i+1)(11, 8, 11) */
		reached[2][8] = 1;
		(trpt+1)->bup.ovals[5] = ((int)((P2 *)_this)->i);
		((P2 *)_this)->i = (((int)((P2 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval(":init::i", ((int)((P2 *)_this)->i));
#endif
		;
		/* merge: .(goto)(0, 12, 11) */
		reached[2][12] = 1;
		;
		_m = 3; goto P999; /* 7 */
	case 5: // STATE 14 - /tmp/wt/model/tests/formal/remote_free.pml:554 - [i = 0] (0:20:1 - 3)
		IfNotBlocked
		reached[2][14] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->i);
		((P2 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval(":init::i", ((int)((P2 *)_this)->i));
#endif
		;
		/* merge: .(goto)(0, 21, 20) */
		reached[2][21] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 6: // STATE 15 - /tmp/wt/model/tests/formal/remote_free.pml:554 - [((i<=((2*2)-1)))] (20:0:2 - 1)
		IfNotBlocked
		reached[2][15] = 1;
		if (!((((int)((P2 *)_this)->i)<=((2*2)-1))))
			continue;
		/* merge: fate[i] = FREE(20, 16, 20) */
		reached[2][16] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = now.fate[ Index(((int)((P2 *)_this)->i), 4) ];
		now.fate[ Index(((P2 *)_this)->i, 4) ] = 3;
#ifdef VAR_RANGES
		logval("fate[:init::i]", now.fate[ Index(((int)((P2 *)_this)->i), 4) ]);
#endif
		;
		/* merge: i = (i+1)(20, 17, 20) */
		reached[2][17] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P2 *)_this)->i);
		((P2 *)_this)->i = (((int)((P2 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval(":init::i", ((int)((P2 *)_this)->i));
#endif
		;
		/* merge: .(goto)(0, 21, 20) */
		reached[2][21] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 7: // STATE 23 - /tmp/wt/model/tests/formal/remote_free.pml:557 - [i = 0] (0:31:1 - 3)
		IfNotBlocked
		reached[2][23] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->i);
		((P2 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval(":init::i", ((int)((P2 *)_this)->i));
#endif
		;
		/* merge: .(goto)(0, 32, 31) */
		reached[2][32] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 8: // STATE 24 - /tmp/wt/model/tests/formal/remote_free.pml:557 - [((i<=(3-1)))] (31:0:4 - 1)
		IfNotBlocked
		reached[2][24] = 1;
		if (!((((int)((P2 *)_this)->i)<=(3-1))))
			continue;
		/* merge: queue[i] = 255(31, 25, 31) */
		reached[2][25] = 1;
		(trpt+1)->bup.ovals = grab_ints(4);
		(trpt+1)->bup.ovals[0] = ((int)now.queue[ Index(((int)((P2 *)_this)->i), 3) ]);
		now.queue[ Index(((P2 *)_this)->i, 3) ] = 255;
#ifdef VAR_RANGES
		logval("queue[:init::i]", ((int)now.queue[ Index(((int)((P2 *)_this)->i), 3) ]));
#endif
		;
		/* merge: lane_published[i] = 255(31, 26, 31) */
		reached[2][26] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.lane_published[ Index(((int)((P2 *)_this)->i), 3) ]);
		now.lane_published[ Index(((P2 *)_this)->i, 3) ] = 255;
#ifdef VAR_RANGES
		logval("lane_published[:init::i]", ((int)now.lane_published[ Index(((int)((P2 *)_this)->i), 3) ]));
#endif
		;
		/* merge: user[i] = 255(31, 27, 31) */
		reached[2][27] = 1;
		(trpt+1)->bup.ovals[2] = ((int)now.user[ Index(((int)((P2 *)_this)->i), 3) ]);
		now.user[ Index(((P2 *)_this)->i, 3) ] = 255;
#ifdef VAR_RANGES
		logval("user[:init::i]", ((int)now.user[ Index(((int)((P2 *)_this)->i), 3) ]));
#endif
		;
		/* merge: i = (i+1)(31, 28, 31) */
		reached[2][28] = 1;
		(trpt+1)->bup.ovals[3] = ((int)((P2 *)_this)->i);
		((P2 *)_this)->i = (((int)((P2 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval(":init::i", ((int)((P2 *)_this)->i));
#endif
		;
		/* merge: .(goto)(0, 32, 31) */
		reached[2][32] = 1;
		;
		_m = 3; goto P999; /* 5 */
	case 9: // STATE 34 - /tmp/wt/model/tests/formal/remote_free.pml:562 - [(run thread(0,2,0))] (0:0:0 - 3)
		IfNotBlocked
		reached[2][34] = 1;
		if (!(addproc(II, 1, 0, 0, 2, 0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 10: // STATE 35 - /tmp/wt/model/tests/formal/remote_free.pml:563 - [(run thread(1,0,2))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][35] = 1;
		if (!(addproc(II, 1, 0, 1, 0, 2)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 11: // STATE 36 - /tmp/wt/model/tests/formal/remote_free.pml:564 - [(run thread(2,1,0))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][36] = 1;
		if (!(addproc(II, 1, 0, 2, 1, 0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 12: // STATE 37 - /tmp/wt/model/tests/formal/remote_free.pml:565 - [(run successor(3))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][37] = 1;
		if (!(addproc(II, 1, 1, 3, 0, 0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 13: // STATE 39 - /tmp/wt/model/tests/formal/remote_free.pml:567 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[2][39] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC successor */
	case 14: // STATE 1 - /tmp/wt/model/tests/formal/remote_free.pml:520 - [((ended==3))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][1] = 1;
		if (!((((int)now.ended)==3)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 15: // STATE 2 - /tmp/wt/model/tests/formal/remote_free.pml:522 - [((heap<3))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][2] = 1;
		if (!((((int)((P1 *)_this)->heap)<3)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 16: // STATE 10 - /tmp/wt/model/tests/formal/remote_free.pml:240 - [D_STEP240]
		IfNotBlocked

		reached[1][10] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1126_0: /* 2 */
		((P1 *)_this)->got = ((int)now.orphan[ Index(((int)((P1 *)_this)->heap), 3) ]);
#ifdef VAR_RANGES
		logval("successor:got", ((int)((P1 *)_this)->got));
#endif
		;
S_1131_0: /* 2 */
S_1127_0: /* 2 */
		if (!(((int)((P1 *)_this)->got)))
			goto S_1131_1;
S_1128_0: /* 2 */
		now.orphan[ Index(((P1 *)_this)->heap, 3) ] = 0;
#ifdef VAR_RANGES
		logval("orphan[successor:heap]", ((int)now.orphan[ Index(((int)((P1 *)_this)->heap), 3) ]));
#endif
		;
S_1129_0: /* 2 */
		now.user[ Index(((P1 *)_this)->heap, 3) ] = ((int)((P1 *)_this)->me);
#ifdef VAR_RANGES
		logval("user[successor:heap]", ((int)now.user[ Index(((int)((P1 *)_this)->heap), 3) ]));
#endif
		;
		goto S_1132_0;
S_1131_1: /* 3 */
S_1130_0: /* 2 */
		/* else */;
		goto S_1132_0;
S_1131_2: /* 3 */
		Uerror("blocking sel in d_step (nr.0, near line 242)");
S_1132_0: /* 2 */
		goto S_1229_0;
S_1229_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 17: // STATE 12 - /tmp/wt/model/tests/formal/remote_free.pml:525 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[1][12] = 1;
		if (!(((int)((P1 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P1 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P1 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 18: // STATE 13 - /tmp/wt/model/tests/formal/remote_free.pml:181 - [assert((user[heap]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][13] = 1;
		spin_assert((((int)now.user[ Index(((int)((P1 *)_this)->heap), 3) ])==((int)((P1 *)_this)->me)), "(user[heap]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 19: // STATE 14 - /tmp/wt/model/tests/formal/remote_free.pml:106 - [slab = queue[heap]] (0:28:2 - 1)
		IfNotBlocked
		reached[1][14] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P1 *)_this)->slab);
		((P1 *)_this)->slab = ((int)now.queue[ Index(((int)((P1 *)_this)->heap), 3) ]);
#ifdef VAR_RANGES
		logval("successor:slab", ((int)((P1 *)_this)->slab));
#endif
		;
		/* merge: queue[heap] = 255(28, 15, 28) */
		reached[1][15] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.queue[ Index(((int)((P1 *)_this)->heap), 3) ]);
		now.queue[ Index(((P1 *)_this)->heap, 3) ] = 255;
#ifdef VAR_RANGES
		logval("queue[successor:heap]", ((int)now.queue[ Index(((int)((P1 *)_this)->heap), 3) ]));
#endif
		;
		/* merge: .(goto)(0, 29, 28) */
		reached[1][29] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 20: // STATE 18 - /tmp/wt/model/tests/formal/remote_free.pml:184 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][18] = 1;
		if (!((((int)((P1 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 21: // STATE 25 - /tmp/wt/model/tests/formal/remote_free.pml:185 - [D_STEP185]
		/* default 258 */
		

		reached[1][25] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1142_0: /* 2 */
		spin_assert(((((int)now.owner[ Index(((int)((P1 *)_this)->slab), 2) ])==((int)((P1 *)_this)->heap))&&((int)now.bound[ Index(((int)((P1 *)_this)->slab), 2) ])), "((owner[slab]==heap)&&bound[slab])", II, tt, t);
S_1143_0: /* 2 */
		((P1 *)_this)->next = ((int)now.queue_next[ Index(((int)((P1 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("successor:next", ((int)((P1 *)_this)->next));
#endif
		;
S_1144_0: /* 2 */
		now.queue_next[ Index(((P1 *)_this)->slab, 2) ] = ((int)now.lane_published[ Index(((int)((P1 *)_this)->heap), 3) ]);
#ifdef VAR_RANGES
		logval("queue_next[successor:slab]", ((int)now.queue_next[ Index(((int)((P1 *)_this)->slab), 2) ]));
#endif
		;
S_1145_0: /* 2 */
		now.lane_published[ Index(((P1 *)_this)->heap, 3) ] = ((int)((P1 *)_this)->slab);
#ifdef VAR_RANGES
		logval("lane_published[successor:heap]", ((int)now.lane_published[ Index(((int)((P1 *)_this)->heap), 3) ]));
#endif
		;
S_1146_0: /* 2 */
		((P1 *)_this)->slab = ((int)((P1 *)_this)->next);
#ifdef VAR_RANGES
		logval("successor:slab", ((int)((P1 *)_this)->slab));
#endif
		;
S_1147_0: /* 2 */
		((P1 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("successor:next", ((int)((P1 *)_this)->next));
#endif
		;
		goto S_1152_0;
S_1152_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 22: // STATE 32 - /tmp/wt/model/tests/formal/remote_free.pml:198 - [assert((user[heap]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][32] = 1;
		spin_assert((((int)now.user[ Index(((int)((P1 *)_this)->heap), 3) ])==((int)((P1 *)_this)->me)), "(user[heap]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 23: // STATE 35 - /tmp/wt/model/tests/formal/remote_free.pml:199 - [D_STEP199]
		IfNotBlocked

		reached[1][35] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1156_0: /* 2 */
		((P1 *)_this)->slab = ((int)now.lane_published[ Index(((int)((P1 *)_this)->heap), 3) ]);
#ifdef VAR_RANGES
		logval("successor:slab", ((int)((P1 *)_this)->slab));
#endif
		;
S_1157_0: /* 2 */
		now.lane_published[ Index(((P1 *)_this)->heap, 3) ] = 255;
#ifdef VAR_RANGES
		logval("lane_published[successor:heap]", ((int)now.lane_published[ Index(((int)((P1 *)_this)->heap), 3) ]));
#endif
		;
		goto S_1224_0;
S_1224_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 24: // STATE 36 - /tmp/wt/model/tests/formal/remote_free.pml:204 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][36] = 1;
		if (!((((int)((P1 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 25: // STATE 39 - /tmp/wt/model/tests/formal/remote_free.pml:205 - [D_STEP205]
		IfNotBlocked

		reached[1][39] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1160_0: /* 2 */
		((P1 *)_this)->next = ((int)now.queue_next[ Index(((int)((P1 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("successor:next", ((int)((P1 *)_this)->next));
#endif
		;
S_1161_0: /* 2 */
		now.on_queue[ Index(((P1 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("on_queue[successor:slab]", ((int)now.on_queue[ Index(((int)((P1 *)_this)->slab), 2) ]));
#endif
		;
		goto S_1166_0;
S_1166_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 26: // STATE 40 - /tmp/wt/model/tests/formal/remote_free.pml:81 - [assert(published[slab])] (0:67:1 - 1)
		IfNotBlocked
		reached[1][40] = 1;
		spin_assert(((int)now.published[ Index(((int)((P1 *)_this)->slab), 2) ]), "published[slab]", II, tt, t);
		/* merge: published[slab] = 0(67, 41, 67) */
		reached[1][41] = 1;
		(trpt+1)->bup.oval = ((int)now.published[ Index(((int)((P1 *)_this)->slab), 2) ]);
		now.published[ Index(((P1 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("published[successor:slab]", ((int)now.published[ Index(((int)((P1 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 27: // STATE 44 - /tmp/wt/model/tests/formal/remote_free.pml:139 - [bits = remote_bits[slab]] (0:65:2 - 1)
		IfNotBlocked
		reached[1][44] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P1 *)_this)->bits);
		((P1 *)_this)->bits = ((int)now.remote_bits[ Index(((int)((P1 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("successor:bits", ((int)((P1 *)_this)->bits));
#endif
		;
		/* merge: remote_bits[slab] = 0(65, 45, 65) */
		reached[1][45] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.remote_bits[ Index(((int)((P1 *)_this)->slab), 2) ]);
		now.remote_bits[ Index(((P1 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("remote_bits[successor:slab]", ((int)now.remote_bits[ Index(((int)((P1 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 28: // STATE 64 - /tmp/wt/model/tests/formal/remote_free.pml:122 - [D_STEP122]
		/* default 258 */
		

		reached[1][64] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1170_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P1 *)_this)->slab), 2) ])&&((((int)now.free_bits[ Index(((int)((P1 *)_this)->slab), 2) ])&((int)((P1 *)_this)->bits))==0)), "(bound[slab]&&((free_bits[slab]&bits)==0))", II, tt, t);
S_1171_0: /* 2 */
		now.free_bits[ Index(((P1 *)_this)->slab, 2) ] = (((int)now.free_bits[ Index(((int)((P1 *)_this)->slab), 2) ])|((int)((P1 *)_this)->bits));
#ifdef VAR_RANGES
		logval("free_bits[successor:slab]", ((int)now.free_bits[ Index(((int)((P1 *)_this)->slab), 2) ]));
#endif
		;
S_1172_0: /* 2 */
		((P1 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("successor:i", ((int)((P1 *)_this)->i));
#endif
		;
S_1184_0: /* 2 */
S_1183_0: /* 2 */
S_1173_0: /* 2 */
		if (!((((int)((P1 *)_this)->i)<=((2*2)-1))))
			goto S_1183_1;
S_1178_0: /* 2 */
S_1174_0: /* 2 */
		if (!((((((int)((P1 *)_this)->i)/2)==((int)((P1 *)_this)->slab))&&((((int)((P1 *)_this)->bits)&(1<<(((int)((P1 *)_this)->i)%2)))!=0))))
			goto S_1178_1;
S_1175_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P1 *)_this)->i), 4) ]==1), "(fate[i]==1)", II, tt, t);
S_1176_0: /* 2 */
		now.fate[ Index(((P1 *)_this)->i, 4) ] = 3;
#ifdef VAR_RANGES
		logval("fate[successor:i]", now.fate[ Index(((int)((P1 *)_this)->i), 4) ]);
#endif
		;
		goto S_1179_0;
S_1178_1: /* 3 */
S_1177_0: /* 2 */
		/* else */;
		goto S_1179_0;
S_1178_2: /* 3 */
		Uerror("blocking sel in d_step (nr.1, near line 126)");
S_1179_0: /* 2 */
S_1180_0: /* 2 */
		((P1 *)_this)->i = (((int)((P1 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("successor:i", ((int)((P1 *)_this)->i));
#endif
		;
		goto S_1184_0; /* ';' */
S_1183_1: /* 3 */
S_1181_0: /* 2 */
		/* else */;
S_1182_0: /* 2 */
		goto S_1185_0;	/* 'goto' */
S_1183_2: /* 3 */
		Uerror("blocking sel in d_step (nr.2, near line 132)");
S_1185_0: /* 2 */
		goto S_1186_0;	/* 'break' */
S_1186_0: /* 2 */
		((P1 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("successor:i", ((int)((P1 *)_this)->i));
#endif
		;
		goto S_1189_0;
S_1189_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 29: // STATE 66 - /tmp/wt/model/tests/formal/remote_free.pml:143 - [bits = 0] (0:95:1 - 1)
		IfNotBlocked
		reached[1][66] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->bits);
		((P1 *)_this)->bits = 0;
#ifdef VAR_RANGES
		logval("successor:bits", ((int)((P1 *)_this)->bits));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 30: // STATE 68 - /tmp/wt/model/tests/formal/remote_free.pml:175 - [((free_bits[slab]==((1<<2)-1)))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][68] = 1;
		if (!((((int)now.free_bits[ Index(((int)((P1 *)_this)->slab), 2) ])==((1<<2)-1))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 31: // STATE 69 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[1][69] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->got);
		((P1 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("successor:got", ((int)((P1 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 32: // STATE 70 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[1][70] = 1;
		if (!((((int)now.published[ Index(((int)((P1 *)_this)->slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 33: // STATE 71 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[slab]==0)] (0:88:2 - 1)
		IfNotBlocked
		reached[1][71] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P1 *)_this)->got);
		((P1 *)_this)->got = (((int)now.published[ Index(((int)((P1 *)_this)->slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("successor:got", ((int)((P1 *)_this)->got));
#endif
		;
		/* merge: published[slab] = 1(88, 72, 88) */
		reached[1][72] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P1 *)_this)->slab), 2) ]);
		now.published[ Index(((P1 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[successor:slab]", ((int)now.published[ Index(((int)((P1 *)_this)->slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 76, 88) */
		reached[1][76] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 34: // STATE 78 - /tmp/wt/model/tests/formal/remote_free.pml:167 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[1][78] = 1;
		if (!(((int)((P1 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P1 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P1 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 35: // STATE 85 - /tmp/wt/model/tests/formal/remote_free.pml:147 - [D_STEP147]
		/* default 258 */
		

		reached[1][85] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1202_0: /* 2 */
		spin_assert(((((int)now.bound[ Index(((int)((P1 *)_this)->slab), 2) ])&&(((int)now.remote_bits[ Index(((int)((P1 *)_this)->slab), 2) ])==0))&&(((int)now.free_bits[ Index(((int)((P1 *)_this)->slab), 2) ])==((1<<2)-1))), "((bound[slab]&&(remote_bits[slab]==0))&&(free_bits[slab]==((1<<2)-1)))", II, tt, t);
S_1203_0: /* 2 */
		spin_assert(( !(((int)now.on_queue[ Index(((int)((P1 *)_this)->slab), 2) ]))&&((int)now.published[ Index(((int)((P1 *)_this)->slab), 2) ])), "( !(on_queue[slab])&&published[slab])", II, tt, t);
S_1204_0: /* 2 */
		now.bound[ Index(((P1 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("bound[successor:slab]", ((int)now.bound[ Index(((int)((P1 *)_this)->slab), 2) ]));
#endif
		;
S_1205_0: /* 2 */
		now.pooled[ Index(((P1 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("pooled[successor:slab]", ((int)now.pooled[ Index(((int)((P1 *)_this)->slab), 2) ]));
#endif
		;
S_1206_0: /* 2 */
		now.tag[ Index(((P1 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("tag[successor:slab]", ((int)now.tag[ Index(((int)((P1 *)_this)->slab), 2) ]));
#endif
		;
S_1207_0: /* 2 */
		now.queue_next[ Index(((P1 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("queue_next[successor:slab]", ((int)now.queue_next[ Index(((int)((P1 *)_this)->slab), 2) ]));
#endif
		;
		goto S_1212_0;
S_1212_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 36: // STATE 90 - /tmp/wt/model/tests/formal/remote_free.pml:170 - [got = 0] (0:100:4 - 3)
		IfNotBlocked
		reached[1][90] = 1;
		(trpt+1)->bup.ovals = grab_ints(4);
		(trpt+1)->bup.ovals[0] = ((int)((P1 *)_this)->got);
		((P1 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("successor:got", ((int)((P1 *)_this)->got));
#endif
		;
		/* merge: .(goto)(100, 94, 100) */
		reached[1][94] = 1;
		;
		/* merge: slab = next(100, 96, 100) */
		reached[1][96] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P1 *)_this)->slab);
		((P1 *)_this)->slab = ((int)((P1 *)_this)->next);
#ifdef VAR_RANGES
		logval("successor:slab", ((int)((P1 *)_this)->slab));
#endif
		;
		/* merge: next = 255(100, 97, 100) */
		reached[1][97] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P1 *)_this)->next);
		((P1 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("successor:next", ((int)((P1 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P1 *)_this)->next = 0;
		/* merge: .(goto)(0, 101, 100) */
		reached[1][101] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 37: // STATE 96 - /tmp/wt/model/tests/formal/remote_free.pml:217 - [slab = next] (0:100:3 - 3)
		IfNotBlocked
		reached[1][96] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P1 *)_this)->slab);
		((P1 *)_this)->slab = ((int)((P1 *)_this)->next);
#ifdef VAR_RANGES
		logval("successor:slab", ((int)((P1 *)_this)->slab));
#endif
		;
		/* merge: next = 255(100, 97, 100) */
		reached[1][97] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P1 *)_this)->next);
		((P1 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("successor:next", ((int)((P1 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P1 *)_this)->next = 0;
		/* merge: .(goto)(0, 101, 100) */
		reached[1][101] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 38: // STATE 108 - /tmp/wt/model/tests/formal/remote_free.pml:528 - [heap = (heap+1)] (0:111:1 - 5)
		IfNotBlocked
		reached[1][108] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->heap);
		((P1 *)_this)->heap = (((int)((P1 *)_this)->heap)+1);
#ifdef VAR_RANGES
		logval("successor:heap", ((int)((P1 *)_this)->heap));
#endif
		;
		/* merge: .(goto)(0, 112, 111) */
		reached[1][112] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 39: // STATE 130 - /tmp/wt/model/tests/formal/remote_free.pml:532 - [D_STEP532]
		IfNotBlocked

		reached[1][130] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1238_0: /* 2 */
		((P1 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("successor:i", ((int)((P1 *)_this)->i));
#endif
		;
S_1251_0: /* 2 */
S_1250_0: /* 2 */
S_1239_0: /* 2 */
		if (!((((int)((P1 *)_this)->i)<=((2*2)-1))))
			goto S_1250_1;
S_1245_0: /* 2 */
S_1240_0: /* 2 */
		if (!(((int)now.bound[ Index((((int)((P1 *)_this)->i)/2), 2) ])))
			goto S_1245_1;
S_1241_0: /* 2 */
		spin_assert((((int)now.remote_bits[ Index((((int)((P1 *)_this)->i)/2), 2) ])==0), "(remote_bits[(i/2)]==0)", II, tt, t);
S_1242_0: /* 2 */
		spin_assert(((now.fate[ Index(((int)((P1 *)_this)->i), 4) ]==2)||((now.fate[ Index(((int)((P1 *)_this)->i), 4) ]==3)&&((((int)now.free_bits[ Index((((int)((P1 *)_this)->i)/2), 2) ])&(1<<(((int)((P1 *)_this)->i)%2)))!=0))), "((fate[i]==2)||((fate[i]==3)&&((free_bits[(i/2)]&(1<<(i%2)))!=0)))", II, tt, t);
		goto S_1246_0;
S_1245_1: /* 3 */
S_1243_0: /* 2 */
		/* else */;
S_1244_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P1 *)_this)->i), 4) ]==3), "(fate[i]==3)", II, tt, t);
		goto S_1246_0;
S_1245_2: /* 3 */
		Uerror("blocking sel in d_step (nr.3, near line 534)");
S_1246_0: /* 2 */
S_1247_0: /* 2 */
		((P1 *)_this)->i = (((int)((P1 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("successor:i", ((int)((P1 *)_this)->i));
#endif
		;
		goto S_1251_0; /* ';' */
S_1250_1: /* 3 */
S_1248_0: /* 2 */
		/* else */;
S_1249_0: /* 2 */
		goto S_1252_0;	/* 'goto' */
S_1250_2: /* 3 */
		Uerror("blocking sel in d_step (nr.4, near line 540)");
S_1252_0: /* 2 */
		goto S_1254_0;	/* 'break' */
S_1254_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 40: // STATE 131 - /tmp/wt/model/tests/formal/remote_free.pml:542 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[1][131] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC thread */
	case 41: // STATE 1 - /tmp/wt/model/tests/formal/remote_free.pml:504 - [((mallocs>0))] (450:0:1 - 1)
		IfNotBlocked
		reached[0][1] = 1;
		if (!((((int)((P0 *)_this)->mallocs)>0)))
			continue;
		/* merge: mallocs = (mallocs-1)(0, 2, 450) */
		reached[0][2] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->mallocs);
		((P0 *)_this)->mallocs = (((int)((P0 *)_this)->mallocs)-1);
#ifdef VAR_RANGES
		logval("thread:mallocs", ((int)((P0 *)_this)->mallocs));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 42: // STATE 3 - /tmp/wt/model/tests/formal/remote_free.pml:396 - [((heap==255))] (0:0:1 - 1)
		IfNotBlocked
		reached[0][3] = 1;
		if (!((((int)((P0 *)_this)->heap)==255)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: heap */  (trpt+1)->bup.oval = ((P0 *)_this)->heap;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->heap = 0;
		_m = 3; goto P999; /* 0 */
	case 43: // STATE 4 - /tmp/wt/model/tests/formal/remote_free.pml:255 - [(orphan[0])] (17:0:1 - 1)
		IfNotBlocked
		reached[0][4] = 1;
		if (!(((int)now.orphan[0])))
			continue;
		/* merge: heap = 0(0, 5, 17) */
		reached[0][5] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->heap);
		((P0 *)_this)->heap = 0;
#ifdef VAR_RANGES
		logval("thread:heap", ((int)((P0 *)_this)->heap));
#endif
		;
		/* merge: .(goto)(0, 12, 17) */
		reached[0][12] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 44: // STATE 6 - /tmp/wt/model/tests/formal/remote_free.pml:256 - [(orphan[1])] (17:0:1 - 1)
		IfNotBlocked
		reached[0][6] = 1;
		if (!(((int)now.orphan[1])))
			continue;
		/* merge: heap = 1(0, 7, 17) */
		reached[0][7] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->heap);
		((P0 *)_this)->heap = 1;
#ifdef VAR_RANGES
		logval("thread:heap", ((int)((P0 *)_this)->heap));
#endif
		;
		/* merge: .(goto)(0, 12, 17) */
		reached[0][12] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 45: // STATE 8 - /tmp/wt/model/tests/formal/remote_free.pml:257 - [(orphan[2])] (17:0:1 - 1)
		IfNotBlocked
		reached[0][8] = 1;
		if (!(((int)now.orphan[2])))
			continue;
		/* merge: heap = 2(0, 9, 17) */
		reached[0][9] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->heap);
		((P0 *)_this)->heap = 2;
#ifdef VAR_RANGES
		logval("thread:heap", ((int)((P0 *)_this)->heap));
#endif
		;
		/* merge: .(goto)(0, 12, 17) */
		reached[0][12] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 46: // STATE 10 - /tmp/wt/model/tests/formal/remote_free.pml:258 - [heap = 255] (0:0:1 - 1)
		IfNotBlocked
		reached[0][10] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->heap);
		((P0 *)_this)->heap = 255;
#ifdef VAR_RANGES
		logval("thread:heap", ((int)((P0 *)_this)->heap));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 47: // STATE 13 - /tmp/wt/model/tests/formal/remote_free.pml:261 - [((heap!=255))] (25:0:2 - 1)
		IfNotBlocked
		reached[0][13] = 1;
		if (!((((int)((P0 *)_this)->heap)!=255)))
			continue;
		/* merge: orphan[heap] = 0(25, 14, 25) */
		reached[0][14] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.orphan[ Index(((int)((P0 *)_this)->heap), 3) ]);
		now.orphan[ Index(((P0 *)_this)->heap, 3) ] = 0;
#ifdef VAR_RANGES
		logval("orphan[thread:heap]", ((int)now.orphan[ Index(((int)((P0 *)_this)->heap), 3) ]));
#endif
		;
		/* merge: user[heap] = me(25, 15, 25) */
		reached[0][15] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.user[ Index(((int)((P0 *)_this)->heap), 3) ]);
		now.user[ Index(((P0 *)_this)->heap, 3) ] = ((int)((P0 *)_this)->me);
#ifdef VAR_RANGES
		logval("user[thread:heap]", ((int)now.user[ Index(((int)((P0 *)_this)->heap), 3) ]));
#endif
		;
		/* merge: .(goto)(25, 18, 25) */
		reached[0][18] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 48: // STATE 18 - /tmp/wt/model/tests/formal/remote_free.pml:266 - [.(goto)] (0:25:0 - 2)
		IfNotBlocked
		reached[0][18] = 1;
		;
		_m = 3; goto P999; /* 0 */
	case 49: // STATE 21 - /tmp/wt/model/tests/formal/remote_free.pml:371 - [((((heap==255)&&(user[me]==255))&&!(orphan[me])))] (0:0:1 - 1)
		IfNotBlocked
		reached[0][21] = 1;
		if (!((((((int)((P0 *)_this)->heap)==255)&&(((int)now.user[ Index(((int)((P0 *)_this)->me), 3) ])==255))&& !(((int)now.orphan[ Index(((int)((P0 *)_this)->me), 3) ])))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: heap */  (trpt+1)->bup.oval = ((P0 *)_this)->heap;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->heap = 0;
		_m = 3; goto P999; /* 0 */
	case 50: // STATE 22 - /tmp/wt/model/tests/formal/remote_free.pml:372 - [heap = me] (0:0:1 - 1)
		IfNotBlocked
		reached[0][22] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->heap);
		((P0 *)_this)->heap = ((int)((P0 *)_this)->me);
#ifdef VAR_RANGES
		logval("thread:heap", ((int)((P0 *)_this)->heap));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 51: // STATE 23 - /tmp/wt/model/tests/formal/remote_free.pml:373 - [user[heap] = me] (0:0:1 - 1)
		IfNotBlocked
		reached[0][23] = 1;
		(trpt+1)->bup.oval = ((int)now.user[ Index(((int)((P0 *)_this)->heap), 3) ]);
		now.user[ Index(((P0 *)_this)->heap, 3) ] = ((int)((P0 *)_this)->me);
#ifdef VAR_RANGES
		logval("user[thread:heap]", ((int)now.user[ Index(((int)((P0 *)_this)->heap), 3) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 52: // STATE 31 - /tmp/wt/model/tests/formal/remote_free.pml:400 - [((heap!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][31] = 1;
		if (!((((int)((P0 *)_this)->heap)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 53: // STATE 32 - /tmp/wt/model/tests/formal/remote_free.pml:401 - [assert((user[heap]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][32] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->heap), 3) ])==((int)((P0 *)_this)->me)), "(user[heap]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 54: // STATE 50 - /tmp/wt/model/tests/formal/remote_free.pml:353 - [D_STEP353]
		IfNotBlocked

		reached[0][50] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_032_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_046_0: /* 2 */
S_045_0: /* 2 */
S_033_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_045_1;
S_040_0: /* 2 */
S_034_0: /* 2 */
		if (!(((((((int)((P0 *)_this)->block)==255)&&((int)now.bound[ Index((((int)((P0 *)_this)->i)/2), 2) ]))&&(((int)now.owner[ Index((((int)((P0 *)_this)->i)/2), 2) ])==((int)((P0 *)_this)->heap)))&&((((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ])&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_040_1;
S_035_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==3), "(fate[i]==3)", II, tt, t);
S_036_0: /* 2 */
		now.free_bits[ Index((((P0 *)_this)->i/2), 2) ] = (((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ])& ~((1<<(((int)((P0 *)_this)->i)%2))));
#ifdef VAR_RANGES
		logval("free_bits[(thread:i/2)]", ((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ]));
#endif
		;
S_037_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 2;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
S_038_0: /* 2 */
		((P0 *)_this)->block = ((int)((P0 *)_this)->i);
#ifdef VAR_RANGES
		logval("thread:block", ((int)((P0 *)_this)->block));
#endif
		;
		goto S_041_0;
S_040_1: /* 3 */
S_039_0: /* 2 */
		/* else */;
		goto S_041_0;
S_040_2: /* 3 */
		Uerror("blocking sel in d_step (nr.5, near line 355)");
S_041_0: /* 2 */
S_042_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_046_0; /* ';' */
S_045_1: /* 3 */
S_043_0: /* 2 */
		/* else */;
S_044_0: /* 2 */
		goto S_047_0;	/* 'goto' */
S_045_2: /* 3 */
		Uerror("blocking sel in d_step (nr.6, near line 363)");
S_047_0: /* 2 */
		goto S_048_0;	/* 'break' */
S_048_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_164_0;
S_164_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 55: // STATE 52 - /tmp/wt/model/tests/formal/remote_free.pml:404 - [((block==255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][52] = 1;
		if (!((((int)((P0 *)_this)->block)==255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 56: // STATE 53 - /tmp/wt/model/tests/formal/remote_free.pml:181 - [assert((user[heap]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][53] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->heap), 3) ])==((int)((P0 *)_this)->me)), "(user[heap]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 57: // STATE 54 - /tmp/wt/model/tests/formal/remote_free.pml:106 - [slab = queue[heap]] (0:68:2 - 1)
		IfNotBlocked
		reached[0][54] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)now.queue[ Index(((int)((P0 *)_this)->heap), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: queue[heap] = 255(68, 55, 68) */
		reached[0][55] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.queue[ Index(((int)((P0 *)_this)->heap), 3) ]);
		now.queue[ Index(((P0 *)_this)->heap, 3) ] = 255;
#ifdef VAR_RANGES
		logval("queue[thread:heap]", ((int)now.queue[ Index(((int)((P0 *)_this)->heap), 3) ]));
#endif
		;
		/* merge: .(goto)(0, 69, 68) */
		reached[0][69] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 58: // STATE 58 - /tmp/wt/model/tests/formal/remote_free.pml:184 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][58] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 59: // STATE 65 - /tmp/wt/model/tests/formal/remote_free.pml:185 - [D_STEP185]
		/* default 258 */
		

		reached[0][65] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_058_0: /* 2 */
		spin_assert(((((int)now.owner[ Index(((int)((P0 *)_this)->slab), 2) ])==((int)((P0 *)_this)->heap))&&((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])), "((owner[slab]==heap)&&bound[slab])", II, tt, t);
S_059_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_060_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = ((int)now.lane_published[ Index(((int)((P0 *)_this)->heap), 3) ]);
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_061_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->heap, 3) ] = ((int)((P0 *)_this)->slab);
#ifdef VAR_RANGES
		logval("lane_published[thread:heap]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->heap), 3) ]));
#endif
		;
S_062_0: /* 2 */
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_063_0: /* 2 */
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		goto S_068_0;
S_068_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 60: // STATE 72 - /tmp/wt/model/tests/formal/remote_free.pml:198 - [assert((user[heap]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][72] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->heap), 3) ])==((int)((P0 *)_this)->me)), "(user[heap]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 61: // STATE 75 - /tmp/wt/model/tests/formal/remote_free.pml:199 - [D_STEP199]
		IfNotBlocked

		reached[0][75] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_072_0: /* 2 */
		((P0 *)_this)->slab = ((int)now.lane_published[ Index(((int)((P0 *)_this)->heap), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_073_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->heap, 3) ] = 255;
#ifdef VAR_RANGES
		logval("lane_published[thread:heap]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->heap), 3) ]));
#endif
		;
		goto S_140_0;
S_140_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 62: // STATE 76 - /tmp/wt/model/tests/formal/remote_free.pml:204 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][76] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 63: // STATE 79 - /tmp/wt/model/tests/formal/remote_free.pml:205 - [D_STEP205]
		IfNotBlocked

		reached[0][79] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_076_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_077_0: /* 2 */
		now.on_queue[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("on_queue[thread:slab]", ((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_082_0;
S_082_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 64: // STATE 80 - /tmp/wt/model/tests/formal/remote_free.pml:81 - [assert(published[slab])] (0:107:1 - 1)
		IfNotBlocked
		reached[0][80] = 1;
		spin_assert(((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]), "published[slab]", II, tt, t);
		/* merge: published[slab] = 0(107, 81, 107) */
		reached[0][81] = 1;
		(trpt+1)->bup.oval = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 65: // STATE 84 - /tmp/wt/model/tests/formal/remote_free.pml:139 - [bits = remote_bits[slab]] (0:105:2 - 1)
		IfNotBlocked
		reached[0][84] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		/* merge: remote_bits[slab] = 0(105, 85, 105) */
		reached[0][85] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("remote_bits[thread:slab]", ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 66: // STATE 104 - /tmp/wt/model/tests/formal/remote_free.pml:122 - [D_STEP122]
		/* default 258 */
		

		reached[0][104] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_086_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])&((int)((P0 *)_this)->bits))==0)), "(bound[slab]&&((free_bits[slab]&bits)==0))", II, tt, t);
S_087_0: /* 2 */
		now.free_bits[ Index(((P0 *)_this)->slab, 2) ] = (((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])|((int)((P0 *)_this)->bits));
#ifdef VAR_RANGES
		logval("free_bits[thread:slab]", ((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_088_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_100_0: /* 2 */
S_099_0: /* 2 */
S_089_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_099_1;
S_094_0: /* 2 */
S_090_0: /* 2 */
		if (!((((((int)((P0 *)_this)->i)/2)==((int)((P0 *)_this)->slab))&&((((int)((P0 *)_this)->bits)&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_094_1;
S_091_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==1), "(fate[i]==1)", II, tt, t);
S_092_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 3;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
		goto S_095_0;
S_094_1: /* 3 */
S_093_0: /* 2 */
		/* else */;
		goto S_095_0;
S_094_2: /* 3 */
		Uerror("blocking sel in d_step (nr.7, near line 126)");
S_095_0: /* 2 */
S_096_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_100_0; /* ';' */
S_099_1: /* 3 */
S_097_0: /* 2 */
		/* else */;
S_098_0: /* 2 */
		goto S_101_0;	/* 'goto' */
S_099_2: /* 3 */
		Uerror("blocking sel in d_step (nr.8, near line 132)");
S_101_0: /* 2 */
		goto S_102_0;	/* 'break' */
S_102_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_105_0;
S_105_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 67: // STATE 106 - /tmp/wt/model/tests/formal/remote_free.pml:143 - [bits = 0] (0:135:1 - 1)
		IfNotBlocked
		reached[0][106] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = 0;
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 68: // STATE 108 - /tmp/wt/model/tests/formal/remote_free.pml:175 - [((free_bits[slab]==((1<<2)-1)))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][108] = 1;
		if (!((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 69: // STATE 109 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][109] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 70: // STATE 110 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][110] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 71: // STATE 111 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[slab]==0)] (0:128:2 - 1)
		IfNotBlocked
		reached[0][111] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[slab] = 1(128, 112, 128) */
		reached[0][112] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 116, 128) */
		reached[0][116] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 72: // STATE 118 - /tmp/wt/model/tests/formal/remote_free.pml:167 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][118] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 73: // STATE 125 - /tmp/wt/model/tests/formal/remote_free.pml:147 - [D_STEP147]
		/* default 258 */
		

		reached[0][125] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_118_0: /* 2 */
		spin_assert(((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&(((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==0))&&(((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))), "((bound[slab]&&(remote_bits[slab]==0))&&(free_bits[slab]==((1<<2)-1)))", II, tt, t);
S_119_0: /* 2 */
		spin_assert(( !(((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]))&&((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])), "( !(on_queue[slab])&&published[slab])", II, tt, t);
S_120_0: /* 2 */
		now.bound[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("bound[thread:slab]", ((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_121_0: /* 2 */
		now.pooled[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("pooled[thread:slab]", ((int)now.pooled[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_122_0: /* 2 */
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("tag[thread:slab]", ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_123_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_128_0;
S_128_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 74: // STATE 130 - /tmp/wt/model/tests/formal/remote_free.pml:170 - [got = 0] (0:140:4 - 3)
		IfNotBlocked
		reached[0][130] = 1;
		(trpt+1)->bup.ovals = grab_ints(4);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(140, 134, 140) */
		reached[0][134] = 1;
		;
		/* merge: slab = next(140, 136, 140) */
		reached[0][136] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(140, 137, 140) */
		reached[0][137] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 141, 140) */
		reached[0][141] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 75: // STATE 136 - /tmp/wt/model/tests/formal/remote_free.pml:217 - [slab = next] (0:140:3 - 3)
		IfNotBlocked
		reached[0][136] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(140, 137, 140) */
		reached[0][137] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 141, 140) */
		reached[0][141] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 76: // STATE 162 - /tmp/wt/model/tests/formal/remote_free.pml:353 - [D_STEP353]
		IfNotBlocked

		reached[0][162] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_144_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_158_0: /* 2 */
S_157_0: /* 2 */
S_145_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_157_1;
S_152_0: /* 2 */
S_146_0: /* 2 */
		if (!(((((((int)((P0 *)_this)->block)==255)&&((int)now.bound[ Index((((int)((P0 *)_this)->i)/2), 2) ]))&&(((int)now.owner[ Index((((int)((P0 *)_this)->i)/2), 2) ])==((int)((P0 *)_this)->heap)))&&((((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ])&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_152_1;
S_147_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==3), "(fate[i]==3)", II, tt, t);
S_148_0: /* 2 */
		now.free_bits[ Index((((P0 *)_this)->i/2), 2) ] = (((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ])& ~((1<<(((int)((P0 *)_this)->i)%2))));
#ifdef VAR_RANGES
		logval("free_bits[(thread:i/2)]", ((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ]));
#endif
		;
S_149_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 2;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
S_150_0: /* 2 */
		((P0 *)_this)->block = ((int)((P0 *)_this)->i);
#ifdef VAR_RANGES
		logval("thread:block", ((int)((P0 *)_this)->block));
#endif
		;
		goto S_153_0;
S_152_1: /* 3 */
S_151_0: /* 2 */
		/* else */;
		goto S_153_0;
S_152_2: /* 3 */
		Uerror("blocking sel in d_step (nr.9, near line 355)");
S_153_0: /* 2 */
S_154_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_158_0; /* ';' */
S_157_1: /* 3 */
S_155_0: /* 2 */
		/* else */;
S_156_0: /* 2 */
		goto S_159_0;	/* 'goto' */
S_157_2: /* 3 */
		Uerror("blocking sel in d_step (nr.10, near line 363)");
S_159_0: /* 2 */
		goto S_160_0;	/* 'break' */
S_160_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_165_0;
S_165_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 77: // STATE 167 - /tmp/wt/model/tests/formal/remote_free.pml:410 - [((block==255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][167] = 1;
		if (!((((int)((P0 *)_this)->block)==255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 78: // STATE 168 - /tmp/wt/model/tests/formal/remote_free.pml:255 - [(orphan[0])] (181:0:1 - 1)
		IfNotBlocked
		reached[0][168] = 1;
		if (!(((int)now.orphan[0])))
			continue;
		/* merge: other = 0(0, 169, 181) */
		reached[0][169] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 0;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		/* merge: .(goto)(0, 176, 181) */
		reached[0][176] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 79: // STATE 170 - /tmp/wt/model/tests/formal/remote_free.pml:256 - [(orphan[1])] (181:0:1 - 1)
		IfNotBlocked
		reached[0][170] = 1;
		if (!(((int)now.orphan[1])))
			continue;
		/* merge: other = 1(0, 171, 181) */
		reached[0][171] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 1;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		/* merge: .(goto)(0, 176, 181) */
		reached[0][176] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 80: // STATE 172 - /tmp/wt/model/tests/formal/remote_free.pml:257 - [(orphan[2])] (181:0:1 - 1)
		IfNotBlocked
		reached[0][172] = 1;
		if (!(((int)now.orphan[2])))
			continue;
		/* merge: other = 2(0, 173, 181) */
		reached[0][173] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 2;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		/* merge: .(goto)(0, 176, 181) */
		reached[0][176] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 81: // STATE 174 - /tmp/wt/model/tests/formal/remote_free.pml:258 - [other = 255] (0:0:1 - 1)
		IfNotBlocked
		reached[0][174] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 82: // STATE 177 - /tmp/wt/model/tests/formal/remote_free.pml:261 - [((other!=255))] (372:0:2 - 1)
		IfNotBlocked
		reached[0][177] = 1;
		if (!((((int)((P0 *)_this)->other)!=255)))
			continue;
		/* merge: orphan[other] = 0(372, 178, 372) */
		reached[0][178] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]);
		now.orphan[ Index(((P0 *)_this)->other, 3) ] = 0;
#ifdef VAR_RANGES
		logval("orphan[thread:other]", ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		/* merge: user[other] = me(372, 179, 372) */
		reached[0][179] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ]);
		now.user[ Index(((P0 *)_this)->other, 3) ] = ((int)((P0 *)_this)->me);
#ifdef VAR_RANGES
		logval("user[thread:other]", ((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		/* merge: .(goto)(372, 182, 372) */
		reached[0][182] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 83: // STATE 182 - /tmp/wt/model/tests/formal/remote_free.pml:266 - [.(goto)] (0:372:0 - 2)
		IfNotBlocked
		reached[0][182] = 1;
		;
		_m = 3; goto P999; /* 0 */
	case 84: // STATE 185 - /tmp/wt/model/tests/formal/remote_free.pml:284 - [((other!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][185] = 1;
		if (!((((int)((P0 *)_this)->other)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 85: // STATE 186 - /tmp/wt/model/tests/formal/remote_free.pml:181 - [assert((user[other]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][186] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 86: // STATE 187 - /tmp/wt/model/tests/formal/remote_free.pml:106 - [slab = queue[other]] (0:201:2 - 1)
		IfNotBlocked
		reached[0][187] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: queue[other] = 255(201, 188, 201) */
		reached[0][188] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
		now.queue[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("queue[thread:other]", ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		/* merge: .(goto)(0, 202, 201) */
		reached[0][202] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 87: // STATE 191 - /tmp/wt/model/tests/formal/remote_free.pml:184 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][191] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 88: // STATE 198 - /tmp/wt/model/tests/formal/remote_free.pml:185 - [D_STEP185]
		/* default 258 */
		

		reached[0][198] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_191_0: /* 2 */
		spin_assert(((((int)now.owner[ Index(((int)((P0 *)_this)->slab), 2) ])==((int)((P0 *)_this)->other))&&((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])), "((owner[slab]==other)&&bound[slab])", II, tt, t);
S_192_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_193_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_194_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->other, 3) ] = ((int)((P0 *)_this)->slab);
#ifdef VAR_RANGES
		logval("lane_published[thread:other]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
S_195_0: /* 2 */
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_196_0: /* 2 */
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		goto S_201_0;
S_201_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 89: // STATE 205 - /tmp/wt/model/tests/formal/remote_free.pml:198 - [assert((user[other]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][205] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 90: // STATE 208 - /tmp/wt/model/tests/formal/remote_free.pml:199 - [D_STEP199]
		IfNotBlocked

		reached[0][208] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_205_0: /* 2 */
		((P0 *)_this)->slab = ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_206_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("lane_published[thread:other]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		goto S_273_0;
S_273_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 91: // STATE 209 - /tmp/wt/model/tests/formal/remote_free.pml:204 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][209] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 92: // STATE 212 - /tmp/wt/model/tests/formal/remote_free.pml:205 - [D_STEP205]
		IfNotBlocked

		reached[0][212] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_209_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_210_0: /* 2 */
		now.on_queue[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("on_queue[thread:slab]", ((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_215_0;
S_215_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 93: // STATE 213 - /tmp/wt/model/tests/formal/remote_free.pml:81 - [assert(published[slab])] (0:240:1 - 1)
		IfNotBlocked
		reached[0][213] = 1;
		spin_assert(((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]), "published[slab]", II, tt, t);
		/* merge: published[slab] = 0(240, 214, 240) */
		reached[0][214] = 1;
		(trpt+1)->bup.oval = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 94: // STATE 217 - /tmp/wt/model/tests/formal/remote_free.pml:139 - [bits = remote_bits[slab]] (0:238:2 - 1)
		IfNotBlocked
		reached[0][217] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		/* merge: remote_bits[slab] = 0(238, 218, 238) */
		reached[0][218] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("remote_bits[thread:slab]", ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 95: // STATE 237 - /tmp/wt/model/tests/formal/remote_free.pml:122 - [D_STEP122]
		/* default 258 */
		

		reached[0][237] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_219_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])&((int)((P0 *)_this)->bits))==0)), "(bound[slab]&&((free_bits[slab]&bits)==0))", II, tt, t);
S_220_0: /* 2 */
		now.free_bits[ Index(((P0 *)_this)->slab, 2) ] = (((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])|((int)((P0 *)_this)->bits));
#ifdef VAR_RANGES
		logval("free_bits[thread:slab]", ((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_221_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_233_0: /* 2 */
S_232_0: /* 2 */
S_222_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_232_1;
S_227_0: /* 2 */
S_223_0: /* 2 */
		if (!((((((int)((P0 *)_this)->i)/2)==((int)((P0 *)_this)->slab))&&((((int)((P0 *)_this)->bits)&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_227_1;
S_224_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==1), "(fate[i]==1)", II, tt, t);
S_225_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 3;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
		goto S_228_0;
S_227_1: /* 3 */
S_226_0: /* 2 */
		/* else */;
		goto S_228_0;
S_227_2: /* 3 */
		Uerror("blocking sel in d_step (nr.11, near line 126)");
S_228_0: /* 2 */
S_229_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_233_0; /* ';' */
S_232_1: /* 3 */
S_230_0: /* 2 */
		/* else */;
S_231_0: /* 2 */
		goto S_234_0;	/* 'goto' */
S_232_2: /* 3 */
		Uerror("blocking sel in d_step (nr.12, near line 132)");
S_234_0: /* 2 */
		goto S_235_0;	/* 'break' */
S_235_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_238_0;
S_238_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 96: // STATE 239 - /tmp/wt/model/tests/formal/remote_free.pml:143 - [bits = 0] (0:268:1 - 1)
		IfNotBlocked
		reached[0][239] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = 0;
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 97: // STATE 241 - /tmp/wt/model/tests/formal/remote_free.pml:175 - [((free_bits[slab]==((1<<2)-1)))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][241] = 1;
		if (!((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 98: // STATE 242 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][242] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 99: // STATE 243 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][243] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 100: // STATE 244 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[slab]==0)] (0:261:2 - 1)
		IfNotBlocked
		reached[0][244] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[slab] = 1(261, 245, 261) */
		reached[0][245] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 249, 261) */
		reached[0][249] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 101: // STATE 251 - /tmp/wt/model/tests/formal/remote_free.pml:167 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][251] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 102: // STATE 258 - /tmp/wt/model/tests/formal/remote_free.pml:147 - [D_STEP147]
		/* default 258 */
		

		reached[0][258] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_251_0: /* 2 */
		spin_assert(((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&(((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==0))&&(((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))), "((bound[slab]&&(remote_bits[slab]==0))&&(free_bits[slab]==((1<<2)-1)))", II, tt, t);
S_252_0: /* 2 */
		spin_assert(( !(((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]))&&((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])), "( !(on_queue[slab])&&published[slab])", II, tt, t);
S_253_0: /* 2 */
		now.bound[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("bound[thread:slab]", ((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_254_0: /* 2 */
		now.pooled[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("pooled[thread:slab]", ((int)now.pooled[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_255_0: /* 2 */
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("tag[thread:slab]", ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_256_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_261_0;
S_261_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 103: // STATE 263 - /tmp/wt/model/tests/formal/remote_free.pml:170 - [got = 0] (0:273:4 - 3)
		IfNotBlocked
		reached[0][263] = 1;
		(trpt+1)->bup.ovals = grab_ints(4);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(273, 267, 273) */
		reached[0][267] = 1;
		;
		/* merge: slab = next(273, 269, 273) */
		reached[0][269] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(273, 270, 273) */
		reached[0][270] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 274, 273) */
		reached[0][274] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 104: // STATE 269 - /tmp/wt/model/tests/formal/remote_free.pml:217 - [slab = next] (0:273:3 - 3)
		IfNotBlocked
		reached[0][269] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(273, 270, 273) */
		reached[0][270] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 274, 273) */
		reached[0][274] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 105: // STATE 278 - /tmp/wt/model/tests/formal/remote_free.pml:286 - [slab = 0] (0:360:1 - 3)
		IfNotBlocked
		reached[0][278] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = 0;
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: .(goto)(0, 361, 360) */
		reached[0][361] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 106: // STATE 279 - /tmp/wt/model/tests/formal/remote_free.pml:288 - [((slab<2))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][279] = 1;
		if (!((((int)((P0 *)_this)->slab)<2)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 107: // STATE 280 - /tmp/wt/model/tests/formal/remote_free.pml:290 - [(((bound[slab]&&(owner[slab]==other))&&(free_bits[slab]!=0)))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][280] = 1;
		if (!(((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&(((int)now.owner[ Index(((int)((P0 *)_this)->slab), 2) ])==((int)((P0 *)_this)->other)))&&(((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])!=0))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 108: // STATE 281 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][281] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 109: // STATE 282 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][282] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 110: // STATE 283 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[slab]==0)] (0:351:2 - 1)
		IfNotBlocked
		reached[0][283] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[slab] = 1(351, 284, 351) */
		reached[0][284] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 288, 351) */
		reached[0][288] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 111: // STATE 290 - /tmp/wt/model/tests/formal/remote_free.pml:297 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][290] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 112: // STATE 291 - /tmp/wt/model/tests/formal/remote_free.pml:272 - [tag[slab] = heap] (0:0:1 - 1)
		IfNotBlocked
		reached[0][291] = 1;
		(trpt+1)->bup.oval = ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = ((int)((P0 *)_this)->heap);
#ifdef VAR_RANGES
		logval("tag[thread:slab]", ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 113: // STATE 292 - /tmp/wt/model/tests/formal/remote_free.pml:273 - [owner[slab] = heap] (0:0:1 - 1)
		IfNotBlocked
		reached[0][292] = 1;
		(trpt+1)->bup.oval = ((int)now.owner[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.owner[ Index(((P0 *)_this)->slab, 2) ] = ((int)((P0 *)_this)->heap);
#ifdef VAR_RANGES
		logval("owner[thread:slab]", ((int)now.owner[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 114: // STATE 293 - /tmp/wt/model/tests/formal/remote_free.pml:81 - [assert(published[slab])] (0:320:1 - 1)
		IfNotBlocked
		reached[0][293] = 1;
		spin_assert(((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]), "published[slab]", II, tt, t);
		/* merge: published[slab] = 0(320, 294, 320) */
		reached[0][294] = 1;
		(trpt+1)->bup.oval = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 115: // STATE 297 - /tmp/wt/model/tests/formal/remote_free.pml:139 - [bits = remote_bits[slab]] (0:318:2 - 1)
		IfNotBlocked
		reached[0][297] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		/* merge: remote_bits[slab] = 0(318, 298, 318) */
		reached[0][298] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("remote_bits[thread:slab]", ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 116: // STATE 317 - /tmp/wt/model/tests/formal/remote_free.pml:122 - [D_STEP122]
		/* default 258 */
		

		reached[0][317] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_299_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])&((int)((P0 *)_this)->bits))==0)), "(bound[slab]&&((free_bits[slab]&bits)==0))", II, tt, t);
S_300_0: /* 2 */
		now.free_bits[ Index(((P0 *)_this)->slab, 2) ] = (((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])|((int)((P0 *)_this)->bits));
#ifdef VAR_RANGES
		logval("free_bits[thread:slab]", ((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_301_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_313_0: /* 2 */
S_312_0: /* 2 */
S_302_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_312_1;
S_307_0: /* 2 */
S_303_0: /* 2 */
		if (!((((((int)((P0 *)_this)->i)/2)==((int)((P0 *)_this)->slab))&&((((int)((P0 *)_this)->bits)&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_307_1;
S_304_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==1), "(fate[i]==1)", II, tt, t);
S_305_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 3;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
		goto S_308_0;
S_307_1: /* 3 */
S_306_0: /* 2 */
		/* else */;
		goto S_308_0;
S_307_2: /* 3 */
		Uerror("blocking sel in d_step (nr.13, near line 126)");
S_308_0: /* 2 */
S_309_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_313_0; /* ';' */
S_312_1: /* 3 */
S_310_0: /* 2 */
		/* else */;
S_311_0: /* 2 */
		goto S_314_0;	/* 'goto' */
S_312_2: /* 3 */
		Uerror("blocking sel in d_step (nr.14, near line 132)");
S_314_0: /* 2 */
		goto S_315_0;	/* 'break' */
S_315_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_318_0;
S_318_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 117: // STATE 319 - /tmp/wt/model/tests/formal/remote_free.pml:143 - [bits = 0] (0:348:1 - 1)
		IfNotBlocked
		reached[0][319] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = 0;
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 118: // STATE 321 - /tmp/wt/model/tests/formal/remote_free.pml:175 - [((free_bits[slab]==((1<<2)-1)))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][321] = 1;
		if (!((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 119: // STATE 322 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][322] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 120: // STATE 323 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][323] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 121: // STATE 324 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[slab]==0)] (0:341:2 - 1)
		IfNotBlocked
		reached[0][324] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[slab] = 1(341, 325, 341) */
		reached[0][325] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 329, 341) */
		reached[0][329] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 122: // STATE 331 - /tmp/wt/model/tests/formal/remote_free.pml:167 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][331] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 123: // STATE 338 - /tmp/wt/model/tests/formal/remote_free.pml:147 - [D_STEP147]
		/* default 258 */
		

		reached[0][338] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_331_0: /* 2 */
		spin_assert(((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&(((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==0))&&(((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))), "((bound[slab]&&(remote_bits[slab]==0))&&(free_bits[slab]==((1<<2)-1)))", II, tt, t);
S_332_0: /* 2 */
		spin_assert(( !(((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]))&&((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])), "( !(on_queue[slab])&&published[slab])", II, tt, t);
S_333_0: /* 2 */
		now.bound[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("bound[thread:slab]", ((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_334_0: /* 2 */
		now.pooled[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("pooled[thread:slab]", ((int)now.pooled[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_335_0: /* 2 */
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("tag[thread:slab]", ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_336_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_341_0;
S_341_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 124: // STATE 343 - /tmp/wt/model/tests/formal/remote_free.pml:170 - [got = 0] (0:360:3 - 3)
		IfNotBlocked
		reached[0][343] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(360, 347, 360) */
		reached[0][347] = 1;
		;
		/* merge: .(goto)(360, 352, 360) */
		reached[0][352] = 1;
		;
		/* merge: got = 0(360, 353, 360) */
		reached[0][353] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(360, 356, 360) */
		reached[0][356] = 1;
		;
		/* merge: slab = (slab+1)(360, 357, 360) */
		reached[0][357] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = (((int)((P0 *)_this)->slab)+1);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: .(goto)(0, 361, 360) */
		reached[0][361] = 1;
		;
		_m = 3; goto P999; /* 6 */
	case 125: // STATE 353 - /tmp/wt/model/tests/formal/remote_free.pml:300 - [got = 0] (0:360:2 - 5)
		IfNotBlocked
		reached[0][353] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(360, 356, 360) */
		reached[0][356] = 1;
		;
		/* merge: slab = (slab+1)(360, 357, 360) */
		reached[0][357] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = (((int)((P0 *)_this)->slab)+1);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: .(goto)(0, 361, 360) */
		reached[0][361] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 126: // STATE 357 - /tmp/wt/model/tests/formal/remote_free.pml:303 - [slab = (slab+1)] (0:360:1 - 3)
		IfNotBlocked
		reached[0][357] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = (((int)((P0 *)_this)->slab)+1);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: .(goto)(0, 361, 360) */
		reached[0][361] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 127: // STATE 363 - /tmp/wt/model/tests/formal/remote_free.pml:306 - [slab = 255] (0:369:2 - 3)
		IfNotBlocked
		reached[0][363] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = 255;
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: slab */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->slab = 0;
		_m = 3; goto P999; /* 0 */
	case 128: // STATE 368 - /tmp/wt/model/tests/formal/remote_free.pml:231 - [D_STEP231]
		/* default 258 */
		

		reached[0][368] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_363_0: /* 2 */
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
S_364_0: /* 2 */
		spin_assert( !(((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ])), " !(orphan[other])", II, tt, t);
S_365_0: /* 2 */
		now.orphan[ Index(((P0 *)_this)->other, 3) ] = 1;
#ifdef VAR_RANGES
		logval("orphan[thread:other]", ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
S_366_0: /* 2 */
		now.user[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("user[thread:other]", ((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		goto S_369_0;
S_369_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 129: // STATE 370 - /tmp/wt/model/tests/formal/remote_free.pml:308 - [other = 255] (0:393:2 - 1)
		IfNotBlocked
		reached[0][370] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 373, 393) */
		reached[0][373] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 130: // STATE 392 - /tmp/wt/model/tests/formal/remote_free.pml:353 - [D_STEP353]
		IfNotBlocked

		reached[0][392] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_374_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_388_0: /* 2 */
S_387_0: /* 2 */
S_375_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_387_1;
S_382_0: /* 2 */
S_376_0: /* 2 */
		if (!(((((((int)((P0 *)_this)->block)==255)&&((int)now.bound[ Index((((int)((P0 *)_this)->i)/2), 2) ]))&&(((int)now.owner[ Index((((int)((P0 *)_this)->i)/2), 2) ])==((int)((P0 *)_this)->heap)))&&((((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ])&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_382_1;
S_377_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==3), "(fate[i]==3)", II, tt, t);
S_378_0: /* 2 */
		now.free_bits[ Index((((P0 *)_this)->i/2), 2) ] = (((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ])& ~((1<<(((int)((P0 *)_this)->i)%2))));
#ifdef VAR_RANGES
		logval("free_bits[(thread:i/2)]", ((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ]));
#endif
		;
S_379_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 2;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
S_380_0: /* 2 */
		((P0 *)_this)->block = ((int)((P0 *)_this)->i);
#ifdef VAR_RANGES
		logval("thread:block", ((int)((P0 *)_this)->block));
#endif
		;
		goto S_383_0;
S_382_1: /* 3 */
S_381_0: /* 2 */
		/* else */;
		goto S_383_0;
S_382_2: /* 3 */
		Uerror("blocking sel in d_step (nr.15, near line 355)");
S_383_0: /* 2 */
S_384_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_388_0; /* ';' */
S_387_1: /* 3 */
S_385_0: /* 2 */
		/* else */;
S_386_0: /* 2 */
		goto S_389_0;	/* 'goto' */
S_387_2: /* 3 */
		Uerror("blocking sel in d_step (nr.16, near line 363)");
S_389_0: /* 2 */
		goto S_390_0;	/* 'break' */
S_390_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_395_0;
S_395_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 131: // STATE 397 - /tmp/wt/model/tests/formal/remote_free.pml:416 - [((block==255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][397] = 1;
		if (!((((int)((P0 *)_this)->block)==255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 132: // STATE 398 - /tmp/wt/model/tests/formal/remote_free.pml:381 - [((!(bound[0])&&pooled[0]))] (409:0:1 - 1)
		IfNotBlocked
		reached[0][398] = 1;
		if (!(( !(((int)now.bound[0]))&&((int)now.pooled[0]))))
			continue;
		/* merge: slab = 0(0, 399, 409) */
		reached[0][399] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = 0;
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: .(goto)(0, 405, 409) */
		reached[0][405] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 133: // STATE 400 - /tmp/wt/model/tests/formal/remote_free.pml:382 - [((!(bound[1])&&pooled[1]))] (409:0:1 - 1)
		IfNotBlocked
		reached[0][400] = 1;
		if (!(( !(((int)now.bound[1]))&&((int)now.pooled[1]))))
			continue;
		/* merge: slab = 1(0, 401, 409) */
		reached[0][401] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = 1;
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: .(goto)(0, 405, 409) */
		reached[0][405] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 134: // STATE 403 - /tmp/wt/model/tests/formal/remote_free.pml:383 - [slab = 255] (0:0:1 - 1)
		IfNotBlocked
		reached[0][403] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = 255;
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 135: // STATE 406 - /tmp/wt/model/tests/formal/remote_free.pml:386 - [((slab!=255))] (441:0:1 - 1)
		IfNotBlocked
		reached[0][406] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		/* merge: pooled[slab] = 0(441, 407, 441) */
		reached[0][407] = 1;
		(trpt+1)->bup.oval = ((int)now.pooled[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.pooled[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("pooled[thread:slab]", ((int)now.pooled[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		/* merge: .(goto)(441, 410, 441) */
		reached[0][410] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 136: // STATE 410 - /tmp/wt/model/tests/formal/remote_free.pml:389 - [.(goto)] (0:441:0 - 2)
		IfNotBlocked
		reached[0][410] = 1;
		;
		_m = 3; goto P999; /* 0 */
	case 137: // STATE 413 - /tmp/wt/model/tests/formal/remote_free.pml:419 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][413] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 138: // STATE 414 - /tmp/wt/model/tests/formal/remote_free.pml:114 - [free_bits[slab] = ((1<<2)-1)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][414] = 1;
		(trpt+1)->bup.oval = ((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.free_bits[ Index(((P0 *)_this)->slab, 2) ] = ((1<<2)-1);
#ifdef VAR_RANGES
		logval("free_bits[thread:slab]", ((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 139: // STATE 415 - /tmp/wt/model/tests/formal/remote_free.pml:115 - [tag[slab] = heap] (0:0:1 - 1)
		IfNotBlocked
		reached[0][415] = 1;
		(trpt+1)->bup.oval = ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = ((int)((P0 *)_this)->heap);
#ifdef VAR_RANGES
		logval("tag[thread:slab]", ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 140: // STATE 416 - /tmp/wt/model/tests/formal/remote_free.pml:116 - [owner[slab] = heap] (0:0:1 - 1)
		IfNotBlocked
		reached[0][416] = 1;
		(trpt+1)->bup.oval = ((int)now.owner[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.owner[ Index(((P0 *)_this)->slab, 2) ] = ((int)((P0 *)_this)->heap);
#ifdef VAR_RANGES
		logval("owner[thread:slab]", ((int)now.owner[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 141: // STATE 417 - /tmp/wt/model/tests/formal/remote_free.pml:117 - [bound[slab] = 1] (0:0:1 - 1)
		IfNotBlocked
		reached[0][417] = 1;
		(trpt+1)->bup.oval = ((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.bound[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("bound[thread:slab]", ((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 142: // STATE 418 - /tmp/wt/model/tests/formal/remote_free.pml:118 - [published[slab] = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][418] = 1;
		(trpt+1)->bup.oval = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 143: // STATE 420 - /tmp/wt/model/tests/formal/remote_free.pml:421 - [slab = 255] (0:0:2 - 1)
		IfNotBlocked
		reached[0][420] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = 255;
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: slab */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->slab = 0;
		_m = 3; goto P999; /* 0 */
	case 144: // STATE 438 - /tmp/wt/model/tests/formal/remote_free.pml:353 - [D_STEP353]
		IfNotBlocked

		reached[0][438] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_420_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_434_0: /* 2 */
S_433_0: /* 2 */
S_421_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_433_1;
S_428_0: /* 2 */
S_422_0: /* 2 */
		if (!(((((((int)((P0 *)_this)->block)==255)&&((int)now.bound[ Index((((int)((P0 *)_this)->i)/2), 2) ]))&&(((int)now.owner[ Index((((int)((P0 *)_this)->i)/2), 2) ])==((int)((P0 *)_this)->heap)))&&((((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ])&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_428_1;
S_423_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==3), "(fate[i]==3)", II, tt, t);
S_424_0: /* 2 */
		now.free_bits[ Index((((P0 *)_this)->i/2), 2) ] = (((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ])& ~((1<<(((int)((P0 *)_this)->i)%2))));
#ifdef VAR_RANGES
		logval("free_bits[(thread:i/2)]", ((int)now.free_bits[ Index((((int)((P0 *)_this)->i)/2), 2) ]));
#endif
		;
S_425_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 2;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
S_426_0: /* 2 */
		((P0 *)_this)->block = ((int)((P0 *)_this)->i);
#ifdef VAR_RANGES
		logval("thread:block", ((int)((P0 *)_this)->block));
#endif
		;
		goto S_429_0;
S_428_1: /* 3 */
S_427_0: /* 2 */
		/* else */;
		goto S_429_0;
S_428_2: /* 3 */
		Uerror("blocking sel in d_step (nr.17, near line 355)");
S_429_0: /* 2 */
S_430_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_434_0; /* ';' */
S_433_1: /* 3 */
S_431_0: /* 2 */
		/* else */;
S_432_0: /* 2 */
		goto S_435_0;	/* 'goto' */
S_433_2: /* 3 */
		Uerror("blocking sel in d_step (nr.18, near line 363)");
S_435_0: /* 2 */
		goto S_436_0;	/* 'break' */
S_436_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_441_0;
S_441_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 145: // STATE 446 - /tmp/wt/model/tests/formal/remote_free.pml:427 - [block = 255] (0:1016:1 - 5)
		IfNotBlocked
		reached[0][446] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->block);
		((P0 *)_this)->block = 255;
#ifdef VAR_RANGES
		logval("thread:block", ((int)((P0 *)_this)->block));
#endif
		;
		/* merge: .(goto)(0, 449, 1016) */
		reached[0][449] = 1;
		;
		/* merge: .(goto)(0, 1017, 1016) */
		reached[0][1017] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 146: // STATE 451 - /tmp/wt/model/tests/formal/remote_free.pml:507 - [((frees>0))] (1013:0:1 - 1)
		IfNotBlocked
		reached[0][451] = 1;
		if (!((((int)((P0 *)_this)->frees)>0)))
			continue;
		/* merge: frees = (frees-1)(0, 452, 1013) */
		reached[0][452] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->frees);
		((P0 *)_this)->frees = (((int)((P0 *)_this)->frees)-1);
#ifdef VAR_RANGES
		logval("thread:frees", ((int)((P0 *)_this)->frees));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 147: // STATE 453 - /tmp/wt/model/tests/formal/remote_free.pml:436 - [((fate[0]==LIVE))] (467:0:1 - 1)
		IfNotBlocked
		reached[0][453] = 1;
		if (!((now.fate[0]==2)))
			continue;
		/* merge: block = 0(0, 454, 467) */
		reached[0][454] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->block);
		((P0 *)_this)->block = 0;
#ifdef VAR_RANGES
		logval("thread:block", ((int)((P0 *)_this)->block));
#endif
		;
		/* merge: .(goto)(0, 463, 467) */
		reached[0][463] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 148: // STATE 455 - /tmp/wt/model/tests/formal/remote_free.pml:437 - [((fate[1]==LIVE))] (467:0:1 - 1)
		IfNotBlocked
		reached[0][455] = 1;
		if (!((now.fate[1]==2)))
			continue;
		/* merge: block = 1(0, 456, 467) */
		reached[0][456] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->block);
		((P0 *)_this)->block = 1;
#ifdef VAR_RANGES
		logval("thread:block", ((int)((P0 *)_this)->block));
#endif
		;
		/* merge: .(goto)(0, 463, 467) */
		reached[0][463] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 149: // STATE 457 - /tmp/wt/model/tests/formal/remote_free.pml:438 - [((fate[2]==LIVE))] (467:0:1 - 1)
		IfNotBlocked
		reached[0][457] = 1;
		if (!((now.fate[2]==2)))
			continue;
		/* merge: block = 2(0, 458, 467) */
		reached[0][458] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->block);
		((P0 *)_this)->block = 2;
#ifdef VAR_RANGES
		logval("thread:block", ((int)((P0 *)_this)->block));
#endif
		;
		/* merge: .(goto)(0, 463, 467) */
		reached[0][463] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 150: // STATE 459 - /tmp/wt/model/tests/formal/remote_free.pml:439 - [((fate[3]==LIVE))] (467:0:1 - 1)
		IfNotBlocked
		reached[0][459] = 1;
		if (!((now.fate[3]==2)))
			continue;
		/* merge: block = 3(0, 460, 467) */
		reached[0][460] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->block);
		((P0 *)_this)->block = 3;
#ifdef VAR_RANGES
		logval("thread:block", ((int)((P0 *)_this)->block));
#endif
		;
		/* merge: .(goto)(0, 463, 467) */
		reached[0][463] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 151: // STATE 464 - /tmp/wt/model/tests/formal/remote_free.pml:443 - [((block!=255))] (1011:0:1 - 1)
		IfNotBlocked
		reached[0][464] = 1;
		if (!((((int)((P0 *)_this)->block)!=255)))
			continue;
		/* merge: fate[block] = FREED(1011, 465, 1011) */
		reached[0][465] = 1;
		(trpt+1)->bup.oval = now.fate[ Index(((int)((P0 *)_this)->block), 4) ];
		now.fate[ Index(((P0 *)_this)->block, 4) ] = 1;
#ifdef VAR_RANGES
		logval("fate[thread:block]", now.fate[ Index(((int)((P0 *)_this)->block), 4) ]);
#endif
		;
		/* merge: .(goto)(1011, 468, 1011) */
		reached[0][468] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 152: // STATE 468 - /tmp/wt/model/tests/formal/remote_free.pml:446 - [.(goto)] (0:1011:0 - 2)
		IfNotBlocked
		reached[0][468] = 1;
		;
		_m = 3; goto P999; /* 0 */
	case 153: // STATE 470 - /tmp/wt/model/tests/formal/remote_free.pml:448 - [((block!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][470] = 1;
		if (!((((int)((P0 *)_this)->block)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 154: // STATE 471 - /tmp/wt/model/tests/formal/remote_free.pml:450 - [(((heap!=255)&&(tag[(block/2)]==heap)))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][471] = 1;
		if (!(((((int)((P0 *)_this)->heap)!=255)&&(((int)now.tag[ Index((((int)((P0 *)_this)->block)/2), 2) ])==((int)((P0 *)_this)->heap)))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 155: // STATE 472 - /tmp/wt/model/tests/formal/remote_free.pml:451 - [assert((owner[(block/2)]==heap))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][472] = 1;
		spin_assert((((int)now.owner[ Index((((int)((P0 *)_this)->block)/2), 2) ])==((int)((P0 *)_this)->heap)), "(owner[(block/2)]==heap)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 156: // STATE 473 - /tmp/wt/model/tests/formal/remote_free.pml:452 - [bits = (1<<(block%2))] (0:494:3 - 1)
		IfNotBlocked
		reached[0][473] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = (1<<(((int)((P0 *)_this)->block)%2));
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		/* merge: slab = (block/2)(494, 474, 494) */
		reached[0][474] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = (((int)((P0 *)_this)->block)/2);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: block = 255(494, 475, 494) */
		reached[0][475] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P0 *)_this)->block);
		((P0 *)_this)->block = 255;
#ifdef VAR_RANGES
		logval("thread:block", ((int)((P0 *)_this)->block));
#endif
		;
		_m = 3; goto P999; /* 2 */
	case 157: // STATE 493 - /tmp/wt/model/tests/formal/remote_free.pml:122 - [D_STEP122]
		/* default 258 */
		

		reached[0][493] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_475_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])&((int)((P0 *)_this)->bits))==0)), "(bound[slab]&&((free_bits[slab]&bits)==0))", II, tt, t);
S_476_0: /* 2 */
		now.free_bits[ Index(((P0 *)_this)->slab, 2) ] = (((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])|((int)((P0 *)_this)->bits));
#ifdef VAR_RANGES
		logval("free_bits[thread:slab]", ((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_477_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_489_0: /* 2 */
S_488_0: /* 2 */
S_478_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_488_1;
S_483_0: /* 2 */
S_479_0: /* 2 */
		if (!((((((int)((P0 *)_this)->i)/2)==((int)((P0 *)_this)->slab))&&((((int)((P0 *)_this)->bits)&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_483_1;
S_480_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==1), "(fate[i]==1)", II, tt, t);
S_481_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 3;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
		goto S_484_0;
S_483_1: /* 3 */
S_482_0: /* 2 */
		/* else */;
		goto S_484_0;
S_483_2: /* 3 */
		Uerror("blocking sel in d_step (nr.19, near line 126)");
S_484_0: /* 2 */
S_485_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_489_0; /* ';' */
S_488_1: /* 3 */
S_486_0: /* 2 */
		/* else */;
S_487_0: /* 2 */
		goto S_490_0;	/* 'goto' */
S_488_2: /* 3 */
		Uerror("blocking sel in d_step (nr.20, near line 132)");
S_490_0: /* 2 */
		goto S_491_0;	/* 'break' */
S_491_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_494_0;
S_494_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 158: // STATE 495 - /tmp/wt/model/tests/formal/remote_free.pml:456 - [bits = 0] (0:523:1 - 1)
		IfNotBlocked
		reached[0][495] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = 0;
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 159: // STATE 496 - /tmp/wt/model/tests/formal/remote_free.pml:175 - [((free_bits[slab]==((1<<2)-1)))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][496] = 1;
		if (!((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 160: // STATE 497 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][497] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 161: // STATE 498 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][498] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 162: // STATE 499 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[slab]==0)] (0:516:2 - 1)
		IfNotBlocked
		reached[0][499] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[slab] = 1(516, 500, 516) */
		reached[0][500] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 504, 516) */
		reached[0][504] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 163: // STATE 506 - /tmp/wt/model/tests/formal/remote_free.pml:167 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][506] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 164: // STATE 513 - /tmp/wt/model/tests/formal/remote_free.pml:147 - [D_STEP147]
		/* default 258 */
		

		reached[0][513] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_506_0: /* 2 */
		spin_assert(((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&(((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==0))&&(((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))), "((bound[slab]&&(remote_bits[slab]==0))&&(free_bits[slab]==((1<<2)-1)))", II, tt, t);
S_507_0: /* 2 */
		spin_assert(( !(((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]))&&((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])), "( !(on_queue[slab])&&published[slab])", II, tt, t);
S_508_0: /* 2 */
		now.bound[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("bound[thread:slab]", ((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_509_0: /* 2 */
		now.pooled[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("pooled[thread:slab]", ((int)now.pooled[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_510_0: /* 2 */
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("tag[thread:slab]", ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_511_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_516_0;
S_516_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 165: // STATE 518 - /tmp/wt/model/tests/formal/remote_free.pml:170 - [got = 0] (0:1016:3 - 3)
		IfNotBlocked
		reached[0][518] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(1016, 522, 1016) */
		reached[0][522] = 1;
		;
		/* merge: slab = 255(1016, 524, 1016) */
		reached[0][524] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = 255;
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: slab */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->slab = 0;
		/* merge: .(goto)(0, 1009, 1016) */
		reached[0][1009] = 1;
		;
		/* merge: .(goto)(0, 1012, 1016) */
		reached[0][1012] = 1;
		;
		/* merge: .(goto)(0, 1017, 1016) */
		reached[0][1017] = 1;
		;
		_m = 3; goto P999; /* 5 */
	case 166: // STATE 524 - /tmp/wt/model/tests/formal/remote_free.pml:458 - [slab = 255] (0:1016:2 - 3)
		IfNotBlocked
		reached[0][524] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = 255;
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: slab */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->slab = 0;
		/* merge: .(goto)(0, 1009, 1016) */
		reached[0][1009] = 1;
		;
		/* merge: .(goto)(0, 1012, 1016) */
		reached[0][1012] = 1;
		;
		/* merge: .(goto)(0, 1017, 1016) */
		reached[0][1017] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 167: // STATE 526 - /tmp/wt/model/tests/formal/remote_free.pml:468 - [(((gathered_slab!=255)&&(gathered_slab!=(block/2))))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][526] = 1;
		if (!(((((int)((P0 *)_this)->gathered_slab)!=255)&&(((int)((P0 *)_this)->gathered_slab)!=(((int)((P0 *)_this)->block)/2)))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 168: // STATE 530 - /tmp/wt/model/tests/formal/remote_free.pml:328 - [D_STEP328]
		/* default 258 */
		

		reached[0][530] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_526_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])&&((((int)now.remote_bits[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])&((int)((P0 *)_this)->gathered_bits))==0)), "(bound[gathered_slab]&&((remote_bits[gathered_slab]&gathered_bits)==0))", II, tt, t);
S_527_0: /* 2 */
		now.remote_bits[ Index(((P0 *)_this)->gathered_slab, 2) ] = (((int)now.remote_bits[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])|((int)((P0 *)_this)->gathered_bits));
#ifdef VAR_RANGES
		logval("remote_bits[thread:gathered_slab]", ((int)now.remote_bits[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
S_528_0: /* 2 */
		((P0 *)_this)->gathered_bits = 0;
#ifdef VAR_RANGES
		logval("thread:gathered_bits", ((int)((P0 *)_this)->gathered_bits));
#endif
		;
		goto S_538_0;
S_538_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 169: // STATE 531 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][531] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 170: // STATE 532 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[gathered_slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][532] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 171: // STATE 533 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[gathered_slab]==0)] (0:679:2 - 1)
		IfNotBlocked
		reached[0][533] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[gathered_slab] = 1(679, 534, 679) */
		reached[0][534] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
		now.published[ Index(((P0 *)_this)->gathered_slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:gathered_slab]", ((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 538, 679) */
		reached[0][538] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 172: // STATE 540 - /tmp/wt/model/tests/formal/remote_free.pml:335 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][540] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 173: // STATE 541 - /tmp/wt/model/tests/formal/remote_free.pml:337 - [other = owner[gathered_slab]] (0:0:1 - 1)
		IfNotBlocked
		reached[0][541] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = ((int)now.owner[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 174: // STATE 542 - /tmp/wt/model/tests/formal/remote_free.pml:87 - [assert(published[gathered_slab])] (0:0:0 - 1)
		IfNotBlocked
		reached[0][542] = 1;
		spin_assert(((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]), "published[gathered_slab]", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 175: // STATE 543 - /tmp/wt/model/tests/formal/remote_free.pml:89 - [first = queue[other]] (0:0:1 - 1)
		IfNotBlocked
		reached[0][543] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->first);
		((P0 *)_this)->first = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:first", ((int)((P0 *)_this)->first));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 176: // STATE 544 - /tmp/wt/model/tests/formal/remote_free.pml:90 - [queue_next[gathered_slab] = first] (0:0:1 - 1)
		IfNotBlocked
		reached[0][544] = 1;
		(trpt+1)->bup.oval = ((int)now.queue_next[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
		now.queue_next[ Index(((P0 *)_this)->gathered_slab, 2) ] = ((int)((P0 *)_this)->first);
#ifdef VAR_RANGES
		logval("queue_next[thread:gathered_slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 177: // STATE 545 - /tmp/wt/model/tests/formal/remote_free.pml:93 - [((queue[other]==first))] (556:0:3 - 1)
		IfNotBlocked
		reached[0][545] = 1;
		if (!((((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->first))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: first */  (trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((P0 *)_this)->first;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->first = 0;
		/* merge: assert(!(on_queue[gathered_slab]))(556, 546, 556) */
		reached[0][546] = 1;
		spin_assert( !(((int)now.on_queue[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])), " !(on_queue[gathered_slab])", II, tt, t);
		/* merge: on_queue[gathered_slab] = 1(556, 547, 556) */
		reached[0][547] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.on_queue[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
		now.on_queue[ Index(((P0 *)_this)->gathered_slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("on_queue[thread:gathered_slab]", ((int)now.on_queue[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
		/* merge: queue[other] = gathered_slab(556, 548, 556) */
		reached[0][548] = 1;
		(trpt+1)->bup.ovals[2] = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
		now.queue[ Index(((P0 *)_this)->other, 3) ] = ((int)((P0 *)_this)->gathered_slab);
#ifdef VAR_RANGES
		logval("queue[thread:other]", ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		/* merge: goto :b14(556, 549, 556) */
		reached[0][549] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 178: // STATE 558 - /tmp/wt/model/tests/formal/remote_free.pml:340 - [gathered_slab = 255] (0:675:3 - 1)
		IfNotBlocked
		reached[0][558] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->gathered_slab);
		((P0 *)_this)->gathered_slab = 255;
#ifdef VAR_RANGES
		logval("thread:gathered_slab", ((int)((P0 *)_this)->gathered_slab));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: gathered_slab */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->gathered_slab = 0;
		/* merge: got = 0(675, 559, 675) */
		reached[0][559] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 179: // STATE 560 - /tmp/wt/model/tests/formal/remote_free.pml:343 - [(orphan[other])] (0:0:0 - 1)
		IfNotBlocked
		reached[0][560] = 1;
		if (!(((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ])))
			continue;
		_m = 3; goto P999; /* 0 */
	case 180: // STATE 568 - /tmp/wt/model/tests/formal/remote_free.pml:240 - [D_STEP240]
		IfNotBlocked

		reached[0][568] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_560_0: /* 2 */
		((P0 *)_this)->got = ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
S_565_0: /* 2 */
S_561_0: /* 2 */
		if (!(((int)((P0 *)_this)->got)))
			goto S_565_1;
S_562_0: /* 2 */
		now.orphan[ Index(((P0 *)_this)->other, 3) ] = 0;
#ifdef VAR_RANGES
		logval("orphan[thread:other]", ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
S_563_0: /* 2 */
		now.user[ Index(((P0 *)_this)->other, 3) ] = ((int)((P0 *)_this)->me);
#ifdef VAR_RANGES
		logval("user[thread:other]", ((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		goto S_566_0;
S_565_1: /* 3 */
S_564_0: /* 2 */
		/* else */;
		goto S_566_0;
S_565_2: /* 3 */
		Uerror("blocking sel in d_step (nr.21, near line 242)");
S_566_0: /* 2 */
		goto S_669_0;
S_669_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 181: // STATE 570 - /tmp/wt/model/tests/formal/remote_free.pml:316 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][570] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 182: // STATE 571 - /tmp/wt/model/tests/formal/remote_free.pml:181 - [assert((user[other]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][571] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 183: // STATE 572 - /tmp/wt/model/tests/formal/remote_free.pml:106 - [slab = queue[other]] (0:586:2 - 1)
		IfNotBlocked
		reached[0][572] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: queue[other] = 255(586, 573, 586) */
		reached[0][573] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
		now.queue[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("queue[thread:other]", ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		/* merge: .(goto)(0, 587, 586) */
		reached[0][587] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 184: // STATE 576 - /tmp/wt/model/tests/formal/remote_free.pml:184 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][576] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 185: // STATE 583 - /tmp/wt/model/tests/formal/remote_free.pml:185 - [D_STEP185]
		/* default 258 */
		

		reached[0][583] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_576_0: /* 2 */
		spin_assert(((((int)now.owner[ Index(((int)((P0 *)_this)->slab), 2) ])==((int)((P0 *)_this)->other))&&((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])), "((owner[slab]==other)&&bound[slab])", II, tt, t);
S_577_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_578_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_579_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->other, 3) ] = ((int)((P0 *)_this)->slab);
#ifdef VAR_RANGES
		logval("lane_published[thread:other]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
S_580_0: /* 2 */
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_581_0: /* 2 */
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		goto S_586_0;
S_586_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 186: // STATE 590 - /tmp/wt/model/tests/formal/remote_free.pml:198 - [assert((user[other]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][590] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 187: // STATE 593 - /tmp/wt/model/tests/formal/remote_free.pml:199 - [D_STEP199]
		IfNotBlocked

		reached[0][593] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_590_0: /* 2 */
		((P0 *)_this)->slab = ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_591_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("lane_published[thread:other]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		goto S_658_0;
S_658_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 188: // STATE 594 - /tmp/wt/model/tests/formal/remote_free.pml:204 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][594] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 189: // STATE 597 - /tmp/wt/model/tests/formal/remote_free.pml:205 - [D_STEP205]
		IfNotBlocked

		reached[0][597] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_594_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_595_0: /* 2 */
		now.on_queue[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("on_queue[thread:slab]", ((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_600_0;
S_600_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 190: // STATE 598 - /tmp/wt/model/tests/formal/remote_free.pml:81 - [assert(published[slab])] (0:625:1 - 1)
		IfNotBlocked
		reached[0][598] = 1;
		spin_assert(((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]), "published[slab]", II, tt, t);
		/* merge: published[slab] = 0(625, 599, 625) */
		reached[0][599] = 1;
		(trpt+1)->bup.oval = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 191: // STATE 602 - /tmp/wt/model/tests/formal/remote_free.pml:139 - [bits = remote_bits[slab]] (0:623:2 - 1)
		IfNotBlocked
		reached[0][602] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		/* merge: remote_bits[slab] = 0(623, 603, 623) */
		reached[0][603] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("remote_bits[thread:slab]", ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 192: // STATE 622 - /tmp/wt/model/tests/formal/remote_free.pml:122 - [D_STEP122]
		/* default 258 */
		

		reached[0][622] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_604_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])&((int)((P0 *)_this)->bits))==0)), "(bound[slab]&&((free_bits[slab]&bits)==0))", II, tt, t);
S_605_0: /* 2 */
		now.free_bits[ Index(((P0 *)_this)->slab, 2) ] = (((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])|((int)((P0 *)_this)->bits));
#ifdef VAR_RANGES
		logval("free_bits[thread:slab]", ((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_606_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_618_0: /* 2 */
S_617_0: /* 2 */
S_607_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_617_1;
S_612_0: /* 2 */
S_608_0: /* 2 */
		if (!((((((int)((P0 *)_this)->i)/2)==((int)((P0 *)_this)->slab))&&((((int)((P0 *)_this)->bits)&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_612_1;
S_609_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==1), "(fate[i]==1)", II, tt, t);
S_610_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 3;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
		goto S_613_0;
S_612_1: /* 3 */
S_611_0: /* 2 */
		/* else */;
		goto S_613_0;
S_612_2: /* 3 */
		Uerror("blocking sel in d_step (nr.22, near line 126)");
S_613_0: /* 2 */
S_614_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_618_0; /* ';' */
S_617_1: /* 3 */
S_615_0: /* 2 */
		/* else */;
S_616_0: /* 2 */
		goto S_619_0;	/* 'goto' */
S_617_2: /* 3 */
		Uerror("blocking sel in d_step (nr.23, near line 132)");
S_619_0: /* 2 */
		goto S_620_0;	/* 'break' */
S_620_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_623_0;
S_623_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 193: // STATE 624 - /tmp/wt/model/tests/formal/remote_free.pml:143 - [bits = 0] (0:653:1 - 1)
		IfNotBlocked
		reached[0][624] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = 0;
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 194: // STATE 626 - /tmp/wt/model/tests/formal/remote_free.pml:175 - [((free_bits[slab]==((1<<2)-1)))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][626] = 1;
		if (!((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 195: // STATE 627 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][627] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 196: // STATE 628 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][628] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 197: // STATE 629 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[slab]==0)] (0:646:2 - 1)
		IfNotBlocked
		reached[0][629] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[slab] = 1(646, 630, 646) */
		reached[0][630] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 634, 646) */
		reached[0][634] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 198: // STATE 636 - /tmp/wt/model/tests/formal/remote_free.pml:167 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][636] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 199: // STATE 643 - /tmp/wt/model/tests/formal/remote_free.pml:147 - [D_STEP147]
		/* default 258 */
		

		reached[0][643] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_636_0: /* 2 */
		spin_assert(((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&(((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==0))&&(((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))), "((bound[slab]&&(remote_bits[slab]==0))&&(free_bits[slab]==((1<<2)-1)))", II, tt, t);
S_637_0: /* 2 */
		spin_assert(( !(((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]))&&((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])), "( !(on_queue[slab])&&published[slab])", II, tt, t);
S_638_0: /* 2 */
		now.bound[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("bound[thread:slab]", ((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_639_0: /* 2 */
		now.pooled[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("pooled[thread:slab]", ((int)now.pooled[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_640_0: /* 2 */
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("tag[thread:slab]", ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_641_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_646_0;
S_646_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 200: // STATE 648 - /tmp/wt/model/tests/formal/remote_free.pml:170 - [got = 0] (0:658:4 - 3)
		IfNotBlocked
		reached[0][648] = 1;
		(trpt+1)->bup.ovals = grab_ints(4);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(658, 652, 658) */
		reached[0][652] = 1;
		;
		/* merge: slab = next(658, 654, 658) */
		reached[0][654] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(658, 655, 658) */
		reached[0][655] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 659, 658) */
		reached[0][659] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 201: // STATE 654 - /tmp/wt/model/tests/formal/remote_free.pml:217 - [slab = next] (0:658:3 - 3)
		IfNotBlocked
		reached[0][654] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(658, 655, 658) */
		reached[0][655] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 659, 658) */
		reached[0][659] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 202: // STATE 667 - /tmp/wt/model/tests/formal/remote_free.pml:231 - [D_STEP231]
		/* default 258 */
		

		reached[0][667] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_662_0: /* 2 */
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
S_663_0: /* 2 */
		spin_assert( !(((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ])), " !(orphan[other])", II, tt, t);
S_664_0: /* 2 */
		now.orphan[ Index(((P0 *)_this)->other, 3) ] = 1;
#ifdef VAR_RANGES
		logval("orphan[thread:other]", ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
S_665_0: /* 2 */
		now.user[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("user[thread:other]", ((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		goto S_670_0;
S_670_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 203: // STATE 672 - /tmp/wt/model/tests/formal/remote_free.pml:321 - [got = 0] (0:689:3 - 3)
		IfNotBlocked
		reached[0][672] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(689, 676, 689) */
		reached[0][676] = 1;
		;
		/* merge: .(goto)(689, 680, 689) */
		reached[0][680] = 1;
		;
		/* merge: other = 255(689, 681, 689) */
		reached[0][681] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 685, 689) */
		reached[0][685] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 204: // STATE 674 - /tmp/wt/model/tests/formal/remote_free.pml:344 - [(1)] (689:0:2 - 1)
		IfNotBlocked
		reached[0][674] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(689, 676, 689) */
		reached[0][676] = 1;
		;
		/* merge: .(goto)(689, 680, 689) */
		reached[0][680] = 1;
		;
		/* merge: other = 255(689, 681, 689) */
		reached[0][681] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 685, 689) */
		reached[0][685] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 205: // STATE 678 - /tmp/wt/model/tests/formal/remote_free.pml:346 - [gathered_slab = 255] (0:689:4 - 1)
		IfNotBlocked
		reached[0][678] = 1;
		(trpt+1)->bup.ovals = grab_ints(4);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->gathered_slab);
		((P0 *)_this)->gathered_slab = 255;
#ifdef VAR_RANGES
		logval("thread:gathered_slab", ((int)((P0 *)_this)->gathered_slab));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: gathered_slab */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->gathered_slab = 0;
		/* merge: .(goto)(689, 680, 689) */
		reached[0][680] = 1;
		;
		/* merge: other = 255(689, 681, 689) */
		reached[0][681] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 685, 689) */
		reached[0][685] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 206: // STATE 681 - /tmp/wt/model/tests/formal/remote_free.pml:348 - [other = 255] (0:689:2 - 5)
		IfNotBlocked
		reached[0][681] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 685, 689) */
		reached[0][685] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 207: // STATE 689 - /tmp/wt/model/tests/formal/remote_free.pml:471 - [D_STEP471]
		IfNotBlocked

		reached[0][689] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_685_0: /* 2 */
		((P0 *)_this)->gathered_slab = (((int)((P0 *)_this)->block)/2);
#ifdef VAR_RANGES
		logval("thread:gathered_slab", ((int)((P0 *)_this)->gathered_slab));
#endif
		;
S_686_0: /* 2 */
		((P0 *)_this)->gathered_bits = (((int)((P0 *)_this)->gathered_bits)|(1<<(((int)((P0 *)_this)->block)%2)));
#ifdef VAR_RANGES
		logval("thread:gathered_bits", ((int)((P0 *)_this)->gathered_bits));
#endif
		;
S_687_0: /* 2 */
		((P0 *)_this)->block = 255;
#ifdef VAR_RANGES
		logval("thread:block", ((int)((P0 *)_this)->block));
#endif
		;
		goto S_1004_0;
S_1004_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 208: // STATE 690 - /tmp/wt/model/tests/formal/remote_free.pml:477 - [(((heap==255)||(gathered_bits==((1<<2)-1))))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][690] = 1;
		if (!(((((int)((P0 *)_this)->heap)==255)||(((int)((P0 *)_this)->gathered_bits)==((1<<2)-1)))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 209: // STATE 694 - /tmp/wt/model/tests/formal/remote_free.pml:328 - [D_STEP328]
		/* default 258 */
		

		reached[0][694] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_690_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])&&((((int)now.remote_bits[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])&((int)((P0 *)_this)->gathered_bits))==0)), "(bound[gathered_slab]&&((remote_bits[gathered_slab]&gathered_bits)==0))", II, tt, t);
S_691_0: /* 2 */
		now.remote_bits[ Index(((P0 *)_this)->gathered_slab, 2) ] = (((int)now.remote_bits[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])|((int)((P0 *)_this)->gathered_bits));
#ifdef VAR_RANGES
		logval("remote_bits[thread:gathered_slab]", ((int)now.remote_bits[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
S_692_0: /* 2 */
		((P0 *)_this)->gathered_bits = 0;
#ifdef VAR_RANGES
		logval("thread:gathered_bits", ((int)((P0 *)_this)->gathered_bits));
#endif
		;
		goto S_702_0;
S_702_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 210: // STATE 695 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][695] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 211: // STATE 696 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[gathered_slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][696] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 212: // STATE 697 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[gathered_slab]==0)] (0:843:2 - 1)
		IfNotBlocked
		reached[0][697] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[gathered_slab] = 1(843, 698, 843) */
		reached[0][698] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
		now.published[ Index(((P0 *)_this)->gathered_slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:gathered_slab]", ((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 702, 843) */
		reached[0][702] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 213: // STATE 704 - /tmp/wt/model/tests/formal/remote_free.pml:335 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][704] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 214: // STATE 705 - /tmp/wt/model/tests/formal/remote_free.pml:337 - [other = owner[gathered_slab]] (0:0:1 - 1)
		IfNotBlocked
		reached[0][705] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = ((int)now.owner[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 215: // STATE 706 - /tmp/wt/model/tests/formal/remote_free.pml:87 - [assert(published[gathered_slab])] (0:0:0 - 1)
		IfNotBlocked
		reached[0][706] = 1;
		spin_assert(((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]), "published[gathered_slab]", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 216: // STATE 707 - /tmp/wt/model/tests/formal/remote_free.pml:89 - [first = queue[other]] (0:0:1 - 1)
		IfNotBlocked
		reached[0][707] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->first);
		((P0 *)_this)->first = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:first", ((int)((P0 *)_this)->first));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 217: // STATE 708 - /tmp/wt/model/tests/formal/remote_free.pml:90 - [queue_next[gathered_slab] = first] (0:0:1 - 1)
		IfNotBlocked
		reached[0][708] = 1;
		(trpt+1)->bup.oval = ((int)now.queue_next[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
		now.queue_next[ Index(((P0 *)_this)->gathered_slab, 2) ] = ((int)((P0 *)_this)->first);
#ifdef VAR_RANGES
		logval("queue_next[thread:gathered_slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 218: // STATE 709 - /tmp/wt/model/tests/formal/remote_free.pml:93 - [((queue[other]==first))] (720:0:3 - 1)
		IfNotBlocked
		reached[0][709] = 1;
		if (!((((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->first))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: first */  (trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((P0 *)_this)->first;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->first = 0;
		/* merge: assert(!(on_queue[gathered_slab]))(720, 710, 720) */
		reached[0][710] = 1;
		spin_assert( !(((int)now.on_queue[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])), " !(on_queue[gathered_slab])", II, tt, t);
		/* merge: on_queue[gathered_slab] = 1(720, 711, 720) */
		reached[0][711] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.on_queue[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
		now.on_queue[ Index(((P0 *)_this)->gathered_slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("on_queue[thread:gathered_slab]", ((int)now.on_queue[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
		/* merge: queue[other] = gathered_slab(720, 712, 720) */
		reached[0][712] = 1;
		(trpt+1)->bup.ovals[2] = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
		now.queue[ Index(((P0 *)_this)->other, 3) ] = ((int)((P0 *)_this)->gathered_slab);
#ifdef VAR_RANGES
		logval("queue[thread:other]", ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		/* merge: goto :b18(720, 713, 720) */
		reached[0][713] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 219: // STATE 722 - /tmp/wt/model/tests/formal/remote_free.pml:340 - [gathered_slab = 255] (0:839:2 - 1)
		IfNotBlocked
		reached[0][722] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->gathered_slab);
		((P0 *)_this)->gathered_slab = 255;
#ifdef VAR_RANGES
		logval("thread:gathered_slab", ((int)((P0 *)_this)->gathered_slab));
#endif
		;
		/* merge: got = 0(839, 723, 839) */
		reached[0][723] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 220: // STATE 724 - /tmp/wt/model/tests/formal/remote_free.pml:343 - [(orphan[other])] (0:0:0 - 1)
		IfNotBlocked
		reached[0][724] = 1;
		if (!(((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ])))
			continue;
		_m = 3; goto P999; /* 0 */
	case 221: // STATE 732 - /tmp/wt/model/tests/formal/remote_free.pml:240 - [D_STEP240]
		IfNotBlocked

		reached[0][732] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_724_0: /* 2 */
		((P0 *)_this)->got = ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
S_729_0: /* 2 */
S_725_0: /* 2 */
		if (!(((int)((P0 *)_this)->got)))
			goto S_729_1;
S_726_0: /* 2 */
		now.orphan[ Index(((P0 *)_this)->other, 3) ] = 0;
#ifdef VAR_RANGES
		logval("orphan[thread:other]", ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
S_727_0: /* 2 */
		now.user[ Index(((P0 *)_this)->other, 3) ] = ((int)((P0 *)_this)->me);
#ifdef VAR_RANGES
		logval("user[thread:other]", ((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		goto S_730_0;
S_729_1: /* 3 */
S_728_0: /* 2 */
		/* else */;
		goto S_730_0;
S_729_2: /* 3 */
		Uerror("blocking sel in d_step (nr.24, near line 242)");
S_730_0: /* 2 */
		goto S_833_0;
S_833_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 222: // STATE 734 - /tmp/wt/model/tests/formal/remote_free.pml:316 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][734] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 223: // STATE 735 - /tmp/wt/model/tests/formal/remote_free.pml:181 - [assert((user[other]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][735] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 224: // STATE 736 - /tmp/wt/model/tests/formal/remote_free.pml:106 - [slab = queue[other]] (0:750:2 - 1)
		IfNotBlocked
		reached[0][736] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: queue[other] = 255(750, 737, 750) */
		reached[0][737] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
		now.queue[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("queue[thread:other]", ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		/* merge: .(goto)(0, 751, 750) */
		reached[0][751] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 225: // STATE 740 - /tmp/wt/model/tests/formal/remote_free.pml:184 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][740] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 226: // STATE 747 - /tmp/wt/model/tests/formal/remote_free.pml:185 - [D_STEP185]
		/* default 258 */
		

		reached[0][747] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_740_0: /* 2 */
		spin_assert(((((int)now.owner[ Index(((int)((P0 *)_this)->slab), 2) ])==((int)((P0 *)_this)->other))&&((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])), "((owner[slab]==other)&&bound[slab])", II, tt, t);
S_741_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_742_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_743_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->other, 3) ] = ((int)((P0 *)_this)->slab);
#ifdef VAR_RANGES
		logval("lane_published[thread:other]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
S_744_0: /* 2 */
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_745_0: /* 2 */
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		goto S_750_0;
S_750_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 227: // STATE 754 - /tmp/wt/model/tests/formal/remote_free.pml:198 - [assert((user[other]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][754] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 228: // STATE 757 - /tmp/wt/model/tests/formal/remote_free.pml:199 - [D_STEP199]
		IfNotBlocked

		reached[0][757] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_754_0: /* 2 */
		((P0 *)_this)->slab = ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_755_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("lane_published[thread:other]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		goto S_822_0;
S_822_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 229: // STATE 758 - /tmp/wt/model/tests/formal/remote_free.pml:204 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][758] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 230: // STATE 761 - /tmp/wt/model/tests/formal/remote_free.pml:205 - [D_STEP205]
		IfNotBlocked

		reached[0][761] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_758_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_759_0: /* 2 */
		now.on_queue[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("on_queue[thread:slab]", ((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_764_0;
S_764_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 231: // STATE 762 - /tmp/wt/model/tests/formal/remote_free.pml:81 - [assert(published[slab])] (0:789:1 - 1)
		IfNotBlocked
		reached[0][762] = 1;
		spin_assert(((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]), "published[slab]", II, tt, t);
		/* merge: published[slab] = 0(789, 763, 789) */
		reached[0][763] = 1;
		(trpt+1)->bup.oval = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 232: // STATE 766 - /tmp/wt/model/tests/formal/remote_free.pml:139 - [bits = remote_bits[slab]] (0:787:2 - 1)
		IfNotBlocked
		reached[0][766] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		/* merge: remote_bits[slab] = 0(787, 767, 787) */
		reached[0][767] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("remote_bits[thread:slab]", ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 233: // STATE 786 - /tmp/wt/model/tests/formal/remote_free.pml:122 - [D_STEP122]
		/* default 258 */
		

		reached[0][786] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_768_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])&((int)((P0 *)_this)->bits))==0)), "(bound[slab]&&((free_bits[slab]&bits)==0))", II, tt, t);
S_769_0: /* 2 */
		now.free_bits[ Index(((P0 *)_this)->slab, 2) ] = (((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])|((int)((P0 *)_this)->bits));
#ifdef VAR_RANGES
		logval("free_bits[thread:slab]", ((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_770_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_782_0: /* 2 */
S_781_0: /* 2 */
S_771_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_781_1;
S_776_0: /* 2 */
S_772_0: /* 2 */
		if (!((((((int)((P0 *)_this)->i)/2)==((int)((P0 *)_this)->slab))&&((((int)((P0 *)_this)->bits)&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_776_1;
S_773_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==1), "(fate[i]==1)", II, tt, t);
S_774_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 3;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
		goto S_777_0;
S_776_1: /* 3 */
S_775_0: /* 2 */
		/* else */;
		goto S_777_0;
S_776_2: /* 3 */
		Uerror("blocking sel in d_step (nr.25, near line 126)");
S_777_0: /* 2 */
S_778_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_782_0; /* ';' */
S_781_1: /* 3 */
S_779_0: /* 2 */
		/* else */;
S_780_0: /* 2 */
		goto S_783_0;	/* 'goto' */
S_781_2: /* 3 */
		Uerror("blocking sel in d_step (nr.26, near line 132)");
S_783_0: /* 2 */
		goto S_784_0;	/* 'break' */
S_784_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_787_0;
S_787_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 234: // STATE 788 - /tmp/wt/model/tests/formal/remote_free.pml:143 - [bits = 0] (0:817:1 - 1)
		IfNotBlocked
		reached[0][788] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = 0;
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 235: // STATE 790 - /tmp/wt/model/tests/formal/remote_free.pml:175 - [((free_bits[slab]==((1<<2)-1)))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][790] = 1;
		if (!((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 236: // STATE 791 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][791] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 237: // STATE 792 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][792] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 238: // STATE 793 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[slab]==0)] (0:810:2 - 1)
		IfNotBlocked
		reached[0][793] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[slab] = 1(810, 794, 810) */
		reached[0][794] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 798, 810) */
		reached[0][798] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 239: // STATE 800 - /tmp/wt/model/tests/formal/remote_free.pml:167 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][800] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 240: // STATE 807 - /tmp/wt/model/tests/formal/remote_free.pml:147 - [D_STEP147]
		/* default 258 */
		

		reached[0][807] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_800_0: /* 2 */
		spin_assert(((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&(((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==0))&&(((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))), "((bound[slab]&&(remote_bits[slab]==0))&&(free_bits[slab]==((1<<2)-1)))", II, tt, t);
S_801_0: /* 2 */
		spin_assert(( !(((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]))&&((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])), "( !(on_queue[slab])&&published[slab])", II, tt, t);
S_802_0: /* 2 */
		now.bound[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("bound[thread:slab]", ((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_803_0: /* 2 */
		now.pooled[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("pooled[thread:slab]", ((int)now.pooled[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_804_0: /* 2 */
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("tag[thread:slab]", ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_805_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_810_0;
S_810_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 241: // STATE 812 - /tmp/wt/model/tests/formal/remote_free.pml:170 - [got = 0] (0:822:4 - 3)
		IfNotBlocked
		reached[0][812] = 1;
		(trpt+1)->bup.ovals = grab_ints(4);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(822, 816, 822) */
		reached[0][816] = 1;
		;
		/* merge: slab = next(822, 818, 822) */
		reached[0][818] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(822, 819, 822) */
		reached[0][819] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 823, 822) */
		reached[0][823] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 242: // STATE 818 - /tmp/wt/model/tests/formal/remote_free.pml:217 - [slab = next] (0:822:3 - 3)
		IfNotBlocked
		reached[0][818] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(822, 819, 822) */
		reached[0][819] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 823, 822) */
		reached[0][823] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 243: // STATE 831 - /tmp/wt/model/tests/formal/remote_free.pml:231 - [D_STEP231]
		/* default 258 */
		

		reached[0][831] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_826_0: /* 2 */
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
S_827_0: /* 2 */
		spin_assert( !(((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ])), " !(orphan[other])", II, tt, t);
S_828_0: /* 2 */
		now.orphan[ Index(((P0 *)_this)->other, 3) ] = 1;
#ifdef VAR_RANGES
		logval("orphan[thread:other]", ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
S_829_0: /* 2 */
		now.user[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("user[thread:other]", ((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		goto S_834_0;
S_834_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 244: // STATE 836 - /tmp/wt/model/tests/formal/remote_free.pml:321 - [got = 0] (0:1016:3 - 3)
		IfNotBlocked
		reached[0][836] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(1016, 840, 1016) */
		reached[0][840] = 1;
		;
		/* merge: .(goto)(1016, 844, 1016) */
		reached[0][844] = 1;
		;
		/* merge: other = 255(1016, 845, 1016) */
		reached[0][845] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 1006, 1016) */
		reached[0][1006] = 1;
		;
		/* merge: .(goto)(0, 1009, 1016) */
		reached[0][1009] = 1;
		;
		/* merge: .(goto)(0, 1012, 1016) */
		reached[0][1012] = 1;
		;
		/* merge: .(goto)(0, 1017, 1016) */
		reached[0][1017] = 1;
		;
		_m = 3; goto P999; /* 7 */
	case 245: // STATE 838 - /tmp/wt/model/tests/formal/remote_free.pml:344 - [(1)] (1016:0:2 - 1)
		IfNotBlocked
		reached[0][838] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(1016, 840, 1016) */
		reached[0][840] = 1;
		;
		/* merge: .(goto)(1016, 844, 1016) */
		reached[0][844] = 1;
		;
		/* merge: other = 255(1016, 845, 1016) */
		reached[0][845] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 1006, 1016) */
		reached[0][1006] = 1;
		;
		/* merge: .(goto)(0, 1009, 1016) */
		reached[0][1009] = 1;
		;
		/* merge: .(goto)(0, 1012, 1016) */
		reached[0][1012] = 1;
		;
		/* merge: .(goto)(0, 1017, 1016) */
		reached[0][1017] = 1;
		;
		_m = 3; goto P999; /* 7 */
	case 246: // STATE 842 - /tmp/wt/model/tests/formal/remote_free.pml:346 - [gathered_slab = 255] (0:1016:3 - 1)
		IfNotBlocked
		reached[0][842] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->gathered_slab);
		((P0 *)_this)->gathered_slab = 255;
#ifdef VAR_RANGES
		logval("thread:gathered_slab", ((int)((P0 *)_this)->gathered_slab));
#endif
		;
		/* merge: .(goto)(1016, 844, 1016) */
		reached[0][844] = 1;
		;
		/* merge: other = 255(1016, 845, 1016) */
		reached[0][845] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 1006, 1016) */
		reached[0][1006] = 1;
		;
		/* merge: .(goto)(0, 1009, 1016) */
		reached[0][1009] = 1;
		;
		/* merge: .(goto)(0, 1012, 1016) */
		reached[0][1012] = 1;
		;
		/* merge: .(goto)(0, 1017, 1016) */
		reached[0][1017] = 1;
		;
		_m = 3; goto P999; /* 6 */
	case 247: // STATE 845 - /tmp/wt/model/tests/formal/remote_free.pml:348 - [other = 255] (0:1016:2 - 5)
		IfNotBlocked
		reached[0][845] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 1006, 1016) */
		reached[0][1006] = 1;
		;
		/* merge: .(goto)(0, 1009, 1016) */
		reached[0][1009] = 1;
		;
		/* merge: .(goto)(0, 1012, 1016) */
		reached[0][1012] = 1;
		;
		/* merge: .(goto)(0, 1017, 1016) */
		reached[0][1017] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 248: // STATE 851 - /tmp/wt/model/tests/formal/remote_free.pml:328 - [D_STEP328]
		/* default 258 */
		

		reached[0][851] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_847_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])&&((((int)now.remote_bits[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])&((int)((P0 *)_this)->gathered_bits))==0)), "(bound[gathered_slab]&&((remote_bits[gathered_slab]&gathered_bits)==0))", II, tt, t);
S_848_0: /* 2 */
		now.remote_bits[ Index(((P0 *)_this)->gathered_slab, 2) ] = (((int)now.remote_bits[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])|((int)((P0 *)_this)->gathered_bits));
#ifdef VAR_RANGES
		logval("remote_bits[thread:gathered_slab]", ((int)now.remote_bits[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
S_849_0: /* 2 */
		((P0 *)_this)->gathered_bits = 0;
#ifdef VAR_RANGES
		logval("thread:gathered_bits", ((int)((P0 *)_this)->gathered_bits));
#endif
		;
		goto S_859_0;
S_859_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 249: // STATE 852 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][852] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 250: // STATE 853 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[gathered_slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][853] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 251: // STATE 854 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[gathered_slab]==0)] (0:1000:2 - 1)
		IfNotBlocked
		reached[0][854] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[gathered_slab] = 1(1000, 855, 1000) */
		reached[0][855] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
		now.published[ Index(((P0 *)_this)->gathered_slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:gathered_slab]", ((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 859, 1000) */
		reached[0][859] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 252: // STATE 861 - /tmp/wt/model/tests/formal/remote_free.pml:335 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][861] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 253: // STATE 862 - /tmp/wt/model/tests/formal/remote_free.pml:337 - [other = owner[gathered_slab]] (0:0:1 - 1)
		IfNotBlocked
		reached[0][862] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = ((int)now.owner[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 254: // STATE 863 - /tmp/wt/model/tests/formal/remote_free.pml:87 - [assert(published[gathered_slab])] (0:0:0 - 1)
		IfNotBlocked
		reached[0][863] = 1;
		spin_assert(((int)now.published[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]), "published[gathered_slab]", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 255: // STATE 864 - /tmp/wt/model/tests/formal/remote_free.pml:89 - [first = queue[other]] (0:0:1 - 1)
		IfNotBlocked
		reached[0][864] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->first);
		((P0 *)_this)->first = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:first", ((int)((P0 *)_this)->first));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 256: // STATE 865 - /tmp/wt/model/tests/formal/remote_free.pml:90 - [queue_next[gathered_slab] = first] (0:0:1 - 1)
		IfNotBlocked
		reached[0][865] = 1;
		(trpt+1)->bup.oval = ((int)now.queue_next[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
		now.queue_next[ Index(((P0 *)_this)->gathered_slab, 2) ] = ((int)((P0 *)_this)->first);
#ifdef VAR_RANGES
		logval("queue_next[thread:gathered_slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 257: // STATE 866 - /tmp/wt/model/tests/formal/remote_free.pml:93 - [((queue[other]==first))] (877:0:3 - 1)
		IfNotBlocked
		reached[0][866] = 1;
		if (!((((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->first))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: first */  (trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((P0 *)_this)->first;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->first = 0;
		/* merge: assert(!(on_queue[gathered_slab]))(877, 867, 877) */
		reached[0][867] = 1;
		spin_assert( !(((int)now.on_queue[ Index(((int)((P0 *)_this)->gathered_slab), 2) ])), " !(on_queue[gathered_slab])", II, tt, t);
		/* merge: on_queue[gathered_slab] = 1(877, 868, 877) */
		reached[0][868] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.on_queue[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]);
		now.on_queue[ Index(((P0 *)_this)->gathered_slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("on_queue[thread:gathered_slab]", ((int)now.on_queue[ Index(((int)((P0 *)_this)->gathered_slab), 2) ]));
#endif
		;
		/* merge: queue[other] = gathered_slab(877, 869, 877) */
		reached[0][869] = 1;
		(trpt+1)->bup.ovals[2] = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
		now.queue[ Index(((P0 *)_this)->other, 3) ] = ((int)((P0 *)_this)->gathered_slab);
#ifdef VAR_RANGES
		logval("queue[thread:other]", ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		/* merge: goto :b22(877, 870, 877) */
		reached[0][870] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 258: // STATE 879 - /tmp/wt/model/tests/formal/remote_free.pml:340 - [gathered_slab = 255] (0:996:2 - 1)
		IfNotBlocked
		reached[0][879] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->gathered_slab);
		((P0 *)_this)->gathered_slab = 255;
#ifdef VAR_RANGES
		logval("thread:gathered_slab", ((int)((P0 *)_this)->gathered_slab));
#endif
		;
		/* merge: got = 0(996, 880, 996) */
		reached[0][880] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 259: // STATE 881 - /tmp/wt/model/tests/formal/remote_free.pml:343 - [(orphan[other])] (0:0:0 - 1)
		IfNotBlocked
		reached[0][881] = 1;
		if (!(((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ])))
			continue;
		_m = 3; goto P999; /* 0 */
	case 260: // STATE 889 - /tmp/wt/model/tests/formal/remote_free.pml:240 - [D_STEP240]
		IfNotBlocked

		reached[0][889] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_881_0: /* 2 */
		((P0 *)_this)->got = ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
S_886_0: /* 2 */
S_882_0: /* 2 */
		if (!(((int)((P0 *)_this)->got)))
			goto S_886_1;
S_883_0: /* 2 */
		now.orphan[ Index(((P0 *)_this)->other, 3) ] = 0;
#ifdef VAR_RANGES
		logval("orphan[thread:other]", ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
S_884_0: /* 2 */
		now.user[ Index(((P0 *)_this)->other, 3) ] = ((int)((P0 *)_this)->me);
#ifdef VAR_RANGES
		logval("user[thread:other]", ((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		goto S_887_0;
S_886_1: /* 3 */
S_885_0: /* 2 */
		/* else */;
		goto S_887_0;
S_886_2: /* 3 */
		Uerror("blocking sel in d_step (nr.27, near line 242)");
S_887_0: /* 2 */
		goto S_990_0;
S_990_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 261: // STATE 891 - /tmp/wt/model/tests/formal/remote_free.pml:316 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][891] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 262: // STATE 892 - /tmp/wt/model/tests/formal/remote_free.pml:181 - [assert((user[other]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][892] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 263: // STATE 893 - /tmp/wt/model/tests/formal/remote_free.pml:106 - [slab = queue[other]] (0:907:2 - 1)
		IfNotBlocked
		reached[0][893] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: queue[other] = 255(907, 894, 907) */
		reached[0][894] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]);
		now.queue[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("queue[thread:other]", ((int)now.queue[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		/* merge: .(goto)(0, 908, 907) */
		reached[0][908] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 264: // STATE 897 - /tmp/wt/model/tests/formal/remote_free.pml:184 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][897] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 265: // STATE 904 - /tmp/wt/model/tests/formal/remote_free.pml:185 - [D_STEP185]
		/* default 258 */
		

		reached[0][904] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_897_0: /* 2 */
		spin_assert(((((int)now.owner[ Index(((int)((P0 *)_this)->slab), 2) ])==((int)((P0 *)_this)->other))&&((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])), "((owner[slab]==other)&&bound[slab])", II, tt, t);
S_898_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_899_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_900_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->other, 3) ] = ((int)((P0 *)_this)->slab);
#ifdef VAR_RANGES
		logval("lane_published[thread:other]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
S_901_0: /* 2 */
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_902_0: /* 2 */
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		goto S_907_0;
S_907_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 266: // STATE 911 - /tmp/wt/model/tests/formal/remote_free.pml:198 - [assert((user[other]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][911] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 267: // STATE 914 - /tmp/wt/model/tests/formal/remote_free.pml:199 - [D_STEP199]
		IfNotBlocked

		reached[0][914] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_911_0: /* 2 */
		((P0 *)_this)->slab = ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_912_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("lane_published[thread:other]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		goto S_979_0;
S_979_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 268: // STATE 915 - /tmp/wt/model/tests/formal/remote_free.pml:204 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][915] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 269: // STATE 918 - /tmp/wt/model/tests/formal/remote_free.pml:205 - [D_STEP205]
		IfNotBlocked

		reached[0][918] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_915_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_916_0: /* 2 */
		now.on_queue[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("on_queue[thread:slab]", ((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_921_0;
S_921_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 270: // STATE 919 - /tmp/wt/model/tests/formal/remote_free.pml:81 - [assert(published[slab])] (0:946:1 - 1)
		IfNotBlocked
		reached[0][919] = 1;
		spin_assert(((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]), "published[slab]", II, tt, t);
		/* merge: published[slab] = 0(946, 920, 946) */
		reached[0][920] = 1;
		(trpt+1)->bup.oval = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 271: // STATE 923 - /tmp/wt/model/tests/formal/remote_free.pml:139 - [bits = remote_bits[slab]] (0:944:2 - 1)
		IfNotBlocked
		reached[0][923] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		/* merge: remote_bits[slab] = 0(944, 924, 944) */
		reached[0][924] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("remote_bits[thread:slab]", ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 272: // STATE 943 - /tmp/wt/model/tests/formal/remote_free.pml:122 - [D_STEP122]
		/* default 258 */
		

		reached[0][943] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_925_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])&((int)((P0 *)_this)->bits))==0)), "(bound[slab]&&((free_bits[slab]&bits)==0))", II, tt, t);
S_926_0: /* 2 */
		now.free_bits[ Index(((P0 *)_this)->slab, 2) ] = (((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])|((int)((P0 *)_this)->bits));
#ifdef VAR_RANGES
		logval("free_bits[thread:slab]", ((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_927_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_939_0: /* 2 */
S_938_0: /* 2 */
S_928_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_938_1;
S_933_0: /* 2 */
S_929_0: /* 2 */
		if (!((((((int)((P0 *)_this)->i)/2)==((int)((P0 *)_this)->slab))&&((((int)((P0 *)_this)->bits)&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_933_1;
S_930_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==1), "(fate[i]==1)", II, tt, t);
S_931_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 3;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
		goto S_934_0;
S_933_1: /* 3 */
S_932_0: /* 2 */
		/* else */;
		goto S_934_0;
S_933_2: /* 3 */
		Uerror("blocking sel in d_step (nr.28, near line 126)");
S_934_0: /* 2 */
S_935_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_939_0; /* ';' */
S_938_1: /* 3 */
S_936_0: /* 2 */
		/* else */;
S_937_0: /* 2 */
		goto S_940_0;	/* 'goto' */
S_938_2: /* 3 */
		Uerror("blocking sel in d_step (nr.29, near line 132)");
S_940_0: /* 2 */
		goto S_941_0;	/* 'break' */
S_941_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_944_0;
S_944_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 273: // STATE 945 - /tmp/wt/model/tests/formal/remote_free.pml:143 - [bits = 0] (0:974:1 - 1)
		IfNotBlocked
		reached[0][945] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = 0;
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 274: // STATE 947 - /tmp/wt/model/tests/formal/remote_free.pml:175 - [((free_bits[slab]==((1<<2)-1)))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][947] = 1;
		if (!((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 275: // STATE 948 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][948] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 276: // STATE 949 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][949] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 277: // STATE 950 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[slab]==0)] (0:967:2 - 1)
		IfNotBlocked
		reached[0][950] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[slab] = 1(967, 951, 967) */
		reached[0][951] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 955, 967) */
		reached[0][955] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 278: // STATE 957 - /tmp/wt/model/tests/formal/remote_free.pml:167 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][957] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 279: // STATE 964 - /tmp/wt/model/tests/formal/remote_free.pml:147 - [D_STEP147]
		/* default 258 */
		

		reached[0][964] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_957_0: /* 2 */
		spin_assert(((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&(((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==0))&&(((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))), "((bound[slab]&&(remote_bits[slab]==0))&&(free_bits[slab]==((1<<2)-1)))", II, tt, t);
S_958_0: /* 2 */
		spin_assert(( !(((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]))&&((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])), "( !(on_queue[slab])&&published[slab])", II, tt, t);
S_959_0: /* 2 */
		now.bound[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("bound[thread:slab]", ((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_960_0: /* 2 */
		now.pooled[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("pooled[thread:slab]", ((int)now.pooled[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_961_0: /* 2 */
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("tag[thread:slab]", ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_962_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_967_0;
S_967_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 280: // STATE 969 - /tmp/wt/model/tests/formal/remote_free.pml:170 - [got = 0] (0:979:4 - 3)
		IfNotBlocked
		reached[0][969] = 1;
		(trpt+1)->bup.ovals = grab_ints(4);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(979, 973, 979) */
		reached[0][973] = 1;
		;
		/* merge: slab = next(979, 975, 979) */
		reached[0][975] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(979, 976, 979) */
		reached[0][976] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 980, 979) */
		reached[0][980] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 281: // STATE 975 - /tmp/wt/model/tests/formal/remote_free.pml:217 - [slab = next] (0:979:3 - 3)
		IfNotBlocked
		reached[0][975] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(979, 976, 979) */
		reached[0][976] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 980, 979) */
		reached[0][980] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 282: // STATE 988 - /tmp/wt/model/tests/formal/remote_free.pml:231 - [D_STEP231]
		/* default 258 */
		

		reached[0][988] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_983_0: /* 2 */
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ])==((int)((P0 *)_this)->me)), "(user[other]==me)", II, tt, t);
S_984_0: /* 2 */
		spin_assert( !(((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ])), " !(orphan[other])", II, tt, t);
S_985_0: /* 2 */
		now.orphan[ Index(((P0 *)_this)->other, 3) ] = 1;
#ifdef VAR_RANGES
		logval("orphan[thread:other]", ((int)now.orphan[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
S_986_0: /* 2 */
		now.user[ Index(((P0 *)_this)->other, 3) ] = 255;
#ifdef VAR_RANGES
		logval("user[thread:other]", ((int)now.user[ Index(((int)((P0 *)_this)->other), 3) ]));
#endif
		;
		goto S_991_0;
S_991_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 283: // STATE 993 - /tmp/wt/model/tests/formal/remote_free.pml:321 - [got = 0] (0:1016:3 - 3)
		IfNotBlocked
		reached[0][993] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(1016, 997, 1016) */
		reached[0][997] = 1;
		;
		/* merge: .(goto)(1016, 1001, 1016) */
		reached[0][1001] = 1;
		;
		/* merge: other = 255(1016, 1002, 1016) */
		reached[0][1002] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 1006, 1016) */
		reached[0][1006] = 1;
		;
		/* merge: .(goto)(0, 1009, 1016) */
		reached[0][1009] = 1;
		;
		/* merge: .(goto)(0, 1012, 1016) */
		reached[0][1012] = 1;
		;
		/* merge: .(goto)(0, 1017, 1016) */
		reached[0][1017] = 1;
		;
		_m = 3; goto P999; /* 7 */
	case 284: // STATE 995 - /tmp/wt/model/tests/formal/remote_free.pml:344 - [(1)] (1016:0:2 - 1)
		IfNotBlocked
		reached[0][995] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(1016, 997, 1016) */
		reached[0][997] = 1;
		;
		/* merge: .(goto)(1016, 1001, 1016) */
		reached[0][1001] = 1;
		;
		/* merge: other = 255(1016, 1002, 1016) */
		reached[0][1002] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 1006, 1016) */
		reached[0][1006] = 1;
		;
		/* merge: .(goto)(0, 1009, 1016) */
		reached[0][1009] = 1;
		;
		/* merge: .(goto)(0, 1012, 1016) */
		reached[0][1012] = 1;
		;
		/* merge: .(goto)(0, 1017, 1016) */
		reached[0][1017] = 1;
		;
		_m = 3; goto P999; /* 7 */
	case 285: // STATE 999 - /tmp/wt/model/tests/formal/remote_free.pml:346 - [gathered_slab = 255] (0:1016:3 - 1)
		IfNotBlocked
		reached[0][999] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->gathered_slab);
		((P0 *)_this)->gathered_slab = 255;
#ifdef VAR_RANGES
		logval("thread:gathered_slab", ((int)((P0 *)_this)->gathered_slab));
#endif
		;
		/* merge: .(goto)(1016, 1001, 1016) */
		reached[0][1001] = 1;
		;
		/* merge: other = 255(1016, 1002, 1016) */
		reached[0][1002] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 1006, 1016) */
		reached[0][1006] = 1;
		;
		/* merge: .(goto)(0, 1009, 1016) */
		reached[0][1009] = 1;
		;
		/* merge: .(goto)(0, 1012, 1016) */
		reached[0][1012] = 1;
		;
		/* merge: .(goto)(0, 1017, 1016) */
		reached[0][1017] = 1;
		;
		_m = 3; goto P999; /* 6 */
	case 286: // STATE 1002 - /tmp/wt/model/tests/formal/remote_free.pml:348 - [other = 255] (0:1016:2 - 5)
		IfNotBlocked
		reached[0][1002] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->other);
		((P0 *)_this)->other = 255;
#ifdef VAR_RANGES
		logval("thread:other", ((int)((P0 *)_this)->other));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: other */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->other = 0;
		/* merge: .(goto)(0, 1006, 1016) */
		reached[0][1006] = 1;
		;
		/* merge: .(goto)(0, 1009, 1016) */
		reached[0][1009] = 1;
		;
		/* merge: .(goto)(0, 1012, 1016) */
		reached[0][1012] = 1;
		;
		/* merge: .(goto)(0, 1017, 1016) */
		reached[0][1017] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 287: // STATE 1004 - /tmp/wt/model/tests/formal/remote_free.pml:479 - [((heap!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][1004] = 1;
		if (!((((int)((P0 *)_this)->heap)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 288: // STATE 1019 - /tmp/wt/model/tests/formal/remote_free.pml:485 - [((heap!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][1019] = 1;
		if (!((((int)((P0 *)_this)->heap)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 289: // STATE 1020 - /tmp/wt/model/tests/formal/remote_free.pml:181 - [assert((user[heap]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][1020] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->heap), 3) ])==((int)((P0 *)_this)->me)), "(user[heap]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 290: // STATE 1021 - /tmp/wt/model/tests/formal/remote_free.pml:106 - [slab = queue[heap]] (0:1035:2 - 1)
		IfNotBlocked
		reached[0][1021] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)now.queue[ Index(((int)((P0 *)_this)->heap), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: queue[heap] = 255(1035, 1022, 1035) */
		reached[0][1022] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.queue[ Index(((int)((P0 *)_this)->heap), 3) ]);
		now.queue[ Index(((P0 *)_this)->heap, 3) ] = 255;
#ifdef VAR_RANGES
		logval("queue[thread:heap]", ((int)now.queue[ Index(((int)((P0 *)_this)->heap), 3) ]));
#endif
		;
		/* merge: .(goto)(0, 1036, 1035) */
		reached[0][1036] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 291: // STATE 1025 - /tmp/wt/model/tests/formal/remote_free.pml:184 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][1025] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 292: // STATE 1032 - /tmp/wt/model/tests/formal/remote_free.pml:185 - [D_STEP185]
		/* default 258 */
		

		reached[0][1032] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1025_0: /* 2 */
		spin_assert(((((int)now.owner[ Index(((int)((P0 *)_this)->slab), 2) ])==((int)((P0 *)_this)->heap))&&((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])), "((owner[slab]==heap)&&bound[slab])", II, tt, t);
S_1026_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_1027_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = ((int)now.lane_published[ Index(((int)((P0 *)_this)->heap), 3) ]);
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_1028_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->heap, 3) ] = ((int)((P0 *)_this)->slab);
#ifdef VAR_RANGES
		logval("lane_published[thread:heap]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->heap), 3) ]));
#endif
		;
S_1029_0: /* 2 */
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_1030_0: /* 2 */
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		goto S_1035_0;
S_1035_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 293: // STATE 1039 - /tmp/wt/model/tests/formal/remote_free.pml:198 - [assert((user[heap]==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][1039] = 1;
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->heap), 3) ])==((int)((P0 *)_this)->me)), "(user[heap]==me)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 294: // STATE 1042 - /tmp/wt/model/tests/formal/remote_free.pml:199 - [D_STEP199]
		IfNotBlocked

		reached[0][1042] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1039_0: /* 2 */
		((P0 *)_this)->slab = ((int)now.lane_published[ Index(((int)((P0 *)_this)->heap), 3) ]);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
S_1040_0: /* 2 */
		now.lane_published[ Index(((P0 *)_this)->heap, 3) ] = 255;
#ifdef VAR_RANGES
		logval("lane_published[thread:heap]", ((int)now.lane_published[ Index(((int)((P0 *)_this)->heap), 3) ]));
#endif
		;
		goto S_1107_0;
S_1107_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 295: // STATE 1043 - /tmp/wt/model/tests/formal/remote_free.pml:204 - [((slab!=255))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][1043] = 1;
		if (!((((int)((P0 *)_this)->slab)!=255)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 296: // STATE 1046 - /tmp/wt/model/tests/formal/remote_free.pml:205 - [D_STEP205]
		IfNotBlocked

		reached[0][1046] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1043_0: /* 2 */
		((P0 *)_this)->next = ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
S_1044_0: /* 2 */
		now.on_queue[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("on_queue[thread:slab]", ((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_1049_0;
S_1049_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 297: // STATE 1047 - /tmp/wt/model/tests/formal/remote_free.pml:81 - [assert(published[slab])] (0:1074:1 - 1)
		IfNotBlocked
		reached[0][1047] = 1;
		spin_assert(((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]), "published[slab]", II, tt, t);
		/* merge: published[slab] = 0(1074, 1048, 1074) */
		reached[0][1048] = 1;
		(trpt+1)->bup.oval = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 298: // STATE 1051 - /tmp/wt/model/tests/formal/remote_free.pml:139 - [bits = remote_bits[slab]] (0:1072:2 - 1)
		IfNotBlocked
		reached[0][1051] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		/* merge: remote_bits[slab] = 0(1072, 1052, 1072) */
		reached[0][1052] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("remote_bits[thread:slab]", ((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 299: // STATE 1071 - /tmp/wt/model/tests/formal/remote_free.pml:122 - [D_STEP122]
		/* default 258 */
		

		reached[0][1071] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1053_0: /* 2 */
		spin_assert((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])&((int)((P0 *)_this)->bits))==0)), "(bound[slab]&&((free_bits[slab]&bits)==0))", II, tt, t);
S_1054_0: /* 2 */
		now.free_bits[ Index(((P0 *)_this)->slab, 2) ] = (((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])|((int)((P0 *)_this)->bits));
#ifdef VAR_RANGES
		logval("free_bits[thread:slab]", ((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_1055_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
S_1067_0: /* 2 */
S_1066_0: /* 2 */
S_1056_0: /* 2 */
		if (!((((int)((P0 *)_this)->i)<=((2*2)-1))))
			goto S_1066_1;
S_1061_0: /* 2 */
S_1057_0: /* 2 */
		if (!((((((int)((P0 *)_this)->i)/2)==((int)((P0 *)_this)->slab))&&((((int)((P0 *)_this)->bits)&(1<<(((int)((P0 *)_this)->i)%2)))!=0))))
			goto S_1061_1;
S_1058_0: /* 2 */
		spin_assert((now.fate[ Index(((int)((P0 *)_this)->i), 4) ]==1), "(fate[i]==1)", II, tt, t);
S_1059_0: /* 2 */
		now.fate[ Index(((P0 *)_this)->i, 4) ] = 3;
#ifdef VAR_RANGES
		logval("fate[thread:i]", now.fate[ Index(((int)((P0 *)_this)->i), 4) ]);
#endif
		;
		goto S_1062_0;
S_1061_1: /* 3 */
S_1060_0: /* 2 */
		/* else */;
		goto S_1062_0;
S_1061_2: /* 3 */
		Uerror("blocking sel in d_step (nr.30, near line 126)");
S_1062_0: /* 2 */
S_1063_0: /* 2 */
		((P0 *)_this)->i = (((int)((P0 *)_this)->i)+1);
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_1067_0; /* ';' */
S_1066_1: /* 3 */
S_1064_0: /* 2 */
		/* else */;
S_1065_0: /* 2 */
		goto S_1068_0;	/* 'goto' */
S_1066_2: /* 3 */
		Uerror("blocking sel in d_step (nr.31, near line 132)");
S_1068_0: /* 2 */
		goto S_1069_0;	/* 'break' */
S_1069_0: /* 2 */
		((P0 *)_this)->i = 0;
#ifdef VAR_RANGES
		logval("thread:i", ((int)((P0 *)_this)->i));
#endif
		;
		goto S_1072_0;
S_1072_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 300: // STATE 1073 - /tmp/wt/model/tests/formal/remote_free.pml:143 - [bits = 0] (0:1102:1 - 1)
		IfNotBlocked
		reached[0][1073] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->bits);
		((P0 *)_this)->bits = 0;
#ifdef VAR_RANGES
		logval("thread:bits", ((int)((P0 *)_this)->bits));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 301: // STATE 1075 - /tmp/wt/model/tests/formal/remote_free.pml:175 - [((free_bits[slab]==((1<<2)-1)))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][1075] = 1;
		if (!((((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 302: // STATE 1076 - /tmp/wt/model/tests/formal/remote_free.pml:68 - [got = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][1076] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 303: // STATE 1077 - /tmp/wt/model/tests/formal/remote_free.pml:70 - [((published[slab]==0))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][1077] = 1;
		if (!((((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 304: // STATE 1078 - /tmp/wt/model/tests/formal/remote_free.pml:72 - [got = (published[slab]==0)] (0:1095:2 - 1)
		IfNotBlocked
		reached[0][1078] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = (((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])==0);
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: published[slab] = 1(1095, 1079, 1095) */
		reached[0][1079] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]);
		now.published[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("published[thread:slab]", ((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		/* merge: .(goto)(0, 1083, 1095) */
		reached[0][1083] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 305: // STATE 1085 - /tmp/wt/model/tests/formal/remote_free.pml:167 - [(got)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][1085] = 1;
		if (!(((int)((P0 *)_this)->got)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: got */  (trpt+1)->bup.oval = ((P0 *)_this)->got;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->got = 0;
		_m = 3; goto P999; /* 0 */
	case 306: // STATE 1092 - /tmp/wt/model/tests/formal/remote_free.pml:147 - [D_STEP147]
		/* default 258 */
		

		reached[0][1092] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1085_0: /* 2 */
		spin_assert(((((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ])&&(((int)now.remote_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==0))&&(((int)now.free_bits[ Index(((int)((P0 *)_this)->slab), 2) ])==((1<<2)-1))), "((bound[slab]&&(remote_bits[slab]==0))&&(free_bits[slab]==((1<<2)-1)))", II, tt, t);
S_1086_0: /* 2 */
		spin_assert(( !(((int)now.on_queue[ Index(((int)((P0 *)_this)->slab), 2) ]))&&((int)now.published[ Index(((int)((P0 *)_this)->slab), 2) ])), "( !(on_queue[slab])&&published[slab])", II, tt, t);
S_1087_0: /* 2 */
		now.bound[ Index(((P0 *)_this)->slab, 2) ] = 0;
#ifdef VAR_RANGES
		logval("bound[thread:slab]", ((int)now.bound[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_1088_0: /* 2 */
		now.pooled[ Index(((P0 *)_this)->slab, 2) ] = 1;
#ifdef VAR_RANGES
		logval("pooled[thread:slab]", ((int)now.pooled[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_1089_0: /* 2 */
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("tag[thread:slab]", ((int)now.tag[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
S_1090_0: /* 2 */
		now.queue_next[ Index(((P0 *)_this)->slab, 2) ] = 255;
#ifdef VAR_RANGES
		logval("queue_next[thread:slab]", ((int)now.queue_next[ Index(((int)((P0 *)_this)->slab), 2) ]));
#endif
		;
		goto S_1095_0;
S_1095_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 307: // STATE 1097 - /tmp/wt/model/tests/formal/remote_free.pml:170 - [got = 0] (0:1107:4 - 3)
		IfNotBlocked
		reached[0][1097] = 1;
		(trpt+1)->bup.ovals = grab_ints(4);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->got);
		((P0 *)_this)->got = 0;
#ifdef VAR_RANGES
		logval("thread:got", ((int)((P0 *)_this)->got));
#endif
		;
		/* merge: .(goto)(1107, 1101, 1107) */
		reached[0][1101] = 1;
		;
		/* merge: slab = next(1107, 1103, 1107) */
		reached[0][1103] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(1107, 1104, 1107) */
		reached[0][1104] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 1108, 1107) */
		reached[0][1108] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 308: // STATE 1103 - /tmp/wt/model/tests/formal/remote_free.pml:217 - [slab = next] (0:1107:3 - 3)
		IfNotBlocked
		reached[0][1103] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->slab);
		((P0 *)_this)->slab = ((int)((P0 *)_this)->next);
#ifdef VAR_RANGES
		logval("thread:slab", ((int)((P0 *)_this)->slab));
#endif
		;
		/* merge: next = 255(1107, 1104, 1107) */
		reached[0][1104] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->next);
		((P0 *)_this)->next = 255;
#ifdef VAR_RANGES
		logval("thread:next", ((int)((P0 *)_this)->next));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: next */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->next = 0;
		/* merge: .(goto)(0, 1108, 1107) */
		reached[0][1108] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 309: // STATE 1116 - /tmp/wt/model/tests/formal/remote_free.pml:231 - [D_STEP231]
		/* default 258 */
		

		reached[0][1116] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_1111_0: /* 2 */
		spin_assert((((int)now.user[ Index(((int)((P0 *)_this)->heap), 3) ])==((int)((P0 *)_this)->me)), "(user[heap]==me)", II, tt, t);
S_1112_0: /* 2 */
		spin_assert( !(((int)now.orphan[ Index(((int)((P0 *)_this)->heap), 3) ])), " !(orphan[heap])", II, tt, t);
S_1113_0: /* 2 */
		now.orphan[ Index(((P0 *)_this)->heap, 3) ] = 1;
#ifdef VAR_RANGES
		logval("orphan[thread:heap]", ((int)now.orphan[ Index(((int)((P0 *)_this)->heap), 3) ]));
#endif
		;
S_1114_0: /* 2 */
		now.user[ Index(((P0 *)_this)->heap, 3) ] = 255;
#ifdef VAR_RANGES
		logval("user[thread:heap]", ((int)now.user[ Index(((int)((P0 *)_this)->heap), 3) ]));
#endif
		;
		goto S_1117_0;
S_1117_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 310: // STATE 1118 - /tmp/wt/model/tests/formal/remote_free.pml:494 - [heap = 255] (0:1123:2 - 1)
		IfNotBlocked
		reached[0][1118] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->heap);
		((P0 *)_this)->heap = 255;
#ifdef VAR_RANGES
		logval("thread:heap", ((int)((P0 *)_this)->heap));
#endif
		;
		if (TstOnly) return 1; /* TT */
		/* dead 2: heap */  
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->heap = 0;
		/* merge: .(goto)(0, 1121, 1123) */
		reached[0][1121] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 311: // STATE 1123 - /tmp/wt/model/tests/formal/remote_free.pml:513 - [ended = (ended+1)] (0:0:1 - 3)
		IfNotBlocked
		reached[0][1123] = 1;
		(trpt+1)->bup.oval = ((int)now.ended);
		now.ended = (((int)now.ended)+1);
#ifdef VAR_RANGES
		logval("ended", ((int)now.ended));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 312: // STATE 1124 - /tmp/wt/model/tests/formal/remote_free.pml:514 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[0][1124] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */
	case  _T5:	/* np_ */
		if (!((!(trpt->o_pm&4) && !(trpt->tau&128))))
			continue;
		/* else fall through */
	case  _T2:	/* true */
		_m = 3; goto P999;
#undef rand
	}

