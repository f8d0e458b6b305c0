import { useRef, useState } from "preact/hooks";
import type { VNode } from "preact";
import type { ModelStep, RunDetail, Step } from "../src/studio/records.ts";
import { Conversation } from "./conversation.tsx";
import { Detail } from "./detail.tsx";
import { useKeys } from "./keys.tsx";
import { clampedAt, focusSelected, rowKeys } from "./row-keys.ts";
import { NoRun, RunHead } from "./run-head.tsx";
import { approvals, go } from "./state.ts";
import { rowsOf } from "./timeline-rows.ts";
import { Timeline } from "./timeline.tsx";
import { useOfRun } from "./use-run.ts";

/** A run: what was said, when what happened, and the details of one step. */
export function Run({ id }: { id: string }): VNode {
  const { value: run, ...failure } = useOfRun<RunDetail>(id);
  return run ? <OpenRun run={run} /> : <NoRun {...failure} />;
}

function OpenRun({ run }: { run: RunDetail }): VNode {
  const rows = rowsOf(run);
  const [chosen, choose] = useState<number | undefined>(undefined);
  const steps = rows.flatMap((row) => (row.kind === "step" ? [row.step] : []));
  const initial = steps.findLast(({ kind }) => kind === "model") ?? steps[0];
  const step = steps.find((each) => each.id === chosen) ?? initial;
  const at = steps.findIndex((each) => each === step);
  const list = useRef<HTMLDivElement>(null);
  const select = (index: number): void => {
    const next = clampedAt(steps, index);
    if (!next) return;
    choose(next.id);
    focusSelected(() => list.current);
  };
  const turn = (by: 1 | -1): void => {
    const firsts = steps.flatMap((each, index) =>
      each.kind === "model" && each.parent === undefined ? [index] : [],
    );
    const next = by > 0 ? firsts.find((index) => index > at) : firsts.findLast((index) => index < at);
    if (next !== undefined) select(next);
  };
  const waiting = approvals.value.find(({ runId }) => runId === run.id);
  const replayed = replayedFrom(run, step);
  useKeys([
    ...rowKeys(at, steps.length, select),
    { on: "Enter", show: ["↵"], label: "open", run: () => open(run, step) },
    { on: "]", show: ["[", "]"], label: "turn", run: () => turn(1) },
    { on: "[", label: "turn before", run: () => turn(-1) },
    ...(replayed
      ? [
          {
            on: "r",
            show: ["r"],
            label: "replay from here",
            run: () => go("runs", run.id, "replay", replayed.id),
          },
        ]
      : []),
    { on: "w", show: ["w"], label: "wire", run: () => go("runs", run.id, "wire", ...requestOf(step)) },
    ...(waiting
      ? [{ on: "a", show: ["a"], label: "decide", run: () => go("approvals", waiting.approvalId) }]
      : []),
    { on: "Escape", show: ["esc"], label: "back", run: () => go("runs") },
  ]);
  return (
    <main class="view">
      <RunHead run={run} page="timeline" />
      <div class="run">
        <Conversation run={run} selected={step} onSelect={(next) => choose(next.id)} />
        <Timeline
          run={run}
          rows={rows}
          selected={step}
          listRef={list}
          onSelect={(next) => choose(next.id)}
          onOpen={(next) => open(run, next)}
        />
        <Detail run={run} step={step} replayed={replayed?.id} />
      </div>
    </main>
  );
}

/** The model call that a replay from a step begins with: behind a call, the one that reads its result. */
function replayedFrom({ steps, status, source }: RunDetail, step: Step | undefined): ModelStep | undefined {
  const own = steps.filter((each) => each.kind === "model").filter(({ parent }) => parent === undefined);
  if (status === "running" || source === "trace" || !step) return undefined;
  if (step.kind === "model" && step.parent === undefined) return step;
  return own.find(({ id }) => id > step.id) ?? own.at(-1);
}

/** Goes to the bytes of a step. */
function open(run: RunDetail, step: Step | undefined): void {
  if (step?.kind === "model") go("runs", run.id, "wire", ...requestOf(step));
  if (step?.kind === "tool") go("runs", run.id, "call", step.id);
  const waiting = approvals.value.find(({ runId }) => runId === run.id);
  if (step?.kind === "wait" && waiting) go("approvals", waiting.approvalId);
}

function requestOf(step: Step | undefined): readonly number[] {
  const number = step?.kind === "model" ? step.requests.at(-1) : undefined;
  return number === undefined ? [] : [number];
}
