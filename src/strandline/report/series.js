// What is wrong now, series, and anomalies: each leads to the others by its address.

const gone = (status) => status === "outdated" || status === "ignored";
const zone = () => report.zone;

// Incidents: anomalies of one key that follow each other

/** The incidents of all tables of anomalies, by their ids. */
const incidents = incidentsOf(report.anomalies);

function incidentsOf(tables) {
  const found = new Map();
  tables.forEach((one, place) => {
    for (const row of one.rows) {
      const id = `${place}:${row.incident}`;
      if (!found.has(id)) found.set(id, { id: row.incident, place, from: one.name, rows: [] });
      found.get(id).rows.push(row);
    }
  });
  return [...found.values()].map(summarized);
}

/** An incident is as its active anomalies are; without one it is as the newest. */
function summarized(incident) {
  const all = [...incident.rows].sort((a, b) => a.starts - b.starts);
  const active = all.filter((row) => !gone(row.status));
  const rows = active.length ? active : all.slice(-1);
  const worst = rows.reduce((most, row) => (farness(row) > farness(most) ? row : most));
  const gravest = rows.reduce((most, row) => (row.rank > most.rank ? row : most));
  const last = (name) => Math.max(...all.map((row) => row[name] ?? 0)) || null;
  return {
    ...incident, rows: all, key: all[0].key, starts: Math.min(...rows.map((row) => row.starts)), ends: Math.max(...rows.map((row) => row.ends)),
    count: rows.length, worst, severity: gravest.severity, rank: gravest.rank, status: rows[rows.length - 1].status,
    changed: last("changed"), notified: last("notified"),
  };
}

/** The distance of a value from what was expected of it. */
function farness(row) {
  return Math.abs((row.current_value ?? 0) - (row.baseline_value ?? 0));
}

function why(row) {
  const base = row.baseline_value == null ? "" : ` instead of ${numberText(row.baseline_value)}`;
  return `${numberText(row.current_value)}${base}`;
}

const plural = (count, one, many = `${one}s`) => `${numberText(count)} ${count === 1 ? one : many}`;
const titleOf = (key) => Object.values(key).filter((value) => value != null).join(" · ");

// Now

const PERIODS = [["The last day", 1], ["The last week", 7], ["The last 30 days", 30]];
const MOST_CARDS = 24;

/** Up to when a table of anomalies is analysed, in milliseconds; null if it has nothing. */
function analysedUntil(one) {
  const known = report.consolidations.find((each) => each.name === one.name)?.watermark;
  return known ? Date.parse(known.replace(" ", "T")) : one.rows.length ? Math.max(...one.rows.map((row) => row.ends)) : null;
}

/** The incidents with an active anomaly in the last days of the data, the most severe first, then the newest. */
function openIn(days) {
  const ends = report.anomalies.map(analysedUntil);
  return incidents.filter((one) => !gone(one.status) && one.ends > ends[one.place] - days * DAY)
    .sort((a, b) => b.rank - a.rank || b.ends - a.ends);
}

function nowView() {
  const place = element("div");
  const show = (n) => place.replaceChildren(...cardsOf(openIn(PERIODS[n][1]), PERIODS[n][0].toLowerCase()));
  show(0);
  return element("section", {}, element("h2", {}, "Now"), tiles(),
    report.anomalies.length ? element("div", { class: "controls" }, choice("Incidents of", [[null, PERIODS.map(([name]) => name)]], show)) : null,
    report.anomalies.length ? place : element("p", { class: "note" }, "This project has no table of anomalies."),
    element("h2", {}, "Data and runs"), health(), ...runsOf(report.runs));
}

/** The runs of the last time: how long each took, and what failed. */
function runsOf(all) {
  if (all.length < 2) return [];
  const chart = element("div", { class: "chart" });
  const rows = all.map((run) => ({ ...run, t: wall(run.at, zone()), when: timeText(run.at, zone()) }));
  draw(chart, "runs", { rows }, { isSmall: true, description: `Seconds of ${plural(all.length, "run")}` });
  return [element("h2", {}, "Runs"), chart, element("details", {}, element("summary", {}, "As a table"),
    filteredTable("The last runs", [
      { name: "ended", value: (run) => run.when, sort: (run) => run.at }, { name: "command", value: (run) => run.command },
      { name: "seconds", value: (run) => run.seconds, number: true }, { name: "models", value: (run) => run.models, number: true },
      { name: "failed", value: (run) => run.failed.join(", "), style: () => "bad" }, { name: "tests", value: (run) => run.tests, number: true },
      { name: "failed tests", value: (run) => run.failed_tests.join(", "), style: () => "bad" },
      { name: "warned", value: (run) => run.warned.join(", "), style: () => "warn" },
    ], rows.toReversed(), [{ label: "Result", choices: distinct(all.map((run) => run.worst)), of: (run) => run.worst }]))];
}

/** One screen: what is open, how new the data are, what could not be used, tests, runs, and what waits. */
function tiles() {
  const open = openIn(1), ends = report.anomalies.map(analysedUntil).filter((end) => end != null);
  const again = sumOf(report.rejected.map(duplicatesOf)), rejected = sumOf(report.rejected.map((one) => one.rows)) - again;
  const waiting = waitingOf(report.notifications);
  const failed = report.engines.filter((one) => one.status !== "OK");
  const run = report.run;
  const all = [
    report.anomalies.length ? ["open incidents, last day of the data", open.length, severitiesOf(open), open.length ? "bad" : "good", "#anomalies"] : null,
    ends.length ? ["analysed up to (event time)", timeText(Math.min(...ends), zone()), ageText(report.read - Math.min(...ends)), "", "#engines"] : null,
    run ? [`last run (${run.command})`, timeText(run.at, zone()), `${plural(run.models, "model")}, ${run.errors.length ? plural(run.errors.length, "failure") : "no failure"}`, run.errors.length ? "bad" : "good", null] : null,
    run?.tests ? ["tests of the last run", `${numberText(run.tests - run.failed.length - run.warned.length)} passed`, [run.failed.length ? `${run.failed.length} failed` : "", run.warned.length ? `${run.warned.length} warned` : ""].filter(Boolean).join(", ") || "none failed", run.failed.length ? "bad" : run.warned.length ? "warn" : "good", null] : null,
    ["late and faulty rows", rejected, [rejected ? "see their reasons" : "none", again ? `besides ${plural(again, "duplicate")}` : ""].filter(Boolean).join(", "), rejected ? "warn" : "good", "#rejected"],
    report.notifications.length ? ["notifications that nobody has accepted", waiting, waiting ? "" : "all were accepted", waiting ? "warn" : "good", "#alerts"] : null,
    report.engines.length ? ["engines of detection", `${report.engines.length - failed.length} OK`, failed.length ? `${failed.length} not` : "", failed.length ? "bad" : "good", "#engines"] : null,
  ];
  return element("div", { class: "tiles" }, all.filter(Boolean).map(([name, value, more, look, address]) => {
    const parts = [element("strong", { class: look }, typeof value === "number" ? numberText(value) : value), element("span", {}, name), element("span", { class: "note" }, more)];
    return address ? element("a", { class: "tile", href: address }, parts) : element("div", { class: "tile" }, parts);
  }));
}

const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** Rows that were sent again, which is no fault: the kind of a reason is before its colon. */
function duplicatesOf({ reasons }) {
  return sumOf(reasons.filter(([reason]) => reason.split(":")[0] === "duplicate").map(([, count]) => count));
}

function severitiesOf(found) {
  const names = [...new Set(found.map((one) => one.severity).filter(Boolean))]; // in their order
  return names.map((name) => `${numberText(found.filter((one) => one.severity === name).length)} ${name}`).join(", ");
}

/** How long before the report was written. */
function ageText(ms) {
  const [length, unit] = [[DAY, "day"], [3600000, "hour"], [60000, "minute"]].find(([each]) => ms >= 2 * each) ?? [60000, "minute"];
  return ms < 60000 ? "when this report was written" : `${plural(Math.floor(ms / length), unit)} before this report`;
}

const waitingOf = (outboxes) => outboxes.reduce((sum, one) => sum + one.rows.filter((row) => !row.accepted.length).length, 0);

function cardsOf(found, words) {
  if (!found.length) return [element("p", { class: "good" }, `No open incident in ${words} of the data.`)];
  const counts = severitiesOf(found);
  const shown = found.slice(0, MOST_CARDS);
  const rest = found.length > shown.length ? ` The first ${shown.length} are shown; the others are in the view Anomalies.` : "";
  return [element("p", { class: "bad" }, `${plural(found.length, "open incident")} in ${words} of the data${counts ? `: ${counts}` : ""}.${rest}`),
    element("div", { class: "cards" }, shown.map(card))];
}

/** An incident with the part of its series around it, and the way there. */
function card(incident) {
  const place = placeOf(incident);
  const chart = element("div", { class: "chart" });
  if (place) {
    const { one, table, key, range } = place;
    const rows = rowsOf(one, table, table.measures[0], new Set([key])).filter((row) => row.ms >= range[0] && row.ms <= range[1]);
    const anomalies = incident.rows.map((row) => spanOf(row, one.zone));
    draw(chart, "small", { rows, forecast: [], anomalies }, { isSmall: true, description: `${table.measures[0].name} around this incident` });
  }
  return element("article", { class: "card" },
    element("h3", {}, incident.severity ? `[${incident.severity}] ` : "", titleOf(incident.key)),
    element("p", {}, why(incident.worst)),
    element("p", { class: "note" }, `${timeText(incident.starts, zone())} to ${timeText(incident.ends, zone())}${incident.count > 1 ? `, ${incident.count} anomalies in a row` : ""}`),
    place ? element("p", { class: "note" }, `${place.table.measures[0].name} by ${place.one.name}`) : null,
    place ? chart : null,
    element("p", { class: "ways" },
      place ? element("a", { href: `#place-${incident.id}` }, "In its series") : null,
      element("a", { href: `#incident-${incident.id}` }, incident.count > 1 ? "Its anomalies" : "Its anomaly"),
      incident.notified ? null : element("span", { class: "note" }, "not notified")));
}

/** Up to when tables are analysed, what failed, and what could not be used. */
function health() {
  const lines = [];
  for (const one of report.run?.errors ?? []) lines.push([one.name, `failed: ${one.message}`, "bad"]);
  for (const one of report.run?.failed ?? []) lines.push([one.name, [`test failed: ${one.message}`, queryOf(one)], "bad"]);
  for (const one of report.run?.warned ?? []) lines.push([one.name, [`test warned: ${one.message}`, queryOf(one)], "warn"]);
  for (const one of report.unread) lines.push([one.name, `could not be read: ${one.message}`, "bad"]);
  for (const one of report.anomalies) {
    const until = analysedUntil(one);
    lines.push([one.name, until == null ? "nothing analysed yet" : `analysed up to ${timeText(until, zone())}`, until == null ? "warn" : ""]);
  }
  for (const one of report.engines) lines.push([one.name, one.status === "OK" ? "engine: OK" : `engine: ${one.status ?? "no status yet"}, ${one.last_error ?? ""}`, one.status === "OK" ? "good" : "bad"]);
  for (const one of report.notifications) {
    const waiting = waitingOf([one]);
    lines.push([one.name, waiting ? `${numberText(waiting)} notifications that nobody has accepted` : "all notifications were accepted", waiting ? "warn" : "good"]);
  }
  const rejected = report.rejected.filter((one) => one.rows > duplicatesOf(one));
  for (const one of rejected) lines.push([one.table, `${numberText(one.rows - duplicatesOf(one))} rows that could not be used`, "warn"]);
  if (!rejected.length) lines.push(["late and faulty rows", "none", "good"]);
  return element("dl", {}, lines.flatMap(([name, text, look]) => [element("dt", {}, name), element("dd", { class: look }, text)]));
}

/** The SQL of a test, to be run where its rows are wanted. */
function queryOf(test) {
  return test.query ? element("details", {}, element("summary", {}, "Its query"), element("pre", {}, test.query)) : null;
}

// Where a series shows an incident

/** What detectors evaluate comes first: it has what was expected. */
const shownSeries = [...report.evaluations.filter((one) => one.tables.some((table) => table.t.length)), ...report.series];

/** The series that shows an incident, with the table, the key and the time around it; null if there is none. */
function placeOf(incident) {
  for (const one of shownSeries) {
    if (!one.anomalies.some((source) => source.table === incident.place && isOf(source, incident))) continue;
    const tables = one.tables.filter((table) => table.t.length && table.measures.length).map((table) => ({
      table, key: table.keys.findIndex((key) => fits(incident, key)),
    })).filter(({ key }) => key >= 0).map((each) => {
      const around = Math.max(incident.ends - incident.starts, 3600000);
      const range = [incident.starts - 12 * around, incident.ends + 4 * around];
      return { ...each, range, count: each.table.t.filter((t, n) => each.table.key[n] === each.key && t >= range[0] && t <= range[1]).length };
    });
    const best = tables.find(({ count }) => count >= 12) ?? tables.sort((a, b) => b.count - a.count)[0];
    if (best?.count) return { one, table: best.table, key: best.key, range: best.range };
  }
  return null;
}

/** Whether an anomaly is of one of the detectors that read a series. */
function isOf({ detectors }, row) {
  return !detectors || detectors.includes(row.key.detector);
}

/** Whether an anomaly is of a key: of all columns that both have, the values are the same. */
function fits(row, key) {
  return Object.keys(key).every((column) => row.key[column] == null || row.key[column] === key[column]);
}

/** The rows of a measure of the chosen keys, for a chart and a table. */
function rowsOf(one, table, measure, keys) {
  const labels = table.keys.map((key) => keyText(key) || one.name), found = new Set(measure.found);
  return table.t.flatMap((t, n) => keys.has(table.key[n]) ? [{
    ms: t, t: wall(t, one.zone), at: timeText(t, one.zone), key: labels[table.key[n]], v: measure.v[n],
    known: measure.known?.[n] ?? null, base: measure.base?.[n] ?? null, lower: measure.lower?.[n] ?? null, upper: measure.upper?.[n] ?? null,
    found: found.has(n),
  }] : []);
}

/** What is expected after the newest bucket, of the chosen keys. */
function forecastOf(one, table, keys) {
  const ahead = table.forecast, labels = table.keys.map((key) => keyText(key) || one.name);
  return !ahead ? [] : ahead.t.flatMap((t, n) => keys.has(ahead.key[n]) ? [{
    t: wall(t, one.zone), at: timeText(t, one.zone), key: labels[ahead.key[n]], base: ahead.base[n], lower: ahead.lower[n], upper: ahead.upper[n],
  }] : []);
}

/** An anomaly as a span of a chart. */
function spanOf(row, zoneName) {
  return {
    t: wall(row.starts, zoneName), end: wall(row.ends, zoneName), key: keyText(row.key), status: row.status, state: gone(row.status) ? row.status : "active",
    why: why(row), from: timeText(row.starts, zoneName), to: timeText(row.ends, zoneName), incident: row.incident,
  };
}

/** The anomalies whose detections read a series, of the shown keys in a range. */
function spansOf(one, table, keys, isActive, isOutdated, [first, last]) {
  const shown = [...keys].map((n) => table.keys[n]);
  return one.anomalies
    .flatMap((source) => report.anomalies[source.table].rows.filter((row) => isOf(source, row)))
    .filter((row) => (gone(row.status) ? isOutdated : isActive))
    .filter((row) => shown.some((key) => fits(row, key)))
    .map((row) => spanOf(row, one.zone))
    .filter((row) => row.end > first && row.t < last)
    .map((row) => ({ ...row, t: Math.max(row.t, first), end: Math.min(row.end, last) }));
}

// Series

const nameOf = (one) => one.model && one.model !== one.name ? `${one.name} (${one.model})` : one.name;

/** All series, or the place of one incident. */
function seriesView(incident) {
  if (!shownSeries.length) return nothing("This project has no aggregation, no table of time weights and no detector.");
  const part = element("div"), place = incident && placeOf(incident);
  const evaluated = shownSeries.filter((one) => one.kind), others = shownSeries.filter((one) => !one.kind);
  const first = place ? shownSeries.indexOf(place.one) : others.length ? evaluated.length : 0;
  const show = (n, at = null) => part.replaceChildren(oneSeries(shownSeries[n], at));
  show(first, place);
  const groups = [["What detectors evaluate", evaluated.map(nameOf)], ["Tables", others.map(nameOf)]].filter(([, names]) => names.length);
  return element("section", {}, element("h2", {}, "Series"),
    incident ? element("p", { class: "ways" }, element("a", { href: `#incident-${incident.id}` }, "The incident"), element("a", { href: "#now" }, "Now")) : null,
    shownSeries.length > 1 ? element("div", { class: "controls" }, choice("Series", groups, (n) => show(n), first)) : null,
    part);
}

function oneSeries(one, at) {
  const filled = one.tables.filter((table) => table.t.length && table.measures.length);
  if (!filled.length) return nothing(`${one.name} has no rows.`);
  let table = at?.table ?? filled.find((each) => each.t.length / each.keys.length >= 40) ?? filled[filled.length - 1];
  let measure = 0, isActive = true, isOutdated = false;
  // What was expected of several keys would cover each other.
  const keys = new Set(at ? [at.key] : one.kind ? [0] : [0, 1, 2].filter((n) => n < table.keys.length));
  const chart = element("div", { class: "chart" }), known = element("div", { class: "chart" }), shapes = element("div");
  const note = element("p", { class: "note" }), beside = element("details", { class: "beside" });
  const all = () => [wall(table.t[0], one.zone), wall(Math.max(table.t[table.t.length - 1], table.forecast?.t.at(-1) ?? 0), one.zone) + 1];
  const zoom = zooming(all, () => redraw());
  if (at) zoom.range = at.range.map((t) => wall(t, one.zone));

  async function redraw() {
    const chosen = table.measures[measure], { name, text, known: share } = chosen;
    const found = rowsOf(one, table, chosen, keys), forecast = forecastOf(one, table, keys);
    const anomalies = spansOf(one, table, keys, isActive, isOutdated, all());
    const view = await draw(chart, one.kind ? "evaluated" : "series", { rows: found, ...(one.kind ? { forecast } : {}), anomalies },
      { domain: zoom.range, description: `${name} of ${one.name} by ${table.duration}: a line for each key` });
    view.addSignalListener("zoom", (_, value) => {
      if (!value.t || value.t.every((t, n) => Number(t) === zoom.range[n])) return;
      zoom.range = value.t.map(Number);
      closeTable();
      if (share) drawKnown(found);
    });
    view.addEventListener("click", (_, item) => { if (item?.datum?.incident) location.hash = `#incident-${item.datum.incident}`; });
    known.hidden = !share;
    if (share) drawKnown(found);
    shapes.replaceChildren(legend([
      ["line", name],
      ...(found.some((row) => row.base != null) ? [["base", one.kind === "season" ? "expected" : "baseline"]] : []),
      ...(found.some((row) => row.lower != null || row.upper != null) ? [["band", one.kind === "season" ? "two standard deviations around it" : "bounds"]] : []),
      ...(found.some((row) => row.found) ? [["point", "found"]] : []),
      ...(forecast.length ? [["base", "forecast"]] : []),
      ...["active", "outdated", "ignored"].filter((state) => anomalies.some((row) => row.state === state)).map((state) => [`span ${state}`, `${state} anomaly`]),
    ]));
    const shown = table.t.length < table.total
      ? `The newest ${numberText(table.t.length)} of ${numberText(table.total)} rows` : `All ${numberText(table.total)} rows`;
    const many = one.number_of_keys > table.keys.length ? `; ${table.keys.length} of ${numberText(one.number_of_keys)} keys` : "";
    note.textContent = `${one.kind ? `${name}, as ${one.kind === "season" ? "the table" : "the detector"} ${nameOf(one)} has it` : `${name} = ${text}`}. ${shown}${many}, ${numberText(anomalies.length)} anomalies of those that are ticked in this time. Times of ${one.zone}.`;
    closeTable();
    beside.ontoggle = () => {
      if (!beside.open || beside.children.length > 1) return;
      beside.append(filteredTable(`${name} by ${table.duration}`, [
        { name: "start", value: (row) => row.at, sort: (row) => row.t }, { name: "key", value: (row) => row.key },
        { name, value: (row) => row.v, number: true }, { name: "known", value: (row) => row.known, number: true },
        { name: one.kind === "season" ? "expected" : "baseline", value: (row) => row.base, number: true }, { name: "lower bound", value: (row) => row.lower, number: true },
        { name: "upper bound", value: (row) => row.upper, number: true }, { name: "found", value: (row) => row.found ? "found" : "" },
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
  const durations = filled.length < 2 ? null : element("fieldset", {}, element("legend", {}, "Duration"),
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
    controlsOf([durations,
      table.measures.length > 1 ? choice("Measure", [[null, table.measures.map((each) => each.name)]], (n) => { measure = n; redraw(); }) : null,
      element("fieldset", {}, element("legend", {}, "Anomalies"),
        toggle("Active", isActive, (now) => { isActive = now; redraw(); }),
        toggle("Outdated", isOutdated, (now) => { isOutdated = now; redraw(); })),
      zoom.controls],
      table.keys.length > 1 ? checks(table.keys.map(keyText), keys, () => redraw()) : null),
    chart, known, shapes, note, beside);
}

// Anomalies

const when = (name, field) => ({ name, style: () => "time", value: (row) => timeText(row[field], zone()), sort: (row) => row[field] ?? 0 });

/** All incidents by table, or first of all one of them. */
function anomaliesView(wanted) {
  if (!report.anomalies.length) return nothing("This project has no table of anomalies.");
  return element("section", {}, wanted ? oneIncident(wanted) : null, report.anomalies.flatMap((one, place) => {
    const chart = element("div", { class: "chart" }), own = incidents.filter((each) => each.place === place);
    draw(chart, "days", { rows: one.rows.map((row) => ({ t: wall(row.ends, zone()), status: row.status })) },
      { description: `Anomalies of ${one.name} by the day on which they ended` });
    const total = Object.values(one.counts).reduce((sum, n) => sum + n, 0);
    const counts = Object.entries(one.counts).map(([status, n]) => `${numberText(n)} ${status}`).join(", ");
    return [element("h2", {}, one.name),
      element("p", { class: "note" }, `${counts || "none yet"}. ${one.rows.length < total ? `The newest ${numberText(one.rows.length)} are shown. ` : ""}Start and end are times of events; changed is by the clock of the model, which may be that of the data, and notified by that of the runs. All of ${zone()}.`),
      chart,
      filteredTable(`Incidents of ${one.name}`, [
        when("start", "starts"), when("end", "ends"),
        { name: "key", value: (row) => element("a", { href: `#incident-${row.id}` }, titleOf(row.key) || "all"), sort: (row) => titleOf(row.key) },
        { name: "found", value: (row) => row.worst.current_value, number: true },
        { name: "expected", value: (row) => row.worst.baseline_value, number: true },
        { name: "anomalies", value: (row) => row.count, number: true },
        { name: "severity", value: (row) => row.severity },
        { name: "status", value: (row) => row.status, style: (row) => gone(row.status) ? "warn" : "bad" },
        when("changed", "changed"), when("notified", "notified"),
      ], own, [
        { label: "Status", choices: distinct(own.map((row) => row.status)), of: (row) => row.status },
        ...(own.some((row) => row.key.detector) ? [{ label: "Detector",
          choices: distinct(own.map((row) => row.key.detector ?? "–")), of: (row) => row.key.detector ?? "–" }] : []),
        { label: "Key contains", text: (row) => keyText(row.key) },
      ], (row) => row.status === "outdated" ? "outdated" : "")];
  }));
}

/** One incident with its anomalies and its notifications. */
function oneIncident(incident) {
  const sent = report.notifications.flatMap((one) => one.rows.filter((row) => row.incident === incident.id));
  return element("section", { class: "incident" }, element("h2", {}, `${incident.severity ? `[${incident.severity}] ` : ""}${titleOf(incident.key)}`),
    element("p", { class: "note" }, `Incident ${incident.id} of ${incident.from}, ${incident.status}. Times of ${zone()}.`),
    filteredTable("Its anomalies", [
      when("start", "starts"), when("end", "ends"),
      { name: "found", value: (row) => row.current_value, number: true },
      { name: "expected", value: (row) => row.baseline_value, number: true },
      { name: "severity", value: (row) => row.severity },
      { name: "status", value: (row) => row.status, style: (row) => gone(row.status) ? "warn" : "bad" },
      when("changed", "changed"), when("notified", "notified"),
      { name: "anomaly", value: (row) => row.id },
    ], incident.rows, [], (row) => row.status === "outdated" ? "outdated" : ""),
    sent.length ? element("p", { class: "note" }, `Notified: ${sent.map((row) => `${row.kind} at ${timeText(row.notified, zone())}`).join(", ")}.`) : null,
    element("p", { class: "note" }, "Somebody works on it: ", element("code", {}, `strandline ack ${incident.id.slice(0, 10)}`),
      "; it was none: ", element("code", {}, `strandline feedback ${incident.id.slice(0, 10)} --verdict no_anomaly`), "."),
    element("p", { class: "ways" },
      placeOf(incident) ? element("a", { href: `#place-${incident.id}` }, "In its series") : null,
      element("a", { href: "#now" }, "Now"), element("a", { href: "#anomalies" }, "All incidents")));
}
