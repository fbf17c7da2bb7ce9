// The search box and the button of a flame graph. A click on a box zooms to it; Vega does that.
for (const flame of document.querySelectorAll(".flame")) {
  const nodes = JSON.parse(flame.querySelector("#flame-nodes").textContent);
  const chart = flame.querySelector(".chart");
  const search = flame.querySelector("#flame-search");

  // The share of all boxes that match, those below another one that does left out.
  const share = (wanted) => {
    let sum = 0, end = 0;
    for (const [a, b, name] of nodes) {
      if (a >= end && name.toLowerCase().includes(wanted)) {
        sum += b - a;
        end = b;
      }
    }
    return sum;
  };
  const set = (name, value) => chart.chart && chart.chart.signal(name, value).runAsync();

  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    set("wanted", wanted);
    flame.querySelector("#flame-found").value = wanted ? `${(100 * share(wanted)).toFixed(1)} % in matching functions` : "";
  });
  flame.querySelector("#flame-whole").addEventListener("click", () => set("focus", [0, 1]));
  chart.addEventListener("drawn", () => search.dispatchEvent(new Event("input")));
}
