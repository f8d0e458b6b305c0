import { useEffect, useRef } from "preact/hooks";
import type { VNode } from "preact";
import type { RequestSummary, RunDetail } from "../src/studio/records.ts";
import { exact } from "./format.ts";
import { useKeys } from "./keys.tsx";
import { OneRequest, tab, tabs } from "./request-view.tsx";
import { clampedAt } from "./row-keys.ts";
import { NoRun, RunHead } from "./run-head.tsx";
import { go } from "./state.ts";
import { Text } from "./text.tsx";
import { useOfRun } from "./use-run.ts";

/** The requests of a run, each as it was sent, and where the prefix of each breaks. */
export function Wire({ id, number }: { id: string; number: number | undefined }): VNode {
  const { value: run, ...failure } = useOfRun<RunDetail>(id);
  const { value: list } = useOfRun<{ requests: readonly RequestSummary[] }>(id, "requests");
  if (!run || !list) return <NoRun {...failure} />;
  const { requests } = list;
  const chosen = requests.find((request) => request.number === number) ?? requests.at(-1);
  return <OpenWire run={run} requests={requests} chosen={chosen} />;
}

function OpenWire({
  run,
  requests,
  chosen,
}: {
  run: RunDetail;
  requests: readonly RequestSummary[];
  chosen: RequestSummary | undefined;
}): VNode {
  const at = requests.findIndex((request) => request === chosen);
  const show = (index: number): void => {
    const next = clampedAt(requests, index);
    if (next) go("runs", run.id, "wire", next.number);
  };
  const nextBreak = (by: 1 | -1): void => {
    const index =
      by > 0
        ? requests.findIndex((request, place) => place > at && request.break)
        : requests.findLastIndex((request, place) => place < at && request.break);
    if (index >= 0) show(index);
  };
  const hasBreaks = requests.some((request) => request.break);
  const listRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    listRef.current
      ?.querySelector("[aria-selected=true]")
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [chosen?.number]);
  useKeys([
    { on: "]", show: ["[", "]"], label: "request", run: () => show(at + 1) },
    { on: "[", label: "request before", run: () => show(at - 1) },
    ...(hasBreaks
      ? [
          { on: "n", show: ["n", "p"], label: "break", run: () => nextBreak(1) },
          { on: "p", label: "break before", run: () => nextBreak(-1) },
        ]
      : []),
    ...tabs.map((name, index) => ({
      on: String(index + 1),
      label: index === 0 ? "tab" : `show ${name}`,
      run: () => void (tab.value = name),
      ...(index === 0 && { show: ["1", "2", "3", "4"] }),
    })),
    { on: "t", show: ["t"], label: "timeline", run: () => go("runs", run.id) },
    { on: "Escape", show: ["esc"], label: "back", run: () => go("runs", run.id) },
  ]);
  const most = Math.max(1, ...requests.map(weightOf));
  const hasTokens = requests.some(({ inputTokens = 0 }) => inputTokens > 0);
  return (
    <main class="view">
      <RunHead run={run} page="wire" />
      <div class="wire">
        <div class="wrap">
          {chosen ? (
            <>
              <div class="keyl">
                <b>
                  {hasTokens ? "Input of each request, in prefix order from below" : "Size of each request"}
                </b>
                {hasTokens && (
                  <>
                    <span>
                      <span class="stack">
                        <i class="hit" />
                      </span>
                      read from cache
                    </span>
                    <span>
                      <span class="stack">
                        <i class="lost" />
                      </span>
                      paid again
                    </span>
                    <span>
                      <span class="stack">
                        <i class="new" />
                      </span>
                      new
                    </span>
                  </>
                )}
              </div>
              <div
                class="sky"
                role="listbox"
                aria-label="Requests"
                ref={listRef}
                style={{ "--count": Math.min(12, Math.max(4, requests.length)) }}
              >
                {requests.map((request, index) => (
                  <SkyBar
                    key={request.number}
                    request={request}
                    height={(weightOf(request) / most) * 76}
                    isSelected={request === chosen}
                    onSelect={() => show(index)}
                  />
                ))}
              </div>
              <OneRequest run={run} chosen={chosen} />
            </>
          ) : (
            <p class="dim">
              {run.source === "trace" ? "The spans have no content of requests." : "No request was sent yet."}
            </p>
          )}
        </div>
      </div>
    </main>
  );
}

/** How high a request is drawn: by its tokens, or by its size where none are reported. */
function weightOf({ inputTokens, size }: RequestSummary): number {
  return inputTokens !== undefined && inputTokens > 0 ? inputTokens : size / 4;
}

function SkyBar({
  request,
  height,
  isSelected,
  onSelect,
}: {
  request: RequestSummary;
  height: number;
  isSelected: boolean;
  onSelect: () => void;
}): VNode {
  const { number, inputTokens, size, agent, cachedTokens = 0, break: place, failure, status } = request;
  const lost = place?.tokens ?? 0;
  const all = weightOf(request);
  const isFailed = failure !== undefined || (status !== undefined && status >= 400);
  const about = isFailed
    ? `failed${status === undefined ? "" : `, ${status}`}`
    : place
      ? lost > 0
        ? `${exact(lost)} again`
        : "prefix broken"
      : agent;
  return (
    <button
      type="button"
      role="option"
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
      onClick={onSelect}
      style={{ "--h": `${Math.max(4, height)}px` }}
    >
      <span class="stack">
        {cachedTokens > 0 && <i class="hit" style={{ flex: cachedTokens }} />}
        {lost > 0 && <i class="lost" style={{ flex: lost }} />}
        <i class="new" style={{ flex: Math.max(all / 100, all - cachedTokens - lost) }} />
      </span>
      <b class="n">
        {number}{" "}
        <span class="dim3">
          {inputTokens !== undefined && inputTokens > 0 ? exact(inputTokens) : `${exact(size)} B`}
        </span>
      </b>
      <small class={isFailed ? "bad" : place ? "warn" : ""}>
        <Text of={about} />
      </small>
    </button>
  );
}
