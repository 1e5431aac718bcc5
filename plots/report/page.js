// A click on a column's head sorts its table by it, another one the other way round.
// Cells without a number come last. Before printing, what is folded away is opened.
"use strict";
(function () {
  function compare(a, b, numbers) {
    if (numbers) {
      if (a === "" || b === "") return (a === "") - (b === "");
      return Number(a) - Number(b);
    }
    return a.localeCompare(b, "en", { numeric: true });
  }
  function keyOf(row, column, numbers) {
    var cell = row.cells[column];
    return numbers ? cell.dataset.key || "" : cell.textContent;
  }
  function sort(table, column, head) {
    var numbers = head.classList.contains("number");
    var before = head.getAttribute("aria-sort");
    var down = before ? before === "ascending" : numbers;
    var body = table.tBodies[0];
    var rows = Array.from(body.rows);
    rows.sort(function (x, y) {
      var a = keyOf(x, column, numbers), b = keyOf(y, column, numbers);
      var order = compare(a, b, numbers);
      return down && a !== "" && b !== "" ? -order : order;
    });
    rows.forEach(function (row) { body.appendChild(row); });
    table.querySelectorAll("thead th").forEach(function (th) { th.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    table.querySelectorAll("thead th").forEach(function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.append.apply(button, Array.from(head.childNodes));
      button.addEventListener("click", function () { sort(table, column, head); });
      head.append(button);
    });
  });
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (d) { d.open = true; });
  });
})();
