import type { VNode } from "preact";
import type { RunSummary } from "../src/studio/records.ts";
import { duration, money, percent, plural, short, shortId } from "./format.ts";
import { Status } from "./icons.tsx";
import { Kbd } from "./keys.tsx";
import { approvals, href, newestRuns } from "./state.ts";
import { ErrorNote, plain, Text } from "./text.tsx";
import type { Loaded } from "./use-run.ts";

/** What is said of runs that this process has not executed. */
export const origins = { store: "of a store", recording: "recorded", trace: "traced" } as const;

/** What is the same above all pages of a run. */
export function RunHead({ run, page }: { run: RunSummary; page: "timeline" | "wire" }): VNode {
  const { id, worked, waited, turns, toolCalls, inputTokens, outputTokens, cachedTokens, cost, breaks } = run;
  const waiting = approvals.value.find(({ runId }) => runId === id);
  const others = newestRuns.value.filter((each) => each.id !== id);
  return (
    <header class="head">
      <div class="l1">
        <Status of={run.status} isChip />
        <h1>{run.input === "" ? plain(run.agent) : <Text of={run.input} />}</h1>
        <span class="m dim3 hide-m">{shortId(id)}</span>
        {run.source && <span class="chip">{origins[run.source]}</span>}
        {run.replayOf && (
          <a class="ln dim" href={href("runs", run.replayOf.runId)}>
            replay from turn {run.replayOf.turn}
          </a>
        )}
        <span class="grow" />
        <span class="acts">
          {others.length > 0 && (
            <a class="btn hide-m" href={href("compare", run.replayOf?.runId ?? others[0]?.id ?? id, id)}>
              Compare
            </a>
          )}
          {run.session !== undefined && (
            <a class="btn hide-m" href={href("chat", run.session)}>
              Chat
            </a>
          )}
          {waiting && (
            <a class="btn go" href={href("approvals", waiting.approvalId)}>
              Decide <Kbd of="a" />
            </a>
          )}
        </span>
      </div>
      <div class="l2">
        <nav class="tabs" aria-label="Run">
          <a href={href("runs", id)} {...(page === "timeline" && { "aria-current": "page" })}>
            Timeline <Kbd of="t" />
          </a>
          <a href={href("runs", id, "wire")} {...(page === "wire" && { "aria-current": "page" })}>
            Wire <Kbd of="w" />
          </a>
        </nav>
        <div class="facts n">
          <span>
            <b>{duration(worked)}</b> worked
          </span>
          {waited > 0 && (
            <span class={run.status === "paused" ? "you" : ""}>
              <b class={run.status === "paused" ? "you" : ""}>{duration(waited)}</b> waiting for you
            </span>
          )}
          <span>
            <b>{plural(turns, "turn")}</b>
          </span>
          {toolCalls > 0 && (
            <span>
              <b>{plural(toolCalls, "tool call")}</b>
            </span>
          )}
          {inputTokens + outputTokens > 0 && (
            <span>
              <b>{short(inputTokens)}</b> in <b>{short(outputTokens)}</b> out
            </span>
          )}
          {cachedTokens > 0 && (
            <span>
              <b>{short(cachedTokens)}</b> read from cache{" "}
              {inputTokens > 0 && ` (${percent(cachedTokens / inputTokens)})`}
            </span>
          )}
          {cost !== undefined && cost > 0 && (
            <span>
              <b>{money(cost)}</b>
            </span>
          )}
          {breaks > 0 && (
            <span class="warn">
              prefix broken <b class="warn">{plural(breaks, "time")}</b>
            </span>
          )}
        </div>
      </div>
      {run.error !== undefined && <ErrorNote of={run.error} />}
    </header>
  );
}

/** A run that is not there, or not yet. */
export function NoRun({ problem, isElse }: Pick<Loaded<unknown>, "problem" | "isElse">): VNode {
  return (
    <main class="view">
      <header class="head tight">
        <div class="l1">
          <h1>Run</h1>
        </div>
      </header>
      <div class="list">
        {problem === undefined ? (
          <div class="empty load" aria-busy="true" />
        ) : (
          <div class="empty">
            <h2>{isElse ? "The studio did not answer" : "This run is not here"}</h2>
            <p class="dim">
              {problem}
              {isElse ? "" : " The studio forgets the oldest runs, and all of them when it ends."}
            </p>
            <a class="btn" href={href("runs")}>
              All runs
            </a>
          </div>
        )}
      </div>
    </main>
  );
}
