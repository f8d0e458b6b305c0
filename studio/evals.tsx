import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { VNode } from "preact";
import type { EvalCaseLine, EvalsView, EvalView } from "../src/studio/evals/views.ts";
import { ask } from "./api.ts";
import { day, duration, money, percent, plural } from "./format.ts";
import { Icon, Mark } from "./icons.tsx";
import { useKeys } from "./keys.tsx";
import { clampedAt, focusSelected, rowKeys } from "./row-keys.ts";
import { go, href, info } from "./state.ts";
import { ErrorNote, plain, Text } from "./text.tsx";

/** What was read last: it stays until it is read again. */
const view = signal<EvalsView | undefined>(undefined);
const kind = signal<Kind>("all");
/** The case that is selected, by the places of its evaluation and itself. */
const selected = signal("");

type Kind = "all" | "failed" | "changed";

const kinds: Readonly<Record<Kind, readonly [label: string, fits: (line: EvalCaseLine) => boolean]>> = {
  all: ["All", () => true],
  failed: ["Failed", ({ passed, runs }) => passed < runs],
  changed: ["Changed", (line) => changeOf(line) !== 0],
};

const kindNames: readonly Kind[] = ["all", "failed", "changed"];

/** How much better a case is than in the baseline. */
function changeOf({ passed, runs, before }: EvalCaseLine): number {
  return before === undefined || runs === 0 ? 0 : passed / runs - before;
}

/** Evaluations: how many cases passed, what failed, and what differs from the baseline. */
export function Evals(): VNode {
  const loadedAt = info.value?.loadedAt;
  useEffect(() => {
    ask<EvalsView>("/studio/evals").then(
      (next) => (view.value = next),
      () => {},
    );
  }, [loadedAt]);
  const { evals = [], problem } = view.value ?? {};
  const fits = kinds[kind.value][1];
  const rows = evals.flatMap(({ cases }, index) =>
    cases.filter(fits).map(({ name }) => ({ index, name, key: keyOf(index, name) })),
  );
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === selected.value),
  );
  const select = (index: number): void => {
    const row = clampedAt(rows, index);
    if (!row) return;
    selected.value = row.key;
    focusSelected(() => document.querySelector(".evals"));
  };
  const open = (): void => {
    const row = rows[at];
    if (row) go("evals", row.index, row.name);
  };
  useKeys([
    ...rowKeys(at, rows.length, select),
    ...(rows.length > 0 ? [{ on: "Enter", show: ["↵"], label: "open", run: open }] : []),
  ]);
  const all = evals.flatMap(({ cases }) => cases);
  return (
    <main class="view">
      <header class="head tight">
        <div class="l1">
          <h1>Evals</h1>
          <span class="dim n">{plural(all.length, "case")}</span>
        </div>
      </header>
      <div class="list">
        {problem !== undefined && <ErrorNote of={problem} role="alert" />}
        {view.value && evals.length === 0 && <NoEvals />}
        {evals.length > 0 && (
          <div class="filters">
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
        )}
        <div class="evals">
          {evals.map((each, index) => (
            <OneEval key={index} of={each} index={index} chosen={rows[at]?.key} />
          ))}
        </div>
        {evals.length > 0 && rows.length === 0 && <p class="none dim">No case fits the filter.</p>}
      </div>
    </main>
  );
}

function keyOf(index: number, name: string): string {
  return `${index} ${name}`;
}

function OneEval({ of, index, chosen }: { of: EvalView; index: number; chosen: string | undefined }): VNode {
  const { name, model, startedAt, passed, runs, passRate, interval, baseline, cost, median } = of;
  const cases = of.cases.filter(kinds[kind.value][1]);
  const by = passRate === undefined || !baseline ? 0 : passRate - baseline.passRate;
  return (
    <section>
      <header class="ev">
        <h2>
          <Text of={name} />
        </h2>
        {model !== undefined && (
          <span class="m dim">
            <Text of={model} />
          </span>
        )}
        {of.isAborted && <span class="chip w">aborted</span>}
        <span class="grow" />
        <span class="facts n">
          {passRate === undefined || startedAt === undefined ? (
            <span>not run yet</span>
          ) : (
            <>
              <span>
                <b>{percent(passRate)}</b> passed, {passed} of {runs}
              </span>
              {interval && <span class="hide-m">95%: {interval.map(percent).join(" to ")}</span>}
              {baseline && (
                <span>
                  baseline <b>{percent(baseline.passRate)}</b>
                  {by !== 0 && <span class={by < 0 ? "bad" : ""}> {signed(by)}</span>}
                  {baseline.model !== model && baseline.model !== undefined && ` of ${plain(baseline.model)}`}
                </span>
              )}
              {median !== undefined && <span class="hide-m">{duration(median)} a run</span>}
              {cost !== undefined && cost > 0 && <span class="hide-m">{money(cost)}</span>}
              <span class="hide-m">{day(startedAt)}</span>
            </>
          )}
        </span>
      </header>
      {of.warnings.map((warning) => (
        <ErrorNote key={warning} of={warning} />
      ))}
      {cases.length > 0 && (
        <table class="tb cases">
          <colgroup>
            <col />
            <col />
            <col />
            <col />
          </colgroup>
          <thead class="sr">
            <tr>
              <th>Outcome</th>
              <th>Case</th>
              <th>Why it failed</th>
              <th>Since the baseline</th>
            </tr>
          </thead>
          <tbody>
            {cases.slice(0, 1_000).map((line) => (
              <Case key={line.name} line={line} index={index} chosen={chosen} hasBaseline={!!baseline} />
            ))}
          </tbody>
        </table>
      )}
      {cases.length > 1_000 && <p class="none dim">The first 1,000 are listed.</p>}
      {of.removed.length > 0 && (
        <p class="none dim">
          Only in the baseline: <Text of={of.removed.join(", ")} />
        </p>
      )}
    </section>
  );
}

function Case({
  line,
  index,
  chosen,
  hasBaseline,
}: {
  line: EvalCaseLine;
  index: number;
  chosen: string | undefined;
  hasBaseline: boolean;
}): VNode {
  const { name, passed, runs, before, why = "" } = line;
  const key = keyOf(index, name);
  const by = changeOf(line);
  return (
    <tr
      aria-selected={key === chosen}
      tabIndex={key === chosen ? 0 : -1}
      onClick={() => go("evals", index, name)}
      onFocus={() => (selected.value = key)}
    >
      <td>
        <Outcome passed={passed} runs={runs} />
      </td>
      <td>
        <a href={href("evals", index, name)} tabIndex={-1}>
          <Text of={name} />
        </a>
      </td>
      <td class="dim" title={plain(why).slice(0, 400)}>
        <Text of={why.slice(0, 400)} />
      </td>
      <td class="r">
        {before === undefined
          ? hasBaseline && runs > 0 && <span class="dim">new</span>
          : by !== 0 && <span class={by < 0 ? "bad" : ""}>was {percent(before)}</span>}
      </td>
    </tr>
  );
}

/** Whether runs of a case passed: a sign and a word. */
export function Outcome({ passed, runs }: { passed: number; runs: number }): VNode {
  const isBad = passed < runs;
  const word = runs === 0 ? "not run" : isBad ? "failed" : "passed";
  return (
    <span class={`st ${isBad ? "bad" : "dim"}`}>
      <Icon name={runs === 0 ? "dots" : isBad ? "no" : "ok"} />
      {isBad && runs > 1 ? `${runs - passed} of ${runs} failed` : word}
    </span>
  );
}

function signed(share: number): string {
  return `${share > 0 ? "+" : "−"}${percent(Math.abs(share))}`;
}

function NoEvals(): VNode {
  return (
    <div class="empty">
      <Mark size={34} />
      <h2>No evaluation yet</h2>
      <p class="dim">
        Name a file that exports what <code>defineEval</code> made, and the results that{" "}
        <code>skein eval --json</code> wrote, of now and before:
      </p>
      <pre tabIndex={0} class="code">
        {
          "npx skein eval evals.ts --json now.json\nnpx skein studio evals.ts --open now.json --baseline before.json"
        }
      </pre>
    </div>
  );
}
