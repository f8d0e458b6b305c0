import type { RunSummary } from "../src/studio/records.ts";

/** A word of a filter: what it is looked for in, and what it is, in small letters. */
export interface FilterWord {
  readonly field: string;
  readonly value: string;
}

/** The words of a filter, such as `order agent:Refunds tool:"look up" "not found"`: what is quoted is one. */
export function readFilter(query: string): readonly FilterWord[] {
  const words = query.toLowerCase().matchAll(/(?:(agent|tool|status|session):)?(?:"([^"]*)"?|(\S+))|\S+/g);
  return [...words].map(([word, field = "", quoted, plain]) => ({ field, value: quoted ?? plain ?? word }));
}

/** Whether a run fits a filter: all of its words. */
export function fitsFilter(run: RunSummary, words: readonly FilterWord[]): boolean {
  return words.every(({ field, value }) => {
    const has = (text: string | undefined): boolean => (text ?? "").toLowerCase().includes(value);
    if (field === "agent") return run.flight.some(({ agent }) => has(agent));
    if (field === "tool") return run.tools.some(has);
    if (field === "status") return has(run.status);
    if (field === "session") return has(run.session);
    return [run.input, run.error, run.agent, run.lastAgent, run.status, run.id, ...run.tools].some(has);
  });
}
