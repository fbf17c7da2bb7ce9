/* figures_text: the figures of the heap as JSON or as OpenMetrics text.
 *
 * Owns:     nothing; report/figures.def has the names.
 * Promises: no malloc, no stdio. JSON: one object on one line. OpenMetrics 1.0: as its text format has it, to the line
 *           "# EOF". What follows `format` in the JSON is only ever added to.
 * Callers:  report/stats_file.c, report/hak_report.c. Any thread.
 */
#ifndef HAKMEM_REPORT_FIGURES_TEXT_H
#define HAKMEM_REPORT_FIGURES_TEXT_H

#include "report/figures.h"
#include "report/text.h"

enum figures_form { FIGURES_JSON, FIGURES_OPENMETRICS };

/* Both are the caller's, and large for a stack. False: the sink has failed. */
bool figures_write(struct heap_figures *figures, enum figures_form form, struct text *text, text_sink *sink,
                   void *context);

#endif
