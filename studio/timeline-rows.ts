import type { ModelStep, RunDetail, Step } from "../src/studio/records.ts";

/** A row of the timeline: a turn, or a step at its depth. */
export type Row =
  | {
      readonly kind: "turn";
      readonly turn: number;
      readonly agent: string;
      readonly start: number;
      readonly end: number;
      readonly takesLead: boolean;
    }
  | { readonly kind: "step"; readonly step: Step; readonly depth: number; readonly isLast: boolean };

/** The rows of a run, in the order in which things began; what is within a step stands below it. */
export function rowsOf({ steps, endedAt }: RunDetail): readonly Row[] {
  const children = new Map<number, Step[]>();
  for (const step of steps) {
    if (step.parent === undefined) continue;
    const list = children.get(step.parent);
    if (list) list.push(step);
    else children.set(step.parent, [step]);
  }
  const rows: Row[] = [];
  const add = (step: Step, depth: number, isLast: boolean): void => {
    rows.push({ kind: "step", step, depth, isLast });
    const inner = children.get(step.id) ?? [];
    inner.forEach((child, index) => add(child, depth + 1, index === inner.length - 1));
  };
  const top = steps.filter(({ parent }) => parent === undefined);
  let lead: string | undefined;
  top.forEach((step, index) => {
    if (step.kind === "model") {
      rows.push(turnOf(step, top.slice(index + 1), step.agent !== lead, endedAt));
      lead = step.agent;
    }
    // The pause has a row of its own.
    if (step.kind === "tool" && (step.waits || step.wasAsked)) return;
    add(step, 0, false);
  });
  return rows;
}

function turnOf(step: ModelStep, later: readonly Step[], takesLead: boolean, endedAt = Date.now()): Row {
  let end = step.end ?? endedAt;
  for (const next of later) {
    if (next.kind !== "tool") break;
    end = Math.max(end, next.end ?? endedAt);
  }
  return { kind: "turn", turn: step.turn, agent: step.agent, start: step.start, end, takesLead };
}
