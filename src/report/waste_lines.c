#include "report/waste_lines.h"

#include "warm/warm.h"

struct waste {
  size_t slabs;
  struct slab_use use;
};

static void add_use(struct waste *sum, size_t slabs, const struct slab_use *use) {
  sum->slabs += slabs;
  sum->use.bound += use->bound;
  sum->use.live += use->live;
  sum->use.free += use->free;
  sum->use.holes += use->holes;
  sum->use.fresh += use->fresh;
  sum->use.rest += use->rest;
}

static void add_slab(struct slab *slab, unit_tag tag, void *by_class) {
  struct slab_use use = slab_use(slab, unit_tag_class(tag));
  add_use((struct waste *)by_class + unit_tag_class(tag), 1, &use);
}

static void print_figures(struct text *text, const struct waste *waste) {
  text_number(text, "slabs", waste->slabs);
  text_number(text, "bound", waste->use.bound);
  text_number(text, "live", waste->use.live);
  text_number(text, "free", waste->use.free);
  text_number(text, "holes", waste->use.holes);
  text_number(text, "fresh", waste->use.fresh);
  text_number(text, "rest", waste->use.rest);
}

void waste_lines_print(struct text *text) {
  struct waste by_class[SIZE_CLASS_COUNT] = {{0}};
  struct waste all = {0};
  each_bound_slab(add_slab, by_class);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    add_use(&all, by_class[size_class].slabs, &by_class[size_class].use);
  }
  text_line(text, "waste_stats");
  print_figures(text, &all);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    if (by_class[size_class].slabs > 0) {
      text_row(text, "waste_stats_by_class");
      text_number(text, "size", size_classes[size_class].stride);
      print_figures(text, &by_class[size_class]);
    }
  }
}
