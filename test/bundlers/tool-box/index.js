export function distance(from, to, unit) {
  return from.length + to.length + (unit === "mi" ? 0 : 1);
}

export function makeBox(unit) {
  return {
    weigh(thing) {
      return `${thing.length} ${unit}`;
    },
  };
}
