	switch (t->back) {
	default: Uerror("bad return move");
	case  0: goto R999; /* nothing to undo */

		 /* PROC :init: */

	case 3: // STATE 1
		;
		((P2 *)_this)->i = trpt->bup.oval;
		;
		goto R999;

	case 4: // STATE 8
		;
		((P2 *)_this)->i = trpt->bup.ovals[5];
		now.pooled[ Index(((P2 *)_this)->i, 2) ] = trpt->bup.ovals[4];
		now.queue_next[ Index(((P2 *)_this)->i, 2) ] = trpt->bup.ovals[3];
		now.tag[ Index(((P2 *)_this)->i, 2) ] = trpt->bup.ovals[2];
		now.owner[ Index(((P2 *)_this)->i, 2) ] = trpt->bup.ovals[1];
		now.published[ Index(((P2 *)_this)->i, 2) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 6);
		goto R999;

	case 5: // STATE 14
		;
		((P2 *)_this)->i = trpt->bup.oval;
		;
		goto R999;

	case 6: // STATE 17
		;
		((P2 *)_this)->i = trpt->bup.ovals[1];
		now.fate[ Index(((P2 *)_this)->i, 4) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 7: // STATE 23
		;
		((P2 *)_this)->i = trpt->bup.oval;
		;
		goto R999;

	case 8: // STATE 28
		;
		((P2 *)_this)->i = trpt->bup.ovals[3];
		now.user[ Index(((P2 *)_this)->i, 3) ] = trpt->bup.ovals[2];
		now.lane_published[ Index(((P2 *)_this)->i, 3) ] = trpt->bup.ovals[1];
		now.queue[ Index(((P2 *)_this)->i, 3) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 4);
		goto R999;

	case 9: // STATE 34
		;
		;
		delproc(0, now._nr_pr-1);
		;
		goto R999;

	case 10: // STATE 35
		;
		;
		delproc(0, now._nr_pr-1);
		;
		goto R999;

	case 11: // STATE 36
		;
		;
		delproc(0, now._nr_pr-1);
		;
		goto R999;

	case 12: // STATE 37
		;
		;
		delproc(0, now._nr_pr-1);
		;
		goto R999;

	case 13: // STATE 39
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC successor */
;
		;
		;
		;
			case 16: // STATE 10
		sv_restor();
		goto R999;

	case 17: // STATE 12
		;
	/* 0 */	((P1 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
;
		;
		
	case 19: // STATE 15
		;
		now.queue[ Index(((P1 *)_this)->heap, 3) ] = trpt->bup.ovals[1];
		((P1 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
			case 21: // STATE 25
		sv_restor();
		goto R999;
;
		;
			case 23: // STATE 35
		sv_restor();
		goto R999;
;
		;
			case 25: // STATE 39
		sv_restor();
		goto R999;

	case 26: // STATE 41
		;
		now.published[ Index(((P1 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 27: // STATE 45
		;
		now.remote_bits[ Index(((P1 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P1 *)_this)->bits = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 28: // STATE 64
		sv_restor();
		goto R999;

	case 29: // STATE 66
		;
		((P1 *)_this)->bits = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 31: // STATE 69
		;
		((P1 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 33: // STATE 72
		;
		now.published[ Index(((P1 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P1 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 34: // STATE 78
		;
	/* 0 */	((P1 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
	case 35: // STATE 85
		sv_restor();
		goto R999;

	case 36: // STATE 97
		;
		((P1 *)_this)->next = trpt->bup.ovals[2];
		((P1 *)_this)->slab = trpt->bup.ovals[1];
		((P1 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 4);
		goto R999;

	case 37: // STATE 97
		;
		((P1 *)_this)->next = trpt->bup.ovals[1];
		((P1 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 38: // STATE 108
		;
		((P1 *)_this)->heap = trpt->bup.oval;
		;
		goto R999;
	case 39: // STATE 130
		sv_restor();
		goto R999;

	case 40: // STATE 131
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC thread */

	case 41: // STATE 2
		;
		((P0 *)_this)->mallocs = trpt->bup.oval;
		;
		goto R999;

	case 42: // STATE 3
		;
	/* 0 */	((P0 *)_this)->heap = trpt->bup.oval;
		;
		;
		goto R999;

	case 43: // STATE 5
		;
		((P0 *)_this)->heap = trpt->bup.oval;
		;
		goto R999;

	case 44: // STATE 7
		;
		((P0 *)_this)->heap = trpt->bup.oval;
		;
		goto R999;

	case 45: // STATE 9
		;
		((P0 *)_this)->heap = trpt->bup.oval;
		;
		goto R999;

	case 46: // STATE 10
		;
		((P0 *)_this)->heap = trpt->bup.oval;
		;
		goto R999;

	case 47: // STATE 15
		;
		now.user[ Index(((P0 *)_this)->heap, 3) ] = trpt->bup.ovals[1];
		now.orphan[ Index(((P0 *)_this)->heap, 3) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		
	case 48: // STATE 18
		goto R999;

	case 49: // STATE 21
		;
	/* 0 */	((P0 *)_this)->heap = trpt->bup.oval;
		;
		;
		goto R999;

	case 50: // STATE 22
		;
		((P0 *)_this)->heap = trpt->bup.oval;
		;
		goto R999;

	case 51: // STATE 23
		;
		now.user[ Index(((P0 *)_this)->heap, 3) ] = trpt->bup.oval;
		;
		goto R999;
;
		;
		;
		;
			case 54: // STATE 50
		sv_restor();
		goto R999;
;
		;
		;
		;
		
	case 57: // STATE 55
		;
		now.queue[ Index(((P0 *)_this)->heap, 3) ] = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
			case 59: // STATE 65
		sv_restor();
		goto R999;
;
		;
			case 61: // STATE 75
		sv_restor();
		goto R999;
;
		;
			case 63: // STATE 79
		sv_restor();
		goto R999;

	case 64: // STATE 81
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 65: // STATE 85
		;
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->bits = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 66: // STATE 104
		sv_restor();
		goto R999;

	case 67: // STATE 106
		;
		((P0 *)_this)->bits = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 69: // STATE 109
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 71: // STATE 112
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 72: // STATE 118
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
	case 73: // STATE 125
		sv_restor();
		goto R999;

	case 74: // STATE 137
		;
		((P0 *)_this)->next = trpt->bup.ovals[2];
		((P0 *)_this)->slab = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 4);
		goto R999;

	case 75: // STATE 137
		;
		((P0 *)_this)->next = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;
	case 76: // STATE 162
		sv_restor();
		goto R999;
;
		;
		
	case 78: // STATE 169
		;
		((P0 *)_this)->other = trpt->bup.oval;
		;
		goto R999;

	case 79: // STATE 171
		;
		((P0 *)_this)->other = trpt->bup.oval;
		;
		goto R999;

	case 80: // STATE 173
		;
		((P0 *)_this)->other = trpt->bup.oval;
		;
		goto R999;

	case 81: // STATE 174
		;
		((P0 *)_this)->other = trpt->bup.oval;
		;
		goto R999;

	case 82: // STATE 179
		;
		now.user[ Index(((P0 *)_this)->other, 3) ] = trpt->bup.ovals[1];
		now.orphan[ Index(((P0 *)_this)->other, 3) ] = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		
	case 83: // STATE 182
		goto R999;
;
		;
		;
		;
		
	case 86: // STATE 188
		;
		now.queue[ Index(((P0 *)_this)->other, 3) ] = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
			case 88: // STATE 198
		sv_restor();
		goto R999;
;
		;
			case 90: // STATE 208
		sv_restor();
		goto R999;
;
		;
			case 92: // STATE 212
		sv_restor();
		goto R999;

	case 93: // STATE 214
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 94: // STATE 218
		;
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->bits = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 95: // STATE 237
		sv_restor();
		goto R999;

	case 96: // STATE 239
		;
		((P0 *)_this)->bits = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 98: // STATE 242
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 100: // STATE 245
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 101: // STATE 251
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
	case 102: // STATE 258
		sv_restor();
		goto R999;

	case 103: // STATE 270
		;
		((P0 *)_this)->next = trpt->bup.ovals[2];
		((P0 *)_this)->slab = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 4);
		goto R999;

	case 104: // STATE 270
		;
		((P0 *)_this)->next = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 105: // STATE 278
		;
		((P0 *)_this)->slab = trpt->bup.oval;
		;
		goto R999;
;
		;
		;
		;
		
	case 108: // STATE 281
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 110: // STATE 284
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 111: // STATE 290
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;

	case 112: // STATE 291
		;
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 113: // STATE 292
		;
		now.owner[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 114: // STATE 294
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 115: // STATE 298
		;
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->bits = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 116: // STATE 317
		sv_restor();
		goto R999;

	case 117: // STATE 319
		;
		((P0 *)_this)->bits = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 119: // STATE 322
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 121: // STATE 325
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 122: // STATE 331
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
	case 123: // STATE 338
		sv_restor();
		goto R999;

	case 124: // STATE 357
		;
		((P0 *)_this)->slab = trpt->bup.ovals[2];
		((P0 *)_this)->got = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 125: // STATE 357
		;
		((P0 *)_this)->slab = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 126: // STATE 357
		;
		((P0 *)_this)->slab = trpt->bup.oval;
		;
		goto R999;

	case 127: // STATE 363
		;
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 128: // STATE 368
		sv_restor();
		goto R999;

	case 129: // STATE 370
		;
		((P0 *)_this)->other = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 130: // STATE 392
		sv_restor();
		goto R999;
;
		;
		
	case 132: // STATE 399
		;
		((P0 *)_this)->slab = trpt->bup.oval;
		;
		goto R999;

	case 133: // STATE 401
		;
		((P0 *)_this)->slab = trpt->bup.oval;
		;
		goto R999;

	case 134: // STATE 403
		;
		((P0 *)_this)->slab = trpt->bup.oval;
		;
		goto R999;

	case 135: // STATE 407
		;
		now.pooled[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;
;
		
	case 136: // STATE 410
		goto R999;
;
		;
		
	case 138: // STATE 414
		;
		now.free_bits[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 139: // STATE 415
		;
		now.tag[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 140: // STATE 416
		;
		now.owner[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 141: // STATE 417
		;
		now.bound[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 142: // STATE 418
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 143: // STATE 420
		;
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 144: // STATE 438
		sv_restor();
		goto R999;

	case 145: // STATE 446
		;
		((P0 *)_this)->block = trpt->bup.oval;
		;
		goto R999;

	case 146: // STATE 452
		;
		((P0 *)_this)->frees = trpt->bup.oval;
		;
		goto R999;

	case 147: // STATE 454
		;
		((P0 *)_this)->block = trpt->bup.oval;
		;
		goto R999;

	case 148: // STATE 456
		;
		((P0 *)_this)->block = trpt->bup.oval;
		;
		goto R999;

	case 149: // STATE 458
		;
		((P0 *)_this)->block = trpt->bup.oval;
		;
		goto R999;

	case 150: // STATE 460
		;
		((P0 *)_this)->block = trpt->bup.oval;
		;
		goto R999;

	case 151: // STATE 465
		;
		now.fate[ Index(((P0 *)_this)->block, 4) ] = trpt->bup.oval;
		;
		goto R999;
;
		
	case 152: // STATE 468
		goto R999;
;
		;
		;
		;
		;
		;
		
	case 156: // STATE 475
		;
		((P0 *)_this)->block = trpt->bup.ovals[2];
		((P0 *)_this)->slab = trpt->bup.ovals[1];
		((P0 *)_this)->bits = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;
	case 157: // STATE 493
		sv_restor();
		goto R999;

	case 158: // STATE 495
		;
		((P0 *)_this)->bits = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 160: // STATE 497
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 162: // STATE 500
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 163: // STATE 506
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
	case 164: // STATE 513
		sv_restor();
		goto R999;

	case 165: // STATE 524
		;
		((P0 *)_this)->slab = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 166: // STATE 524
		;
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
			case 168: // STATE 530
		sv_restor();
		goto R999;

	case 169: // STATE 531
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 171: // STATE 534
		;
		now.published[ Index(((P0 *)_this)->gathered_slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 172: // STATE 540
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;

	case 173: // STATE 541
		;
		((P0 *)_this)->other = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 175: // STATE 543
		;
		((P0 *)_this)->first = trpt->bup.oval;
		;
		goto R999;

	case 176: // STATE 544
		;
		now.queue_next[ Index(((P0 *)_this)->gathered_slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 177: // STATE 548
		;
		now.queue[ Index(((P0 *)_this)->other, 3) ] = trpt->bup.ovals[2];
		now.on_queue[ Index(((P0 *)_this)->gathered_slab, 2) ] = trpt->bup.ovals[1];
	/* 0 */	((P0 *)_this)->first = trpt->bup.ovals[0];
		;
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 178: // STATE 559
		;
		((P0 *)_this)->got = trpt->bup.ovals[1];
		((P0 *)_this)->gathered_slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;
;
		;
			case 180: // STATE 568
		sv_restor();
		goto R999;

	case 181: // STATE 570
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
;
		;
		
	case 183: // STATE 573
		;
		now.queue[ Index(((P0 *)_this)->other, 3) ] = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
			case 185: // STATE 583
		sv_restor();
		goto R999;
;
		;
			case 187: // STATE 593
		sv_restor();
		goto R999;
;
		;
			case 189: // STATE 597
		sv_restor();
		goto R999;

	case 190: // STATE 599
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 191: // STATE 603
		;
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->bits = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 192: // STATE 622
		sv_restor();
		goto R999;

	case 193: // STATE 624
		;
		((P0 *)_this)->bits = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 195: // STATE 627
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 197: // STATE 630
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 198: // STATE 636
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
	case 199: // STATE 643
		sv_restor();
		goto R999;

	case 200: // STATE 655
		;
		((P0 *)_this)->next = trpt->bup.ovals[2];
		((P0 *)_this)->slab = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 4);
		goto R999;

	case 201: // STATE 655
		;
		((P0 *)_this)->next = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;
	case 202: // STATE 667
		sv_restor();
		goto R999;

	case 203: // STATE 681
		;
		((P0 *)_this)->other = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 204: // STATE 681
		;
		((P0 *)_this)->other = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 205: // STATE 681
		;
		((P0 *)_this)->other = trpt->bup.ovals[1];
		((P0 *)_this)->gathered_slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 4);
		goto R999;

	case 206: // STATE 681
		;
		((P0 *)_this)->other = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 207: // STATE 689
		sv_restor();
		goto R999;
;
		;
			case 209: // STATE 694
		sv_restor();
		goto R999;

	case 210: // STATE 695
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 212: // STATE 698
		;
		now.published[ Index(((P0 *)_this)->gathered_slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 213: // STATE 704
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;

	case 214: // STATE 705
		;
		((P0 *)_this)->other = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 216: // STATE 707
		;
		((P0 *)_this)->first = trpt->bup.oval;
		;
		goto R999;

	case 217: // STATE 708
		;
		now.queue_next[ Index(((P0 *)_this)->gathered_slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 218: // STATE 712
		;
		now.queue[ Index(((P0 *)_this)->other, 3) ] = trpt->bup.ovals[2];
		now.on_queue[ Index(((P0 *)_this)->gathered_slab, 2) ] = trpt->bup.ovals[1];
	/* 0 */	((P0 *)_this)->first = trpt->bup.ovals[0];
		;
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 219: // STATE 723
		;
		((P0 *)_this)->got = trpt->bup.ovals[1];
		((P0 *)_this)->gathered_slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
			case 221: // STATE 732
		sv_restor();
		goto R999;

	case 222: // STATE 734
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
;
		;
		
	case 224: // STATE 737
		;
		now.queue[ Index(((P0 *)_this)->other, 3) ] = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
			case 226: // STATE 747
		sv_restor();
		goto R999;
;
		;
			case 228: // STATE 757
		sv_restor();
		goto R999;
;
		;
			case 230: // STATE 761
		sv_restor();
		goto R999;

	case 231: // STATE 763
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 232: // STATE 767
		;
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->bits = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 233: // STATE 786
		sv_restor();
		goto R999;

	case 234: // STATE 788
		;
		((P0 *)_this)->bits = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 236: // STATE 791
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 238: // STATE 794
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 239: // STATE 800
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
	case 240: // STATE 807
		sv_restor();
		goto R999;

	case 241: // STATE 819
		;
		((P0 *)_this)->next = trpt->bup.ovals[2];
		((P0 *)_this)->slab = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 4);
		goto R999;

	case 242: // STATE 819
		;
		((P0 *)_this)->next = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;
	case 243: // STATE 831
		sv_restor();
		goto R999;

	case 244: // STATE 845
		;
		((P0 *)_this)->other = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 245: // STATE 845
		;
		((P0 *)_this)->other = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 246: // STATE 845
		;
		((P0 *)_this)->other = trpt->bup.ovals[1];
		((P0 *)_this)->gathered_slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 247: // STATE 845
		;
		((P0 *)_this)->other = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 248: // STATE 851
		sv_restor();
		goto R999;

	case 249: // STATE 852
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 251: // STATE 855
		;
		now.published[ Index(((P0 *)_this)->gathered_slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 252: // STATE 861
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;

	case 253: // STATE 862
		;
		((P0 *)_this)->other = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 255: // STATE 864
		;
		((P0 *)_this)->first = trpt->bup.oval;
		;
		goto R999;

	case 256: // STATE 865
		;
		now.queue_next[ Index(((P0 *)_this)->gathered_slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 257: // STATE 869
		;
		now.queue[ Index(((P0 *)_this)->other, 3) ] = trpt->bup.ovals[2];
		now.on_queue[ Index(((P0 *)_this)->gathered_slab, 2) ] = trpt->bup.ovals[1];
	/* 0 */	((P0 *)_this)->first = trpt->bup.ovals[0];
		;
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 258: // STATE 880
		;
		((P0 *)_this)->got = trpt->bup.ovals[1];
		((P0 *)_this)->gathered_slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
			case 260: // STATE 889
		sv_restor();
		goto R999;

	case 261: // STATE 891
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
;
		;
		
	case 263: // STATE 894
		;
		now.queue[ Index(((P0 *)_this)->other, 3) ] = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
			case 265: // STATE 904
		sv_restor();
		goto R999;
;
		;
			case 267: // STATE 914
		sv_restor();
		goto R999;
;
		;
			case 269: // STATE 918
		sv_restor();
		goto R999;

	case 270: // STATE 920
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 271: // STATE 924
		;
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->bits = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 272: // STATE 943
		sv_restor();
		goto R999;

	case 273: // STATE 945
		;
		((P0 *)_this)->bits = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 275: // STATE 948
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 277: // STATE 951
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 278: // STATE 957
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
	case 279: // STATE 964
		sv_restor();
		goto R999;

	case 280: // STATE 976
		;
		((P0 *)_this)->next = trpt->bup.ovals[2];
		((P0 *)_this)->slab = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 4);
		goto R999;

	case 281: // STATE 976
		;
		((P0 *)_this)->next = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;
	case 282: // STATE 988
		sv_restor();
		goto R999;

	case 283: // STATE 1002
		;
		((P0 *)_this)->other = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 284: // STATE 1002
		;
		((P0 *)_this)->other = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 285: // STATE 1002
		;
		((P0 *)_this)->other = trpt->bup.ovals[1];
		((P0 *)_this)->gathered_slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;

	case 286: // STATE 1002
		;
		((P0 *)_this)->other = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
		;
		;
		;
		;
		
	case 290: // STATE 1022
		;
		now.queue[ Index(((P0 *)_this)->heap, 3) ] = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
;
		;
			case 292: // STATE 1032
		sv_restor();
		goto R999;
;
		;
			case 294: // STATE 1042
		sv_restor();
		goto R999;
;
		;
			case 296: // STATE 1046
		sv_restor();
		goto R999;

	case 297: // STATE 1048
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.oval;
		;
		goto R999;

	case 298: // STATE 1052
		;
		now.remote_bits[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->bits = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;
	case 299: // STATE 1071
		sv_restor();
		goto R999;

	case 300: // STATE 1073
		;
		((P0 *)_this)->bits = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 302: // STATE 1076
		;
		((P0 *)_this)->got = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 304: // STATE 1079
		;
		now.published[ Index(((P0 *)_this)->slab, 2) ] = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 305: // STATE 1085
		;
	/* 0 */	((P0 *)_this)->got = trpt->bup.oval;
		;
		;
		goto R999;
	case 306: // STATE 1092
		sv_restor();
		goto R999;

	case 307: // STATE 1104
		;
		((P0 *)_this)->next = trpt->bup.ovals[2];
		((P0 *)_this)->slab = trpt->bup.ovals[1];
		((P0 *)_this)->got = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 4);
		goto R999;

	case 308: // STATE 1104
		;
		((P0 *)_this)->next = trpt->bup.ovals[1];
		((P0 *)_this)->slab = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 3);
		goto R999;
	case 309: // STATE 1116
		sv_restor();
		goto R999;

	case 310: // STATE 1118
		;
		((P0 *)_this)->heap = trpt->bup.ovals[0];
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 311: // STATE 1123
		;
		now.ended = trpt->bup.oval;
		;
		goto R999;

	case 312: // STATE 1124
		;
		p_restor(II);
		;
		;
		goto R999;
	}

