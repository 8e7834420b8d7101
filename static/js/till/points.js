// How many points the amount that is being typed gives, as `points_for` of loyalty/rules.py counts them.
import { decimals } from "../money.js";
import { counted } from "../words.js";

const field = document.getElementById("orderTotal");
const sentence = document.querySelector(".earn-gives");
const { unit, times } = sentence?.dataset ?? {};
const rate = sentence?.textContent;

/** In hundredths, which leaves no fraction to be rounded. Nothing for what is no amount. */
function points(typed) {
  const [, whole, part = ""] = /^\s*(\d{1,8})(?:[.,](\d{0,3}))?\s*$/.exec(typed) ?? [];
  if (whole === undefined || part.length > decimals) return null;
  const base = (BigInt(whole + part.padEnd(decimals, "0")) * BigInt(unit)) / 10n ** BigInt(decimals + 2);
  return (base * BigInt(times)) / 100n;
}

function show() {
  const gives = points(field.value);
  sentence.classList.toggle("is-given", Boolean(gives));
  const shown = gives?.toLocaleString(document.documentElement.dataset.formats);
  sentence.textContent = gives ? counted(sentence.dataset, gives, shown) : rate;
}

if (field && sentence) {
  field.addEventListener("input", show);
  show();
}
