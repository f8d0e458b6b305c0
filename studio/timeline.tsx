import type { RefObject, VNode } from "preact";
import type { RunDetail, Step, ToolStep } from "../src/studio/records.ts";
import { brief, duration, exact, plural } from "./format.ts";
import { Icon, Chevron, Twig } from "./icons.tsx";
import { leadOf } from "./leads.ts";
import { Ribbon, scaleOf } from "./ribbon.tsx";
import type { Scale } from "./scale.ts";
import { Text } from "./text.tsx";
import type { Row } from "./timeline-rows.ts";

interface TimelineProps {
  readonly run: RunDetail;
  readonly rows: readonly Row[];
  readonly selected: Step | undefined;
  readonly listRef: RefObject<HTMLDivElement | null>;
  readonly onSelect: (step: Step) => void;
  readonly onOpen: (step: Step) => void;
}

/** When what happened: a row for each turn and step. */
export function Timeline({ run, rows, selected, listRef, onSelect, onOpen }: TimelineProps): VNode {
  const scale = scaleOf(run);
  const ticks = scale.ticks(8);
  const count = rows.filter(({ kind }) => kind === "step").length;
  const waits = run.flight.filter(({ agent }) => agent === undefined);
  return (
    <section
      class="panel wf"
      aria-label="Timeline"
      style={{ "--max": scale.length, "--grid": ticks[1]?.at ?? scale.length }}
    >
      <div class="axis">
        <span class="a0">
          <span>Lead</span>
          <b class="n">
            {count} {count === 1 ? "step" : "steps"}
          </b>
        </span>
        <Ribbon run={run} />
        <span />
        <span class="a0" />
        <div class="ticks n" aria-hidden="true">
          {ticks.map(({ at, worked }, index) => (
            <span key={worked} style={{ "--s": at }}>
              {index === 0 ? "0 s" : tickLabel(worked, scale.worked)}
            </span>
          ))}
          {waits.map(({ start, end }) => (
            <span key={start} class="you" style={{ "--s": (scale.at(start) + scale.at(end)) / 2 }}>
              {duration(end - start)}
            </span>
          ))}
        </div>
        <span />
      </div>
      <div role="listbox" aria-label="Steps" ref={listRef} tabIndex={-1}>
        {rows.map((row, index) =>
          row.kind === "turn" ? (
            <TurnRow
              key={`turn${row.turn}-${row.start}`}
              row={row}
              run={run}
              scale={scale}
              isFirst={index === 0}
            />
          ) : (
            <StepRow
              key={row.step.id}
              row={row}
              run={run}
              scale={scale}
              isSelected={row.step === selected}
              onSelect={onSelect}
              onOpen={onOpen}
            />
          ),
        )}
      </div>
      <Legend />
    </section>
  );
}

function tickLabel(worked: number, all: number): string {
  if (all < 1_000) return `${Math.round(worked)} ms`;
  return all < 10_000 ? (worked / 1_000).toFixed(all < 4_000 ? 1 : 0) : String(Math.round(worked / 1_000));
}

function TurnRow({
  row,
  run,
  scale,
  isFirst,
}: {
  row: Extract<Row, { kind: "turn" }>;
  run: RunDetail;
  scale: Scale;
  isFirst: boolean;
}): VNode {
  const [s, e] = [scale.at(row.start - run.startedAt), scale.at(row.end - run.startedAt)];
  return (
    <div
      class={`row turn${isFirst ? " first" : ""}${row.takesLead ? " takes" : ""}`}
      role="presentation"
      data-lead={leadOf(row.agent)}
      style={{ "--s": s, "--e": e }}
    >
      <span class="lb">
        {row.takesLead && <Chevron class="hand" />}
        <b>Turn {row.turn}</b>
        <small>
          <Text of={row.agent} />
        </small>
      </span>
      <span class="trk">
        <i class="bar turnb" />
      </span>
      <span class="du n">{duration(row.end - row.start)}</span>
    </div>
  );
}

interface StepRowProps {
  readonly row: Extract<Row, { kind: "step" }>;
  readonly run: RunDetail;
  readonly scale: Scale;
  readonly isSelected: boolean;
  readonly onSelect: (step: Step) => void;
  readonly onOpen: (step: Step) => void;
}

function StepRow({
  row: { step, depth, isLast },
  run,
  scale,
  isSelected,
  onSelect,
  onOpen,
}: StepRowProps): VNode {
  const end = endOf(step, run);
  const place = (time: number): number => scale.at(time - run.startedAt);
  const [s, e] = [place(step.start), place(end)];
  const first = step.kind === "model" ? place(step.firstToken ?? end) : e;
  // To the left of a bar that ends far right, what is said about it would not fit at its right.
  const isReversed = e / scale.length > 0.62;
  const waits = step.kind === "wait";
  const isOpen = waits && step.end === undefined;
  return (
    <div
      class={`row${depth > 0 ? " sub" : ""}${depth > 0 && isLast ? " last" : ""}${waits ? " wait" : ""}`}
      role="option"
      tabIndex={isSelected ? 0 : -1}
      aria-selected={isSelected}
      data-lead={waits ? "you" : leadOf(step.agent)}
      style={{ "--s": s, "--e": e, "--t": first, "--depth": depth }}
      onClick={() => onSelect(step)}
      onDblClick={() => onOpen(step)}
    >
      <span class="lb">
        <Twig />
        <Label step={step} />
      </span>
      <span class="trk">
        <Bars step={step} run={run} scale={scale} />
        <span class={`bt n${isReversed ? " rev" : ""}${waits ? " you" : ""}`}>
          <About step={step} isOpen={isOpen} />
        </span>
      </span>
      <span class={`du n${isOpen ? " you" : ""}`}>{duration(end - step.start)}</span>
    </div>
  );
}

/** When a step ended; a pause that goes on ends where the drawing does. */
function endOf(step: Step, run: RunDetail): number {
  if (step.end !== undefined) return step.end;
  if (step.kind === "wait") return run.startedAt + (run.flight.at(-1)?.end ?? 0);
  return run.endedAt ?? Date.now();
}

function Label({ step }: { step: Step }): VNode {
  switch (step.kind) {
    case "model":
      return (
        <>
          <b>
            <Text of={step.modelId} />
          </b>
          {step.break && <Icon name="cut" class="warn" label="prefix broken" />}
        </>
      );
    case "tool":
      return (
        <>
          <b class="m">
            <Text of={step.toolName} />
          </b>
          <small>
            <Text of={brief(step.arguments).slice(0, 60)} />
          </small>
        </>
      );
    case "agent":
      return (
        <>
          <b>
            <Text of={step.agent} />
          </b>
          <small>sub-agent</small>
        </>
      );
    case "wait":
      return (
        <>
          <b class="m">
            <Text of={step.calls.map(({ toolName }) => toolName).join(", ")} />
          </b>
          <small>paused</small>
        </>
      );
  }
}

function isWrong({ outcome }: ToolStep): boolean {
  return outcome === "invalid-arguments" || outcome === "unknown-tool";
}

function Bars({ step, run, scale }: { step: Step; run: RunDetail; scale: Scale }): VNode {
  if (step.kind === "model") {
    const { failures = [] } = step;
    const at = (time: number): number => scale.at(time - run.startedAt);
    const begin = (index: number): number => {
      const before = failures[index - 1];
      return before ? before.at + before.delay : step.start;
    };
    return (
      <>
        {failures.map((failure, index) => (
          <>
            <i class="bar tool fail" style={{ "--s": at(begin(index)), "--e": at(failure.at) }} />
            <i class="bar idle" style={{ "--s": at(failure.at), "--e": at(failure.at + failure.delay) }} />
          </>
        ))}
        <i
          class={`bar model${step.error === undefined ? "" : " fail"}`}
          style={failures.length > 0 ? { "--s": at(begin(failures.length)) } : {}}
        />
      </>
    );
  }
  if (step.kind === "agent") return <i class="bar agent" />;
  if (step.kind === "wait") return <i class="bar you" style={{ "--w": waitWidth(step, run, scale) }} />;
  if (isWrong(step)) return <i class="bar bad0" />;
  const failed = step.outcome === "error" || step.outcome === "timeout" || step.error !== undefined;
  return <i class={`bar tool${failed ? " fail" : ""}${step.cached || step.replayed ? " cached" : ""}`} />;
}

function waitWidth(step: Step, run: RunDetail, scale: Scale): number {
  const end = endOf(step, run);
  return scale.at(end - run.startedAt) - scale.at(step.start - run.startedAt);
}

function About({ step, isOpen }: { step: Step; isOpen: boolean }): VNode | null {
  switch (step.kind) {
    case "model": {
      const { usage, error, failures = [] } = step;
      if (error !== undefined)
        return (
          <span class="bad">
            <Text of={error.slice(0, 80)} />
          </span>
        );
      const tokens = step.break?.tokens;
      return (
        <>
          {usage?.inputTokens !== undefined &&
            `${exact(usage.inputTokens)} in · ${exact(usage.outputTokens ?? 0)} out`}
          {failures.length > 0 && (
            <span class="warn">{` · ${plural(failures.length, "attempt")} failed`}</span>
          )}
          {tokens !== undefined && tokens > 0 && <span class="warn">{` · ${exact(tokens)} paid again`}</span>}
        </>
      );
    }
    case "tool": {
      const text = aboutCall(step);
      return text === "" ? null : (
        <span class={isWrong(step) || step.outcome === "error" ? "bad" : ""}>{text}</span>
      );
    }
    case "agent":
      return null;
    case "wait":
      return (
        <>
          {isOpen
            ? step.calls.some(({ approvalId }) => approvalId)
              ? "waits for your decision"
              : "waits for a result"
            : ""}
        </>
      );
  }
}

function aboutCall({ outcome, decided, cached, replayed, error }: ToolStep): string {
  if (error !== undefined) return "failed";
  if (outcome === "invalid-arguments") return "wrong arguments";
  if (outcome === "unknown-tool") return "unknown tool";
  if (outcome === "denied") return "denied";
  if (outcome === "error" || outcome === "timeout" || outcome === "cancelled") return outcome;
  if (cached) return "from the cache";
  if (replayed) return "from the run before";
  return decided ? "approved by you" : "";
}

function Legend(): VNode {
  return (
    <div class="legend" aria-hidden="true">
      <span>
        <i class="bar model" />
        model: first token, then answer
      </span>
      <span>
        <i class="bar tool" />
        tool
      </span>
      <span>
        <i class="bar agent" />
        sub-agent
      </span>
      <span>
        <i class="bar bad0" />
        wrong arguments
      </span>
      <span data-lead="you">
        <i class="bar you" />
        waiting for you
      </span>
      <span>Hue: who has the lead</span>
    </div>
  );
}
