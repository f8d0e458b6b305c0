/** The share of a standard normal distribution's values that lie within this many deviations is 95%. */
const deviations = 1.959964;

/**
 * The Wilson score interval of a share at 95% confidence: where the true share may well be, after `successes` (which may be a
 * sum of shares) in `trials`. From 0 to 1 if there were none. https://doi.org/10.1080/01621459.1927.10502953
 */
export function wilsonInterval(successes: number, trials: number): readonly [low: number, high: number] {
  if (trials === 0) return [0, 1];
  const share = successes / trials;
  const square = deviations ** 2;
  const centre = share + square / (2 * trials);
  const reach = deviations * Math.sqrt((share * (1 - share) + square / (4 * trials)) / trials);
  const whole = 1 + square / trials;
  return [Math.max(0, (centre - reach) / whole), Math.min(1, (centre + reach) / whole)];
}

/**
 * How likely it is that `k` runs all succeed (pass^k), after `successes` in `trials`: the unbiased estimate, which is the share
 * of all choices of `k` runs that are successes only. `undefined` for more runs than there were. https://arxiv.org/abs/2406.12045
 */
export function passHat(k: number, successes: number, trials: number): number | undefined {
  if (k > trials) return undefined;
  let share = 1;
  for (let index = 0; index < k; index += 1) share *= (successes - index) / (trials - index);
  return Math.max(0, share);
}

/** The value below which so large a share of the values lies, by rank; `undefined` for none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
