import { useEffect, useState } from "preact/hooks";
import type { VNode } from "preact";
import type { EvalCall, EvalCaseView, EvalTry } from "../src/studio/evals/views.ts";
import { ask } from "./api.ts";
import { lookOf } from "./conversation.tsx";
import { Outcome } from "./evals.tsx";
import { brief, day, duration, money, plural, short } from "./format.ts";
import { Icon } from "./icons.tsx";
import { Kbd, modifier, useKeys } from "./keys.tsx";
import { announcement, go, href } from "./state.ts";
import { ErrorNote, plain, Text } from "./text.tsx";

const titles: Readonly<Record<EvalTry["of"], string>> = {
  again: "Run again",
  results: "Results",
  baseline: "Baseline",
};

const kinds = ["again", "results", "baseline"] as const;

/** A case: what was checked, what was called and what was answered, in the results, in the baseline and since. */
export function EvalCase({ index, name }: { index: number; name: string }): VNode {
  const [view, setView] = useState<EvalCaseView | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const path = `/studio/evals/${index}/${encodeURIComponent(name)}`;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setProblem("");
    try {
      await work();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const read = async (): Promise<EvalCaseView> => {
    const next = await ask<EvalCaseView>(path);
    setView(next);
    return next;
  };
  useEffect(() => void attempt(async () => void (await read())), [path]);
  const isLoaded = view?.isLoaded === true;
  const runAgain = async (): Promise<void> => {
    if (isBusy || !isLoaded) return;
    setBusy(true);
    await attempt(async () => {
      await ask(path, { body: {} });
      const { tries } = await read();
      announcement.value = tries[0]?.pass ? "The case passed." : "The case failed.";
    });
    setBusy(false);
  };
  useKeys([
    ...(isLoaded
      ? [{ on: "mod+Enter", show: [modifier, "↵"], label: "run again", run: () => void runAgain() }]
      : []),
    { on: "Escape", show: ["esc"], label: "back", run: () => go("evals") },
  ]);
  const tries = view?.tries ?? [];
  // The last time that the studio has run it; else all runs of the results.
  const newest = tries[0]?.of === "again" ? tries.slice(0, 1) : tries.filter(({ of }) => of === tries[0]?.of);
  return (
    <main class="view">
      <header class="head tight">
        <div class="l1">
          {newest.length > 0 && (
            <Outcome passed={newest.filter(({ pass }) => pass).length} runs={newest.length} />
          )}
          <h1>
            <Text of={name} />
          </h1>
          {view && (
            <a class="dim hide-m" href={href("evals")}>
              {plain(view.evaluation)}
            </a>
          )}
          {view?.tags.map((tag) => (
            <span key={tag} class="chip">
              {plain(tag)}
            </span>
          ))}
          <span class="grow" />
          {isLoaded && (
            <button class="btn go" type="button" disabled={isBusy} onClick={() => void runAgain()}>
              {isBusy ? "Running" : "Run this case again"} <Kbd of={`${modifier} ↵`} />
            </button>
          )}
        </div>
      </header>
      <div class="tc" tabIndex={0} role="region" aria-label="The case">
        <div class="wrap">
          {problem !== "" && <ErrorNote of={problem} role="alert" />}
          {view && (
            <section>
              <h3>Said first</h3>
              <p class="pre">
                <Text of={view.input.slice(0, 20_000)} />
              </p>
            </section>
          )}
          <div class="tries">
            {kinds.map((kind) => {
              const all = tries.filter(({ of }) => of === kind);
              // What failed is looked for.
              const own = kind === "again" ? all : all.toSorted((one, other) => +one.pass - +other.pass);
              if (own.length === 0) return null;
              return (
                <section key={kind} aria-label={titles[kind]}>
                  <h3>{titles[kind]}</h3>
                  {own.slice(0, 20).map((each, place) => (
                    <Try key={place} of={each} />
                  ))}
                </section>
              );
            })}
          </div>
          {view && !isLoaded && (
            <p class="dim">
              To run it again, start the studio with the file that defines it: npx skein studio evals.ts.
            </p>
          )}
        </div>
      </div>
    </main>
  );
}

function Try({ of }: { of: EvalTry }): VNode {
  const { startedAt, model, number, pass, error, status, scores, calls, text, runId } = of;
  const facts = [
    number === undefined ? "" : `run ${number}`,
    plain(model ?? ""),
    status === undefined || status === "completed" ? "" : status,
    plural(of.turns, "turn"),
    of.tokens ? `${short(of.tokens)} tokens` : "",
    duration(of.duration),
    of.cost ? money(of.cost) : "",
    day(startedAt),
  ].filter((fact) => fact !== "");
  return (
    <article class="try">
      <header>
        <Outcome passed={pass ? 1 : 0} runs={1} />
        {runId !== undefined && (
          <a class="ln" href={href("runs", runId)}>
            Timeline
          </a>
        )}
        <span class="dim3 n">{facts.join(" · ")}</span>
      </header>
      {error !== undefined && <ErrorNote of={error} />}
      {scores.length > 0 && <h4>Checks</h4>}
      <ul>
        {scores.map(({ scorer, pass: isPassed, score, reason }, index) => (
          <li key={index} class={isPassed ? "" : "bad"}>
            <Icon
              name={isPassed ? "ok" : "no"}
              class={isPassed ? "dim" : ""}
              label={isPassed ? "passed" : "failed"}
            />
            <span>
              <b class="m">
                <Text of={scorer} />
              </b>{" "}
              {score > 0 && score < 1 && <span class="n">{score.toFixed(2)} </span>}
              {reason !== undefined && <Text of={reason} />}
            </span>
          </li>
        ))}
      </ul>
      {calls.length > 0 && <h4>Calls</h4>}
      <div class="calls">
        {calls.slice(0, 100).map((call, index) => (
          <CallOf key={index} call={call} />
        ))}
      </div>
      {calls.length === 0 && error === undefined && <p class="dim">No calls.</p>}
      {text !== "" && (
        <>
          <h4>Answer</h4>
          <p class="pre">
            <Text of={text} />
          </p>
        </>
      )}
    </article>
  );
}

function CallOf({ call: { toolName, arguments: args, outcome } }: { call: EvalCall }): VNode {
  const [icon, color, words] = outcome ? lookOf({ outcome }) : (["dots", "", ""] as const);
  const line = `${toolName}(${brief(args).slice(0, 400)})`;
  return (
    <div class={`call${color === "bad" ? " bad" : ""}`} title={plain(line)}>
      <Icon name={icon} class={color || "dim"} />
      <span class="m">
        <Text of={line} />
      </span>
      <span class="n">{words}</span>
    </div>
  );
}
