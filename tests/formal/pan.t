#ifdef PEG
struct T_SRC {
	char *fl; int ln;
} T_SRC[NTRANS];

void
tr_2_src(int m, char *file, int ln)
{	T_SRC[m].fl = file;
	T_SRC[m].ln = ln;
}

void
putpeg(int n, int m)
{	printf("%5d	trans %4d ", m, n);
	printf("%s:%d\n",
		T_SRC[n].fl, T_SRC[n].ln);
}
#endif

void
settable(void)
{	Trans *T;
	Trans *settr(int, int, int, int, int, char *, int, int, int);

	trans = (Trans ***) emalloc(4*sizeof(Trans **));

	/* proctype 2: :init: */

	trans[2] = (Trans **) emalloc(40*sizeof(Trans *));

	T = trans[ 2][38] = settr(1292,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(1292,2,1,0,0,"ATOMIC", 1, 2, 0);
	trans[2][1]	= settr(1255,2,11,3,3,"i = 0", 1, 2, 0);
	trans[2][12]	= settr(1266,2,11,1,0,".(goto)", 1, 2, 0);
	T = trans[2][11] = settr(1265,2,0,0,0,"DO", 1, 2, 0);
	T = T->nxt	= settr(1265,2,2,0,0,"DO", 1, 2, 0);
	    T->nxt	= settr(1265,2,9,0,0,"DO", 1, 2, 0);
	trans[2][2]	= settr(1256,2,11,4,4,"((i<=(2-1)))", 1, 2, 0); /* m: 3 -> 11,0 */
	reached2[3] = 1;
	trans[2][3]	= settr(0,0,0,0,0,"published[i] = 1",0,0,0);
	trans[2][4]	= settr(0,0,0,0,0,"owner[i] = 255",0,0,0);
	trans[2][5]	= settr(0,0,0,0,0,"tag[i] = 255",0,0,0);
	trans[2][6]	= settr(0,0,0,0,0,"queue_next[i] = 255",0,0,0);
	trans[2][7]	= settr(0,0,0,0,0,"pooled[i] = 1",0,0,0);
	trans[2][8]	= settr(0,0,0,0,0,"i = (i+1)",0,0,0);
	trans[2][9]	= settr(1263,2,14,2,0,"else", 1, 2, 0);
	trans[2][10]	= settr(1264,2,14,1,0,"goto :b34", 1, 2, 0); /* m: 14 -> 0,20 */
	reached2[14] = 1;
	trans[2][13]	= settr(1267,2,14,1,0,"break", 1, 2, 0);
	trans[2][14]	= settr(1268,2,20,5,5,"i = 0", 1, 2, 0);
	trans[2][21]	= settr(1275,2,20,1,0,".(goto)", 1, 2, 0);
	T = trans[2][20] = settr(1274,2,0,0,0,"DO", 1, 2, 0);
	T = T->nxt	= settr(1274,2,15,0,0,"DO", 1, 2, 0);
	    T->nxt	= settr(1274,2,18,0,0,"DO", 1, 2, 0);
	trans[2][15]	= settr(1269,2,20,6,6,"((i<=((2*2)-1)))", 1, 2, 0); /* m: 16 -> 20,0 */
	reached2[16] = 1;
	trans[2][16]	= settr(0,0,0,0,0,"fate[i] = FREE",0,0,0);
	trans[2][17]	= settr(0,0,0,0,0,"i = (i+1)",0,0,0);
	trans[2][18]	= settr(1272,2,23,2,0,"else", 1, 2, 0);
	trans[2][19]	= settr(1273,2,23,1,0,"goto :b35", 1, 2, 0); /* m: 23 -> 0,31 */
	reached2[23] = 1;
	trans[2][22]	= settr(1276,2,23,1,0,"break", 1, 2, 0);
	trans[2][23]	= settr(1277,2,31,7,7,"i = 0", 1, 2, 0);
	trans[2][32]	= settr(1286,2,31,1,0,".(goto)", 1, 2, 0);
	T = trans[2][31] = settr(1285,2,0,0,0,"DO", 1, 2, 0);
	T = T->nxt	= settr(1285,2,24,0,0,"DO", 1, 2, 0);
	    T->nxt	= settr(1285,2,29,0,0,"DO", 1, 2, 0);
	trans[2][24]	= settr(1278,2,31,8,8,"((i<=(3-1)))", 1, 2, 0); /* m: 25 -> 31,0 */
	reached2[25] = 1;
	trans[2][25]	= settr(0,0,0,0,0,"queue[i] = 255",0,0,0);
	trans[2][26]	= settr(0,0,0,0,0,"lane_published[i] = 255",0,0,0);
	trans[2][27]	= settr(0,0,0,0,0,"user[i] = 255",0,0,0);
	trans[2][28]	= settr(0,0,0,0,0,"i = (i+1)",0,0,0);
	trans[2][29]	= settr(1283,2,34,2,0,"else", 1, 2, 0);
	trans[2][30]	= settr(1284,2,34,1,0,"goto :b36", 1, 2, 0);
	trans[2][33]	= settr(1287,2,34,1,0,"break", 1, 2, 0);
	trans[2][34]	= settr(1288,2,35,9,9,"(run thread(0,2,0))", 1, 2, 0);
	trans[2][35]	= settr(1289,2,36,10,10,"(run thread(1,0,2))", 1, 2, 0);
	trans[2][36]	= settr(1290,2,37,11,11,"(run thread(2,1,0))", 1, 2, 0);
	trans[2][37]	= settr(1291,0,39,12,12,"(run successor(3))", 1, 2, 0);
	trans[2][39]	= settr(1293,0,0,13,13,"-end-", 0, 3500, 0);

	/* proctype 1: successor */

	trans[1] = (Trans **) emalloc(132*sizeof(Trans *));

	trans[1][1]	= settr(1124,0,111,14,0,"((ended==3))", 1, 2, 0);
	trans[1][112]	= settr(1235,0,111,1,0,".(goto)", 0, 2, 0);
	T = trans[1][111] = settr(1234,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(1234,0,2,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(1234,0,109,0,0,"DO", 0, 2, 0);
	trans[1][2]	= settr(1125,0,11,15,0,"((heap<3))", 0, 2, 0);
	T = trans[ 1][11] = settr(1134,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1134,0,10,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[1][10]	= settr(1133,32,106,16,16,"D_STEP240", 1, 2, 0);
	T = trans[1][106] = settr(1229,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1229,0,12,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(1229,0,105,0,0,"IF", 0, 2, 0);
	trans[1][12]	= settr(1135,0,104,17,17,"(got)", 0, 2, 0);
	T = trans[ 1][104] = settr(1227,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1227,0,31,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 1][31] = settr(1154,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1154,0,13,0,0,"sub-sequence", 0, 2, 0);
	trans[1][13]	= settr(1136,0,17,18,0,"assert((user[heap]==me))", 1, 2, 0);
	T = trans[ 1][17] = settr(1140,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1140,0,16,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 1][16] = settr(1139,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(1139,2,14,0,0,"ATOMIC", 1, 2, 0);
	trans[1][14]	= settr(1137,0,28,19,19,"slab = queue[heap]", 1, 2, 0); /* m: 15 -> 0,28 */
	reached1[15] = 1;
	trans[1][15]	= settr(0,0,0,0,0,"queue[heap] = 255",0,0,0);
	trans[1][29]	= settr(1152,0,28,1,0,".(goto)", 0, 2, 0);
	T = trans[1][28] = settr(1151,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(1151,0,18,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(1151,0,26,0,0,"DO", 0, 2, 0);
	trans[1][18]	= settr(1141,0,25,20,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[1][25]	= settr(1148,32,28,21,21,"D_STEP185", 1, 2, 0);
	trans[1][26]	= settr(1149,0,103,2,0,"else", 0, 2, 0);
	trans[1][27]	= settr(1150,0,103,1,0,"goto :b30", 0, 2, 0);
	trans[1][30]	= settr(1153,0,103,1,0,"break", 0, 2, 0);
	T = trans[ 1][103] = settr(1226,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1226,0,32,0,0,"sub-sequence", 0, 2, 0);
	trans[1][32]	= settr(1155,0,35,22,0,"assert((user[heap]==me))", 1, 2, 0);
/*->*/	trans[1][35]	= settr(1158,32,100,23,23,"D_STEP199", 1, 2, 0);
	trans[1][101]	= settr(1224,0,100,1,0,".(goto)", 0, 2, 0);
	T = trans[1][100] = settr(1223,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(1223,0,36,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(1223,0,98,0,0,"DO", 0, 2, 0);
	trans[1][36]	= settr(1159,0,39,24,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[1][39]	= settr(1162,32,43,25,25,"D_STEP205", 1, 2, 0);
	T = trans[ 1][43] = settr(1166,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1166,0,42,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 1][42] = settr(1165,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(1165,2,40,0,0,"ATOMIC", 1, 2, 0);
	trans[1][40]	= settr(1163,4,67,26,26,"assert(published[slab])", 1, 2, 0); /* m: 41 -> 0,67 */
	reached1[41] = 1;
	trans[1][41]	= settr(0,0,0,0,0,"published[slab] = 0",0,0,0);
	T = trans[ 1][67] = settr(1190,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1190,0,46,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 1][46] = settr(1169,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(1169,2,44,0,0,"ATOMIC", 1, 2, 0);
	trans[1][44]	= settr(1167,4,65,27,27,"bits = remote_bits[slab]", 1, 2, 0); /* m: 45 -> 0,65 */
	reached1[45] = 1;
	trans[1][45]	= settr(0,0,0,0,0,"remote_bits[slab] = 0",0,0,0);
	T = trans[ 1][65] = settr(1188,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1188,0,64,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[1][64]	= settr(1187,32,66,28,28,"D_STEP122", 1, 2, 0);
	trans[1][66]	= settr(1189,0,95,29,29,"bits = 0", 0, 2, 0);
	T = trans[ 1][95] = settr(1218,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1218,0,93,0,0,"sub-sequence", 0, 2, 0);
	T = trans[1][93] = settr(1216,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1216,0,68,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(1216,0,92,0,0,"IF", 0, 2, 0);
	trans[1][68]	= settr(1191,0,91,30,0,"((free_bits[slab]==((1<<2)-1)))", 1, 2, 0);
	T = trans[ 1][91] = settr(1214,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1214,0,77,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 1][77] = settr(1200,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1200,0,69,0,0,"sub-sequence", 0, 2, 0);
	trans[1][69]	= settr(1192,0,75,31,31,"got = 0", 0, 2, 0);
	T = trans[1][75] = settr(1198,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1198,0,70,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(1198,0,74,0,0,"IF", 0, 2, 0);
	trans[1][70]	= settr(1193,0,73,32,0,"((published[slab]==0))", 1, 2, 0);
	T = trans[ 1][73] = settr(1196,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(1196,2,71,0,0,"ATOMIC", 1, 2, 0);
	trans[1][71]	= settr(1194,0,88,33,33,"got = (published[slab]==0)", 1, 2, 0); /* m: 72 -> 0,88 */
	reached1[72] = 1;
	trans[1][72]	= settr(0,0,0,0,0,"published[slab] = 1",0,0,0);
	trans[1][76]	= settr(1199,0,88,1,0,".(goto)", 0, 2, 0);
	trans[1][74]	= settr(1197,0,88,2,0,"else", 0, 2, 0);
	T = trans[1][88] = settr(1211,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1211,0,78,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(1211,0,87,0,0,"IF", 0, 2, 0);
	trans[1][78]	= settr(1201,0,86,34,34,"(got)", 0, 2, 0);
	T = trans[ 1][86] = settr(1209,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1209,0,85,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[1][85]	= settr(1208,32,90,35,35,"D_STEP147", 1, 2, 0);
	trans[1][89]	= settr(1212,0,90,1,0,".(goto)", 0, 2, 0); /* m: 90 -> 0,100 */
	reached1[90] = 1;
	trans[1][87]	= settr(1210,0,90,2,0,"else", 0, 2, 0);
	trans[1][90]	= settr(1213,0,100,36,36,"got = 0", 0, 2, 0); /* m: 96 -> 0,100 */
	reached1[96] = 1;
	trans[1][94]	= settr(1217,0,96,1,0,".(goto)", 0, 2, 0); /* m: 96 -> 0,100 */
	reached1[96] = 1;
	trans[1][92]	= settr(1215,0,96,2,0,"else", 0, 2, 0);
	trans[1][96]	= settr(1219,0,100,37,37,"slab = next", 0, 2, 0); /* m: 97 -> 0,100 */
	reached1[97] = 1;
	trans[1][97]	= settr(0,0,0,0,0,"next = 255",0,0,0);
	trans[1][98]	= settr(1221,0,108,2,0,"else", 0, 2, 0);
	trans[1][99]	= settr(1222,0,108,1,0,"goto :b31", 0, 2, 0); /* m: 108 -> 0,111 */
	reached1[108] = 1;
	trans[1][102]	= settr(1225,0,108,1,0,"break", 0, 2, 0);
	trans[1][107]	= settr(1230,0,108,1,0,".(goto)", 0, 2, 0); /* m: 108 -> 0,111 */
	reached1[108] = 1;
	trans[1][105]	= settr(1228,0,108,2,0,"else", 0, 2, 0);
	trans[1][108]	= settr(1231,0,111,38,38,"heap = (heap+1)", 0, 2, 0);
	trans[1][109]	= settr(1232,0,114,2,0,"else", 0, 2, 0);
	trans[1][110]	= settr(1233,0,114,1,0,"goto :b29", 0, 2, 0);
	trans[1][113]	= settr(1236,0,114,1,0,"break", 0, 2, 0);
	trans[1][114]	= settr(1237,0,130,1,0,"(1)", 0, 2, 0);
/*->*/	trans[1][130]	= settr(1253,32,131,39,39,"D_STEP532", 1, 2, 0);
	trans[1][131]	= settr(1254,0,0,40,40,"-end-", 0, 3500, 0);

	/* proctype 0: thread */

	trans[0] = (Trans **) emalloc(1125*sizeof(Trans *));

	trans[0][1017]	= settr(1016,0,1016,1,0,".(goto)", 0, 2, 0);
	T = trans[0][1016] = settr(1015,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(1015,0,1,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(1015,0,451,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(1015,0,1014,0,0,"DO", 0, 2, 0);
	trans[0][1]	= settr(0,0,450,41,41,"((mallocs>0))", 0, 2, 0); /* m: 2 -> 450,0 */
	reached0[2] = 1;
	trans[0][2]	= settr(0,0,0,0,0,"mallocs = (mallocs-1)",0,0,0);
	T = trans[ 0][450] = settr(449,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(449,0,29,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][29] = settr(28,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(28,0,3,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(28,0,28,0,0,"IF", 0, 2, 0);
	trans[0][3]	= settr(2,0,27,42,42,"((heap==255))", 0, 2, 0);
	T = trans[ 0][27] = settr(26,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(26,0,20,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][20] = settr(19,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(19,0,19,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][19] = settr(18,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(18,2,11,0,0,"ATOMIC", 1, 2, 0);
	T = trans[0][11] = settr(10,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(10,2,4,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(10,2,6,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(10,2,8,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(10,2,10,0,0,"IF", 1, 2, 0);
	trans[0][4]	= settr(3,2,17,43,43,"(orphan[0])", 1, 2, 0); /* m: 5 -> 17,0 */
	reached0[5] = 1;
	trans[0][5]	= settr(0,0,0,0,0,"heap = 0",0,0,0);
	trans[0][12]	= settr(11,2,17,1,0,".(goto)", 1, 2, 0);
	trans[0][6]	= settr(5,2,17,44,44,"(orphan[1])", 1, 2, 0); /* m: 7 -> 17,0 */
	reached0[7] = 1;
	trans[0][7]	= settr(0,0,0,0,0,"heap = 1",0,0,0);
	trans[0][8]	= settr(7,2,17,45,45,"(orphan[2])", 1, 2, 0); /* m: 9 -> 17,0 */
	reached0[9] = 1;
	trans[0][9]	= settr(0,0,0,0,0,"heap = 2",0,0,0);
	trans[0][10]	= settr(9,2,17,46,46,"heap = 255", 1, 2, 0);
	T = trans[0][17] = settr(16,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(16,2,13,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(16,2,16,0,0,"IF", 1, 2, 0);
	trans[0][13]	= settr(12,4,25,47,47,"((heap!=255))", 1, 2, 0); /* m: 14 -> 25,0 */
	reached0[14] = 1;
	trans[0][14]	= settr(0,0,0,0,0,"orphan[heap] = 0",0,0,0);
	trans[0][15]	= settr(0,0,0,0,0,"user[heap] = me",0,0,0);
	trans[0][18]	= settr(17,0,25,48,48,".(goto)", 1, 2, 0);
	trans[0][16]	= settr(15,2,18,2,0,"else", 1, 2, 0);
	T = trans[0][25] = settr(24,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(24,0,21,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(24,0,24,0,0,"IF", 0, 2, 0);
	trans[0][21]	= settr(20,0,22,49,49,"((((heap==255)&&(user[me]==255))&&!(orphan[me])))", 1, 2, 0);
	trans[0][22]	= settr(21,0,23,50,50,"heap = me", 0, 2, 0);
	trans[0][23]	= settr(22,0,448,51,51,"user[heap] = me", 1, 2, 0);
	trans[0][26]	= settr(25,0,448,1,0,".(goto)", 0, 2, 0);
	trans[0][24]	= settr(23,0,448,2,0,"else", 0, 2, 0);
	trans[0][30]	= settr(29,0,448,1,0,".(goto)", 0, 2, 0);
	trans[0][28]	= settr(27,0,448,2,0,"else", 0, 2, 0);
	T = trans[0][448] = settr(447,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(447,0,31,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(447,0,447,0,0,"IF", 0, 2, 0);
	trans[0][31]	= settr(30,0,32,52,0,"((heap!=255))", 0, 2, 0);
	trans[0][32]	= settr(31,0,51,53,0,"assert((user[heap]==me))", 1, 2, 0);
	T = trans[ 0][51] = settr(50,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(50,0,50,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][50]	= settr(49,32,165,54,54,"D_STEP353", 1, 2, 0);
	T = trans[0][165] = settr(164,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(164,0,52,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(164,0,164,0,0,"IF", 0, 2, 0);
	trans[0][52]	= settr(51,0,144,55,0,"((block==255))", 0, 2, 0);
	T = trans[ 0][144] = settr(143,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(143,0,71,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][71] = settr(70,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(70,0,53,0,0,"sub-sequence", 0, 2, 0);
	trans[0][53]	= settr(52,0,57,56,0,"assert((user[heap]==me))", 1, 2, 0);
	T = trans[ 0][57] = settr(56,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(56,0,56,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][56] = settr(55,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(55,2,54,0,0,"ATOMIC", 1, 2, 0);
	trans[0][54]	= settr(53,0,68,57,57,"slab = queue[heap]", 1, 2, 0); /* m: 55 -> 0,68 */
	reached0[55] = 1;
	trans[0][55]	= settr(0,0,0,0,0,"queue[heap] = 255",0,0,0);
	trans[0][69]	= settr(68,0,68,1,0,".(goto)", 0, 2, 0);
	T = trans[0][68] = settr(67,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(67,0,58,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(67,0,66,0,0,"DO", 0, 2, 0);
	trans[0][58]	= settr(57,0,65,58,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][65]	= settr(64,32,68,59,59,"D_STEP185", 1, 2, 0);
	trans[0][66]	= settr(65,0,143,2,0,"else", 0, 2, 0);
	trans[0][67]	= settr(66,0,143,1,0,"goto :b2", 0, 2, 0);
	trans[0][70]	= settr(69,0,143,1,0,"break", 0, 2, 0);
	T = trans[ 0][143] = settr(142,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(142,0,72,0,0,"sub-sequence", 0, 2, 0);
	trans[0][72]	= settr(71,0,75,60,0,"assert((user[heap]==me))", 1, 2, 0);
/*->*/	trans[0][75]	= settr(74,32,140,61,61,"D_STEP199", 1, 2, 0);
	trans[0][141]	= settr(140,0,140,1,0,".(goto)", 0, 2, 0);
	T = trans[0][140] = settr(139,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(139,0,76,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(139,0,138,0,0,"DO", 0, 2, 0);
	trans[0][76]	= settr(75,0,79,62,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][79]	= settr(78,32,83,63,63,"D_STEP205", 1, 2, 0);
	T = trans[ 0][83] = settr(82,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(82,0,82,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][82] = settr(81,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(81,2,80,0,0,"ATOMIC", 1, 2, 0);
	trans[0][80]	= settr(79,4,107,64,64,"assert(published[slab])", 1, 2, 0); /* m: 81 -> 0,107 */
	reached0[81] = 1;
	trans[0][81]	= settr(0,0,0,0,0,"published[slab] = 0",0,0,0);
	T = trans[ 0][107] = settr(106,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(106,0,86,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][86] = settr(85,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(85,2,84,0,0,"ATOMIC", 1, 2, 0);
	trans[0][84]	= settr(83,4,105,65,65,"bits = remote_bits[slab]", 1, 2, 0); /* m: 85 -> 0,105 */
	reached0[85] = 1;
	trans[0][85]	= settr(0,0,0,0,0,"remote_bits[slab] = 0",0,0,0);
	T = trans[ 0][105] = settr(104,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(104,0,104,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][104]	= settr(103,32,106,66,66,"D_STEP122", 1, 2, 0);
	trans[0][106]	= settr(105,0,135,67,67,"bits = 0", 0, 2, 0);
	T = trans[ 0][135] = settr(134,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(134,0,133,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][133] = settr(132,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(132,0,108,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(132,0,132,0,0,"IF", 0, 2, 0);
	trans[0][108]	= settr(107,0,131,68,0,"((free_bits[slab]==((1<<2)-1)))", 1, 2, 0);
	T = trans[ 0][131] = settr(130,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(130,0,117,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][117] = settr(116,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(116,0,109,0,0,"sub-sequence", 0, 2, 0);
	trans[0][109]	= settr(108,0,115,69,69,"got = 0", 0, 2, 0);
	T = trans[0][115] = settr(114,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(114,0,110,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(114,0,114,0,0,"IF", 0, 2, 0);
	trans[0][110]	= settr(109,0,113,70,0,"((published[slab]==0))", 1, 2, 0);
	T = trans[ 0][113] = settr(112,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(112,2,111,0,0,"ATOMIC", 1, 2, 0);
	trans[0][111]	= settr(110,0,128,71,71,"got = (published[slab]==0)", 1, 2, 0); /* m: 112 -> 0,128 */
	reached0[112] = 1;
	trans[0][112]	= settr(0,0,0,0,0,"published[slab] = 1",0,0,0);
	trans[0][116]	= settr(115,0,128,1,0,".(goto)", 0, 2, 0);
	trans[0][114]	= settr(113,0,128,2,0,"else", 0, 2, 0);
	T = trans[0][128] = settr(127,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(127,0,118,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(127,0,127,0,0,"IF", 0, 2, 0);
	trans[0][118]	= settr(117,0,126,72,72,"(got)", 0, 2, 0);
	T = trans[ 0][126] = settr(125,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(125,0,125,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][125]	= settr(124,32,130,73,73,"D_STEP147", 1, 2, 0);
	trans[0][129]	= settr(128,0,130,1,0,".(goto)", 0, 2, 0); /* m: 130 -> 0,140 */
	reached0[130] = 1;
	trans[0][127]	= settr(126,0,130,2,0,"else", 0, 2, 0);
	trans[0][130]	= settr(129,0,140,74,74,"got = 0", 0, 2, 0); /* m: 136 -> 0,140 */
	reached0[136] = 1;
	trans[0][134]	= settr(133,0,136,1,0,".(goto)", 0, 2, 0); /* m: 136 -> 0,140 */
	reached0[136] = 1;
	trans[0][132]	= settr(131,0,136,2,0,"else", 0, 2, 0);
	trans[0][136]	= settr(135,0,140,75,75,"slab = next", 0, 2, 0); /* m: 137 -> 0,140 */
	reached0[137] = 1;
	trans[0][137]	= settr(0,0,0,0,0,"next = 255",0,0,0);
	trans[0][138]	= settr(137,0,163,2,0,"else", 0, 2, 0);
	trans[0][139]	= settr(138,0,163,1,0,"goto :b3", 0, 2, 0);
	trans[0][142]	= settr(141,0,163,1,0,"break", 0, 2, 0);
	T = trans[ 0][163] = settr(162,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(162,0,162,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][162]	= settr(161,32,395,76,76,"D_STEP353", 1, 2, 0);
	trans[0][166]	= settr(165,0,395,1,0,".(goto)", 0, 2, 0);
	trans[0][164]	= settr(163,0,395,2,0,"else", 0, 2, 0);
	T = trans[0][395] = settr(394,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(394,0,167,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(394,0,394,0,0,"IF", 0, 2, 0);
	trans[0][167]	= settr(166,0,374,77,0,"((block==255))", 0, 2, 0);
	T = trans[ 0][374] = settr(373,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(373,0,184,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][184] = settr(183,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(183,0,183,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][183] = settr(182,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(182,2,175,0,0,"ATOMIC", 1, 2, 0);
	T = trans[0][175] = settr(174,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(174,2,168,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(174,2,170,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(174,2,172,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(174,2,174,0,0,"IF", 1, 2, 0);
	trans[0][168]	= settr(167,2,181,78,78,"(orphan[0])", 1, 2, 0); /* m: 169 -> 181,0 */
	reached0[169] = 1;
	trans[0][169]	= settr(0,0,0,0,0,"other = 0",0,0,0);
	trans[0][176]	= settr(175,2,181,1,0,".(goto)", 1, 2, 0);
	trans[0][170]	= settr(169,2,181,79,79,"(orphan[1])", 1, 2, 0); /* m: 171 -> 181,0 */
	reached0[171] = 1;
	trans[0][171]	= settr(0,0,0,0,0,"other = 1",0,0,0);
	trans[0][172]	= settr(171,2,181,80,80,"(orphan[2])", 1, 2, 0); /* m: 173 -> 181,0 */
	reached0[173] = 1;
	trans[0][173]	= settr(0,0,0,0,0,"other = 2",0,0,0);
	trans[0][174]	= settr(173,2,181,81,81,"other = 255", 1, 2, 0);
	T = trans[0][181] = settr(180,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(180,2,177,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(180,2,180,0,0,"IF", 1, 2, 0);
	trans[0][177]	= settr(176,4,372,82,82,"((other!=255))", 1, 2, 0); /* m: 178 -> 372,0 */
	reached0[178] = 1;
	trans[0][178]	= settr(0,0,0,0,0,"orphan[other] = 0",0,0,0);
	trans[0][179]	= settr(0,0,0,0,0,"user[other] = me",0,0,0);
	trans[0][182]	= settr(181,0,372,83,83,".(goto)", 1, 2, 0);
	trans[0][180]	= settr(179,2,182,2,0,"else", 1, 2, 0);
	T = trans[0][372] = settr(371,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(371,0,185,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(371,0,371,0,0,"IF", 0, 2, 0);
	trans[0][185]	= settr(184,0,277,84,0,"((other!=255))", 0, 2, 0);
	T = trans[ 0][277] = settr(276,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(276,0,204,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][204] = settr(203,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(203,0,186,0,0,"sub-sequence", 0, 2, 0);
	trans[0][186]	= settr(185,0,190,85,0,"assert((user[other]==me))", 1, 2, 0);
	T = trans[ 0][190] = settr(189,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(189,0,189,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][189] = settr(188,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(188,2,187,0,0,"ATOMIC", 1, 2, 0);
	trans[0][187]	= settr(186,0,201,86,86,"slab = queue[other]", 1, 2, 0); /* m: 188 -> 0,201 */
	reached0[188] = 1;
	trans[0][188]	= settr(0,0,0,0,0,"queue[other] = 255",0,0,0);
	trans[0][202]	= settr(201,0,201,1,0,".(goto)", 0, 2, 0);
	T = trans[0][201] = settr(200,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(200,0,191,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(200,0,199,0,0,"DO", 0, 2, 0);
	trans[0][191]	= settr(190,0,198,87,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][198]	= settr(197,32,201,88,88,"D_STEP185", 1, 2, 0);
	trans[0][199]	= settr(198,0,276,2,0,"else", 0, 2, 0);
	trans[0][200]	= settr(199,0,276,1,0,"goto :b6", 0, 2, 0);
	trans[0][203]	= settr(202,0,276,1,0,"break", 0, 2, 0);
	T = trans[ 0][276] = settr(275,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(275,0,205,0,0,"sub-sequence", 0, 2, 0);
	trans[0][205]	= settr(204,0,208,89,0,"assert((user[other]==me))", 1, 2, 0);
/*->*/	trans[0][208]	= settr(207,32,273,90,90,"D_STEP199", 1, 2, 0);
	trans[0][274]	= settr(273,0,273,1,0,".(goto)", 0, 2, 0);
	T = trans[0][273] = settr(272,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(272,0,209,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(272,0,271,0,0,"DO", 0, 2, 0);
	trans[0][209]	= settr(208,0,212,91,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][212]	= settr(211,32,216,92,92,"D_STEP205", 1, 2, 0);
	T = trans[ 0][216] = settr(215,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(215,0,215,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][215] = settr(214,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(214,2,213,0,0,"ATOMIC", 1, 2, 0);
	trans[0][213]	= settr(212,4,240,93,93,"assert(published[slab])", 1, 2, 0); /* m: 214 -> 0,240 */
	reached0[214] = 1;
	trans[0][214]	= settr(0,0,0,0,0,"published[slab] = 0",0,0,0);
	T = trans[ 0][240] = settr(239,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(239,0,219,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][219] = settr(218,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(218,2,217,0,0,"ATOMIC", 1, 2, 0);
	trans[0][217]	= settr(216,4,238,94,94,"bits = remote_bits[slab]", 1, 2, 0); /* m: 218 -> 0,238 */
	reached0[218] = 1;
	trans[0][218]	= settr(0,0,0,0,0,"remote_bits[slab] = 0",0,0,0);
	T = trans[ 0][238] = settr(237,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(237,0,237,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][237]	= settr(236,32,239,95,95,"D_STEP122", 1, 2, 0);
	trans[0][239]	= settr(238,0,268,96,96,"bits = 0", 0, 2, 0);
	T = trans[ 0][268] = settr(267,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(267,0,266,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][266] = settr(265,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(265,0,241,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(265,0,265,0,0,"IF", 0, 2, 0);
	trans[0][241]	= settr(240,0,264,97,0,"((free_bits[slab]==((1<<2)-1)))", 1, 2, 0);
	T = trans[ 0][264] = settr(263,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(263,0,250,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][250] = settr(249,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(249,0,242,0,0,"sub-sequence", 0, 2, 0);
	trans[0][242]	= settr(241,0,248,98,98,"got = 0", 0, 2, 0);
	T = trans[0][248] = settr(247,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(247,0,243,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(247,0,247,0,0,"IF", 0, 2, 0);
	trans[0][243]	= settr(242,0,246,99,0,"((published[slab]==0))", 1, 2, 0);
	T = trans[ 0][246] = settr(245,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(245,2,244,0,0,"ATOMIC", 1, 2, 0);
	trans[0][244]	= settr(243,0,261,100,100,"got = (published[slab]==0)", 1, 2, 0); /* m: 245 -> 0,261 */
	reached0[245] = 1;
	trans[0][245]	= settr(0,0,0,0,0,"published[slab] = 1",0,0,0);
	trans[0][249]	= settr(248,0,261,1,0,".(goto)", 0, 2, 0);
	trans[0][247]	= settr(246,0,261,2,0,"else", 0, 2, 0);
	T = trans[0][261] = settr(260,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(260,0,251,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(260,0,260,0,0,"IF", 0, 2, 0);
	trans[0][251]	= settr(250,0,259,101,101,"(got)", 0, 2, 0);
	T = trans[ 0][259] = settr(258,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(258,0,258,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][258]	= settr(257,32,263,102,102,"D_STEP147", 1, 2, 0);
	trans[0][262]	= settr(261,0,263,1,0,".(goto)", 0, 2, 0); /* m: 263 -> 0,273 */
	reached0[263] = 1;
	trans[0][260]	= settr(259,0,263,2,0,"else", 0, 2, 0);
	trans[0][263]	= settr(262,0,273,103,103,"got = 0", 0, 2, 0); /* m: 269 -> 0,273 */
	reached0[269] = 1;
	trans[0][267]	= settr(266,0,269,1,0,".(goto)", 0, 2, 0); /* m: 269 -> 0,273 */
	reached0[269] = 1;
	trans[0][265]	= settr(264,0,269,2,0,"else", 0, 2, 0);
	trans[0][269]	= settr(268,0,273,104,104,"slab = next", 0, 2, 0); /* m: 270 -> 0,273 */
	reached0[270] = 1;
	trans[0][270]	= settr(0,0,0,0,0,"next = 255",0,0,0);
	trans[0][271]	= settr(270,0,278,2,0,"else", 0, 2, 0);
	trans[0][272]	= settr(271,0,278,1,0,"goto :b7", 0, 2, 0); /* m: 278 -> 0,360 */
	reached0[278] = 1;
	trans[0][275]	= settr(274,0,278,1,0,"break", 0, 2, 0);
	trans[0][278]	= settr(277,0,360,105,105,"slab = 0", 0, 2, 0);
	trans[0][361]	= settr(360,0,360,1,0,".(goto)", 0, 2, 0);
	T = trans[0][360] = settr(359,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(359,0,279,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(359,0,358,0,0,"DO", 0, 2, 0);
	trans[0][279]	= settr(278,0,355,106,0,"((slab<2))", 0, 2, 0);
	T = trans[0][355] = settr(354,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(354,0,280,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(354,0,354,0,0,"IF", 0, 2, 0);
	trans[0][280]	= settr(279,0,289,107,0,"(((bound[slab]&&(owner[slab]==other))&&(free_bits[slab]!=0)))", 1, 2, 0);
	T = trans[ 0][289] = settr(288,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(288,0,281,0,0,"sub-sequence", 0, 2, 0);
	trans[0][281]	= settr(280,0,287,108,108,"got = 0", 0, 2, 0);
	T = trans[0][287] = settr(286,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(286,0,282,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(286,0,286,0,0,"IF", 0, 2, 0);
	trans[0][282]	= settr(281,0,285,109,0,"((published[slab]==0))", 1, 2, 0);
	T = trans[ 0][285] = settr(284,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(284,2,283,0,0,"ATOMIC", 1, 2, 0);
	trans[0][283]	= settr(282,0,351,110,110,"got = (published[slab]==0)", 1, 2, 0); /* m: 284 -> 0,351 */
	reached0[284] = 1;
	trans[0][284]	= settr(0,0,0,0,0,"published[slab] = 1",0,0,0);
	trans[0][288]	= settr(287,0,351,1,0,".(goto)", 0, 2, 0);
	trans[0][286]	= settr(285,0,351,2,0,"else", 0, 2, 0);
	T = trans[0][351] = settr(350,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(350,0,290,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(350,0,350,0,0,"IF", 0, 2, 0);
	trans[0][290]	= settr(289,0,349,111,111,"(got)", 0, 2, 0);
	T = trans[ 0][349] = settr(348,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(348,0,291,0,0,"sub-sequence", 0, 2, 0);
	trans[0][291]	= settr(290,0,292,112,112,"tag[slab] = heap", 1, 2, 0);
	trans[0][292]	= settr(291,0,296,113,113,"owner[slab] = heap", 1, 2, 0);
	T = trans[ 0][296] = settr(295,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(295,0,295,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][295] = settr(294,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(294,2,293,0,0,"ATOMIC", 1, 2, 0);
	trans[0][293]	= settr(292,4,320,114,114,"assert(published[slab])", 1, 2, 0); /* m: 294 -> 0,320 */
	reached0[294] = 1;
	trans[0][294]	= settr(0,0,0,0,0,"published[slab] = 0",0,0,0);
	T = trans[ 0][320] = settr(319,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(319,0,299,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][299] = settr(298,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(298,2,297,0,0,"ATOMIC", 1, 2, 0);
	trans[0][297]	= settr(296,4,318,115,115,"bits = remote_bits[slab]", 1, 2, 0); /* m: 298 -> 0,318 */
	reached0[298] = 1;
	trans[0][298]	= settr(0,0,0,0,0,"remote_bits[slab] = 0",0,0,0);
	T = trans[ 0][318] = settr(317,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(317,0,317,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][317]	= settr(316,32,319,116,116,"D_STEP122", 1, 2, 0);
	trans[0][319]	= settr(318,0,348,117,117,"bits = 0", 0, 2, 0);
	T = trans[ 0][348] = settr(347,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(347,0,346,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][346] = settr(345,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(345,0,321,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(345,0,345,0,0,"IF", 0, 2, 0);
	trans[0][321]	= settr(320,0,344,118,0,"((free_bits[slab]==((1<<2)-1)))", 1, 2, 0);
	T = trans[ 0][344] = settr(343,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(343,0,330,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][330] = settr(329,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(329,0,322,0,0,"sub-sequence", 0, 2, 0);
	trans[0][322]	= settr(321,0,328,119,119,"got = 0", 0, 2, 0);
	T = trans[0][328] = settr(327,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(327,0,323,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(327,0,327,0,0,"IF", 0, 2, 0);
	trans[0][323]	= settr(322,0,326,120,0,"((published[slab]==0))", 1, 2, 0);
	T = trans[ 0][326] = settr(325,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(325,2,324,0,0,"ATOMIC", 1, 2, 0);
	trans[0][324]	= settr(323,0,341,121,121,"got = (published[slab]==0)", 1, 2, 0); /* m: 325 -> 0,341 */
	reached0[325] = 1;
	trans[0][325]	= settr(0,0,0,0,0,"published[slab] = 1",0,0,0);
	trans[0][329]	= settr(328,0,341,1,0,".(goto)", 0, 2, 0);
	trans[0][327]	= settr(326,0,341,2,0,"else", 0, 2, 0);
	T = trans[0][341] = settr(340,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(340,0,331,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(340,0,340,0,0,"IF", 0, 2, 0);
	trans[0][331]	= settr(330,0,339,122,122,"(got)", 0, 2, 0);
	T = trans[ 0][339] = settr(338,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(338,0,338,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][338]	= settr(337,32,343,123,123,"D_STEP147", 1, 2, 0);
	trans[0][342]	= settr(341,0,343,1,0,".(goto)", 0, 2, 0); /* m: 343 -> 0,360 */
	reached0[343] = 1;
	trans[0][340]	= settr(339,0,343,2,0,"else", 0, 2, 0);
	trans[0][343]	= settr(342,0,360,124,124,"got = 0", 0, 2, 0); /* m: 353 -> 0,360 */
	reached0[353] = 1;
	trans[0][347]	= settr(346,0,353,1,0,".(goto)", 0, 2, 0); /* m: 353 -> 0,360 */
	reached0[353] = 1;
	trans[0][345]	= settr(344,0,353,2,0,"else", 0, 2, 0);
	trans[0][352]	= settr(351,0,353,1,0,".(goto)", 0, 2, 0); /* m: 353 -> 0,360 */
	reached0[353] = 1;
	trans[0][350]	= settr(349,0,353,2,0,"else", 0, 2, 0);
	trans[0][353]	= settr(352,0,360,125,125,"got = 0", 0, 2, 0); /* m: 357 -> 0,360 */
	reached0[357] = 1;
	trans[0][356]	= settr(355,0,357,1,0,".(goto)", 0, 2, 0); /* m: 357 -> 0,360 */
	reached0[357] = 1;
	trans[0][354]	= settr(353,0,357,2,0,"else", 0, 2, 0);
	trans[0][357]	= settr(356,0,360,126,126,"slab = (slab+1)", 0, 2, 0);
	trans[0][358]	= settr(357,0,363,2,0,"else", 0, 2, 0);
	trans[0][359]	= settr(358,0,363,1,0,"goto :b9", 0, 2, 0); /* m: 363 -> 0,369 */
	reached0[363] = 1;
	trans[0][362]	= settr(361,0,363,1,0,"break", 0, 2, 0);
	trans[0][363]	= settr(362,0,369,127,127,"slab = 255", 0, 2, 0);
	T = trans[ 0][369] = settr(368,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(368,0,368,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][368]	= settr(367,32,370,128,128,"D_STEP231", 1, 2, 0);
	trans[0][370]	= settr(369,0,393,129,129,"other = 255", 0, 2, 0);
	trans[0][373]	= settr(372,0,393,1,0,".(goto)", 0, 2, 0);
	trans[0][371]	= settr(370,0,393,2,0,"else", 0, 2, 0);
	T = trans[ 0][393] = settr(392,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(392,0,392,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][392]	= settr(391,32,444,130,130,"D_STEP353", 1, 2, 0);
	trans[0][396]	= settr(395,0,444,1,0,".(goto)", 0, 2, 0);
	trans[0][394]	= settr(393,0,444,2,0,"else", 0, 2, 0);
	T = trans[0][444] = settr(443,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(443,0,397,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(443,0,443,0,0,"IF", 0, 2, 0);
	trans[0][397]	= settr(396,0,412,131,0,"((block==255))", 0, 2, 0);
	T = trans[ 0][412] = settr(411,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(411,0,411,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][411] = settr(410,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(410,2,404,0,0,"ATOMIC", 1, 2, 0);
	T = trans[0][404] = settr(403,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(403,2,398,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(403,2,400,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(403,2,402,0,0,"IF", 1, 2, 0);
	trans[0][398]	= settr(397,2,409,132,132,"((!(bound[0])&&pooled[0]))", 1, 2, 0); /* m: 399 -> 409,0 */
	reached0[399] = 1;
	trans[0][399]	= settr(0,0,0,0,0,"slab = 0",0,0,0);
	trans[0][405]	= settr(404,2,409,1,0,".(goto)", 1, 2, 0);
	trans[0][400]	= settr(399,2,409,133,133,"((!(bound[1])&&pooled[1]))", 1, 2, 0); /* m: 401 -> 409,0 */
	reached0[401] = 1;
	trans[0][401]	= settr(0,0,0,0,0,"slab = 1",0,0,0);
	trans[0][402]	= settr(401,2,403,2,0,"else", 1, 2, 0);
	trans[0][403]	= settr(402,2,409,134,134,"slab = 255", 1, 2, 0);
	T = trans[0][409] = settr(408,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(408,2,406,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(408,2,408,0,0,"IF", 1, 2, 0);
	trans[0][406]	= settr(405,4,441,135,135,"((slab!=255))", 1, 2, 0); /* m: 407 -> 441,0 */
	reached0[407] = 1;
	trans[0][407]	= settr(0,0,0,0,0,"pooled[slab] = 0",0,0,0);
	trans[0][410]	= settr(409,0,441,136,136,".(goto)", 1, 2, 0);
	trans[0][408]	= settr(407,2,410,2,0,"else", 1, 2, 0);
	T = trans[0][441] = settr(440,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(440,0,413,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(440,0,440,0,0,"IF", 0, 2, 0);
	trans[0][413]	= settr(412,0,419,137,0,"((slab!=255))", 0, 2, 0);
	T = trans[ 0][419] = settr(418,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(418,0,414,0,0,"sub-sequence", 0, 2, 0);
	trans[0][414]	= settr(413,0,415,138,138,"free_bits[slab] = ((1<<2)-1)", 1, 2, 0);
	trans[0][415]	= settr(414,0,416,139,139,"tag[slab] = heap", 1, 2, 0);
	trans[0][416]	= settr(415,0,417,140,140,"owner[slab] = heap", 1, 2, 0);
	trans[0][417]	= settr(416,0,418,141,141,"bound[slab] = 1", 1, 2, 0);
	trans[0][418]	= settr(417,0,420,142,142,"published[slab] = 0", 1, 2, 0);
	trans[0][420]	= settr(419,0,439,143,143,"slab = 255", 0, 2, 0);
	T = trans[ 0][439] = settr(438,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(438,0,438,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][438]	= settr(437,32,446,144,144,"D_STEP353", 1, 2, 0);
	trans[0][442]	= settr(441,0,446,1,0,".(goto)", 0, 2, 0); /* m: 446 -> 0,1016 */
	reached0[446] = 1;
	trans[0][440]	= settr(439,0,446,2,0,"else", 0, 2, 0);
	trans[0][445]	= settr(444,0,446,1,0,".(goto)", 0, 2, 0); /* m: 446 -> 0,1016 */
	reached0[446] = 1;
	trans[0][443]	= settr(442,0,446,2,0,"else", 0, 2, 0);
	trans[0][446]	= settr(445,0,1016,145,145,"block = 255", 0, 2, 0);
	trans[0][449]	= settr(448,0,1016,1,0,".(goto)", 0, 2, 0);
	trans[0][447]	= settr(446,0,1016,2,0,"else", 0, 2, 0);
	trans[0][451]	= settr(450,0,1013,146,146,"((frees>0))", 0, 2, 0); /* m: 452 -> 1013,0 */
	reached0[452] = 1;
	trans[0][452]	= settr(0,0,0,0,0,"frees = (frees-1)",0,0,0);
	T = trans[ 0][1013] = settr(1012,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1012,0,469,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][469] = settr(468,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(468,2,462,0,0,"ATOMIC", 1, 2, 0);
	T = trans[0][462] = settr(461,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(461,2,453,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(461,2,455,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(461,2,457,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(461,2,459,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(461,2,461,0,0,"IF", 1, 2, 0);
	trans[0][453]	= settr(452,2,467,147,147,"((fate[0]==LIVE))", 1, 2, 0); /* m: 454 -> 467,0 */
	reached0[454] = 1;
	trans[0][454]	= settr(0,0,0,0,0,"block = 0",0,0,0);
	trans[0][463]	= settr(462,2,467,1,0,".(goto)", 1, 2, 0);
	trans[0][455]	= settr(454,2,467,148,148,"((fate[1]==LIVE))", 1, 2, 0); /* m: 456 -> 467,0 */
	reached0[456] = 1;
	trans[0][456]	= settr(0,0,0,0,0,"block = 1",0,0,0);
	trans[0][457]	= settr(456,2,467,149,149,"((fate[2]==LIVE))", 1, 2, 0); /* m: 458 -> 467,0 */
	reached0[458] = 1;
	trans[0][458]	= settr(0,0,0,0,0,"block = 2",0,0,0);
	trans[0][459]	= settr(458,2,467,150,150,"((fate[3]==LIVE))", 1, 2, 0); /* m: 460 -> 467,0 */
	reached0[460] = 1;
	trans[0][460]	= settr(0,0,0,0,0,"block = 3",0,0,0);
	trans[0][461]	= settr(460,2,467,2,0,"else", 1, 2, 0);
	T = trans[0][467] = settr(466,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(466,2,464,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(466,2,466,0,0,"IF", 1, 2, 0);
	trans[0][464]	= settr(463,4,1011,151,151,"((block!=255))", 1, 2, 0); /* m: 465 -> 1011,0 */
	reached0[465] = 1;
	trans[0][465]	= settr(0,0,0,0,0,"fate[block] = FREED",0,0,0);
	trans[0][468]	= settr(467,0,1011,152,152,".(goto)", 1, 2, 0);
	trans[0][466]	= settr(465,2,468,2,0,"else", 1, 2, 0);
	T = trans[0][1011] = settr(1010,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1010,0,470,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(1010,0,1010,0,0,"IF", 0, 2, 0);
	trans[0][470]	= settr(469,0,1008,153,0,"((block!=255))", 0, 2, 0);
	T = trans[0][1008] = settr(1007,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1007,0,471,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(1007,0,525,0,0,"IF", 0, 2, 0);
	trans[0][471]	= settr(470,0,472,154,0,"(((heap!=255)&&(tag[(block/2)]==heap)))", 1, 2, 0);
	trans[0][472]	= settr(471,0,473,155,0,"assert((owner[(block/2)]==heap))", 1, 2, 0);
	trans[0][473]	= settr(472,0,494,156,156,"bits = (1<<(block%2))", 0, 2, 0); /* m: 474 -> 0,494 */
	reached0[474] = 1;
	trans[0][474]	= settr(0,0,0,0,0,"slab = (block/2)",0,0,0);
	trans[0][475]	= settr(0,0,0,0,0,"block = 255",0,0,0);
	T = trans[ 0][494] = settr(493,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(493,0,493,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][493]	= settr(492,32,495,157,157,"D_STEP122", 1, 2, 0);
	trans[0][495]	= settr(494,0,523,158,158,"bits = 0", 0, 2, 0);
	T = trans[ 0][523] = settr(522,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(522,0,521,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][521] = settr(520,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(520,0,496,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(520,0,520,0,0,"IF", 0, 2, 0);
	trans[0][496]	= settr(495,0,519,159,0,"((free_bits[slab]==((1<<2)-1)))", 1, 2, 0);
	T = trans[ 0][519] = settr(518,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(518,0,505,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][505] = settr(504,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(504,0,497,0,0,"sub-sequence", 0, 2, 0);
	trans[0][497]	= settr(496,0,503,160,160,"got = 0", 0, 2, 0);
	T = trans[0][503] = settr(502,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(502,0,498,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(502,0,502,0,0,"IF", 0, 2, 0);
	trans[0][498]	= settr(497,0,501,161,0,"((published[slab]==0))", 1, 2, 0);
	T = trans[ 0][501] = settr(500,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(500,2,499,0,0,"ATOMIC", 1, 2, 0);
	trans[0][499]	= settr(498,0,516,162,162,"got = (published[slab]==0)", 1, 2, 0); /* m: 500 -> 0,516 */
	reached0[500] = 1;
	trans[0][500]	= settr(0,0,0,0,0,"published[slab] = 1",0,0,0);
	trans[0][504]	= settr(503,0,516,1,0,".(goto)", 0, 2, 0);
	trans[0][502]	= settr(501,0,516,2,0,"else", 0, 2, 0);
	T = trans[0][516] = settr(515,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(515,0,506,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(515,0,515,0,0,"IF", 0, 2, 0);
	trans[0][506]	= settr(505,0,514,163,163,"(got)", 0, 2, 0);
	T = trans[ 0][514] = settr(513,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(513,0,513,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][513]	= settr(512,32,518,164,164,"D_STEP147", 1, 2, 0);
	trans[0][517]	= settr(516,0,518,1,0,".(goto)", 0, 2, 0); /* m: 518 -> 0,1016 */
	reached0[518] = 1;
	trans[0][515]	= settr(514,0,518,2,0,"else", 0, 2, 0);
	trans[0][518]	= settr(517,0,1016,165,165,"got = 0", 0, 2, 0); /* m: 524 -> 0,1016 */
	reached0[524] = 1;
	trans[0][522]	= settr(521,0,524,1,0,".(goto)", 0, 2, 0); /* m: 524 -> 0,1016 */
	reached0[524] = 1;
	trans[0][520]	= settr(519,0,524,2,0,"else", 0, 2, 0);
	trans[0][524]	= settr(523,0,1016,166,166,"slab = 255", 0, 2, 0);
	trans[0][1009]	= settr(1008,0,1016,1,0,".(goto)", 0, 2, 0);
	trans[0][525]	= settr(524,0,1007,2,0,"else", 0, 2, 0);
	T = trans[ 0][1007] = settr(1006,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1006,0,684,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][684] = settr(683,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(683,0,526,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(683,0,683,0,0,"IF", 0, 2, 0);
	trans[0][526]	= settr(525,0,682,167,0,"(((gathered_slab!=255)&&(gathered_slab!=(block/2))))", 0, 2, 0);
	T = trans[ 0][682] = settr(681,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(681,0,530,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][530]	= settr(529,32,539,168,168,"D_STEP328", 1, 2, 0);
	T = trans[ 0][539] = settr(538,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(538,0,531,0,0,"sub-sequence", 0, 2, 0);
	trans[0][531]	= settr(530,0,537,169,169,"got = 0", 0, 2, 0);
	T = trans[0][537] = settr(536,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(536,0,532,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(536,0,536,0,0,"IF", 0, 2, 0);
	trans[0][532]	= settr(531,0,535,170,0,"((published[gathered_slab]==0))", 1, 2, 0);
	T = trans[ 0][535] = settr(534,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(534,2,533,0,0,"ATOMIC", 1, 2, 0);
	trans[0][533]	= settr(532,0,679,171,171,"got = (published[gathered_slab]==0)", 1, 2, 0); /* m: 534 -> 0,679 */
	reached0[534] = 1;
	trans[0][534]	= settr(0,0,0,0,0,"published[gathered_slab] = 1",0,0,0);
	trans[0][538]	= settr(537,0,679,1,0,".(goto)", 0, 2, 0);
	trans[0][536]	= settr(535,0,679,2,0,"else", 0, 2, 0);
	T = trans[0][679] = settr(678,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(678,0,540,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(678,0,677,0,0,"IF", 0, 2, 0);
	trans[0][540]	= settr(539,0,541,172,172,"(got)", 0, 2, 0);
	trans[0][541]	= settr(540,0,557,173,173,"other = owner[gathered_slab]", 1, 2, 0);
	T = trans[ 0][557] = settr(556,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(556,0,542,0,0,"sub-sequence", 0, 2, 0);
	trans[0][542]	= settr(541,0,554,174,0,"assert(published[gathered_slab])", 1, 2, 0);
	trans[0][555]	= settr(554,0,554,1,0,".(goto)", 0, 2, 0);
	T = trans[0][554] = settr(553,0,0,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(553,0,543,0,0,"DO", 0, 2, 0);
	trans[0][543]	= settr(542,0,544,175,175,"first = queue[other]", 1, 2, 0);
	trans[0][544]	= settr(543,0,553,176,176,"queue_next[gathered_slab] = first", 1, 2, 0);
	T = trans[ 0][553] = settr(552,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(552,2,551,0,0,"ATOMIC", 1, 2, 0);
	T = trans[0][551] = settr(550,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(550,2,545,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(550,2,550,0,0,"IF", 1, 2, 0);
	trans[0][545]	= settr(544,4,556,177,177,"((queue[other]==first))", 1, 2, 0); /* m: 546 -> 556,0 */
	reached0[546] = 1;
	trans[0][546]	= settr(0,0,0,0,0,"assert(!(on_queue[gathered_slab]))",0,0,0);
	trans[0][547]	= settr(0,0,0,0,0,"on_queue[gathered_slab] = 1",0,0,0);
	trans[0][548]	= settr(0,0,0,0,0,"queue[other] = gathered_slab",0,0,0);
	trans[0][549]	= settr(548,0,558,1,0,"goto :b14", 1, 2, 0); /* m: 558 -> 0,556 */
	reached0[558] = 1;
	trans[0][552]	= settr(551,0,554,1,0,".(goto)", 1, 2, 0);
	trans[0][550]	= settr(549,2,552,2,0,"else", 1, 2, 0);
	trans[0][556]	= settr(555,0,558,1,0,"break", 0, 2, 0);
	trans[0][558]	= settr(557,0,675,178,178,"gathered_slab = 255", 0, 2, 0); /* m: 559 -> 0,675 */
	reached0[559] = 1;
	trans[0][559]	= settr(0,0,0,0,0,"got = 0",0,0,0);
	T = trans[0][675] = settr(674,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(674,0,560,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(674,0,674,0,0,"IF", 0, 2, 0);
	trans[0][560]	= settr(559,0,673,179,0,"(orphan[other])", 1, 2, 0);
	T = trans[ 0][673] = settr(672,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(672,0,569,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][569] = settr(568,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(568,0,568,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][568]	= settr(567,32,670,180,180,"D_STEP240", 1, 2, 0);
	T = trans[0][670] = settr(669,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(669,0,570,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(669,0,669,0,0,"IF", 0, 2, 0);
	trans[0][570]	= settr(569,0,662,181,181,"(got)", 0, 2, 0);
	T = trans[ 0][662] = settr(661,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(661,0,589,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][589] = settr(588,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(588,0,571,0,0,"sub-sequence", 0, 2, 0);
	trans[0][571]	= settr(570,0,575,182,0,"assert((user[other]==me))", 1, 2, 0);
	T = trans[ 0][575] = settr(574,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(574,0,574,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][574] = settr(573,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(573,2,572,0,0,"ATOMIC", 1, 2, 0);
	trans[0][572]	= settr(571,0,586,183,183,"slab = queue[other]", 1, 2, 0); /* m: 573 -> 0,586 */
	reached0[573] = 1;
	trans[0][573]	= settr(0,0,0,0,0,"queue[other] = 255",0,0,0);
	trans[0][587]	= settr(586,0,586,1,0,".(goto)", 0, 2, 0);
	T = trans[0][586] = settr(585,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(585,0,576,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(585,0,584,0,0,"DO", 0, 2, 0);
	trans[0][576]	= settr(575,0,583,184,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][583]	= settr(582,32,586,185,185,"D_STEP185", 1, 2, 0);
	trans[0][584]	= settr(583,0,661,2,0,"else", 0, 2, 0);
	trans[0][585]	= settr(584,0,661,1,0,"goto :b15", 0, 2, 0);
	trans[0][588]	= settr(587,0,661,1,0,"break", 0, 2, 0);
	T = trans[ 0][661] = settr(660,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(660,0,590,0,0,"sub-sequence", 0, 2, 0);
	trans[0][590]	= settr(589,0,593,186,0,"assert((user[other]==me))", 1, 2, 0);
/*->*/	trans[0][593]	= settr(592,32,658,187,187,"D_STEP199", 1, 2, 0);
	trans[0][659]	= settr(658,0,658,1,0,".(goto)", 0, 2, 0);
	T = trans[0][658] = settr(657,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(657,0,594,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(657,0,656,0,0,"DO", 0, 2, 0);
	trans[0][594]	= settr(593,0,597,188,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][597]	= settr(596,32,601,189,189,"D_STEP205", 1, 2, 0);
	T = trans[ 0][601] = settr(600,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(600,0,600,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][600] = settr(599,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(599,2,598,0,0,"ATOMIC", 1, 2, 0);
	trans[0][598]	= settr(597,4,625,190,190,"assert(published[slab])", 1, 2, 0); /* m: 599 -> 0,625 */
	reached0[599] = 1;
	trans[0][599]	= settr(0,0,0,0,0,"published[slab] = 0",0,0,0);
	T = trans[ 0][625] = settr(624,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(624,0,604,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][604] = settr(603,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(603,2,602,0,0,"ATOMIC", 1, 2, 0);
	trans[0][602]	= settr(601,4,623,191,191,"bits = remote_bits[slab]", 1, 2, 0); /* m: 603 -> 0,623 */
	reached0[603] = 1;
	trans[0][603]	= settr(0,0,0,0,0,"remote_bits[slab] = 0",0,0,0);
	T = trans[ 0][623] = settr(622,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(622,0,622,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][622]	= settr(621,32,624,192,192,"D_STEP122", 1, 2, 0);
	trans[0][624]	= settr(623,0,653,193,193,"bits = 0", 0, 2, 0);
	T = trans[ 0][653] = settr(652,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(652,0,651,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][651] = settr(650,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(650,0,626,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(650,0,650,0,0,"IF", 0, 2, 0);
	trans[0][626]	= settr(625,0,649,194,0,"((free_bits[slab]==((1<<2)-1)))", 1, 2, 0);
	T = trans[ 0][649] = settr(648,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(648,0,635,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][635] = settr(634,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(634,0,627,0,0,"sub-sequence", 0, 2, 0);
	trans[0][627]	= settr(626,0,633,195,195,"got = 0", 0, 2, 0);
	T = trans[0][633] = settr(632,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(632,0,628,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(632,0,632,0,0,"IF", 0, 2, 0);
	trans[0][628]	= settr(627,0,631,196,0,"((published[slab]==0))", 1, 2, 0);
	T = trans[ 0][631] = settr(630,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(630,2,629,0,0,"ATOMIC", 1, 2, 0);
	trans[0][629]	= settr(628,0,646,197,197,"got = (published[slab]==0)", 1, 2, 0); /* m: 630 -> 0,646 */
	reached0[630] = 1;
	trans[0][630]	= settr(0,0,0,0,0,"published[slab] = 1",0,0,0);
	trans[0][634]	= settr(633,0,646,1,0,".(goto)", 0, 2, 0);
	trans[0][632]	= settr(631,0,646,2,0,"else", 0, 2, 0);
	T = trans[0][646] = settr(645,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(645,0,636,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(645,0,645,0,0,"IF", 0, 2, 0);
	trans[0][636]	= settr(635,0,644,198,198,"(got)", 0, 2, 0);
	T = trans[ 0][644] = settr(643,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(643,0,643,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][643]	= settr(642,32,648,199,199,"D_STEP147", 1, 2, 0);
	trans[0][647]	= settr(646,0,648,1,0,".(goto)", 0, 2, 0); /* m: 648 -> 0,658 */
	reached0[648] = 1;
	trans[0][645]	= settr(644,0,648,2,0,"else", 0, 2, 0);
	trans[0][648]	= settr(647,0,658,200,200,"got = 0", 0, 2, 0); /* m: 654 -> 0,658 */
	reached0[654] = 1;
	trans[0][652]	= settr(651,0,654,1,0,".(goto)", 0, 2, 0); /* m: 654 -> 0,658 */
	reached0[654] = 1;
	trans[0][650]	= settr(649,0,654,2,0,"else", 0, 2, 0);
	trans[0][654]	= settr(653,0,658,201,201,"slab = next", 0, 2, 0); /* m: 655 -> 0,658 */
	reached0[655] = 1;
	trans[0][655]	= settr(0,0,0,0,0,"next = 255",0,0,0);
	trans[0][656]	= settr(655,0,668,2,0,"else", 0, 2, 0);
	trans[0][657]	= settr(656,0,668,1,0,"goto :b16", 0, 2, 0);
	trans[0][660]	= settr(659,0,668,1,0,"break", 0, 2, 0);
	T = trans[ 0][668] = settr(667,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(667,0,667,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][667]	= settr(666,32,672,202,202,"D_STEP231", 1, 2, 0);
	trans[0][671]	= settr(670,0,672,1,0,".(goto)", 0, 2, 0); /* m: 672 -> 0,689 */
	reached0[672] = 1;
	trans[0][669]	= settr(668,0,672,2,0,"else", 0, 2, 0);
	trans[0][672]	= settr(671,0,689,203,203,"got = 0", 0, 2, 0); /* m: 681 -> 0,689 */
	reached0[681] = 1;
	trans[0][676]	= settr(675,0,681,1,0,".(goto)", 0, 2, 0); /* m: 681 -> 0,689 */
	reached0[681] = 1;
	trans[0][674]	= settr(673,0,689,204,204,"(1)", 0, 2, 0); /* m: 681 -> 689,0 */
	reached0[681] = 1;
	trans[0][680]	= settr(679,0,681,1,0,".(goto)", 0, 2, 0); /* m: 681 -> 0,689 */
	reached0[681] = 1;
	trans[0][677]	= settr(676,0,678,2,0,"else", 0, 2, 0);
	trans[0][678]	= settr(677,0,689,205,205,"gathered_slab = 255", 0, 2, 0); /* m: 681 -> 0,689 */
	reached0[681] = 1;
	trans[0][681]	= settr(680,0,689,206,206,"other = 255", 0, 2, 0);
	trans[0][685]	= settr(684,0,689,1,0,".(goto)", 0, 2, 0);
	trans[0][683]	= settr(682,0,689,2,0,"else", 0, 2, 0);
/*->*/	trans[0][689]	= settr(688,32,1005,207,207,"D_STEP471", 0, 2, 0);
	T = trans[0][1005] = settr(1004,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1004,0,690,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1004,0,847,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(1004,0,1004,0,0,"IF", 0, 2, 0);
	trans[0][690]	= settr(689,0,846,208,0,"(((heap==255)||(gathered_bits==((1<<2)-1))))", 0, 2, 0);
	T = trans[ 0][846] = settr(845,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(845,0,694,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][694]	= settr(693,32,703,209,209,"D_STEP328", 1, 2, 0);
	T = trans[ 0][703] = settr(702,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(702,0,695,0,0,"sub-sequence", 0, 2, 0);
	trans[0][695]	= settr(694,0,701,210,210,"got = 0", 0, 2, 0);
	T = trans[0][701] = settr(700,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(700,0,696,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(700,0,700,0,0,"IF", 0, 2, 0);
	trans[0][696]	= settr(695,0,699,211,0,"((published[gathered_slab]==0))", 1, 2, 0);
	T = trans[ 0][699] = settr(698,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(698,2,697,0,0,"ATOMIC", 1, 2, 0);
	trans[0][697]	= settr(696,0,843,212,212,"got = (published[gathered_slab]==0)", 1, 2, 0); /* m: 698 -> 0,843 */
	reached0[698] = 1;
	trans[0][698]	= settr(0,0,0,0,0,"published[gathered_slab] = 1",0,0,0);
	trans[0][702]	= settr(701,0,843,1,0,".(goto)", 0, 2, 0);
	trans[0][700]	= settr(699,0,843,2,0,"else", 0, 2, 0);
	T = trans[0][843] = settr(842,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(842,0,704,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(842,0,841,0,0,"IF", 0, 2, 0);
	trans[0][704]	= settr(703,0,705,213,213,"(got)", 0, 2, 0);
	trans[0][705]	= settr(704,0,721,214,214,"other = owner[gathered_slab]", 1, 2, 0);
	T = trans[ 0][721] = settr(720,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(720,0,706,0,0,"sub-sequence", 0, 2, 0);
	trans[0][706]	= settr(705,0,718,215,0,"assert(published[gathered_slab])", 1, 2, 0);
	trans[0][719]	= settr(718,0,718,1,0,".(goto)", 0, 2, 0);
	T = trans[0][718] = settr(717,0,0,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(717,0,707,0,0,"DO", 0, 2, 0);
	trans[0][707]	= settr(706,0,708,216,216,"first = queue[other]", 1, 2, 0);
	trans[0][708]	= settr(707,0,717,217,217,"queue_next[gathered_slab] = first", 1, 2, 0);
	T = trans[ 0][717] = settr(716,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(716,2,715,0,0,"ATOMIC", 1, 2, 0);
	T = trans[0][715] = settr(714,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(714,2,709,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(714,2,714,0,0,"IF", 1, 2, 0);
	trans[0][709]	= settr(708,4,720,218,218,"((queue[other]==first))", 1, 2, 0); /* m: 710 -> 720,0 */
	reached0[710] = 1;
	trans[0][710]	= settr(0,0,0,0,0,"assert(!(on_queue[gathered_slab]))",0,0,0);
	trans[0][711]	= settr(0,0,0,0,0,"on_queue[gathered_slab] = 1",0,0,0);
	trans[0][712]	= settr(0,0,0,0,0,"queue[other] = gathered_slab",0,0,0);
	trans[0][713]	= settr(712,0,722,1,0,"goto :b18", 1, 2, 0); /* m: 722 -> 0,720 */
	reached0[722] = 1;
	trans[0][716]	= settr(715,0,718,1,0,".(goto)", 1, 2, 0);
	trans[0][714]	= settr(713,2,716,2,0,"else", 1, 2, 0);
	trans[0][720]	= settr(719,0,722,1,0,"break", 0, 2, 0);
	trans[0][722]	= settr(721,0,839,219,219,"gathered_slab = 255", 0, 2, 0); /* m: 723 -> 0,839 */
	reached0[723] = 1;
	trans[0][723]	= settr(0,0,0,0,0,"got = 0",0,0,0);
	T = trans[0][839] = settr(838,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(838,0,724,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(838,0,838,0,0,"IF", 0, 2, 0);
	trans[0][724]	= settr(723,0,837,220,0,"(orphan[other])", 1, 2, 0);
	T = trans[ 0][837] = settr(836,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(836,0,733,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][733] = settr(732,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(732,0,732,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][732]	= settr(731,32,834,221,221,"D_STEP240", 1, 2, 0);
	T = trans[0][834] = settr(833,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(833,0,734,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(833,0,833,0,0,"IF", 0, 2, 0);
	trans[0][734]	= settr(733,0,826,222,222,"(got)", 0, 2, 0);
	T = trans[ 0][826] = settr(825,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(825,0,753,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][753] = settr(752,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(752,0,735,0,0,"sub-sequence", 0, 2, 0);
	trans[0][735]	= settr(734,0,739,223,0,"assert((user[other]==me))", 1, 2, 0);
	T = trans[ 0][739] = settr(738,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(738,0,738,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][738] = settr(737,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(737,2,736,0,0,"ATOMIC", 1, 2, 0);
	trans[0][736]	= settr(735,0,750,224,224,"slab = queue[other]", 1, 2, 0); /* m: 737 -> 0,750 */
	reached0[737] = 1;
	trans[0][737]	= settr(0,0,0,0,0,"queue[other] = 255",0,0,0);
	trans[0][751]	= settr(750,0,750,1,0,".(goto)", 0, 2, 0);
	T = trans[0][750] = settr(749,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(749,0,740,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(749,0,748,0,0,"DO", 0, 2, 0);
	trans[0][740]	= settr(739,0,747,225,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][747]	= settr(746,32,750,226,226,"D_STEP185", 1, 2, 0);
	trans[0][748]	= settr(747,0,825,2,0,"else", 0, 2, 0);
	trans[0][749]	= settr(748,0,825,1,0,"goto :b19", 0, 2, 0);
	trans[0][752]	= settr(751,0,825,1,0,"break", 0, 2, 0);
	T = trans[ 0][825] = settr(824,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(824,0,754,0,0,"sub-sequence", 0, 2, 0);
	trans[0][754]	= settr(753,0,757,227,0,"assert((user[other]==me))", 1, 2, 0);
/*->*/	trans[0][757]	= settr(756,32,822,228,228,"D_STEP199", 1, 2, 0);
	trans[0][823]	= settr(822,0,822,1,0,".(goto)", 0, 2, 0);
	T = trans[0][822] = settr(821,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(821,0,758,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(821,0,820,0,0,"DO", 0, 2, 0);
	trans[0][758]	= settr(757,0,761,229,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][761]	= settr(760,32,765,230,230,"D_STEP205", 1, 2, 0);
	T = trans[ 0][765] = settr(764,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(764,0,764,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][764] = settr(763,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(763,2,762,0,0,"ATOMIC", 1, 2, 0);
	trans[0][762]	= settr(761,4,789,231,231,"assert(published[slab])", 1, 2, 0); /* m: 763 -> 0,789 */
	reached0[763] = 1;
	trans[0][763]	= settr(0,0,0,0,0,"published[slab] = 0",0,0,0);
	T = trans[ 0][789] = settr(788,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(788,0,768,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][768] = settr(767,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(767,2,766,0,0,"ATOMIC", 1, 2, 0);
	trans[0][766]	= settr(765,4,787,232,232,"bits = remote_bits[slab]", 1, 2, 0); /* m: 767 -> 0,787 */
	reached0[767] = 1;
	trans[0][767]	= settr(0,0,0,0,0,"remote_bits[slab] = 0",0,0,0);
	T = trans[ 0][787] = settr(786,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(786,0,786,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][786]	= settr(785,32,788,233,233,"D_STEP122", 1, 2, 0);
	trans[0][788]	= settr(787,0,817,234,234,"bits = 0", 0, 2, 0);
	T = trans[ 0][817] = settr(816,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(816,0,815,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][815] = settr(814,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(814,0,790,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(814,0,814,0,0,"IF", 0, 2, 0);
	trans[0][790]	= settr(789,0,813,235,0,"((free_bits[slab]==((1<<2)-1)))", 1, 2, 0);
	T = trans[ 0][813] = settr(812,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(812,0,799,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][799] = settr(798,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(798,0,791,0,0,"sub-sequence", 0, 2, 0);
	trans[0][791]	= settr(790,0,797,236,236,"got = 0", 0, 2, 0);
	T = trans[0][797] = settr(796,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(796,0,792,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(796,0,796,0,0,"IF", 0, 2, 0);
	trans[0][792]	= settr(791,0,795,237,0,"((published[slab]==0))", 1, 2, 0);
	T = trans[ 0][795] = settr(794,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(794,2,793,0,0,"ATOMIC", 1, 2, 0);
	trans[0][793]	= settr(792,0,810,238,238,"got = (published[slab]==0)", 1, 2, 0); /* m: 794 -> 0,810 */
	reached0[794] = 1;
	trans[0][794]	= settr(0,0,0,0,0,"published[slab] = 1",0,0,0);
	trans[0][798]	= settr(797,0,810,1,0,".(goto)", 0, 2, 0);
	trans[0][796]	= settr(795,0,810,2,0,"else", 0, 2, 0);
	T = trans[0][810] = settr(809,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(809,0,800,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(809,0,809,0,0,"IF", 0, 2, 0);
	trans[0][800]	= settr(799,0,808,239,239,"(got)", 0, 2, 0);
	T = trans[ 0][808] = settr(807,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(807,0,807,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][807]	= settr(806,32,812,240,240,"D_STEP147", 1, 2, 0);
	trans[0][811]	= settr(810,0,812,1,0,".(goto)", 0, 2, 0); /* m: 812 -> 0,822 */
	reached0[812] = 1;
	trans[0][809]	= settr(808,0,812,2,0,"else", 0, 2, 0);
	trans[0][812]	= settr(811,0,822,241,241,"got = 0", 0, 2, 0); /* m: 818 -> 0,822 */
	reached0[818] = 1;
	trans[0][816]	= settr(815,0,818,1,0,".(goto)", 0, 2, 0); /* m: 818 -> 0,822 */
	reached0[818] = 1;
	trans[0][814]	= settr(813,0,818,2,0,"else", 0, 2, 0);
	trans[0][818]	= settr(817,0,822,242,242,"slab = next", 0, 2, 0); /* m: 819 -> 0,822 */
	reached0[819] = 1;
	trans[0][819]	= settr(0,0,0,0,0,"next = 255",0,0,0);
	trans[0][820]	= settr(819,0,832,2,0,"else", 0, 2, 0);
	trans[0][821]	= settr(820,0,832,1,0,"goto :b20", 0, 2, 0);
	trans[0][824]	= settr(823,0,832,1,0,"break", 0, 2, 0);
	T = trans[ 0][832] = settr(831,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(831,0,831,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][831]	= settr(830,32,836,243,243,"D_STEP231", 1, 2, 0);
	trans[0][835]	= settr(834,0,836,1,0,".(goto)", 0, 2, 0); /* m: 836 -> 0,1016 */
	reached0[836] = 1;
	trans[0][833]	= settr(832,0,836,2,0,"else", 0, 2, 0);
	trans[0][836]	= settr(835,0,1016,244,244,"got = 0", 0, 2, 0); /* m: 845 -> 0,1016 */
	reached0[845] = 1;
	trans[0][840]	= settr(839,0,845,1,0,".(goto)", 0, 2, 0); /* m: 845 -> 0,1016 */
	reached0[845] = 1;
	trans[0][838]	= settr(837,0,1016,245,245,"(1)", 0, 2, 0); /* m: 845 -> 1016,0 */
	reached0[845] = 1;
	trans[0][844]	= settr(843,0,845,1,0,".(goto)", 0, 2, 0); /* m: 845 -> 0,1016 */
	reached0[845] = 1;
	trans[0][841]	= settr(840,0,842,2,0,"else", 0, 2, 0);
	trans[0][842]	= settr(841,0,1016,246,246,"gathered_slab = 255", 0, 2, 0); /* m: 845 -> 0,1016 */
	reached0[845] = 1;
	trans[0][845]	= settr(844,0,1016,247,247,"other = 255", 0, 2, 0);
	trans[0][1006]	= settr(1005,0,1016,1,0,".(goto)", 0, 2, 0);
	trans[0][847]	= settr(846,0,1003,1,0,"(1)", 0, 2, 0);
	T = trans[ 0][1003] = settr(1002,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1002,0,851,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][851]	= settr(850,32,860,248,248,"D_STEP328", 1, 2, 0);
	T = trans[ 0][860] = settr(859,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(859,0,852,0,0,"sub-sequence", 0, 2, 0);
	trans[0][852]	= settr(851,0,858,249,249,"got = 0", 0, 2, 0);
	T = trans[0][858] = settr(857,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(857,0,853,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(857,0,857,0,0,"IF", 0, 2, 0);
	trans[0][853]	= settr(852,0,856,250,0,"((published[gathered_slab]==0))", 1, 2, 0);
	T = trans[ 0][856] = settr(855,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(855,2,854,0,0,"ATOMIC", 1, 2, 0);
	trans[0][854]	= settr(853,0,1000,251,251,"got = (published[gathered_slab]==0)", 1, 2, 0); /* m: 855 -> 0,1000 */
	reached0[855] = 1;
	trans[0][855]	= settr(0,0,0,0,0,"published[gathered_slab] = 1",0,0,0);
	trans[0][859]	= settr(858,0,1000,1,0,".(goto)", 0, 2, 0);
	trans[0][857]	= settr(856,0,1000,2,0,"else", 0, 2, 0);
	T = trans[0][1000] = settr(999,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(999,0,861,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(999,0,998,0,0,"IF", 0, 2, 0);
	trans[0][861]	= settr(860,0,862,252,252,"(got)", 0, 2, 0);
	trans[0][862]	= settr(861,0,878,253,253,"other = owner[gathered_slab]", 1, 2, 0);
	T = trans[ 0][878] = settr(877,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(877,0,863,0,0,"sub-sequence", 0, 2, 0);
	trans[0][863]	= settr(862,0,875,254,0,"assert(published[gathered_slab])", 1, 2, 0);
	trans[0][876]	= settr(875,0,875,1,0,".(goto)", 0, 2, 0);
	T = trans[0][875] = settr(874,0,0,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(874,0,864,0,0,"DO", 0, 2, 0);
	trans[0][864]	= settr(863,0,865,255,255,"first = queue[other]", 1, 2, 0);
	trans[0][865]	= settr(864,0,874,256,256,"queue_next[gathered_slab] = first", 1, 2, 0);
	T = trans[ 0][874] = settr(873,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(873,2,872,0,0,"ATOMIC", 1, 2, 0);
	T = trans[0][872] = settr(871,2,0,0,0,"IF", 1, 2, 0);
	T = T->nxt	= settr(871,2,866,0,0,"IF", 1, 2, 0);
	    T->nxt	= settr(871,2,871,0,0,"IF", 1, 2, 0);
	trans[0][866]	= settr(865,4,877,257,257,"((queue[other]==first))", 1, 2, 0); /* m: 867 -> 877,0 */
	reached0[867] = 1;
	trans[0][867]	= settr(0,0,0,0,0,"assert(!(on_queue[gathered_slab]))",0,0,0);
	trans[0][868]	= settr(0,0,0,0,0,"on_queue[gathered_slab] = 1",0,0,0);
	trans[0][869]	= settr(0,0,0,0,0,"queue[other] = gathered_slab",0,0,0);
	trans[0][870]	= settr(869,0,879,1,0,"goto :b22", 1, 2, 0); /* m: 879 -> 0,877 */
	reached0[879] = 1;
	trans[0][873]	= settr(872,0,875,1,0,".(goto)", 1, 2, 0);
	trans[0][871]	= settr(870,2,873,2,0,"else", 1, 2, 0);
	trans[0][877]	= settr(876,0,879,1,0,"break", 0, 2, 0);
	trans[0][879]	= settr(878,0,996,258,258,"gathered_slab = 255", 0, 2, 0); /* m: 880 -> 0,996 */
	reached0[880] = 1;
	trans[0][880]	= settr(0,0,0,0,0,"got = 0",0,0,0);
	T = trans[0][996] = settr(995,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(995,0,881,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(995,0,995,0,0,"IF", 0, 2, 0);
	trans[0][881]	= settr(880,0,994,259,0,"(orphan[other])", 1, 2, 0);
	T = trans[ 0][994] = settr(993,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(993,0,890,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][890] = settr(889,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(889,0,889,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][889]	= settr(888,32,991,260,260,"D_STEP240", 1, 2, 0);
	T = trans[0][991] = settr(990,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(990,0,891,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(990,0,990,0,0,"IF", 0, 2, 0);
	trans[0][891]	= settr(890,0,983,261,261,"(got)", 0, 2, 0);
	T = trans[ 0][983] = settr(982,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(982,0,910,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][910] = settr(909,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(909,0,892,0,0,"sub-sequence", 0, 2, 0);
	trans[0][892]	= settr(891,0,896,262,0,"assert((user[other]==me))", 1, 2, 0);
	T = trans[ 0][896] = settr(895,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(895,0,895,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][895] = settr(894,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(894,2,893,0,0,"ATOMIC", 1, 2, 0);
	trans[0][893]	= settr(892,0,907,263,263,"slab = queue[other]", 1, 2, 0); /* m: 894 -> 0,907 */
	reached0[894] = 1;
	trans[0][894]	= settr(0,0,0,0,0,"queue[other] = 255",0,0,0);
	trans[0][908]	= settr(907,0,907,1,0,".(goto)", 0, 2, 0);
	T = trans[0][907] = settr(906,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(906,0,897,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(906,0,905,0,0,"DO", 0, 2, 0);
	trans[0][897]	= settr(896,0,904,264,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][904]	= settr(903,32,907,265,265,"D_STEP185", 1, 2, 0);
	trans[0][905]	= settr(904,0,982,2,0,"else", 0, 2, 0);
	trans[0][906]	= settr(905,0,982,1,0,"goto :b23", 0, 2, 0);
	trans[0][909]	= settr(908,0,982,1,0,"break", 0, 2, 0);
	T = trans[ 0][982] = settr(981,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(981,0,911,0,0,"sub-sequence", 0, 2, 0);
	trans[0][911]	= settr(910,0,914,266,0,"assert((user[other]==me))", 1, 2, 0);
/*->*/	trans[0][914]	= settr(913,32,979,267,267,"D_STEP199", 1, 2, 0);
	trans[0][980]	= settr(979,0,979,1,0,".(goto)", 0, 2, 0);
	T = trans[0][979] = settr(978,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(978,0,915,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(978,0,977,0,0,"DO", 0, 2, 0);
	trans[0][915]	= settr(914,0,918,268,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][918]	= settr(917,32,922,269,269,"D_STEP205", 1, 2, 0);
	T = trans[ 0][922] = settr(921,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(921,0,921,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][921] = settr(920,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(920,2,919,0,0,"ATOMIC", 1, 2, 0);
	trans[0][919]	= settr(918,4,946,270,270,"assert(published[slab])", 1, 2, 0); /* m: 920 -> 0,946 */
	reached0[920] = 1;
	trans[0][920]	= settr(0,0,0,0,0,"published[slab] = 0",0,0,0);
	T = trans[ 0][946] = settr(945,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(945,0,925,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][925] = settr(924,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(924,2,923,0,0,"ATOMIC", 1, 2, 0);
	trans[0][923]	= settr(922,4,944,271,271,"bits = remote_bits[slab]", 1, 2, 0); /* m: 924 -> 0,944 */
	reached0[924] = 1;
	trans[0][924]	= settr(0,0,0,0,0,"remote_bits[slab] = 0",0,0,0);
	T = trans[ 0][944] = settr(943,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(943,0,943,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][943]	= settr(942,32,945,272,272,"D_STEP122", 1, 2, 0);
	trans[0][945]	= settr(944,0,974,273,273,"bits = 0", 0, 2, 0);
	T = trans[ 0][974] = settr(973,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(973,0,972,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][972] = settr(971,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(971,0,947,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(971,0,971,0,0,"IF", 0, 2, 0);
	trans[0][947]	= settr(946,0,970,274,0,"((free_bits[slab]==((1<<2)-1)))", 1, 2, 0);
	T = trans[ 0][970] = settr(969,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(969,0,956,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][956] = settr(955,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(955,0,948,0,0,"sub-sequence", 0, 2, 0);
	trans[0][948]	= settr(947,0,954,275,275,"got = 0", 0, 2, 0);
	T = trans[0][954] = settr(953,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(953,0,949,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(953,0,953,0,0,"IF", 0, 2, 0);
	trans[0][949]	= settr(948,0,952,276,0,"((published[slab]==0))", 1, 2, 0);
	T = trans[ 0][952] = settr(951,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(951,2,950,0,0,"ATOMIC", 1, 2, 0);
	trans[0][950]	= settr(949,0,967,277,277,"got = (published[slab]==0)", 1, 2, 0); /* m: 951 -> 0,967 */
	reached0[951] = 1;
	trans[0][951]	= settr(0,0,0,0,0,"published[slab] = 1",0,0,0);
	trans[0][955]	= settr(954,0,967,1,0,".(goto)", 0, 2, 0);
	trans[0][953]	= settr(952,0,967,2,0,"else", 0, 2, 0);
	T = trans[0][967] = settr(966,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(966,0,957,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(966,0,966,0,0,"IF", 0, 2, 0);
	trans[0][957]	= settr(956,0,965,278,278,"(got)", 0, 2, 0);
	T = trans[ 0][965] = settr(964,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(964,0,964,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][964]	= settr(963,32,969,279,279,"D_STEP147", 1, 2, 0);
	trans[0][968]	= settr(967,0,969,1,0,".(goto)", 0, 2, 0); /* m: 969 -> 0,979 */
	reached0[969] = 1;
	trans[0][966]	= settr(965,0,969,2,0,"else", 0, 2, 0);
	trans[0][969]	= settr(968,0,979,280,280,"got = 0", 0, 2, 0); /* m: 975 -> 0,979 */
	reached0[975] = 1;
	trans[0][973]	= settr(972,0,975,1,0,".(goto)", 0, 2, 0); /* m: 975 -> 0,979 */
	reached0[975] = 1;
	trans[0][971]	= settr(970,0,975,2,0,"else", 0, 2, 0);
	trans[0][975]	= settr(974,0,979,281,281,"slab = next", 0, 2, 0); /* m: 976 -> 0,979 */
	reached0[976] = 1;
	trans[0][976]	= settr(0,0,0,0,0,"next = 255",0,0,0);
	trans[0][977]	= settr(976,0,989,2,0,"else", 0, 2, 0);
	trans[0][978]	= settr(977,0,989,1,0,"goto :b24", 0, 2, 0);
	trans[0][981]	= settr(980,0,989,1,0,"break", 0, 2, 0);
	T = trans[ 0][989] = settr(988,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(988,0,988,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][988]	= settr(987,32,993,282,282,"D_STEP231", 1, 2, 0);
	trans[0][992]	= settr(991,0,993,1,0,".(goto)", 0, 2, 0); /* m: 993 -> 0,1016 */
	reached0[993] = 1;
	trans[0][990]	= settr(989,0,993,2,0,"else", 0, 2, 0);
	trans[0][993]	= settr(992,0,1016,283,283,"got = 0", 0, 2, 0); /* m: 1002 -> 0,1016 */
	reached0[1002] = 1;
	trans[0][997]	= settr(996,0,1002,1,0,".(goto)", 0, 2, 0); /* m: 1002 -> 0,1016 */
	reached0[1002] = 1;
	trans[0][995]	= settr(994,0,1016,284,284,"(1)", 0, 2, 0); /* m: 1002 -> 1016,0 */
	reached0[1002] = 1;
	trans[0][1001]	= settr(1000,0,1002,1,0,".(goto)", 0, 2, 0); /* m: 1002 -> 0,1016 */
	reached0[1002] = 1;
	trans[0][998]	= settr(997,0,999,2,0,"else", 0, 2, 0);
	trans[0][999]	= settr(998,0,1016,285,285,"gathered_slab = 255", 0, 2, 0); /* m: 1002 -> 0,1016 */
	reached0[1002] = 1;
	trans[0][1002]	= settr(1001,0,1016,286,286,"other = 255", 0, 2, 0);
	trans[0][1004]	= settr(1003,0,1016,287,0,"((heap!=255))", 0, 2, 0);
	trans[0][1012]	= settr(1011,0,1016,1,0,".(goto)", 0, 2, 0);
	trans[0][1010]	= settr(1009,0,1016,2,0,"else", 0, 2, 0);
	trans[0][1014]	= settr(1013,0,1122,1,0,"(1)", 0, 2, 0);
	trans[0][1015]	= settr(1014,0,1122,1,0,"goto :b0", 0, 2, 0);
	trans[0][1018]	= settr(1017,0,1122,1,0,"break", 0, 2, 0);
	T = trans[ 0][1122] = settr(1121,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1121,0,1120,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][1120] = settr(1119,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1119,0,1019,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(1119,0,1119,0,0,"IF", 0, 2, 0);
	trans[0][1019]	= settr(1018,0,1111,288,0,"((heap!=255))", 0, 2, 0);
	T = trans[ 0][1111] = settr(1110,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1110,0,1038,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][1038] = settr(1037,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1037,0,1020,0,0,"sub-sequence", 0, 2, 0);
	trans[0][1020]	= settr(1019,0,1024,289,0,"assert((user[heap]==me))", 1, 2, 0);
	T = trans[ 0][1024] = settr(1023,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1023,0,1023,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][1023] = settr(1022,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(1022,2,1021,0,0,"ATOMIC", 1, 2, 0);
	trans[0][1021]	= settr(1020,0,1035,290,290,"slab = queue[heap]", 1, 2, 0); /* m: 1022 -> 0,1035 */
	reached0[1022] = 1;
	trans[0][1022]	= settr(0,0,0,0,0,"queue[heap] = 255",0,0,0);
	trans[0][1036]	= settr(1035,0,1035,1,0,".(goto)", 0, 2, 0);
	T = trans[0][1035] = settr(1034,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(1034,0,1025,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(1034,0,1033,0,0,"DO", 0, 2, 0);
	trans[0][1025]	= settr(1024,0,1032,291,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][1032]	= settr(1031,32,1035,292,292,"D_STEP185", 1, 2, 0);
	trans[0][1033]	= settr(1032,0,1110,2,0,"else", 0, 2, 0);
	trans[0][1034]	= settr(1033,0,1110,1,0,"goto :b26", 0, 2, 0);
	trans[0][1037]	= settr(1036,0,1110,1,0,"break", 0, 2, 0);
	T = trans[ 0][1110] = settr(1109,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1109,0,1039,0,0,"sub-sequence", 0, 2, 0);
	trans[0][1039]	= settr(1038,0,1042,293,0,"assert((user[heap]==me))", 1, 2, 0);
/*->*/	trans[0][1042]	= settr(1041,32,1107,294,294,"D_STEP199", 1, 2, 0);
	trans[0][1108]	= settr(1107,0,1107,1,0,".(goto)", 0, 2, 0);
	T = trans[0][1107] = settr(1106,0,0,0,0,"DO", 0, 2, 0);
	T = T->nxt	= settr(1106,0,1043,0,0,"DO", 0, 2, 0);
	    T->nxt	= settr(1106,0,1105,0,0,"DO", 0, 2, 0);
	trans[0][1043]	= settr(1042,0,1046,295,0,"((slab!=255))", 0, 2, 0);
/*->*/	trans[0][1046]	= settr(1045,32,1050,296,296,"D_STEP205", 1, 2, 0);
	T = trans[ 0][1050] = settr(1049,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1049,0,1049,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][1049] = settr(1048,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(1048,2,1047,0,0,"ATOMIC", 1, 2, 0);
	trans[0][1047]	= settr(1046,4,1074,297,297,"assert(published[slab])", 1, 2, 0); /* m: 1048 -> 0,1074 */
	reached0[1048] = 1;
	trans[0][1048]	= settr(0,0,0,0,0,"published[slab] = 0",0,0,0);
	T = trans[ 0][1074] = settr(1073,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1073,0,1053,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][1053] = settr(1052,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(1052,2,1051,0,0,"ATOMIC", 1, 2, 0);
	trans[0][1051]	= settr(1050,4,1072,298,298,"bits = remote_bits[slab]", 1, 2, 0); /* m: 1052 -> 0,1072 */
	reached0[1052] = 1;
	trans[0][1052]	= settr(0,0,0,0,0,"remote_bits[slab] = 0",0,0,0);
	T = trans[ 0][1072] = settr(1071,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1071,0,1071,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][1071]	= settr(1070,32,1073,299,299,"D_STEP122", 1, 2, 0);
	trans[0][1073]	= settr(1072,0,1102,300,300,"bits = 0", 0, 2, 0);
	T = trans[ 0][1102] = settr(1101,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1101,0,1100,0,0,"sub-sequence", 0, 2, 0);
	T = trans[0][1100] = settr(1099,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1099,0,1075,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(1099,0,1099,0,0,"IF", 0, 2, 0);
	trans[0][1075]	= settr(1074,0,1098,301,0,"((free_bits[slab]==((1<<2)-1)))", 1, 2, 0);
	T = trans[ 0][1098] = settr(1097,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1097,0,1084,0,0,"sub-sequence", 0, 2, 0);
	T = trans[ 0][1084] = settr(1083,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1083,0,1076,0,0,"sub-sequence", 0, 2, 0);
	trans[0][1076]	= settr(1075,0,1082,302,302,"got = 0", 0, 2, 0);
	T = trans[0][1082] = settr(1081,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1081,0,1077,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(1081,0,1081,0,0,"IF", 0, 2, 0);
	trans[0][1077]	= settr(1076,0,1080,303,0,"((published[slab]==0))", 1, 2, 0);
	T = trans[ 0][1080] = settr(1079,2,0,0,0,"ATOMIC", 1, 2, 0);
	T->nxt	= settr(1079,2,1078,0,0,"ATOMIC", 1, 2, 0);
	trans[0][1078]	= settr(1077,0,1095,304,304,"got = (published[slab]==0)", 1, 2, 0); /* m: 1079 -> 0,1095 */
	reached0[1079] = 1;
	trans[0][1079]	= settr(0,0,0,0,0,"published[slab] = 1",0,0,0);
	trans[0][1083]	= settr(1082,0,1095,1,0,".(goto)", 0, 2, 0);
	trans[0][1081]	= settr(1080,0,1095,2,0,"else", 0, 2, 0);
	T = trans[0][1095] = settr(1094,0,0,0,0,"IF", 0, 2, 0);
	T = T->nxt	= settr(1094,0,1085,0,0,"IF", 0, 2, 0);
	    T->nxt	= settr(1094,0,1094,0,0,"IF", 0, 2, 0);
	trans[0][1085]	= settr(1084,0,1093,305,305,"(got)", 0, 2, 0);
	T = trans[ 0][1093] = settr(1092,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1092,0,1092,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][1092]	= settr(1091,32,1097,306,306,"D_STEP147", 1, 2, 0);
	trans[0][1096]	= settr(1095,0,1097,1,0,".(goto)", 0, 2, 0); /* m: 1097 -> 0,1107 */
	reached0[1097] = 1;
	trans[0][1094]	= settr(1093,0,1097,2,0,"else", 0, 2, 0);
	trans[0][1097]	= settr(1096,0,1107,307,307,"got = 0", 0, 2, 0); /* m: 1103 -> 0,1107 */
	reached0[1103] = 1;
	trans[0][1101]	= settr(1100,0,1103,1,0,".(goto)", 0, 2, 0); /* m: 1103 -> 0,1107 */
	reached0[1103] = 1;
	trans[0][1099]	= settr(1098,0,1103,2,0,"else", 0, 2, 0);
	trans[0][1103]	= settr(1102,0,1107,308,308,"slab = next", 0, 2, 0); /* m: 1104 -> 0,1107 */
	reached0[1104] = 1;
	trans[0][1104]	= settr(0,0,0,0,0,"next = 255",0,0,0);
	trans[0][1105]	= settr(1104,0,1117,2,0,"else", 0, 2, 0);
	trans[0][1106]	= settr(1105,0,1117,1,0,"goto :b27", 0, 2, 0);
	trans[0][1109]	= settr(1108,0,1117,1,0,"break", 0, 2, 0);
	T = trans[ 0][1117] = settr(1116,0,0,0,0,"sub-sequence", 0, 2, 0);
	T->nxt	= settr(1116,0,1116,0,0,"sub-sequence", 0, 2, 0);
/*->*/	trans[0][1116]	= settr(1115,32,1118,309,309,"D_STEP231", 1, 2, 0);
	trans[0][1118]	= settr(1117,0,1123,310,310,"heap = 255", 0, 2, 0);
	trans[0][1121]	= settr(1120,0,1123,1,0,".(goto)", 0, 2, 0);
	trans[0][1119]	= settr(1118,0,1123,2,0,"else", 0, 2, 0);
	trans[0][1123]	= settr(1122,0,1124,311,311,"ended = (ended+1)", 1, 2, 0);
	trans[0][1124]	= settr(1123,0,0,312,312,"-end-", 0, 3500, 0);
	/* np_ demon: */
	trans[_NP_] = (Trans **) emalloc(3*sizeof(Trans *));
	T = trans[_NP_][0] = settr(9997,0,1,_T5,0,"(np_)", 1,2,0);
	    T->nxt	  = settr(9998,0,0,_T2,0,"(1)",   0,2,0);
	T = trans[_NP_][1] = settr(9999,0,1,_T5,0,"(np_)", 1,2,0);
}

Trans *
settr(	int t_id, int a, int b, int c, int d,
	char *t, int g, int tpe0, int tpe1)
{	Trans *tmp = (Trans *) emalloc(sizeof(Trans));

	tmp->atom  = a&(6|32);	/* only (2|8|32) have meaning */
	if (!g) tmp->atom |= 8;	/* no global references */
	tmp->st    = b;
	tmp->tpe[0] = tpe0;
	tmp->tpe[1] = tpe1;
	tmp->tp    = t;
	tmp->t_id  = t_id;
	tmp->forw  = c;
	tmp->back  = d;
	return tmp;
}

Trans *
cpytr(Trans *a)
{	Trans *tmp = (Trans *) emalloc(sizeof(Trans));

	int i;
	tmp->atom  = a->atom;
	tmp->st    = a->st;
#ifdef HAS_UNLESS
	tmp->e_trans = a->e_trans;
	for (i = 0; i < HAS_UNLESS; i++)
		tmp->escp[i] = a->escp[i];
#endif
	tmp->tpe[0] = a->tpe[0];
	tmp->tpe[1] = a->tpe[1];
	for (i = 0; i < 6; i++)
	{	tmp->qu[i] = a->qu[i];
		tmp->ty[i] = a->ty[i];
	}
	tmp->tp    = (char *) emalloc(strlen(a->tp)+1);
	strcpy(tmp->tp, a->tp);
	tmp->t_id  = a->t_id;
	tmp->forw  = a->forw;
	tmp->back  = a->back;
	return tmp;
}

#ifndef NOREDUCE
int
srinc_set(int n)
{	if (n <= 2) return LOCAL;
	if (n <= 2+  DELTA) return Q_FULL_F; /* 's' or nfull  */
	if (n <= 2+2*DELTA) return Q_EMPT_F; /* 'r' or nempty */
	if (n <= 2+3*DELTA) return Q_EMPT_T; /* empty */
	if (n <= 2+4*DELTA) return Q_FULL_T; /* full  */
	if (n ==   5*DELTA) return GLOBAL;
	if (n ==   6*DELTA) return TIMEOUT_F;
	if (n ==   7*DELTA) return ALPHA_F;
	Uerror("cannot happen srinc_class");
	return BAD;
}
int
srunc(int n, int m)
{	switch(m) {
	case Q_FULL_F: return n-2;
	case Q_EMPT_F: return n-2-DELTA;
	case Q_EMPT_T: return n-2-2*DELTA;
	case Q_FULL_T: return n-2-3*DELTA;
	case ALPHA_F:
	case TIMEOUT_F: return 257; /* non-zero, and > MAXQ */
	}
	Uerror("cannot happen srunc");
	return 0;
}
#endif
int cnt;
#ifdef HAS_UNLESS
int
isthere(Trans *a, int b)
{	Trans *t;
	for (t = a; t; t = t->nxt)
		if (t->t_id == b)
			return 1;
	return 0;
}
#endif
#ifndef NOREDUCE
int
mark_safety(Trans *t) /* for conditional safety */
{	int g = 0, i, j, k;

	if (!t) return 0;
	if (t->qu[0])
		return (t->qu[1])?2:1;	/* marked */

	for (i = 0; i < 2; i++)
	{	j = srinc_set(t->tpe[i]);
		if (j >= GLOBAL && j != ALPHA_F)
			return -1;
		if (j != LOCAL)
		{	k = srunc(t->tpe[i], j);
			if (g == 0
			||  t->qu[0] != k
			||  t->ty[0] != j)
			{	t->qu[g] = k;
				t->ty[g] = j;
				g++;
	}	}	}
	return g;
}
#endif
void
retrans(int n, int m, int is, short srcln[], uchar reach[], uchar lpstate[])
	/* process n, with m states, is=initial state */
{	Trans *T0, *T1, *T2, *T3;
	Trans *T4, *T5; /* t_reverse or has_unless */
	int i;
#if defined(HAS_UNLESS) || !defined(NOREDUCE)
	int k;
#endif
#ifndef NOREDUCE
	int g, h, j, aa;
#endif
#ifdef HAS_UNLESS
	int p;
#endif
	if (state_tables >= 4)
	{	printf("STEP 1 %s\n", 
			procname[n]);
		for (i = 1; i < m; i++)
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
			crack(n, i, T0, srcln);
		return;
	}
	do {
		for (i = 1, cnt = 0; i < m; i++)
		{	T2 = trans[n][i];
			T1 = T2?T2->nxt:(Trans *)0;
/* prescan: */		for (T0 = T1; T0; T0 = T0->nxt)
/* choice in choice */	{	if (T0->st && trans[n][T0->st]
				&&  trans[n][T0->st]->nxt)
					break;
			}
#if 0
		if (T0)
		printf("\tstate %d / %d: choice in choice\n",
		i, T0->st);
#endif
			if (T0)
			for (T0 = T1; T0; T0 = T0->nxt)
			{	T3 = trans[n][T0->st];
				if (!T3->nxt)
				{	T2->nxt = cpytr(T0);
					T2 = T2->nxt;
					imed(T2, T0->st, n, i);
					continue;
				}
				do {	T3 = T3->nxt;
					T2->nxt = cpytr(T3);
					T2 = T2->nxt;
					imed(T2, T0->st, n, i);
				} while (T3->nxt);
				cnt++;
			}
		}
	} while (cnt);
	if (state_tables >= 3)
	{	printf("STEP 2 %s\n", 
			procname[n]);
		for (i = 1; i < m; i++)
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
			crack(n, i, T0, srcln);
		return;
	}
	for (i = 1; i < m; i++)
	{	if (trans[n][i] && trans[n][i]->nxt) /* optimize */
		{	T1 = trans[n][i]->nxt;
#if 0
			printf("\t\tpull %d (%d) to %d\n",
			T1->st, T1->forw, i);
#endif
			srcln[i] = srcln[T1->st];	/* Oyvind Teig, 5.2.0 */

			if (!trans[n][T1->st]) continue;
			T0 = cpytr(trans[n][T1->st]);
			trans[n][i] = T0;
			reach[T1->st] = 1;
			imed(T0, T1->st, n, i);
			for (T1 = T1->nxt; T1; T1 = T1->nxt)
			{
#if 0
			printf("\t\tpull %d (%d) to %d\n",
				T1->st, T1->forw, i);
#endif
		/*		srcln[i] = srcln[T1->st];  gh: not useful */
				if (!trans[n][T1->st]) continue;
				T0->nxt = cpytr(trans[n][T1->st]);
				T0 = T0->nxt;
				reach[T1->st] = 1;
				imed(T0, T1->st, n, i);
	}	}	}
	if (state_tables >= 2)
	{	printf("STEP 3 %s\n", 
			procname[n]);
		for (i = 1; i < m; i++)
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
			crack(n, i, T0, srcln);
		return;
	}
#ifdef HAS_UNLESS
	for (i = 1; i < m; i++)
	{	if (!trans[n][i]) continue;
		/* check for each state i if an
		 * escape to some state p is defined
		 * if so, copy and mark p's transitions
		 * and prepend them to the transition-
		 * list of state i
		 */
	 if (!like_java) /* the default */
	 {	for (T0 = trans[n][i]; T0; T0 = T0->nxt)
		for (k = HAS_UNLESS-1; k >= 0; k--)
		{	if (p = T0->escp[k])
			for (T1 = trans[n][p]; T1; T1 = T1->nxt)
			{	if (isthere(trans[n][i], T1->t_id))
					continue;
				T2 = cpytr(T1);
				T2->e_trans = p;
				T2->nxt = trans[n][i];
				trans[n][i] = T2;
		}	}
	 } else /* outermost unless checked first */
	 {	T4 = T3 = (Trans *) 0;
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
		for (k = HAS_UNLESS-1; k >= 0; k--)
		{	if (p = T0->escp[k])
			for (T1 = trans[n][p]; T1; T1 = T1->nxt)
			{	if (isthere(trans[n][i], T1->t_id))
					continue;
				T2 = cpytr(T1);
				T2->nxt = (Trans *) 0;
				T2->e_trans = p;
				if (T3)	T3->nxt = T2;
				else	T4 = T2;
				T3 = T2;
		}	}
		if (T4)
		{	T3->nxt = trans[n][i];
			trans[n][i] = T4;
		}
	 }
	}
#endif
#ifndef NOREDUCE
	for (i = 1; i < m; i++)
	{	if (a_cycles)
		{ /* moves through these states are visible */
	#if PROG_LAB>0 && defined(HAS_NP)
			if (progstate[n][i])
				goto degrade;
			for (T1 = trans[n][i]; T1; T1 = T1->nxt)
				if (progstate[n][T1->st])
					goto degrade;
	#endif
			if (accpstate[n][i] || visstate[n][i])
				goto degrade;
			for (T1 = trans[n][i]; T1; T1 = T1->nxt)
				if (accpstate[n][T1->st])
					goto degrade;
		}
		T1 = trans[n][i];
		if (!T1) continue;
		g = mark_safety(T1);	/* V3.3.1 */
		if (g < 0) goto degrade; /* global */
		/* check if mixing of guards preserves reduction */
		if (T1->nxt)
		{	k = 0;
			for (T0 = T1; T0; T0 = T0->nxt)
			{	if (!(T0->atom&8))
					goto degrade;
				for (aa = 0; aa < 2; aa++)
				{	j = srinc_set(T0->tpe[aa]);
					if (j >= GLOBAL && j != ALPHA_F)
						goto degrade;
					if (T0->tpe[aa]
					&&  T0->tpe[aa]
					!=  T1->tpe[0])
						k = 1;
			}	}
			/* g = 0;	V3.3.1 */
			if (k)	/* non-uniform selection */
			for (T0 = T1; T0; T0 = T0->nxt)
			for (aa = 0; aa < 2; aa++)
			{	j = srinc_set(T0->tpe[aa]);
				if (j != LOCAL)
				{	k = srunc(T0->tpe[aa], j);
					for (h = 0; h < 6; h++)
						if (T1->qu[h] == k
						&&  T1->ty[h] == j)
							break;
					if (h >= 6)
					{	T1->qu[g%6] = k;
						T1->ty[g%6] = j;
						g++;
			}	}	}
			if (g > 6)
			{	T1->qu[0] = 0;	/* turn it off */
				printf("pan: warning, line %d, ",
					srcln[i]);
			 	printf("too many stmnt types (%d)",
					g);
			  	printf(" in selection\n");
			  goto degrade;
			}
		}
		/* mark all options global if >=1 is global */
		for (T1 = trans[n][i]; T1; T1 = T1->nxt)
			if (!(T1->atom&8)) break;
		if (T1)
degrade:	for (T1 = trans[n][i]; T1; T1 = T1->nxt)
			T1->atom &= ~8;	/* mark as unsafe */
		/* can only mix 'r's or 's's if on same chan */
		/* and not mixed with other local operations */
		T1 = trans[n][i];
		if (!T1 || T1->qu[0]) continue;
		j = T1->tpe[0];
		if (T1->nxt && T1->atom&8)
		{ if (j == 5*DELTA)
		  {	printf("warning: line %d ", srcln[i]);
			printf("mixed condition ");
			printf("(defeats reduction)\n");
			goto degrade;
		  }
		  for (T0 = T1; T0; T0 = T0->nxt)
		  for (aa = 0; aa < 2; aa++)
		  if  (T0->tpe[aa] && T0->tpe[aa] != j)
		  {	printf("warning: line %d ", srcln[i]);
			printf("[%d-%d] mixed %stion ",
				T0->tpe[aa], j, 
				(j==5*DELTA)?"condi":"selec");
			printf("(defeats reduction)\n");
			printf("	'%s' <-> '%s'\n",
				T1->tp, T0->tp);
			goto degrade;
		} }
	}
#endif
	for (i = 1; i < m; i++)
	{	T2 = trans[n][i];
		if (!T2
		||  T2->nxt
		||  strncmp(T2->tp, ".(goto)", 7)
		||  !stopstate[n][i])
			continue;
		stopstate[n][T2->st] = 1;
	}
	if (state_tables && !verbose)
	{	if (dodot)
		{	char buf[256], *q = buf, *p = procname[n];
			while (*p != '\0')
			{	if (*p != ':')
				{	*q++ = *p;
				}
				p++;
			}
			*q = '\0';
			printf("digraph ");
			switch (Btypes[n]) {
			case I_PROC:  printf("init {\n"); break;
			case N_CLAIM: printf("claim_%s {\n", buf); break;
			case E_TRACE: printf("notrace {\n"); break;
			case N_TRACE: printf("trace {\n"); break;
			default:      printf("p_%s {\n", buf); break;
			}
			printf("size=\"8,10\";\n");
			printf("  GT [shape=box,style=dotted,label=\"%s\"];\n", buf);
			printf("  GT -> S%d;\n", is);
		} else
		{	switch (Btypes[n]) {
			case I_PROC:  printf("init\n"); break;
			case N_CLAIM: printf("claim %s\n", procname[n]); break;
			case E_TRACE: printf("notrace assertion\n"); break;
			case N_TRACE: printf("trace assertion\n"); break;
			default:      printf("proctype %s\n", procname[n]); break;
		}	}
		for (i = 1; i < m; i++)
		{	reach[i] = 1;
		}
		tagtable(n, m, is, srcln, reach);
		if (dodot) printf("}\n");
	} else
	for (i = 1; i < m; i++)
	{	int nrelse;
		if (Btypes[n] != N_CLAIM)
		{	for (T0 = trans[n][i]; T0; T0 = T0->nxt)
			{	if (T0->st == i
				&& strcmp(T0->tp, "(1)") == 0)
				{	printf("error: proctype '%s' ",
						procname[n]);
		  			printf("line %d, state %d: has un",
						srcln[i], i);
					printf("conditional self-loop\n");
					pan_exit(1);
		}	}	}
		nrelse = 0;
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
		{	if (strcmp(T0->tp, "else") == 0)
				nrelse++;
		}
		if (nrelse > 1)
		{	printf("error: proctype '%s' state",
				procname[n]);
		  	printf(" %d, inherits %d", i, nrelse);
		  	printf(" 'else' stmnts\n");
			pan_exit(1);
	}	}
#if !defined(LOOPSTATE) && !defined(BFS_PAR)
	if (state_tables)
#endif
	do_dfs(n, m, is, srcln, reach, lpstate);

	if (!t_reverse)
	{	return;
	}
	/* process n, with m states, is=initial state -- reverse list */
	if (!state_tables && Btypes[n] != N_CLAIM)
	{	for (i = 1; i < m; i++)
		{	Trans *Tx = (Trans *) 0; /* list of escapes */
			Trans *Ty = (Trans *) 0; /* its tail element */
			T1 = (Trans *) 0; /* reversed list */
			T2 = (Trans *) 0; /* its tail */
			T3 = (Trans *) 0; /* remembers possible 'else' */

			/* find unless-escapes, they should go first */
			T4 = T5 = T0 = trans[n][i];
	#ifdef HAS_UNLESS
			while (T4 && T4->e_trans) /* escapes are first in orig list */
			{	T5 = T4;	  /* remember predecessor */
				T4 = T4->nxt;
			}
	#endif
			/* T4 points to first non-escape, T5 to its parent, T0 to original list */
			if (T4 != T0)		 /* there was at least one escape */
			{	T3 = T5->nxt;		 /* start of non-escapes */
				T5->nxt = (Trans *) 0;	 /* separate */
				Tx = T0;		 /* start of the escapes */
				Ty = T5;		 /* its tail */
				T0 = T3;		 /* the rest, to be reversed */
			}
			/* T0 points to first non-escape, Tx to the list of escapes, Ty to its tail */

			/* first tail-add non-escape transitions, reversed */
			T3 = (Trans *) 0;
			for (T5 = T0; T5; T5 = T4)
			{	T4 = T5->nxt;
	#ifdef HAS_UNLESS
				if (T5->e_trans)
				{	printf("error: cannot happen!\n");
					continue;
				}
	#endif
				if (strcmp(T5->tp, "else") == 0)
				{	T3 = T5;
					T5->nxt = (Trans *) 0;
				} else
				{	T5->nxt = T1;
					if (!T1) { T2 = T5; }
					T1 = T5;
			}	}
			/* T3 points to a possible else, which is removed from the list */
			/* T1 points to the reversed list so far (without escapes) */
			/* T2 points to the tail element -- where the else should go */
			if (T2 && T3)
			{	T2->nxt = T3;	/* add else */
			} else
			{	if (T3) /* there was an else, but there's no tail */
				{	if (!T1)	/* and no reversed list */
					{	T1 = T3; /* odd, but possible */
					} else		/* even stranger */
					{	T1->nxt = T3;
			}	}	}

			/* add in the escapes, to that they appear at the front */
			if (Tx && Ty) { Ty->nxt = T1; T1 = Tx; }

			trans[n][i] = T1;
			/* reversed, with escapes first and else last */
	}	}
	if (state_tables && verbose)
	{	printf("FINAL proctype %s\n", 
			procname[n]);
		for (i = 1; i < m; i++)
		for (T0 = trans[n][i]; T0; T0 = T0->nxt)
			crack(n, i, T0, srcln);
	}
}
void
imed(Trans *T, int v, int n, int j)	/* set intermediate state */
{	progstate[n][T->st] |= progstate[n][v];
	accpstate[n][T->st] |= accpstate[n][v];
	stopstate[n][T->st] |= stopstate[n][v];
	mapstate[n][j] = T->st;
}
void
tagtable(int n, int m, int is, short srcln[], uchar reach[])
{	Trans *z;

	if (is >= m || !trans[n][is]
	||  is <= 0 || reach[is] == 0)
		return;
	reach[is] = 0;
	if (state_tables)
	for (z = trans[n][is]; z; z = z->nxt)
	{	if (dodot)
			dot_crack(n, is, z);
		else
			crack(n, is, z, srcln);
	}

	for (z = trans[n][is]; z; z = z->nxt)
	{
#ifdef HAS_UNLESS
		int i, j;
#endif
		tagtable(n, m, z->st, srcln, reach);
#ifdef HAS_UNLESS
		for (i = 0; i < HAS_UNLESS; i++)
		{	j = trans[n][is]->escp[i];
			if (!j) break;
			tagtable(n, m, j, srcln, reach);
		}
#endif
	}
}

extern Trans *t_id_lkup[];

void
dfs_table(int n, int m, int is, short srcln[], uchar reach[], uchar lpstate[])
{	Trans *z;

	if (is >= m || is <= 0 || !trans[n][is])
		return;
	if ((reach[is] & (4|8|16)) != 0)
	{	if ((reach[is] & (8|16)) == 16)	/* on stack, not yet recorded */
		{	lpstate[is] = 1;
			reach[is] |= 8; /* recorded */
			if (state_tables && verbose)
			{	printf("state %d line %d is a loopstate\n", is, srcln[is]);
		}	}
		return;
	}
	reach[is] |= (4|16);	/* visited | onstack */
	for (z = trans[n][is]; z; z = z->nxt)
	{	t_id_lkup[z->t_id] = z;
#ifdef HAS_UNLESS
		int i, j;
#endif
		dfs_table(n, m, z->st, srcln, reach, lpstate);
#ifdef HAS_UNLESS
		for (i = 0; i < HAS_UNLESS; i++)
		{	j = trans[n][is]->escp[i];
			if (!j) break;
			dfs_table(n, m, j, srcln, reach, lpstate);
		}
#endif
	}
	reach[is] &= ~16; /* no longer on stack */
}
void
do_dfs(int n, int m, int is, short srcln[], uchar reach[], uchar lpstate[])
{	int i;
	dfs_table(n, m, is, srcln, reach, lpstate);
	for (i = 0; i < m; i++)
		reach[i] &= ~(4|8|16);
}
void
crack(int n, int j, Trans *z, short srcln[])
{	int i;

	if (!z) return;
	printf("	state %3d -(tr %3d)-> state %3d  ",
		j, z->forw, z->st);
	printf("[id %3d tp %3d", z->t_id, z->tpe[0]);
	if (z->tpe[1]) printf(",%d", z->tpe[1]);
#ifdef HAS_UNLESS
	if (z->e_trans)
		printf(" org %3d", z->e_trans);
	else if (state_tables >= 2)
	for (i = 0; i < HAS_UNLESS; i++)
	{	if (!z->escp[i]) break;
		printf(" esc %d", z->escp[i]);
	}
#endif
	printf("]");
	printf(" [%s%s%s%s%s] %s:%d => ",
		z->atom&6?"A":z->atom&32?"D":"-",
		accpstate[n][j]?"a" :"-",
		stopstate[n][j]?"e" : "-",
		progstate[n][j]?"p" : "-",
		z->atom & 8 ?"L":"G",
		PanSource, srcln[j]);
	for (i = 0; z->tp[i]; i++)
		if (z->tp[i] == '\n')
			printf("\\n");
		else
			putchar(z->tp[i]);
	if (verbose && z->qu[0])
	{	printf("\t[");
		for (i = 0; i < 6; i++)
			if (z->qu[i])
				printf("(%d,%d)",
				z->qu[i], z->ty[i]);
		printf("]");
	}
	printf("\n");
	fflush(stdout);
}
/* spin -a m.pml; cc -o pan pan.c; ./pan -D | dot -Tps > foo.ps; ps2pdf foo.ps */
void
dot_crack(int n, int j, Trans *z)
{	int i;

	if (!z) return;
	printf("	S%d -> S%d  [color=black", j, z->st);

	if (z->atom&6) printf(",style=dashed");
	else if (z->atom&32) printf(",style=dotted");
	else if (z->atom&8) printf(",style=solid");
	else printf(",style=bold");

	printf(",label=\"");
	for (i = 0; z->tp[i]; i++)
	{	if (z->tp[i] == '\\'
		&&  z->tp[i+1] == 'n')
		{	i++; printf(" ");
		} else
		{	putchar(z->tp[i]);
	}	}
	printf("\"];\n");
	if (accpstate[n][j]) printf("  S%d [color=red,style=bold];\n", j);
	else if (progstate[n][j]) printf("  S%d [color=green,style=bold];\n", j);
	if (stopstate[n][j]) printf("  S%d [color=blue,style=bold,shape=box];\n", j);
}

#ifdef VAR_RANGES
#define BYTESIZE	32	/* 2^8 : 2^3 = 256:8 = 32 */

typedef struct Vr_Ptr {
	char	*nm;
	uchar	vals[BYTESIZE];
	struct Vr_Ptr *nxt;
} Vr_Ptr;
Vr_Ptr *ranges = (Vr_Ptr *) 0;

void
logval(char *s, int v)
{	Vr_Ptr *tmp;

	if (v<0 || v > 255) return;
	for (tmp = ranges; tmp; tmp = tmp->nxt)
		if (!strcmp(tmp->nm, s))
			goto found;
	tmp = (Vr_Ptr *) emalloc(sizeof(Vr_Ptr));
	tmp->nxt = ranges;
	ranges = tmp;
	tmp->nm = s;
found:
	tmp->vals[(v)/8] |= 1<<((v)%8);
}

void
dumpval(uchar X[], int range)
{	int w, x, i, j = -1;

	for (w = i = 0; w < range; w++)
	for (x = 0; x < 8; x++, i++)
	{
from:		if ((X[w] & (1<<x)))
		{	printf("%d", i);
			j = i;
			goto upto;
	}	}
	return;
	for (w = 0; w < range; w++)
	for (x = 0; x < 8; x++, i++)
	{
upto:		if (!(X[w] & (1<<x)))
		{	if (i-1 == j)
				printf(", ");
			else
				printf("-%d, ", i-1);
			goto from;
	}	}
	if (j >= 0 && j != 255)
		printf("-255");
}

void
dumpranges(void)
{	Vr_Ptr *tmp;
	printf("\nValues assigned within ");
	printf("interval [0..255]:\n");
	for (tmp = ranges; tmp; tmp = tmp->nxt)
	{	printf("\t%s\t: ", tmp->nm);
		dumpval(tmp->vals, BYTESIZE);
		printf("\n");
	}
}
#endif
