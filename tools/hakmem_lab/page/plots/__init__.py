"""The charts of the board, as specifications of Vega-Lite.

parts   scales, colours, shapes and tooltips, which all share
whole   the means of the allocators, and every workload
runs    one workload: every sample, and memory over time
across  the subject across commits
"""

from hakmem_lab.page.plots.across import means, workload_across
from hakmem_lab.page.plots.parts import colour, glyph
from hakmem_lab.page.plots.runs import curve, strip
from hakmem_lab.page.plots.whole import both, dots

__all__ = ["both", "colour", "curve", "dots", "glyph", "means", "strip", "workload_across"]
