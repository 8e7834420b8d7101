// Sums as the server writes them, zero or more. Intl.NumberFormat would do, but takes a phone a tenth of a second to start.

const sample = document.documentElement.dataset.money; // 1234567890.12, such as €1,234,567,890.12
const [, before, shape, after] = /^(\D*)(.*\d)(\D*)$/.exec(sample);
export const decimals = shape.replace(/\D/g, "").length - 10;

const cents = 10 ** decimals; // of a unit of the currency: 1 where it has none, as yen

/** A price of the page, as cents: binary fractions would not add up. */
export const toCents = (price) => Math.round(Number(price) * cents);
export const ofCents = (count) => count / cents;

/** The digits take the places of the sample's, from the last one on. */
export function money(amount) {
  const digits = amount.toFixed(decimals).replace(".", "");
  let written = "";
  for (let left = digits.length, place = shape.length - 1; left; place -= 1) {
    written = (/\D/.test(shape[place] ?? "") ? shape[place] : digits[(left -= 1)]) + written;
  }
  return before + written + after;
}

export const moneyOfCents = (count) => money(ofCents(count));

/** What stands between units and cents where somebody types an amount. */
export const decimalPoint = () => (0.5).toLocaleString(document.documentElement.dataset.formats).charAt(1);
