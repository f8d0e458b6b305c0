/** Holds what comes of the table in a place to what comes of it in development. */
import type { Refusal } from "./place.ts";
import type { CaseReport } from "./table/src/case.ts";

/** Tools that a model's context reached, and calls whose function received something else than was sent. */
export function findUnsafe(reports: readonly CaseReport[]): string[] {
  return reports.flatMap(({ title, refused, received, receives, hostile }) => {
    if (hostile.forged > 0) return [`${title}: ${hostile.forged} forged contexts`];
    if (refused !== undefined || JSON.stringify(received) === JSON.stringify([receives])) return [];
    return [`${title}: received ${JSON.stringify(received)} instead of ${JSON.stringify([receives])}`];
  });
}

/** Cases of which something else comes than in development, to the letter: the order of properties counts. */
export function findDifferences(reports: readonly CaseReport[], expected: readonly CaseReport[]): string[] {
  const missing = expected.slice(reports.length).map(({ title }) => `${title}: missing`);
  return [...reports.flatMap((report, index) => differenceOf(report, expected[index])), ...missing];
}

/** Cases that are neither refused with the remedy nor, where they need no types, the same as in development. */
export function findUnrefused(
  reports: readonly CaseReport[],
  expected: readonly CaseReport[],
  { refusal }: Refusal,
): string[] {
  const missing = expected.slice(reports.length).map(({ title }) => `${title}: missing`);
  const wrong = reports.flatMap((report, index) => {
    const { title, refused, needsNoTypes } = report;
    if (refused !== undefined) return refused.includes(refusal) ? [] : [`${title}: ${refused}`];
    if (needsNoTypes) return differenceOf(report, expected[index]);
    return [`${title}: not refused, but ${JSON.stringify(report.tools)}`];
  });
  return [...wrong, ...missing];
}

function differenceOf(report: CaseReport, expected: CaseReport | undefined): string[] {
  const [here, there] = [JSON.stringify(report), JSON.stringify(expected)];
  if (here === there) return [];
  const from = here.split("").findIndex((letter, index) => letter !== there?.[index]);
  const around = (text = ""): string => text.slice(Math.max(0, from - 80), from + 160);
  return [`${report.title}: ${report.refused ?? `…${around(here)}… instead of …${around(there)}…`}`];
}
