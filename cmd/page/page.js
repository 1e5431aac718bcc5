// The page of avsim serve. What can be set, and its values, come from /api/controls. The
// whole state stands in the address, so that the address is a link to it. A question that
// is outdated is left: the server stops working on it.
"use strict";
(function () {
  var patience = 250; // ms that an outdated question may still take, so that figures move along with a slider
  var byID = function (id) { return document.getElementById(id); };
  var controls = [], questions = [], start = {};

  function element(name, properties, children) {
    var e = document.createElement(name);
    Object.assign(e, properties || {});
    (children || []).forEach(function (c) { e.append(c); });
    return e;
  }

  // --- state ---

  function read() {
    var given = new URLSearchParams(location.search);
    controls.forEach(function (c) { c.at = given.has(c.name) ? given.get(c.name) : c.standard; });
  }

  function values() {
    var out = new URLSearchParams();
    controls.forEach(function (c) { if (c.at !== c.standard) out.set(c.name, c.at); });
    return out;
  }

  function address() {
    var text = values().toString();
    return location.pathname + (text ? "?" + text : "");
  }

  // --- controls ---

  // placed is the place of a value among those of a slider; one that is not among them is
  // put where it belongs.
  function placed(c) {
    var i = c.values.findIndex(function (v) { return v.value === c.at; });
    if (i >= 0) return i;
    var size = sizeOf(c.at);
    i = c.values.findIndex(function (v) { return sizeOf(v.value) > size; });
    if (i < 0) i = c.values.length;
    c.values.splice(i, 0, { value: c.at, label: c.at });
    return i;
  }

  function sizeOf(text) {
    var m = /^([0-9.]+)\s*(ms|s|min|h|d)?$/.exec(text);
    if (!m) return Infinity;
    return Number(m[1]) * ({ ms: 0.001, s: 1, min: 60, h: 3600, d: 86400 }[m[2]] || 1);
  }

  function show(c) {
    if (c.kind === "range") {
      var i = placed(c);
      c.input.max = String(c.values.length - 1);
      c.input.value = String(i);
      c.output.textContent = c.values[i].label;
      c.input.setAttribute("aria-valuetext", c.values[i].label);
      return;
    }
    if (!c.values.some(function (v) { return v.value === c.at; })) {
      c.values.push({ value: c.at, label: c.at });
      c.input.append(element("option", { value: c.at, textContent: c.at }));
    }
    c.input.value = c.at;
  }

  function build(c) {
    var label = element("label", { htmlFor: "control-" + c.name }, [c.label]);
    var box = element("div", { className: "control" }, [label]);
    if (c.kind === "range") {
      c.output = element("output", { htmlFor: "control-" + c.name });
      c.input = element("input", { type: "range", min: "0", step: "1", max: String(c.values.length - 1) });
      label.append(c.output);
      c.input.addEventListener("input", function () {
        c.at = c.values[Number(c.input.value)].value;
        show(c);
        changed();
      });
    } else {
      c.input = element("select", {}, c.values.map(function (v) { return element("option", { value: v.value, textContent: v.label }); }));
      c.input.addEventListener("change", function () { c.at = c.input.value; changed(); });
    }
    c.input.id = "control-" + c.name;
    c.input.name = c.name;
    box.append(c.input);
    if (c.help) {
      box.append(element("small", { id: "help-" + c.name, textContent: c.help }));
      c.input.setAttribute("aria-describedby", "help-" + c.name);
    }
    return box;
  }

  function tell(text) {
    byID("told").textContent = text;
  }

  function copy(text, what) {
    var done = function () { tell(what + " copied."); };
    var failed = function () { tell(text); };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, failed);
    else failed();
  }

  function buttons() {
    var button = function (text, id, click) {
      var b = element("button", { type: "button", textContent: text, id: id });
      b.addEventListener("click", click);
      return b;
    };
    return [
      element("div", { className: "buttons" }, [
        button("Copy commands", "copy-commands", function () { copy(byID("commands").textContent, "Commands"); }),
        button("Copy link", "copy-link", function () { copy(location.origin + address(), "Link"); }),
        button("Reset", "reset", function () {
          controls.forEach(function (c) { c.at = c.standard; show(c); });
          changed();
        }),
      ]),
      element("p", { className: "told", id: "told", role: "status" }),
    ];
  }

  // --- questions ---

  var writing = 0;
  function changed() {
    tell("");
    clearTimeout(writing);
    writing = setTimeout(function () { history.replaceState(null, "", address()); }, 200);
    questions.forEach(want);
  }

  function narrow() { return byID("figures").clientWidth < 560; }

  // want asks a question: at once, or when the one under way has come back, which is left
  // if it takes too long.
  function want(q) {
    q.wanted = true;
    if (!q.flight) return ask(q);
    var left = patience - (performance.now() - q.began);
    clearTimeout(q.leave);
    q.leave = setTimeout(function () { if (q.flight && q.wanted) q.flight.abort(); }, Math.max(left, 0));
  }

  function ask(q) {
    var flight = new AbortController();
    q.wanted = false;
    q.flight = flight;
    q.began = performance.now();
    clearTimeout(q.leave);
    clearTimeout(q.again);
    q.again = 0;
    busy(q, true);
    var query = values();
    if (narrow()) query.set("narrow", "1");
    fetch("/api/" + q.name + "?" + query, { signal: flight.signal })
      .then(function (response) {
        return response.json().then(function (body) {
          if (response.status === 503) {
            q.again = setTimeout(function () { want(q); }, 1000 * Number(response.headers.get("Retry-After") || 1));
            return;
          }
          q.error = body.error || "";
          if (!q.error) q.answer = body;
          render(q);
        });
      })
      .catch(function (error) {
        if (error.name === "AbortError") return;
        q.error = "The simulator does not answer: is avsim serve still running?";
        render(q);
      })
      .finally(function () {
        if (q.flight !== flight) return;
        q.flight = null;
        if (q.wanted) ask(q);
        else if (!q.again) busy(q, false);
      });
  }

  // --- answers ---

  function busy(q, is) {
    var boxes = q.figures.map(function (name) { return byID("figure-" + name); });
    if (q.verdict) boxes.push(byID("facts"), byID("verdict-words"));
    boxes.forEach(function (b) { b.setAttribute("aria-busy", String(is)); });
  }

  function render(q) {
    var errors = questions.map(function (x) { return x.error; }).filter(Boolean);
    var box = byID("error");
    box.hidden = errors.length === 0;
    box.textContent = errors.filter(function (x, i) { return errors.indexOf(x) === i; }).join(" ");
    q.figures.forEach(function (name) {
      byID("figure-" + name).hidden = Boolean(q.error) || !q.answer.figures.some(function (f) { return f.name === name; });
    });
    if (q.verdict) {
      byID("facts").hidden = Boolean(q.error);
      if (q.error) {
        byID("verdict-words").textContent = "No answer for this.";
        byID("evidence").textContent = "";
      }
    }
    if (!q.error) {
      if (q.verdict) verdict(q.answer);
      stand(q.answer.standards || {});
      q.answer.figures.forEach(fill);
    }
    byID("commands").textContent = questions.filter(function (x) { return x.answer && !x.error; }).map(function (x) { return x.answer.command; }).join("\n");
    byID("same").hidden = !byID("commands").textContent;
    byID("source").textContent = start.source;
    document.body.dataset.answers = String(Number(document.body.dataset.answers || 0) + 1);
  }

  // stand moves the sliders that stand where the simulation has them of itself, when it has
  // them elsewhere for what was asked.
  function stand(standards) {
    controls.forEach(function (c) {
      if (!(c.name in standards) || c.standard === standards[c.name]) return;
      var moves = c.at === c.standard;
      c.standard = standards[c.name];
      if (moves) { c.at = c.standard; show(c); }
    });
  }

  function verdict(answer) {
    var words = byID("verdict-words");
    if (words.textContent !== answer.verdict) words.textContent = answer.verdict;
    byID("evidence").textContent = answer.evidence;
    byID("facts").replaceChildren.apply(byID("facts"), answer.facts.map(function (f) {
      return element("div", {}, [element("dt", { textContent: f.label }), element("dd", { textContent: f.value })]);
    }));
  }

  // empty is the place of a figure that is to come.
  function empty(name) {
    var id = "figure-" + name;
    var box = element("figure", { id: id, hidden: true }, [
      element("h3", { id: id + "-title" }), element("p", { className: "subtitle" }),
      element("div", { className: "drawing" }), element("p", { className: "words", id: id + "-words" }),
      element("details", {}, [element("summary", { textContent: "What the marks mean" }), element("div", { className: "notes" })]),
    ]);
    var drawing = box.querySelector(".drawing");
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-labelledby", id + "-title");
    drawing.setAttribute("aria-describedby", id + "-words");
    return box;
  }

  function fill(f) {
    var box = byID("figure-" + f.name);
    box.querySelector("h3").textContent = f.title;
    box.querySelector(".subtitle").textContent = f.subtitle;
    box.querySelector(".drawing").innerHTML = f.svg;
    box.querySelector(".words").textContent = f.words;
    box.querySelector(".notes").replaceChildren.apply(box.querySelector(".notes"), f.notes.map(function (n) { return element("p", { textContent: n }); }));
  }

  // --- start ---

  function begin(body) {
    start = body;
    controls = body.controls;
    questions = body.questions;
    document.title = body.title + " · avsim";
    byID("title").textContent = body.title;
    byID("kicker").textContent = body.kicker;
    read();
    var form = byID("controls");
    form.addEventListener("submit", function (e) { e.preventDefault(); });
    controls.forEach(function (c) { form.append(build(c)); show(c); });
    buttons().forEach(function (b) { form.append(b); });
    body.figures.forEach(function (name) { byID("figures").append(empty(name)); });
    window.addEventListener("popstate", function () { read(); controls.forEach(show); questions.forEach(want); });
    var was = narrow();
    window.addEventListener("resize", function () {
      if (narrow() !== was) { was = narrow(); questions.forEach(want); }
    });
    questions.forEach(want);
  }

  fetch("/api/controls").then(function (r) { return r.json(); }).then(begin).catch(function () {
    byID("verdict-words").textContent = "The simulator does not answer: is avsim serve still running?";
  });
})();
