// The data, elements and tables. Texts become text nodes only: nothing of the data is read as HTML.

const report = JSON.parse(document.getElementById("data").textContent);
const distinct = (values) => [...new Set(values)].sort();

/** An element with attributes and children; texts are text nodes. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child != null));
  return made;
}

function nothing(text) {
  return element("section", {}, element("p", { class: "note" }, text));
}

function numberText(value) {
  return value == null ? "" : value.toLocaleString("en", { maximumFractionDigits: 3 });
}

/** Minutes by which the wall clock of a zone is ahead of UTC at an instant. */
const offsets = new Map();
function offsetOf(ms, zone) {
  const quarter = Math.floor(ms / 900000);
  const known = zone + quarter;
  if (!offsets.has(known)) {
    const parts = new Intl.DateTimeFormat("en", {
      timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric",
      hour: "numeric", minute: "numeric", second: "numeric",
    }).formatToParts(quarter * 900000);
    const of = Object.fromEntries(parts.map((part) => [part.type, Number(part.value)]));
    const wall = Date.UTC(of.year, of.month - 1, of.day, of.hour, of.minute, of.second);
    offsets.set(known, Math.round((wall - quarter * 900000) / 60000));
  }
  return offsets.get(known);
}

/** The wall clock of a zone, as the instant at which UTC's clock shows the same. */
function wall(ms, zone) {
  return ms + offsetOf(ms, zone) * 60000;
}

/** `2013-02-08 05:00 -05:00`. */
function timeText(ms, zone) {
  if (ms == null) return "";
  const minutes = offsetOf(ms, zone);
  const text = new Date(wall(ms, zone)).toISOString().slice(0, 19).replace("T", " ").replace(/:00$/, "");
  const two = (value) => String(Math.floor(Math.abs(value))).padStart(2, "0");
  return zone === "UTC" ? `${text} UTC` : `${text} ${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** The values of a key in one text. */
function keyText(key) {
  return Object.values(key).map((value) => value ?? "–").join(" · ");
}

/**
 * A table that is sorted by its headers and filtered by the given controls. A column in which every
 * row is empty is left out.
 * columns: {name, value: row => text, number or element, number: bool, style: row => class}
 * filters: {label, choices: [text], of: row => text} or {label, text: row => text}
 */
function filteredTable(caption, given, rows, filters, rowClass = () => "") {
  const columns = given.filter((column) => !rows.length || rows.some((row) => ![null, undefined, ""].includes(column.value(row))));
  let order = { column: null, down: false };
  const chosen = filters.map(() => "");
  const body = element("tbody");
  const shown = element("p", { class: "note", role: "status" });
  const heads = columns.map((column, place) =>
    element("th", { scope: "col", class: column.number ? "number" : "" },
      element("button", { type: "button", onclick: () => sortBy(place) }, column.name)));
  function sortBy(place) {
    order = { column: place, down: order.column === place && !order.down };
    heads.forEach((head, n) => {
      if (n === place) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    draw();
  }
  function passes(row) {
    return filters.every((filter, n) =>
      !chosen[n] || (filter.choices ? filter.of(row) === chosen[n]
        : filter.text(row).toLowerCase().includes(chosen[n].toLowerCase())));
  }
  function draw() {
    const found = rows.filter(passes);
    if (order.column != null) {
      const value = (row) => columns[order.column].sort?.(row) ?? columns[order.column].value(row) ?? "";
      found.sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        return (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)))
          * (order.down ? -1 : 1);
      });
    }
    body.replaceChildren(...found.map((row) => element("tr", { class: rowClass(row) },
      columns.map((column) => {
        const value = column.value(row);
        return element("td", { "data-name": column.name, class: [column.number ? "number" : "", column.style?.(row) ?? ""].join(" ").trim() },
          typeof value === "number" ? numberText(value) : value ?? "");
      }))));
    shown.textContent = `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
  }
  const controls = filters.map((filter, n) => {
    const change = (event) => { chosen[n] = event.target.value; draw(); };
    return element("label", {}, filter.label, filter.choices
      ? element("select", { onchange: change }, element("option", { value: "" }, "all"),
        filter.choices.map((choice) => element("option", { value: choice }, choice)))
      : element("input", { type: "search", oninput: change }));
  });
  draw();
  return element("div", {},
    controls.length ? element("div", { class: "controls" }, controls) : null, shown,
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      element("table", {}, element("caption", {}, caption),
        element("thead", {}, element("tr", {}, heads)), body)));
}
