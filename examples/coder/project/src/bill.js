import { format, split } from "./money.js";

/** What each guest of a table pays, in the order of the guests. */
export function bill(items, guests) {
  const total = items.reduce((sum, { cents }) => sum + cents, 0);
  const shares = split(total, guests.length);
  return guests.map((guest, index) => `${guest} pays ${format(shares[index])}`);
}
