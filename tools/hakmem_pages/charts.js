// Draws the charts one after the other, with pauses in which the page can be read: a board has a hundred and more.
const chartFont = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const chartOptions = { renderer: "svg", actions: false, tooltip: { theme: "custom" }, config: {
  font: chartFont,
  background: "transparent",
  view: { stroke: null },
  axis: {
    domain: false, tickColor: "var(--rule)", gridColor: "var(--rule)", labelColor: "var(--mute)", titleColor: "var(--mute)",
    labelFontSize: 11.5, titleFontSize: 12, titleFontWeight: "normal", titlePadding: 10, labelOverlap: "greedy", labelSeparation: 6,
  },
  title: { color: "var(--ink)", anchor: "start", fontSize: 13 },
  legend: { labelColor: "var(--ink)", titleColor: "var(--mute)", labelFontSize: 12, labelLimit: 200 },
  text: { font: chartFont, color: "var(--ink)", fill: "var(--ink)" },
  rule: { color: "var(--mute)" },
} };

async function drawChart(element) {
  const spec = JSON.parse(element.querySelector("script").textContent);
  const place = element.appendChild(document.createElement("div"));
  place.style.width = "100%";
  element.chart = (await vegaEmbed(place, spec, chartOptions)).view;
  element.dispatchEvent(new Event("drawn"));
}

(async () => {
  for (const element of document.querySelectorAll(".chart")) {
    await drawChart(element);
    await new Promise((done) => setTimeout(done, 0));
  }
})();
