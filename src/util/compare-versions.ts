/**
 * Orders versions as numbers between dots: below 0 if `left` is older. A version with a suffix after a hyphen is older
 * than the same one without (https://semver.org, item 11).
 */
export function compareVersions(left: string, right: string): number {
  const [leftBase, leftSuffix] = split(left);
  const [rightBase, rightSuffix] = split(right);
  const bases = numeric.compare(leftBase, rightBase);
  if (bases !== 0 || leftSuffix === rightSuffix) return bases;
  if (leftSuffix === undefined) return 1;
  return rightSuffix === undefined ? -1 : numeric.compare(leftSuffix, rightSuffix);
}

const numeric = new Intl.Collator("en", { numeric: true });

function split(version: string): readonly [base: string, suffix?: string] {
  const hyphen = version.indexOf("-");
  return hyphen < 0 ? [version] : [version.slice(0, hyphen), version.slice(hyphen + 1)];
}
