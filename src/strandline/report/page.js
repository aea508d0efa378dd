// The other views of the report, and its tabs. A view is drawn when its address is opened.

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
      { name: "incident", value: (row) => incidents.some((one) => one.id === row.incident) ? element("a", { href: `#incident-${row.incident}` }, "open") : "" },
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
      one.keys.length > 1 ? choice("Key", [[null, one.keys.map(keyText)]], (n) => { key = n; redraw(); }) : null, zoom.controls),
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

// Tabs, addresses and theme

const views = {
  now: ["Now", nowView], series: ["Series", seriesView], anomalies: ["Anomalies", anomaliesView], alerts: ["Alerts", alertsView],
  states: ["States", statesView], windows: ["Windows", windowsView], engines: ["Engines", enginesView],
  rejected: ["Unused rows", rejectedView],
};
// Addresses of one incident, and the view that each opens: #incident-<id>, #place-<id>.
const OF_INCIDENT = { incident: "anomalies", place: "series" };
const opened = new Map(); // by view: the incident for which it was drawn, null for none
let last = null; // what led here, so that the way back ends there

/** The view of an address, and the incident; an unknown address is the first view. */
function routeOf(address) {
  const [, kind, id] = /^(incident|place)-(.+)$/.exec(address) ?? [];
  if (kind) return { name: OF_INCIDENT[kind], id };
  return { name: address in views ? address : Object.keys(views)[0], id: null };
}

function show() {
  const { name, id } = routeOf(decodeURIComponent(location.hash.slice(1)));
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isOpen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
  }
  for (const panel of document.querySelectorAll("[role=tabpanel]")) panel.hidden = panel.id !== `panel-${name}`;
  if (!opened.has(name) || opened.get(name) !== id) {
    opened.set(name, id);
    const incident = id == null ? null : incidents.find((one) => one.id === id);
    document.getElementById(`panel-${name}`).replaceChildren(...[
      id != null && !incident ? element("p", { class: "warn" }, `Incident ${id} is not among the newest anomalies of this report.`) : null,
      views[name][1](incident ?? undefined),
    ].filter(Boolean));
  }
  if (id != null) scrollTo(0, 0);
  else if (last?.isConnected && last.closest(`#panel-${name}`)) last.focus();
}

function start() {
  const names = Object.keys(views);
  document.getElementById("tabs").append(...names.map((name, place) => element("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => { location.hash = name; },
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = names[(place + step + names.length) % names.length];
      location.hash = next;
      document.getElementById(`tab-${next}`).focus();
    },
  }, views[name][0])));
  const main = document.getElementById("main");
  main.append(...names.map((name) => element("div", {
    role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, hidden: true,
  })));
  main.addEventListener("click", (event) => { last = event.target.closest("a") ?? last; });
  addEventListener("hashchange", show);
  show();
  const theme = document.getElementById("theme");
  const label = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    label();
    for (const [place, again] of drawn) if (place.isConnected) again();
  });
  label();
}

start();
