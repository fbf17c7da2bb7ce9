// The search box and the buttons of a flame graph. A click on a box zooms to it; Vega does that.
for (const flame of document.querySelectorAll(".flame")) {
  const chart = flame.querySelector(".chart");
  const search = flame.querySelector("#flame-search");
  const values = [...flame.querySelectorAll(".values button")];

  // The share of all boxes that match, those below another one that does left out.
  const share = (wanted) => {
    const found = chart.chart.data("boxes").filter(({ name }) => name.toLowerCase().includes(wanted));
    let sum = 0, end = 0;
    for (const { a, b } of found.sort((one, two) => one.a - two.a || one.level - two.level)) {
      if (a >= end) {
        sum += b - a;
        end = b;
      }
    }
    return sum;
  };
  const set = async (name, value) => {
    if (!chart.chart) return;
    await chart.chart.signal(name, value).runAsync();
    const wanted = chart.chart.signal("wanted");
    const found = wanted ? `${(100 * share(wanted)).toFixed(1)} % in matching functions` : "";
    flame.querySelector("#flame-found").value = found;
  };
  const find = () => set("wanted", search.value.trim().toLowerCase());

  search.addEventListener("input", find);
  flame.querySelector("#flame-whole").addEventListener("click", () => set("zoomed", null));
  values.forEach((button, at) => button.addEventListener("click", () => {
    for (const one of values) one.setAttribute("aria-pressed", String(one === button));
    set("value", at);
  }));
  chart.addEventListener("drawn", find);
}
