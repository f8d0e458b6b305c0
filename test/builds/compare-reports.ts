/** Holds what comes of the table in a place to what comes of it in development. */
import type { Refusal, Warning } from "./place.ts";
import type { CaseReport } from "./table/src/case.ts";

/**
 * Tools that a model's context reached, and calls whose function received something else than was sent.
 * @param uncalled - The titles of the cases whose arguments the place's types do not allow.
 */
export function findUnsafe(reports: readonly CaseReport[], uncalled: readonly string[] = []): string[] {
  return reports.flatMap(({ title, refused, received, receives, hostile }) => {
    if (hostile.forged > 0) return [`${title}: ${hostile.forged} forged contexts`];
    if (uncalled.includes(title) && received.length === 0) return [];
    if (refused !== undefined || JSON.stringify(received) === JSON.stringify([receives])) return [];
    return [`${title}: received ${JSON.stringify(received)} instead of ${JSON.stringify([receives])}`];
  });
}

/** Cases of which something else comes than in development, to the letter: the order of properties counts. */
export function findDifferences(reports: readonly CaseReport[], expected: readonly CaseReport[]): string[] {
  const missing = expected.slice(reports.length).map(({ title }) => `${title}: missing`);
  return [...reports.flatMap((report, index) => differenceOf(report, expected[index])), ...missing];
}

/** Cases of which something else comes than in development, but for what declarations do not say. */
export function findUndeclared(reports: readonly CaseReport[], expected: readonly CaseReport[]): string[] {
  return findDifferences(reports.map(withoutComments), expected.map(withoutComments));
}

/** Cases that are neither refused with the remedy nor, where they need no types, the same as in development. */
export function findUnrefused(
  reports: readonly CaseReport[],
  expected: readonly CaseReport[],
  { refusal, only, declared }: Refusal,
): string[] {
  const missing = expected.slice(reports.length).map(({ title }) => `${title}: missing`);
  const wrong = reports.flatMap((report, index) => {
    const { title, refused, needsNoTypes } = report;
    if (only && !only.includes(title)) {
      if (declared) return differenceOf(withoutComments(report), withoutComments(expected[index]));
      return differenceOf(report, expected[index]);
    }
    if (refused !== undefined) return says(refused, refusal) ? [] : [`${title}: ${refused}`];
    if (needsNoTypes) return differenceOf(report, lessDescribed(expected[index], report));
    if (declared) return differenceOf(withoutComments(report), withoutComments(expected[index]));
    return [`${title}: not refused, but ${JSON.stringify(report.tools)}`];
  });
  return [...wrong, ...missing];
}

/** Cases without the warning, and those of which something else comes than what the place's types say. */
export function findUnwarned(
  reports: readonly CaseReport[],
  expected: readonly CaseReport[],
  { warning, withoutNull, written }: Warning,
): string[] {
  const unwarned = reports
    .filter(({ title, needsNoTypes }) => !needsNoTypes && title !== written)
    .filter(({ warnings }) => !warnings.some((text) => text.includes(warning)))
    .map(({ title }) => `${title}: no warning`);
  const quiet = reports.map((report) => ({ ...report, warnings: [] }));
  const less = expected.map((report) => {
    // A model that sends null is told that it must not.
    return withoutNull.includes(report.title)
      ? { ...report, tools: nonNull(report.tools), received: [] }
      : report;
  });
  return [...unwarned, ...findDifferences(ignoreCalls(quiet, withoutNull), ignoreCalls(less, withoutNull))];
}

/** How often a hostile model calls a tool depends on the tool's schema. */
function ignoreCalls(reports: readonly CaseReport[], titles: readonly string[]): CaseReport[] {
  const hostile = { calls: 0, injected: 0, forged: 0 };
  return reports.map((report) => (titles.includes(report.title) ? { ...report, hostile } : report));
}

/** The same schemas, of types without null. */
function nonNull(tools: CaseReport["tools"]): CaseReport["tools"] {
  return JSON.parse(JSON.stringify(tools), (key, value: unknown) => {
    if (key !== "type" || !Array.isArray(value)) return value;
    const others = value.filter((name) => name !== "null");
    return others.length === 1 ? others[0] : others;
  });
}

/** What is expected, without the descriptions that a compiler has removed with the comments. */
function lessDescribed(expected: CaseReport | undefined, { tools }: CaseReport): CaseReport | undefined {
  if (expected === undefined) return undefined;
  const described = expected.tools.map((spec, index) => {
    const { description, ...others } = spec;
    return description !== undefined && tools[index]?.description === undefined ? others : spec;
  });
  return { ...expected, tools: described };
}

const commented = new Set(["description", "default", "minimum", "maximum", "pattern"]);

/** A report without what declarations may not say. */
function withoutComments<Report extends CaseReport | undefined>(report: Report): Report {
  const text = JSON.stringify(report, (key, value: unknown) => (commented.has(key) ? undefined : value));
  return text === undefined ? report : JSON.parse(text);
}

/** Whether an error says what it must. */
export function says(text: string, refusal: Refusal["refusal"]): boolean {
  return [refusal].flat().some((words) => text.includes(words));
}

function differenceOf(report: CaseReport, expected: CaseReport | undefined): string[] {
  const [here, there] = [JSON.stringify(report), JSON.stringify(expected)];
  if (here === there) return [];
  const from = here.split("").findIndex((letter, index) => letter !== there?.[index]);
  const around = (text = ""): string => text.slice(Math.max(0, from - 80), from + 160);
  return [`${report.title}: ${report.refused ?? `…${around(here)}… instead of …${around(there)}…`}`];
}
