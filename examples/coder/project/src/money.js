/** Splits an amount of cents into parts that are as equal as can be. */
export function split(cents, parts) {
  const share = Math.floor(cents / parts);
  return Array.from({ length: parts }, () => share);
}

/** Cents as they stand on a bill: 1234 is "12.34". */
export function format(cents) {
  return (cents / 100).toFixed(2);
}
