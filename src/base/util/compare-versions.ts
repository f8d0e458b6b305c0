/**
 * Orders versions as numbers between dots: below 0 if `left` is older. A version with a suffix after a hyphen is older
 * than the same one without (https://semver.org, item 11).
 */
export function compareVersions(left: string, right: string): number {
  const [leftBase, leftSuffix] = split(left);
  const [rightBase, rightSuffix] = split(right);
  const bases = compareParts(leftBase, rightBase);
  if (bases !== 0 || leftSuffix === rightSuffix) return bases;
  if (leftSuffix === undefined) return 1;
  return rightSuffix === undefined ? -1 : compareParts(leftSuffix, rightSuffix);
}

function split(version: string): readonly [base: string, suffix?: string] {
  const [base = "", suffix] = /^([\d.]+)-(\D.*)$/s.exec(version)?.slice(1) ?? [version];
  return suffix === undefined ? [base] : [base, suffix];
}

/** Part by part: numbers by their size, and before words. Not by a collator, which takes milliseconds to make. */
function compareParts(left: string, right: string): number {
  const lefts = left.split(/[.-]/);
  const rights = right.split(/[.-]/);
  for (let index = 0; index < Math.max(lefts.length, rights.length); index++) {
    const order = comparePart(lefts[index] ?? "", rights[index] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

function comparePart(left: string, right: string): number {
  const [leftIsNumber, rightIsNumber] = [isNumber(left), isNumber(right)];
  if (leftIsNumber && rightIsNumber) return Number(left) - Number(right);
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  return left < right ? -1 : Number(left > right);
}

function isNumber(text: string): boolean {
  return /^\d*$/.test(text);
}
