// Charts, the range of time that they show, and controls.

const charts = JSON.parse(document.getElementById("charts").textContent);
const drawn = new Map(); // by element: what draws it again, for another theme

const isPhone = () => matchMedia("(max-width: 640px)").matches;

function isDark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

async function draw(place, name, data, options = {}) {
  drawn.set(place, () => draw(place, name, data, options));
  const colour = (which) => getComputedStyle(document.documentElement).getPropertyValue(which).trim();
  const text = { labelColor: colour("--faint"), titleColor: colour("--faint") };
  const specification = structuredClone(charts[name]);
  if (options.domain) {
    const zoomed = specification.params?.find((param) => param.name === "zoom");
    if (zoomed) zoomed.value = { x: options.domain };
    // An expression, since Vega-Lite reads a number in a domain of time as a year.
    else specification.encoding.x.scale.domainRaw = { expr: JSON.stringify(options.domain) };
  }
  specification.datasets = data;
  specification.description = options.description;
  const { view } = await vegaEmbed(place, specification, {
    ast: true, renderer: "canvas", logLevel: 1, // errors: that a layer is empty is no warning
    tooltip: { theme: isDark() ? "dark" : "light" },
    actions: options.isSmall ? false : { export: true, source: false, compiled: false, editor: false },
    config: {
      background: "transparent", view: { stroke: colour("--line") },
      axis: { ...text, gridColor: colour("--line"), domainColor: colour("--line"), tickColor: colour("--line") },
      axisX: { labelOverlap: true, ...(isPhone() || options.isSmall ? { tickCount: 4 } : {}) },
      axisY: isPhone() || options.isSmall ? { tickCount: 4, format: "~s" } : {},
      legend: { ...text, labelLimit: isPhone() ? 150 : 260, ...(isPhone() ? { columns: 2 } : {}) },
      range: { category: { scheme: isDark() ? "set2" : "tableau10" } },
    },
  });
  return view;
}

const DAY = 86400000;
const PRESETS = [["Day", DAY], ["Week", 7 * DAY], ["30 days", 30 * DAY], ["Year", 365 * DAY]];

/** The range of time that a chart shows: buttons for the last day, week, month, and for the keyboard. */
function zooming(all, redraw) {
  let range = all();
  const presets = element("span", { class: "presets" });
  const set = (changed) => () => {
    range = changed();
    redraw();
  };
  const moved = {
    "Zoom in": ([from, to]) => [from + (to - from) / 4, to - (to - from) / 4],
    "Zoom out": ([from, to]) => [from - (to - from) / 2, to + (to - from) / 2],
    Earlier: ([from, to]) => [from - (to - from) / 2, to - (to - from) / 2],
    Later: ([from, to]) => [from + (to - from) / 2, to + (to - from) / 2],
    Whole: () => all(),
  };
  function offerPresets() {
    const [first, last] = all();
    presets.replaceChildren(...PRESETS.filter(([, length]) => length < last - first).map(([label, length]) =>
      element("button", { type: "button", title: `The last ${label.toLowerCase()} of the data`, onclick: set(() => [last - length, last]) }, label)));
  }
  offerPresets();
  return {
    get range() { return range; },
    set range(value) { range = value; },
    reset() {
      range = all();
      offerPresets();
    },
    controls: element("fieldset", {}, element("legend", {}, "Time: drag, turn the wheel, or"), presets,
      Object.entries(moved).map(([label, change]) => element("button", { type: "button", onclick: set(() => change(range)) }, label))),
  };
}

/** Controls, which a phone folds. */
function controlsOf(controls, keys = null) {
  return element("details", { class: "folded", open: !isPhone() }, element("summary", {}, "Controls"),
    element("div", { class: "controls" }, controls), keys);
}

/** groups: [[label or null, [text]]]; the choice is the place among all texts. */
function choice(label, groups, onchange, chosen = 0) {
  let place = 0;
  const options = groups.flatMap(([name, texts]) => {
    const own = texts.map((text) => element("option", { value: place, selected: place++ === chosen }, text));
    return name ? [element("optgroup", { label: name }, own)] : own;
  });
  return element("label", {}, label, element("select", { onchange: (event) => onchange(Number(event.target.value)) }, options));
}

function toggle(label, isOn, onchange) {
  const button = element("button", { type: "button", "aria-pressed": String(isOn) }, label);
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(now));
    onchange(now);
  });
  return button;
}

function checks(labels, chosen, onchange) {
  return element("div", { class: "keys" }, labels.map((label, n) =>
    element("label", {}, element("input", {
      type: "checkbox", checked: chosen.has(n),
      onchange: (event) => { event.target.checked ? chosen.add(n) : chosen.delete(n); onchange(); },
    }), " ", label)));
}

/** What the shapes of a chart mean; shapes: [class, text]. */
function legend(shapes) {
  return element("ul", { class: "legend" }, shapes.map(([name, text]) => element("li", {}, element("span", { class: `swatch ${name}` }), text)));
}
