// Draws each chart when it comes near the window: a board has a hundred of them.
const chartOptions = { renderer: "svg", actions: false, tooltip: { theme: "custom" }, config: {
  font: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  background: "transparent",
  view: { stroke: null },
  axis: {
    domain: false, tickColor: "var(--rule)", gridColor: "var(--rule)", labelColor: "var(--mute)", titleColor: "var(--mute)",
    labelFontSize: 11.5, titleFontSize: 12, titleFontWeight: "normal", labelOverlap: "greedy", labelSeparation: 6,
  },
  title: { color: "var(--ink)", anchor: "start", fontSize: 13 },
  legend: { labelColor: "var(--ink)", titleColor: "var(--mute)", labelFontSize: 12, labelLimit: 200 },
  text: { color: "var(--ink)", fill: "var(--ink)" },
  rule: { color: "var(--mute)" },
} };

async function drawChart(element) {
  const spec = JSON.parse(element.querySelector("script").textContent);
  const place = element.appendChild(document.createElement("div"));
  place.style.width = "100%";
  element.style.minHeight = "";
  element.chart = (await vegaEmbed(place, spec, chartOptions)).view;
  element.dispatchEvent(new Event("drawn"));
}

const chartsInSight = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (entry.isIntersecting) {
      chartsInSight.unobserve(entry.target);
      drawChart(entry.target);
    }
  }
}, { rootMargin: "1000px" });

for (const element of document.querySelectorAll(".chart")) chartsInSight.observe(element);
