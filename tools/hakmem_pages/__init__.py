"""Pages that need nothing but themselves: one file each, light and dark, from a telephone's width on.

Jinja2 writes them, Vega draws in them; its JavaScript comes from the Python package vl-convert and is inlined.

    page    a template of a caller, in the frame that all pages share
    chart   a Vega or Vega-Lite specification, as an element of a page
    flame   a flame graph with zoom, search and a choice of values, as an element of a page, and speedscope's file of
            the same stacks

A table of the class `sortable` is sorted by a click on a heading where the page has the script sortable.js.
"""

from .charts import chart
from .frame import page

__all__ = ["chart", "page"]
