import { allRules, ruleNames, type FoundBefore, type RuleName } from "./rules.ts";
import type { CheckedFile, Finding, Level } from "./types.ts";

/** The levels of rules that were set. */
export type Levels = Readonly<Partial<Record<RuleName, Level>>>;

/** A finding with its level. */
export interface Diagnostic extends Finding {
  readonly rule: RuleName;
  readonly level: Exclude<Level, "off">;
}

/** Applies every rule that is not off. The findings are sorted by file and place. */
export function check(
  files: readonly CheckedFile[],
  levels: Levels,
  before: Readonly<Record<FoundBefore, readonly Finding[]>>,
): readonly Diagnostic[] {
  const findings = ruleNames.flatMap((rule) => {
    const set = levels[rule];
    if (set === "off") return [];
    const earlierFindings = rule === "unusable" || rule === "schema-drift" ? before[rule] : [];
    return [...earlierFindings, ...allRules[rule].find(files)].map((finding): Diagnostic => ({
      ...finding,
      rule,
      level: set ?? finding.level ?? allRules[rule].level,
    }));
  });
  return findings.sort(byPlace);
}

function byPlace({ place: left }: Diagnostic, { place: right }: Diagnostic): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.line - right.line || left.column - right.column;
}
