// What the page does beyond sending its form: moves in tables, pastes rows, marks fields, copies, asks before leaving.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const form = () => document.getElementById("sizing");
  const cells = "input:not([type=hidden]), select";
  let changed = false; // typed or clicked since the page came
  let leaving = false; // on purpose: a button of the form, or the back button

  // Fields: what is wrong stands in the answer's list; bring it to the fields.
  const mark = () => {
    const problems = document.getElementById("problems");
    if (!problems || !form()) return;
    const wrong = new Map([...problems.querySelectorAll("[data-place]")].map((li) => [li.dataset.place, li.textContent]));
    const missing = new Set([...problems.querySelectorAll("[data-missing]")].map((li) => li.dataset.missing));
    for (const field of form().querySelectorAll("input[name], select[name]")) {
      const note = document.getElementById("e-" + field.name);
      if (!note) continue;
      const text = wrong.get(field.name) || "";
      if (note.textContent !== text) note.textContent = text;
      if (text) field.setAttribute("aria-invalid", "true"); else field.removeAttribute("aria-invalid");
      field.toggleAttribute("data-needed", missing.has(field.name));
      if (text) field.closest("details:not([open])")?.setAttribute("open", "");
    }
    const old = wrong.size + missing.size > 0;
    document.getElementById("result")?.classList.toggle("old", old);
    return old ? problems.textContent : document.querySelector("#answer .headline")?.textContent;
  };

  // Tables: arrows move as in a spreadsheet; Enter goes down.
  const move = (event) => {
    const cell = event.target.closest("td");
    const table = cell?.closest("table.sheet");
    if (!table || event.altKey || event.ctrlKey || event.metaKey) return;
    const field = event.target;
    const select = field.tagName === "SELECT";
    const text = field.tagName === "INPUT" && field.type !== "checkbox";
    const at = text ? [field.selectionStart, field.selectionEnd] : [0, 0];
    const end = text ? field.value.length : 0, all = at[0] === 0 && at[1] === end;
    let down = 0, right = 0;
    if (event.key === "ArrowDown" && !select || event.key === "Enter" && text) down = 1;
    else if (event.key === "ArrowUp" && !select) down = -1;
    else if (event.key === "ArrowRight" && (all || at[0] === end)) right = 1;
    else if (event.key === "ArrowLeft" && (all || at[1] === 0)) right = -1;
    else return;
    if (select && right !== 0) event.preventDefault();
    const row = cell.parentElement, body = row.parentElement;
    const target = body.rows[row.sectionRowIndex + down]?.cells[cell.cellIndex + right]?.querySelector(cells);
    if (event.key === "Enter") event.preventDefault();
    if (!target) return;
    event.preventDefault();
    target.focus();
    if (target.select) target.select();
  };

  // Paste of more than one cell: the server splits it, as it does without script.
  const paste = (event) => {
    const table = event.target.closest?.("table.sheet");
    const text = event.clipboardData?.getData("text/plain") || "";
    if (!table || event.target.tagName !== "INPUT" || !/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    const cell = event.target.closest("td");
    const box = document.getElementById("paste." + table.dataset.table);
    const button = box.parentElement.querySelector("button");
    box.value = text;
    button.value = ["paste", table.dataset.table, cell.parentElement.sectionRowIndex, cell.cellIndex].join(":");
    button.click();
  };

  const copy = async (button) => {
    const from = document.getElementById(button.dataset.copy);
    const text = "link" in from.dataset ? new URL(from.value, location.href).href : from.textContent;
    const words = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select the text and copy it";
    }
    setTimeout(() => { button.textContent = words; }, 2000);
  };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      root.classList.add("hush");
      for (const menu of document.querySelectorAll("details.menu[open]")) { menu.open = false; menu.firstElementChild.focus(); }
    } else if (event.target.closest) move(event);
  });
  document.addEventListener("focusin", () => root.classList.remove("hush"));
  document.addEventListener("paste", paste);
  document.addEventListener("input", (event) => {
    if (!event.target.closest("#fields, #top")) return;
    if (event.target.dataset.press) {
      if (event.target.value) document.getElementById(event.target.dataset.press).click();
      return;
    }
    changed = true;
    // The rule of thumb of an empty field follows the type of disk beside it.
    const rule = event.target.selectedOptions?.[0]?.dataset.rule;
    const beside = rule && document.getElementById(event.target.name.replace("disk_type", "iops_per_disk"));
    if (beside) beside.placeholder = rule;
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
    for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("submit", (event) => {
    // The answer is there already: Enter in a field needs no new page.
    if (event.submitter?.value === "calculate") { event.preventDefault(); return; }
    leaving = true;
    // A download keeps the page: ask again afterwards.
    if (event.submitter && "download" in event.submitter.dataset) setTimeout(() => { leaving = false; }, 1500);
  });
  addEventListener("popstate", (event) => { if (event.state?.htmx) leaving = true; });
  addEventListener("beforeunload", (event) => { if (changed && !leaving && form()) event.preventDefault(); });

  // What is unfolded stays unfolded; an added row gets the focus.
  let open = [], scrolled = 0;
  document.addEventListener("htmx:beforeSwap", () => {
    open = [...document.querySelectorAll("details[id]")].map((fold) => [fold.id, fold.open]);
    scrolled = document.getElementById("answer")?.scrollTop || 0;
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const [id, was] of open) { const fold = document.getElementById(id); if (fold) fold.open = was || fold.hasAttribute("data-open"); }
    const answer = document.getElementById("answer");
    if (answer) answer.scrollTop = scrolled;
    const told = mark();
    if (told) document.getElementById("told").textContent = told.replace(/\s+/g, " ");
    const focus = document.getElementById("focus");
    const place = focus?.dataset.focus;
    if (place) {
      changed = true;
      focus.dataset.focus = "";
      const target = document.getElementById(place);
      const field = target?.querySelector(cells) || target?.querySelector("button");
      field?.focus();
      field?.select?.();
    }
  });
  document.addEventListener("htmx:sendError", () => {
    const problems = document.getElementById("problems");
    if (problems) problems.textContent = "The server does not answer. What you typed is kept; the next change tries again.";
  });
  mark();

  // A file dropped anywhere on the page is the form's, as if it had been chosen.
  const drop = document.querySelector("form[data-drop]");
  if (drop) {
    const holds = (event) => event.dataTransfer?.types.includes("Files");
    document.addEventListener("dragover", (event) => {
      if (!holds(event)) return;
      event.preventDefault();
      drop.classList.add("over");
    });
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) drop.classList.remove("over"); });
    document.addEventListener("drop", (event) => {
      if (!holds(event)) return;
      event.preventDefault();
      drop.classList.remove("over");
      const own = event.target.closest?.(".drop")?.querySelector("input[type=file]");
      const field = own || drop.querySelector("input[type=file]");
      field.files = event.dataTransfer.files;
      if (drop.querySelectorAll("input[type=file]").length === 1) drop.requestSubmit();
    });
  }

  // A benchmark under way: the server sends how far it is, and at the end the page comes anew.
  const live = document.querySelector("[data-live]");
  if (live) {
    const events = new EventSource(live.dataset.live);
    events.addEventListener("told", (event) => { live.innerHTML = event.data; });
    events.addEventListener("over", () => { events.close(); location.reload(); });
  }
})();
