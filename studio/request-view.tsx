import { signal } from "@preact/signals";
import type { VNode } from "preact";
import type { RequestDetail, RequestSummary, RunDetail } from "../src/studio/records.ts";
import { wholeBody } from "./api.ts";
import { copy } from "./copy.ts";
import { exact, money, plural } from "./format.ts";
import { Prefix } from "./prefix-view.tsx";
import { Answer, Body, Headers, isRaw } from "./request-parts.tsx";
import { plain } from "./text.tsx";
import { type Loaded, useOfRun } from "./use-run.ts";

/** The parts of a request that can be looked at. */
export const tabs = ["prefix", "body", "headers", "answer"] as const;
type Tab = (typeof tabs)[number];

/** What of a request is shown: it stays the same from one request to the next. */
export const tab = signal<Tab>("prefix");

/** One request: where its prefix breaks, and its parts. */
export function OneRequest({ run, chosen }: { run: RunDetail; chosen: RequestSummary }): VNode {
  const loaded: Loaded<RequestDetail> = useOfRun<RequestDetail>(run.id, "requests", chosen.number);
  const { value: detail, problem } = loaded;
  if (!detail) return <p class="dim">{problem ?? ""}</p>;
  const pieces = detail.answer ? detail.pieces : 0;
  const labels: Readonly<Record<Tab, string>> = {
    prefix: "Prefix",
    body: detail.isWire ? "As sent" : run.source === "trace" ? "As traced" : "As passed on",
    headers: "Headers",
    answer: pieces > 0 ? `Answer, ${plural(pieces, "piece")}` : "Answer",
  };
  return (
    <>
      <Summary detail={detail} />
      <div class="tabs" role="tablist" aria-label="Request">
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab.value === name}
            aria-controls="tab-panel"
            tabIndex={tab.value === name ? 0 : -1}
            onClick={() => (tab.value = name)}
            onKeyDown={(event) => moveTab(event, name)}
          >
            {labels[name]}
          </button>
        ))}
        <span class="grow" />
        {tab.value === "body" && detail.body !== undefined && (
          <>
            <button
              class="btn q"
              type="button"
              aria-pressed={!isRaw.value}
              onClick={() => (isRaw.value = !isRaw.value)}
            >
              {isRaw.value ? "Indent" : "As sent"}
            </button>
            <button class="btn q" type="button" onClick={() => void copyBody(run.id, detail)}>
              Copy
            </button>
          </>
        )}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab.value}`}>
        {tab.value === "prefix" && <Prefix run={run} detail={detail} />}
        {tab.value === "body" && <Body run={run} detail={detail} />}
        {tab.value === "headers" && <Headers run={run} detail={detail} />}
        {tab.value === "answer" && <Answer run={run} detail={detail} />}
      </div>
    </>
  );
}

async function copyBody(runId: string, { number, body = "", bodyLength }: RequestDetail): Promise<void> {
  copy(bodyLength === undefined ? body : await wholeBody(runId, number), "The request was copied.");
}

function moveTab(event: KeyboardEvent, name: Tab): void {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const next = tabs[(tabs.indexOf(name) + by + tabs.length) % tabs.length];
  if (by === 0 || next === undefined) return;
  event.preventDefault();
  tab.value = next;
  requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus());
}

function Summary({ detail }: { detail: RequestDetail }): VNode {
  const { break: place, prefix, inputTokens, cachedTokens, paidAgain } = detail;
  const lost = place?.tokens ?? 0;
  const fresh = (inputTokens ?? 0) - (cachedTokens ?? 0) - lost;
  return (
    <div class={place ? "sum" : "sum even"}>
      <div>
        {place ? (
          <h2>
            The prefix breaks at <code>{plain(place.path)}</code>
            {place.character !== undefined && `, character ${exact(place.character)}`}
          </h2>
        ) : (
          <h2>
            {prefix.with
              ? `The prefix is that of request ${prefix.with.request}`
              : `The first request of ${plain(detail.agent)}`}
          </h2>
        )}
        <p class="dim">{explain(detail, paidAgain)}</p>
      </div>
      {inputTokens !== undefined && inputTokens > 0 && (
        <div class="nums">
          <div>
            <b>{cachedTokens === undefined ? "?" : exact(cachedTokens)}</b>
            <span>{cachedTokens === undefined ? "cache not reported" : "read from cache"}</span>
          </div>
          {lost > 0 && (
            <div>
              <b class="warn">{exact(lost)}</b>
              <span>paid again{place?.cost !== undefined && `, ${money(place.cost)} lost`}</span>
            </div>
          )}
          <div>
            <b>{exact(Math.max(0, fresh))}</b>
            <span>new</span>
          </div>
        </div>
      )}
    </div>
  );
}

function explain(
  { break: place, prefix, cachedTokens }: RequestDetail,
  paidAgain: number | undefined,
): string {
  if (!prefix.with) return "There is none before it to compare with.";
  if (place) {
    const isKnown = cachedTokens !== undefined;
    return `A provider's cache ends where two requests differ.${isKnown ? "" : " The provider does not say what it read from its cache."}`;
  }
  if (paidAgain !== undefined && paidAgain > 0)
    return `${exact(paidAgain)} tokens of it were not read from the cache all the same: it may be too short for one, or too old.`;
  return "Nothing before the new messages differs.";
}
