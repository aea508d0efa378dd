// The views of the report. Each is drawn when it is opened for the first time.

const report = JSON.parse(document.getElementById("data").textContent);
const charts = JSON.parse(document.getElementById("charts").textContent);
const distinct = (values) => [...new Set(values)].sort();
const gone = (status) => status === "outdated" || status === "ignored";

// Charts

const drawn = new Map(); // by element: what draws it again, for another theme

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
    ast: true, renderer: "canvas", tooltip: { theme: isDark() ? "dark" : "light" },
    actions: { export: true, source: false, compiled: false, editor: false },
    config: {
      background: "transparent", view: { stroke: colour("--line") },
      axis: { ...text, gridColor: colour("--line"), domainColor: colour("--line"), tickColor: colour("--line") },
      legend: { ...text, labelLimit: 260 }, range: { category: { scheme: isDark() ? "set2" : "tableau10" } },
    },
  });
  return view;
}

/** The range of time that a chart shows, and buttons that change it with the keyboard as well. */
function zooming(all, redraw) {
  let range = all();
  const move = (change) => () => {
    const [from, to] = range, length = to - from;
    range = { nearer: [from + length / 4, to - length / 4], farther: [from - length / 2, to + length / 2],
      earlier: [from - length / 2, to - length / 2], later: [from + length / 2, to + length / 2], whole: all() }[change];
    redraw();
  };
  const names = { nearer: "Zoom in", farther: "Zoom out", earlier: "Earlier", later: "Later", whole: "Whole" };
  return {
    get range() { return range; },
    set range(value) { range = value; },
    reset() { range = all(); },
    controls: element("fieldset", {}, element("legend", {}, "Time: drag, turn the wheel, or"),
      Object.entries(names).map(([change, label]) => element("button", { type: "button", onclick: move(change) }, label))),
  };
}

function choice(label, choices, onchange, chosen = 0) {
  return element("label", {}, label, element("select", { onchange: (event) => onchange(Number(event.target.value)) },
    choices.map((text, n) => element("option", { value: n, selected: n === chosen }, text))));
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

// What is wrong now

const PERIODS = [["The last day", 1], ["The last week", 7], ["The last 30 days", 30]];
const MOST_CARDS = 24;

/** Up to when a table of anomalies is analysed, in milliseconds; null if it has nothing. */
function analysedUntil(one) {
  const known = report.consolidations.find((each) => each.name === one.name)?.watermark;
  return known ? Date.parse(known.replace(" ", "T")) : one.rows.length ? Math.max(...one.rows.map((row) => row.ends)) : null;
}

function nowView() {
  const place = element("div");
  const show = (n) => place.replaceChildren(...activeIn(PERIODS[n][1], PERIODS[n][0].toLowerCase()));
  show(0);
  return element("section", {}, element("h2", {}, "Now"),
    report.anomalies.length ? element("div", { class: "controls" }, choice("Anomalies of", PERIODS.map(([name]) => name), show)) : null,
    report.anomalies.length ? place : element("p", { class: "note" }, "This project has no table of anomalies."),
    element("h2", {}, "Data and runs"), health());
}

/** The active anomalies that end in the last days of the data: the most severe first, then the newest. */
function activeIn(days, words) {
  const found = report.anomalies.flatMap((one, place) => {
    const until = analysedUntil(one);
    return one.rows.filter((row) => !gone(row.status) && row.ends > until - days * 86400000).map((row) => ({ ...row, place, from: one.name }));
  }).sort((a, b) => b.rank - a.rank || b.ends - a.ends);
  if (!found.length) return [element("p", { class: "good" }, `No active anomaly in ${words} of the data.`)];
  const severities = [...new Set(found.map((row) => row.severity).filter(Boolean))]; // in their order
  const counts = severities.map((name) => `${numberText(found.filter((row) => row.severity === name).length)} ${name}`);
  const shown = found.slice(0, MOST_CARDS);
  const rest = found.length > shown.length ? ` The first ${shown.length} are shown; the others are in the view Anomalies.` : "";
  return [element("p", { class: "bad" }, `${numberText(found.length)} active anomal${found.length === 1 ? "y" : "ies"} in ${words} of the data${counts.length ? `: ${counts.join(", ")}` : ""}.${rest}`),
    element("div", { class: "cards" }, shown.map(card))];
}

/** An anomaly with the part of its series around it, and the way there. */
function card(row) {
  const place = placeOf(row);
  const chart = element("div", { class: "chart" });
  if (place) {
    const { one, table, key, range } = place;
    const rows = table.t.flatMap((t, n) => table.key[n] === key && t >= range[0] && t <= range[1]
      ? [{ t: wall(t, one.zone), at: timeText(t, one.zone), v: table.measures[0].v[n] }] : []);
    const anomalies = [{ t: wall(row.starts, one.zone), end: wall(row.ends, one.zone), why: why(row) }];
    draw(chart, "small", { rows, anomalies }, { description: `${table.measures[0].name} around this anomaly` });
  }
  return element("article", { class: "card" },
    element("h3", {}, row.severity ? `[${row.severity}] ` : "", Object.values(row.key).filter((value) => value != null).join(" · ")),
    element("p", {}, why(row)),
    element("p", { class: "note" }, `${timeText(row.starts, zone())} to ${timeText(row.ends, zone())}, ${row.from}${row.notified ? "" : ", not notified"}`),
    place ? chart : null,
    place ? element("button", { type: "button", onclick: () => openSeries(place) }, "In its series") : null);
}

/** The series that shows an anomaly, with the table, the key and the time around it; null if there is none. */
function placeOf(row) {
  for (const one of report.series) {
    if (!one.anomalies.some((source) => source.table === row.place && isOf(source, row))) continue;
    const around = Math.max(row.ends - row.starts, 3600000);
    const range = [row.starts - 12 * around, row.ends + 4 * around];
    const tables = one.tables.filter((table) => table.t.length && table.measures.length).map((table) => ({
      table, key: table.keys.findIndex((key) => fits(row, key)),
    })).filter(({ key }) => key >= 0).map((each) => ({
      ...each, count: each.table.t.filter((t, n) => each.table.key[n] === each.key && t >= range[0] && t <= range[1]).length,
    }));
    const best = tables.find(({ count }) => count >= 12) ?? tables.sort((a, b) => b.count - a.count)[0];
    if (best?.count) return { one, table: best.table, key: best.key, range };
  }
  return null;
}

/** How far the data are, what could not be used, engines with errors, and what waits for receivers. */
function health() {
  const lines = report.anomalies.map((one) => {
    const until = analysedUntil(one);
    return [one.name, until == null ? "nothing analysed yet" : `analysed up to ${timeText(until, zone())}`, until == null ? "warn" : ""];
  });
  for (const one of report.engines) lines.push([one.name, one.status === "OK" ? "engine: OK" : `engine: ${one.status ?? "no status yet"}, ${one.last_error ?? ""}`, one.status === "OK" ? "good" : "bad"]);
  for (const one of report.notifications) {
    const waiting = one.rows.filter((row) => !row.accepted.length).length;
    lines.push([one.name, waiting ? `${numberText(waiting)} notifications that nobody has accepted` : "all notifications were accepted", waiting ? "warn" : "good"]);
  }
  const rejected = report.rejected.filter((one) => one.rows);
  for (const one of rejected) lines.push([one.table, `${numberText(one.rows)} rows that could not be used`, "warn"]);
  if (!rejected.length) lines.push(["late and faulty rows", "none", "good"]);
  return element("dl", {}, lines.flatMap(([name, text, look]) => [element("dt", {}, name), element("dd", { class: look }, text)]));
}

// Series

let wanted = null; // the place that a card leads to

function openSeries(place) {
  wanted = place;
  opened.delete("series");
  open("series", true);
}

function seriesView() {
  if (!report.series.length) return nothing("This project has no aggregation and no table of time weights.");
  const part = element("div");
  const first = Math.max(report.series.indexOf(wanted?.one), 0);
  const show = (n) => part.replaceChildren(oneSeries(report.series[n], n === first ? wanted : null));
  show(first);
  wanted = null;
  return element("section", {}, element("h2", {}, "Series"),
    report.series.length > 1 ? element("div", { class: "controls" }, choice("Series", report.series.map((one) => one.name), show, first)) : null,
    part);
}

function oneSeries(one, at) {
  const filled = one.tables.filter((table) => table.t.length);
  if (!filled.length) return nothing(`${one.name} has no rows.`);
  let table = at?.table ?? filled.find((each) => each.t.length / each.keys.length >= 40) ?? filled[filled.length - 1];
  let measure = 0, isActive = true, isOutdated = false;
  const keys = new Set(at ? [at.key] : [0, 1, 2].filter((n) => n < table.keys.length));
  const chart = element("div", { class: "chart" }), known = element("div", { class: "chart" });
  const note = element("p", { class: "note" }), beside = element("details", { class: "beside" });
  const all = () => [wall(table.t[0], one.zone), wall(table.t[table.t.length - 1], one.zone) + 1];
  const zoom = zooming(all, () => redraw());
  if (at) zoom.range = at.range.map((t) => wall(t, one.zone));

  function rows() {
    const { v, known: share } = table.measures[measure];
    const labels = table.keys.map((key) => keyText(key) || one.name);
    return table.t.flatMap((t, n) => keys.has(table.key[n]) ? [{
      t: wall(t, one.zone), at: timeText(t, one.zone), key: labels[table.key[n]], v: v[n],
      known: share ? share[n] : null,
    }] : []);
  }
  async function redraw() {
    const { name, text, known: share } = table.measures[measure];
    const found = rows(), anomalies = anomaliesOf(one, table, keys, isActive, isOutdated, all());
    const view = await draw(chart, "series", { rows: found, anomalies },
      { domain: zoom.range, description: `${name} of ${one.name} by ${table.duration}: a line for each key` });
    view.addSignalListener("zoom", (_, value) => {
      if (!value.t || value.t.every((t, n) => Number(t) === zoom.range[n])) return;
      zoom.range = value.t.map(Number);
      closeTable();
      if (share) drawKnown(found);
    });
    known.hidden = !share;
    if (share) drawKnown(found);
    const shown = table.t.length < table.total
      ? `The newest ${numberText(table.t.length)} of ${numberText(table.total)} rows` : `All ${numberText(table.total)} rows`;
    const many = one.number_of_keys > table.keys.length ? `; ${table.keys.length} of ${numberText(one.number_of_keys)} keys` : "";
    note.textContent = `${name} = ${text}. ${shown}${many}, ${numberText(anomalies.length)} anomalies of those that are ticked in this time. Times of ${one.zone}.`;
    closeTable();
    beside.ontoggle = () => {
      if (!beside.open || beside.children.length > 1) return;
      beside.append(filteredTable(`${name} by ${table.duration}`, [
        { name: "start", value: (row) => row.at, sort: (row) => row.t }, { name: "key", value: (row) => row.key },
        { name, value: (row) => row.v, number: true },
        ...(share ? [{ name: "known", value: (row) => row.known, number: true }] : []),
      ], found.filter((row) => row.t >= zoom.range[0] && row.t <= zoom.range[1]).slice(-2000), []));
    };
  }
  function closeTable() {
    beside.open = false;
    beside.replaceChildren(element("summary", {}, "As a table"));
  }
  function drawKnown(found) {
    draw(known, "known", { rows: found }, { domain: zoom.range, description: "The known share of each bucket: gaps are missing to one" });
  }
  const durations = element("fieldset", {}, element("legend", {}, "Duration"),
    filled.map((each) => element("button", {
      type: "button", "aria-pressed": String(each === table),
      onclick: (event) => {
        table = each;
        for (const button of durations.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button === event.currentTarget));
        zoom.reset();
        redraw();
      },
    }, each.duration)));
  redraw();
  return element("div", {},
    element("div", { class: "controls" }, durations,
      choice("Measure", table.measures.map((each) => each.name), (n) => { measure = n; redraw(); }),
      element("fieldset", {}, element("legend", {}, "Anomalies"),
        toggle("Active", isActive, (now) => { isActive = now; redraw(); }),
        toggle("Outdated", isOutdated, (now) => { isOutdated = now; redraw(); })),
      zoom.controls),
    table.keys.length > 1 ? checks(table.keys.map(keyText), keys, () => redraw()) : null,
    chart, known, note, beside);
}

/** Whether an anomaly is of one of the detectors that read a series. */
function isOf({ detectors }, row) {
  return !detectors || detectors.includes(row.key.detector);
}

/** Whether an anomaly is of a key: of all columns that both have, the values are the same. */
function fits(row, key) {
  return Object.keys(key).every((column) => row.key[column] == null || row.key[column] === key[column]);
}

/** The anomalies whose detections read a series, of the shown keys in a range. */
function anomaliesOf(one, table, keys, isActive, isOutdated, [first, last]) {
  const shown = [...keys].map((n) => table.keys[n]);
  return one.anomalies
    .flatMap((source) => report.anomalies[source.table].rows.filter((row) => isOf(source, row)))
    .filter((row) => (gone(row.status) ? isOutdated : isActive))
    .filter((row) => shown.some((key) => fits(row, key)))
    .map((row) => ({
      t: wall(row.starts, one.zone), end: wall(row.ends, one.zone), key: keyText(row.key), status: row.status,
      why: why(row), from: timeText(row.starts, one.zone), to: timeText(row.ends, one.zone),
    }))
    .filter((row) => row.end > first && row.t < last)
    .map((row) => ({ ...row, t: Math.max(row.t, first), end: Math.min(row.end, last) }));
}

function why(row) {
  const base = row.baseline_value == null ? "" : ` instead of ${numberText(row.baseline_value)}`;
  return `${numberText(row.current_value)}${base}`;
}

// Anomalies and alerts

const zone = () => report.zone;
const when = (name, field) => ({ name, style: () => "time", value: (row) => timeText(row[field], zone()), sort: (row) => row[field] ?? 0 });

function anomaliesView() {
  if (!report.anomalies.length) return nothing("This project has no table of anomalies.");
  return element("section", {}, report.anomalies.flatMap((one) => {
    const place = element("div", { class: "chart" });
    draw(place, "days", { rows: one.rows.map((row) => ({ t: wall(row.ends, zone()), status: row.status })) },
      { description: `Anomalies of ${one.name} by the day on which they ended` });
    const total = Object.values(one.counts).reduce((sum, n) => sum + n, 0);
    const counts = Object.entries(one.counts).map(([status, n]) => `${numberText(n)} ${status}`).join(", ");
    return [element("h2", {}, one.name),
      element("p", { class: "note" }, `${counts || "none yet"}. ${one.rows.length < total ? `The newest ${numberText(one.rows.length)} are shown. ` : ""}Times of ${zone()}.`),
      place,
      filteredTable(`Anomalies of ${one.name}`, [
        when("start", "starts"), when("end", "ends"),
        { name: "key", value: (row) => keyText(row.key) },
        { name: "found", value: (row) => row.current_value, number: true },
        { name: "expected", value: (row) => row.baseline_value, number: true },
        { name: "severity", value: (row) => row.severity },
        { name: "status", value: (row) => row.status, style: (row) => gone(row.status) ? "warn" : "bad" },
        when("changed", "changed"), when("notified", "notified"),
      ], one.rows, [
        { label: "Status", choices: distinct(one.rows.map((row) => row.status)), of: (row) => row.status },
        ...(one.rows.some((row) => row.key.detector) ? [{ label: "Detector",
          choices: distinct(one.rows.map((row) => row.key.detector ?? "–")), of: (row) => row.key.detector ?? "–" }] : []),
        { label: "Key contains", text: (row) => keyText(row.key) },
      ], (row) => row.status === "outdated" ? "outdated" : "")];
  }));
}

function alertsView() {
  if (!report.notifications.length) return nothing("This project has no outbox of notifications.");
  return element("section", {}, report.notifications.flatMap((one) => [
    element("h2", {}, one.name),
    element("p", { class: "note" }, `${numberText(one.total)} notifications${one.rows.length < one.total ? `, the newest ${numberText(one.rows.length)} of them here` : ""}. Times of ${zone()}.`),
    filteredTable(`Notifications of ${one.name}`, [
      when("notified", "notified"), { name: "kind", value: (row) => row.kind },
      { name: "key", value: (row) => keyText(row.key) }, when("start", "starts"), when("end", "ends"),
      { name: "found", value: (row) => row.current_value, number: true },
      { name: "expected", value: (row) => row.baseline_value, number: true },
      { name: "unit", value: (row) => row.unit },
      { name: "anomalies", value: (row) => row.members, number: true },
      { name: "accepted by", value: (row) => row.accepted.join(", ") || "nobody yet", style: (row) => row.accepted.length ? "good" : "warn" },
    ], one.rows, [
      { label: "Kind", choices: distinct(one.rows.map((row) => row.kind)), of: (row) => row.kind },
      { label: "Accepted", choices: ["yes", "not yet"], of: (row) => row.accepted.length ? "yes" : "not yet" },
      { label: "Key contains", text: (row) => keyText(row.key) },
    ])]));
}

// States, windows, engines, rows that could not be used

function statesView() {
  if (!report.states.length) return nothing("This project has no table of states.");
  return element("section", {}, report.states.flatMap((one) => {
    let key = 0;
    const place = element("div", { class: "chart" });
    const all = () => [wall(one.t[0], zone()), wall(one.t[one.t.length - 1] + one.length, zone())];
    const zoom = zooming(all, () => redraw());
    function redraw() {
      const rows = one.t.flatMap((t, n) => {
        let below = 0;
        return one.key[n] !== key ? [] : one.states[n].map(([state, hours]) => ({
          t: wall(t, zone()), end: wall(t + one.length, zone()), at: timeText(t, zone()),
          key: keyText(one.keys[key]), state, hours, below, above: (below += hours),
        }));
      });
      draw(place, "states", { rows }, { domain: zoom.range, description: `Hours of each state of ${keyText(one.keys[key])}` })
        .then((view) => view.addSignalListener("zoom", (_, value) => { if (value.t) zoom.range = value.t; }));
    }
    if (one.t.length) redraw();
    return [element("h2", {}, one.name), element("div", { class: "controls" },
      one.keys.length > 1 ? choice("Key", one.keys.map(keyText), (n) => { key = n; redraw(); }) : null, zoom.controls),
    place, element("p", { class: "note" }, `Hours of each state, by buckets of ${one.duration}; what is missing is unknown. Times of ${zone()}.`)];
  }));
}

function windowsView() {
  if (!report.windows.length) return nothing("This project has no windows.");
  return element("section", {}, report.windows.flatMap((one) => [
    element("h2", {}, one.name),
    element("p", { class: "note" }, `Store: ${one.store}${one.keys.length ? `, by ${one.keys.join(", ")}` : ""}. ${numberText(one.total)} rows are inside now.`),
    one.rows.length ? element("details", { open: report.windows.length < 3 || one.total <= 20 },
      element("summary", {}, one.rows.length < one.total ? `The ${one.rows.length} that entered last` : "All of them"),
      filteredTable(`Inside ${one.name} now`, [
        ...one.columns.map((name, n) => ({ name, value: (row) => row[n] })),
        { name: "inside since", value: (row) => timeText(row[one.columns.length], zone()), sort: (row) => row[one.columns.length] },
      ], one.rows, [])) : null]));
}

function enginesView() {
  const list = (pairs) => element("dl", {}, pairs.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value ?? "–")]));
  const engines = report.engines.map((one) => [element("h2", {}, one.name),
    element("p", { class: one.status === "OK" ? "good" : "bad" }, one.status ?? "no status yet"),
    list([["last error", one.last_error ?? "none"], ["rows", numberText(one.rows)], ["groups", numberText(one.groups)],
      ["last arrival", numberText(one.last_arrival)], ["consumed at", one.consumed_at], ["rows kept", numberText(one.rows_kept)],
      ["bytes held", numberText(one.bytes_held)], ...(one.metrics ?? []).map((metric, n) => [`metric ${n}`, metric])])]);
  const tables = report.consolidations.map((one) => [element("h2", {}, one.name),
    list([["watermark", one.watermark], ["active", numberText(one.active)], ["outdated", numberText(one.outdated)], ["ignored", numberText(one.ignored)]])]);
  if (!engines.length && !tables.length) return nothing("This project has no engine of detection.");
  return element("section", {}, engines.flat(), tables.flat());
}

function rejectedView() {
  const rows = report.rejected.flatMap((one) => one.reasons.map(([reason, count]) => ({ table: one.table, reason, count })));
  const clean = report.rejected.filter((one) => !one.rows).map((one) => one.table);
  return element("section", {}, element("h2", {}, "Rows that could not be used"),
    rows.length ? filteredTable("Late and quarantined rows by reason", [
      { name: "table", value: (row) => row.table }, { name: "reason", value: (row) => row.reason },
      { name: "rows", value: (row) => row.count, number: true },
    ], rows, [{ label: "Table", choices: distinct(rows.map((row) => row.table)), of: (row) => row.table }])
      : element("p", { class: "good" }, "None."),
    clean.length ? element("p", { class: "note" }, `No rows in ${clean.join(", ")}.`) : null);
}

function nothing(text) {
  return element("section", {}, element("p", { class: "note" }, text));
}

// Tabs and theme

const views = {
  now: ["Now", nowView], series: ["Series", seriesView], anomalies: ["Anomalies", anomaliesView], alerts: ["Alerts", alertsView],
  states: ["States", statesView], windows: ["Windows", windowsView], engines: ["Engines", enginesView],
  rejected: ["Unused rows", rejectedView],
};
const opened = new Map();

function open(name, focus = false) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isOpen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    if (isOpen && focus) tab.focus();
  }
  for (const panel of document.querySelectorAll("[role=tabpanel]")) panel.hidden = panel.id !== `panel-${name}`;
  if (!opened.has(name)) {
    opened.set(name, true);
    document.getElementById(`panel-${name}`).replaceChildren(views[name][1]());
  }
  history.replaceState(null, "", `#${name}`);
}

function start() {
  const names = Object.keys(views);
  document.getElementById("tabs").append(...names.map((name, place) => element("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => open(name),
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) open(names[(place + step + names.length) % names.length], true);
    },
  }, views[name][0])));
  document.getElementById("main").append(...names.map((name) => element("div", {
    role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, hidden: true,
  })));
  open(location.hash.slice(1) in views ? location.hash.slice(1) : names[0]);
  const theme = document.getElementById("theme");
  const label = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    label();
    for (const [place, again] of drawn) if (place.isConnected) again();
  });
  label();
}

function isDark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

start();
