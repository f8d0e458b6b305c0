import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { VNode } from "preact";
import type { RunSummary } from "../src/studio/records.ts";
import { clock, duration, money, plural, short } from "./format.ts";
import { Mark, Status } from "./icons.tsx";
import { Kbd, useKeys } from "./keys.tsx";
import { origins } from "./run-head.tsx";
import { Ribbon, scaleOf } from "./ribbon.tsx";
import { clampedAt, focusSelected, rowKeys } from "./row-keys.ts";
import { fitsFilter, readFilter } from "./run-filter.ts";
import { go, href, info, isDecidedHere, newestRuns } from "./state.ts";
import { plain, Text } from "./text.tsx";

/** What the list is filtered by: it stays when the page is left. */
const query = signal("");
const kind = signal<Kind>("all");
/** The run that is selected. */
const selected = signal<string | undefined>(undefined);
/** The run that the next one marked is compared with. */
const marked = signal<string | undefined>(undefined);

type Kind = "all" | "running" | "waiting" | "odd" | "broken";

const kinds: Readonly<Record<Kind, readonly [label: string, fits: (run: RunSummary) => boolean]>> = {
  all: ["All", () => true],
  running: ["Running", ({ status }) => status === "running"],
  waiting: ["Waiting for you", (run) => run.status === "paused" && isDecidedHere(run)],
  odd: ["Not completed", ({ status }) => !["completed", "running", "paused"].includes(status)],
  broken: ["Prefix broken", ({ breaks }) => breaks > 0],
};

const kindNames: readonly Kind[] = ["all", "running", "waiting", "odd", "broken"];

/** How many rows are drawn at first, and how many more once their end is seen. */
const page = 60;

/** All runs. */
export function Runs(): VNode {
  const all = newestRuns.value;
  const words = readFilter(query.value);
  const listed = all.filter((run) => kinds[kind.value][1](run) && fitsFilter(run, words));
  const field = useRef<HTMLInputElement>(null);
  const at = Math.max(
    0,
    listed.findIndex(({ id }) => id === selected.value),
  );
  const [most, setMost] = useState(page);
  const drawn = listed.slice(0, Math.max(most, at + page / 2));
  const select = (index: number): void => {
    const run = clampedAt(listed, index);
    if (!run) return;
    selected.value = run.id;
    focusSelected(() => document.querySelector(".tb"));
  };
  const open = (): void => {
    const run = listed[at];
    if (run) go("runs", run.id);
  };
  const mark = (): void => {
    const id = listed[at]?.id;
    const first = marked.value;
    if (id === undefined) return;
    marked.value = first === undefined ? id : undefined;
    if (first !== undefined && first !== id) go("compare", first, id);
  };
  useKeys([
    ...rowKeys(at, listed.length, select),
    { on: "Enter", show: ["↵"], label: "open", run: open },
    { on: "x", show: ["x"], label: "compare", run: mark },
    { on: "/", show: ["/"], label: "filter", run: () => field.current?.focus() },
    { on: "Escape", label: "leave the filter", inText: true, run: () => field.current?.blur() },
  ]);
  const tokens = all.reduce((sum, run) => sum + run.inputTokens + run.outputTokens, 0);
  const max = Math.max(1, ...listed.map((run) => scaleOf(run).length));
  const hasCost = listed.some(({ cost }) => cost !== undefined && cost > 0);
  return (
    <main class="view">
      <header class="head tight">
        <div class="l1">
          <h1>Runs</h1>
          <span class="dim n">
            {plural(all.length, "run")}, {short(tokens)} tokens
          </span>
          <span class="grow" />
          <span class="dim3 hide-m">recorded in memory, the last 500</span>
        </div>
      </header>
      {all.length === 0 ? (
        <NoRuns />
      ) : (
        <div class="list">
          <div class="filters">
            <input
              ref={field}
              aria-label="Filter"
              placeholder="agent:Refunds tool:refundItem status:failed"
              value={query.value}
              onInput={({ currentTarget }) => (query.value = currentTarget.value)}
            />
            {kindNames.map((name) => (
              <button
                key={name}
                class="fl"
                type="button"
                aria-pressed={kind.value === name}
                onClick={() => (kind.value = name)}
              >
                {kinds[name][0]} {all.filter(kinds[name][1]).length}
              </button>
            ))}
          </div>
          <table class={hasCost ? "tb" : "tb nocost"}>
            <colgroup>
              {Array.from({ length: 8 }, (_, index) => (
                <col key={index} />
              ))}
            </colgroup>
            <thead>
              <tr>
                <th>Status</th>
                <th>Said first</th>
                <th>Flight: who led, how long</th>
                <th class="r">Turns</th>
                <th class="r">Time</th>
                <th class="r">Tokens</th>
                <th class="r">Cost</th>
                <th class="r">Began</th>
              </tr>
            </thead>
            <tbody>
              {drawn.map((run, index) => (
                <Row key={run.id} run={run} max={max} isSelected={index === at} />
              ))}
            </tbody>
          </table>
          {drawn.length < listed.length && (
            <More
              key={drawn.length}
              count={listed.length - drawn.length}
              show={() => setMost(drawn.length + page)}
            />
          )}
          {listed.length === 0 && <p class="none dim">No run fits the filter.</p>}
        </div>
      )}
    </main>
  );
}

/** Draws more rows once it is seen, or pressed. */
function More({ count, show }: { count: number; show: () => void }): VNode {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) show();
    });
    if (button.current) observer.observe(button.current);
    return () => observer.disconnect();
  }, []);
  return (
    <button ref={button} type="button" class="btn" onClick={show}>
      {plural(count, "more run")}
    </button>
  );
}

function Row({ run, max, isSelected }: { run: RunSummary; max: number; isSelected: boolean }): VNode {
  const { id, input, source, error, turns, worked, inputTokens, outputTokens, cost, startedAt } = run;
  return (
    <tr
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
      onClick={() => go("runs", id)}
      onFocus={() => (selected.value = id)}
    >
      <td>
        <Status of={run.status} />
        {marked.value === id && <span class="you"> marked</span>}
      </td>
      <td>
        <a href={href("runs", id)} tabIndex={-1}>
          {input === "" ? <span class="dim3">{plain(run.agent)}</span> : <Text of={input} />}
        </a>{" "}
        {source && <span class="chip">{origins[source]}</span>}{" "}
        {error !== undefined && (
          <span class="bad">
            <Text of={error} />
          </span>
        )}
      </td>
      <td>
        <Ribbon run={run} max={max} isSmall />
      </td>
      <td class="r">{turns}</td>
      <td class="r">{duration(worked)}</td>
      <td class="r">{short(inputTokens + outputTokens)}</td>
      <td class="r">{cost === undefined || cost === 0 ? "" : money(cost)}</td>
      <td class="r">{clock(startedAt)}</td>
    </tr>
  );
}

function NoRuns(): VNode {
  const { agents: [first] = [], otlp } = info.value ?? {};
  const code =
    otlp === undefined
      ? 'import { studio } from "skein/studio";\n\nawait using page = await studio({ agents: [triage] });'
      : `OTEL_EXPORTER_OTLP_ENDPOINT=${otlp} node app.ts`;
  const other =
    otlp === undefined
      ? "open the studio in your program, which records all its runs:"
      : "send it OpenTelemetry spans of any program with agents:";
  return (
    <div class="list">
      <div class="empty">
        <Mark size={34} />
        <h2>No run yet</h2>
        <p class="dim">{first ? `Say something to ${plain(first.name)}, or ${other}` : capitalized(other)}</p>
        <pre tabIndex={0} class="code">
          {code}
        </pre>
        {first && (
          <a class="btn go" href={href("chat")}>
            Chat with {plain(first.name)} <Kbd of="g c" />
          </a>
        )}
      </div>
    </div>
  );
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
