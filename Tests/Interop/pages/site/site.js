// Opens the collections and leaves them to the test, which drives them from outside.
import { atmosphere, missing } from "/atmosphere.js";

window.missing = missing;
window.problems = [];
window.seen = {};
try {
  const local = window.local = await atmosphere();
  local.addEventListener("problem", event => window.problems.push(event.detail));
  for (const name of ["tasks", "lists"]) {
    window[name] = local.collection(name);
    window[name].subscribe(rows => { window.seen[name] = rows; });
  }
} catch (error) {
  document.querySelector("#said").textContent = error.message;
}
window.opened = true;
