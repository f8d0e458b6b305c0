import type { VNode } from "preact";
import { compareRuns, firstCharacter, type ComparedTurn, type TurnPair } from "../src/studio/compare-runs.ts";
import type { RunDetail } from "../src/studio/records.ts";
import { lookOf, Words } from "./conversation.tsx";
import { brief, duration, exact, money } from "./format.ts";
import { Icon, Status } from "./icons.tsx";
import { useKeys } from "./keys.tsx";
import { leadOf } from "./leads.ts";
import { Ribbon, scaleOf } from "./ribbon.tsx";
import { go, href, newestRuns } from "./state.ts";
import { plain, Text } from "./text.tsx";
import { useOfRun } from "./use-run.ts";

/** Two runs beside each other: their numbers, and their turns with the first difference of each. */
export function Compare({ ids }: { ids: readonly (string | undefined)[] }): VNode {
  const all = newestRuns.value;
  const [one = all[1]?.id ?? all[0]?.id ?? "", other = all.find(({ id }) => id !== one)?.id ?? one] = ids;
  const { value: left } = useOfRun<RunDetail>(one);
  const { value: right } = useOfRun<RunDetail>(other);
  useKeys([
    { on: "x", show: ["x"], label: "swap", run: () => go("compare", other, one) },
    { on: "Escape", show: ["esc"], label: "back", run: () => go("runs", other) },
  ]);
  return (
    <main class="view">
      <header class="head tight">
        <div class="l1">
          <h1>Compare</h1>
        </div>
      </header>
      <div class="tc">
        <div class="wrap">
          <div class="vs">
            <Pick label="First run" value={one} onPick={(id) => go("compare", id, other)} />
            <Pick label="Second run" value={other} onPick={(id) => go("compare", one, id)} />
          </div>
          {left && right && <Both one={left} other={right} />}
        </div>
      </div>
    </main>
  );
}

function Pick({
  label,
  value,
  onPick,
}: {
  label: string;
  value: string;
  onPick: (id: string) => void;
}): VNode {
  return (
    <div class="f">
      <select aria-label={label} value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
        {newestRuns.value.map(({ id, input, agent, replayOf }) => (
          <option key={id} value={id}>
            {plain(input === "" ? agent : input).slice(0, 80)}
            {replayOf && ` (replay from turn ${replayOf.turn})`}
          </option>
        ))}
      </select>
    </div>
  );
}

function Both({ one, other }: { one: RunDetail; other: RunDetail }): VNode {
  const pairs = compareRuns(one, other);
  const differsAt = firstCharacter(one.question, other.question);
  const first = pairs.find(({ difference }) => difference !== undefined);
  const max = Math.max(1, scaleOf(one).length, scaleOf(other).length);
  return (
    <>
      <div class="vs">
        {[one, other].map((run) => (
          <div key={run.id}>
            <a class="ln" href={href("runs", run.id)}>
              <Status of={run.status} />
            </a>
            <Ribbon run={run} max={max} isSmall />
          </div>
        ))}
      </div>
      <table class="figs n">
        <thead>
          <tr>
            <th>
              <span class="sr">Figure</span>
            </th>
            <th>First</th>
            <th>Second</th>
            <th>Difference</th>
          </tr>
        </thead>
        <tbody>
          {figures.map(([name, read, write]) => (
            <Figure key={name} name={name} values={[read(one), read(other)]} write={write} />
          ))}
        </tbody>
      </table>
      {differsAt !== undefined && (
        <div class="note plain">
          <p>What the user said differs from character {exact(differsAt)} on.</p>
        </div>
      )}
      <div class="note plain">
        <p>
          {first ? (
            <>
              <b>First difference: turn {first.turn}</b>, <Text of={first.difference ?? ""} />.
            </>
          ) : (
            <b>Not one turn differs.</b>
          )}
        </p>
      </div>
      <ol class="pairs">
        {pairs.map((pair, index) => (
          <Pair key={index} pair={pair} one={one} other={other} />
        ))}
      </ol>
    </>
  );
}

type FigureOf = readonly [
  name: string,
  read: (run: RunDetail) => number | undefined,
  write: (value: number) => string,
];

const figures: readonly FigureOf[] = [
  ["worked", ({ worked }) => worked, duration],
  ["turns", ({ turns }) => turns, exact],
  ["tool calls", ({ toolCalls }) => toolCalls, exact],
  ["input tokens", ({ inputTokens }) => inputTokens, exact],
  ["from cache", ({ cachedTokens }) => cachedTokens, exact],
  ["output tokens", ({ outputTokens }) => outputTokens, exact],
  ["cost", ({ cost }) => cost, money],
];

function Figure({
  name,
  values: [one, other],
  write,
}: {
  name: string;
  values: readonly [number | undefined, number | undefined];
  write: (value: number) => string;
}): VNode | null {
  if (!one && !other) return null;
  const text = (value: number | undefined): string => (value === undefined ? "not known" : write(value));
  const by = one === undefined || other === undefined ? 0 : other - one;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{text(one)}</td>
      <td>{text(other)}</td>
      <td>{by === 0 ? "" : `${by > 0 ? "+" : "−"}${write(Math.abs(by))}`}</td>
    </tr>
  );
}

function Pair({ pair, one, other }: { pair: TurnPair; one: RunDetail; other: RunDetail }): VNode {
  const { turn, difference } = pair;
  return (
    <li class={difference === undefined ? "" : "dif"}>
      <h3>
        Turn {turn}{" "}
        <span class={difference === undefined ? "dim3" : "warn"}>
          <Text of={difference ?? "the same"} />
        </span>
      </h3>
      <div class="vs">
        <Side run={one} turn={pair.one} />
        <Side run={other} turn={pair.other} />
      </div>
    </li>
  );
}

function Side({ run, turn }: { run: RunDetail; turn: ComparedTurn | undefined }): VNode {
  if (!turn) return <div class="dim3">not there</div>;
  const { step, calls } = turn;
  return (
    <article class="msg" data-lead={leadOf(step.agent)}>
      <div class="who">
        <Text of={step.agent} /> {step.end !== undefined && <span>{duration(step.end - step.start)}</span>}
      </div>
      <Words of={step} />
      {calls.map((call) => {
        const [icon, color, text] = lookOf(call);
        return (
          <a key={call.id} class="call" href={href("runs", run.id, "call", call.id)}>
            <Icon name={icon} class={color} />
            <span class="m">
              <Text of={`${call.toolName}(${brief(call.arguments).slice(0, 200)})`} />
            </span>
            <span class="n">{text}</span>
          </a>
        );
      })}
    </article>
  );
}
