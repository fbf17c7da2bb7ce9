#include "cold/residency_figures.h"

#include "base/base.h"
#include "cold/shared_figure.h"

enum { FRESH_SHARE = 6 };

static struct {
  _Alignas(64) _Atomic size_t committed[HOLDERS]; /* active or retained */
  _Atomic size_t retained[HOLDERS];
  _Atomic size_t holes;    /* bytes of active memory that were given back */
  _Atomic size_t fresh[2]; /* of slabs of several units, and of one, that were never used */
  _Atomic size_t kept;     /* of active memory: empty, and kept by heaps */
} figures;

_Static_assert(sizeof figures == 64, "one line");

static _Atomic size_t unit_slabs; /* slabs of one unit */

void residency_activate(enum holder holder, size_t fresh_bytes, size_t reused_bytes) {
  figure_subtract(&figures.retained[holder], reused_bytes);
  figure_add(&figures.committed[holder], fresh_bytes);
}

void residency_deactivate(enum holder holder, size_t bytes) {
  observe_shared_figure();
  atomic_fetch_add(&figures.retained[holder], bytes);
}

void residency_drop(enum holder holder, size_t bytes) { figure_subtract(&figures.committed[holder], bytes); }

void residency_uncommit(enum holder holder, size_t bytes) {
  residency_drop(holder, bytes); /* first: see active_bytes */
  figure_subtract(&figures.retained[holder], bytes);
}

void residency_recount(enum holder holder, size_t active_bytes, size_t retained_bytes) {
  figure_set(&figures.committed[holder], active_bytes + retained_bytes);
  figure_set(&figures.retained[holder], retained_bytes);
}

void residency_fresh(size_t bytes, unsigned units) { figure_add(&figures.fresh[units == 1], bytes); }
void residency_fresh_used(size_t bytes, unsigned units) { figure_subtract(&figures.fresh[units == 1], bytes); }
void residency_holes_left(size_t bytes) { figure_add(&figures.holes, bytes); }
void residency_holes_closed(size_t bytes) { figure_subtract(&figures.holes, bytes); }
void residency_kept(size_t before, size_t now) { figure_change(&figures.kept, before, now); }

void residency_unit_bound(void) { figure_add(&unit_slabs, 1); }
void residency_unit_unbound(void) { figure_subtract(&unit_slabs, 1); }

bool residency_units_are_dense(void) {
  return figure_get(&figures.fresh[true]) / UNIT_BYTES * FRESH_SHARE <= figure_get(&unit_slabs);
}

/* ---- what they say together ---- */

/* Sums and differences are told as figures are: 0 rather than less. */
static size_t raw(_Atomic size_t *figure) { return atomic_load_explicit(figure, memory_order_relaxed); }
static size_t raw_committed(void) {
  return raw(&figures.committed[HOLDER_POOL]) + raw(&figures.committed[HOLDER_HUGE]);
}
static size_t raw_retained(void) {
  return atomic_load(&figures.retained[HOLDER_POOL]) + atomic_load(&figures.retained[HOLDER_HUGE]);
}
static size_t raw_holes(void) { return raw(&figures.holes) + raw(&figures.fresh[false]) + raw(&figures.fresh[true]); }

size_t committed_bytes_of(enum holder holder) { return figure_get(&figures.committed[holder]); }
size_t committed_bytes(void) { return figure_read(raw_committed()); }
size_t retained_bytes(void) { return figure_read(raw_retained()); }
size_t hole_bytes(void) { return figure_read(raw_holes()); }

/* What is retained is read first: if it is so no more, or has gone back, it is not active yet. */
size_t active_bytes(void) {
  size_t retained = raw_retained();
  return figure_read(raw_committed() - retained);
}

void amounts_read(struct amounts *now) {
  size_t retained = raw_retained();
  size_t committed = raw_committed(); /* as in active_bytes */
  size_t kept = raw(&figures.kept);
  size_t touched = figure_read(committed - retained - raw_holes());
  now->committed = figure_read(committed);
  now->retained = figure_read(retained);
  now->kept = figure_read(kept);
  now->used = figure_read(touched - kept);
  now->resident = touched + now->retained;
}

size_t used_bytes(void) {
  struct amounts now;
  amounts_read(&now);
  return now.used;
}
