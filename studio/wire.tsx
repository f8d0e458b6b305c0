import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { VNode } from "preact";
import type { PrefixSegment, RequestDetail, RequestSummary, RunDetail } from "../src/studio/records.ts";
import { Stack } from "./detail.tsx";
import { clock, exact, plural, shortId } from "./format.ts";
import { Icon } from "./icons.tsx";
import { Kbd, useKeys } from "./keys.tsx";
import { leadOf } from "./leads.ts";
import { NoRun, RunHead } from "./run-head.tsx";
import { announcement, go, href } from "./state.ts";
import { LongText, pretty, Text } from "./text.tsx";
import { type Loaded, useOfRun } from "./use-run.ts";

const tabs = ["prefix", "body", "headers", "answer"] as const;
type Tab = (typeof tabs)[number];

/** What of a request is shown: it stays the same from one request to the next. */
const tab = signal<Tab>("prefix");
/** Whether the body is shown as it was sent, or indented. */
const isRaw = signal(true);

/** The requests of a run, each as it was sent, and where the prefix of each breaks. */
export function Wire({ id, number }: { id: string; number: number | undefined }): VNode {
  const { value: run, problem } = useOfRun<RunDetail>(id);
  const { value: list } = useOfRun<{ requests: readonly RequestSummary[] }>(id, "requests");
  if (!run || !list) return <NoRun problem={problem} />;
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
    const next = requests[Math.min(Math.max(0, index), requests.length - 1)];
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
            <p class="dim">No request was sent yet.</p>
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

function OneRequest({ run, chosen }: { run: RunDetail; chosen: RequestSummary }): VNode {
  const loaded: Loaded<RequestDetail> = useOfRun<RequestDetail>(run.id, "requests", chosen.number);
  const { value: detail, problem } = loaded;
  if (!detail) return <p class="dim">{problem ?? ""}</p>;
  const pieces = detail.answer?.pieces.length ?? 0;
  const labels: Readonly<Record<Tab, string>> = {
    prefix: "Prefix",
    body: detail.isWire ? "As sent" : "As passed on",
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
            <button
              class="btn q"
              type="button"
              onClick={() => copy(detail.body ?? "", "The request was copied.")}
            >
              Copy
            </button>
          </>
        )}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab.value}`}>
        {tab.value === "prefix" && <Prefix run={run} detail={detail} />}
        {tab.value === "body" && <Body detail={detail} />}
        {tab.value === "headers" && <Headers detail={detail} />}
        {tab.value === "answer" && <Answer run={run} detail={detail} />}
      </div>
    </>
  );
}

function moveTab(event: KeyboardEvent, name: Tab): void {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const next = tabs[(tabs.indexOf(name) + by + tabs.length) % tabs.length];
  if (by === 0 || next === undefined) return;
  event.preventDefault();
  tab.value = next;
  requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus());
}

/** Copies a text, and says so to those who do not see it. */
export function copy(text: string, done: string): void {
  navigator.clipboard.writeText(text).then(
    () => (announcement.value = done),
    () => (announcement.value = "The browser did not let the page copy."),
  );
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
            The prefix breaks at <code>{place.path}</code>
            {place.character !== undefined && `, character ${exact(place.character)}`}
          </h2>
        ) : (
          <h2>
            {prefix.with
              ? `The prefix is that of request ${prefix.with.request}`
              : `The first request of ${detail.agent}`}
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
              <span>paid again</span>
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

const stateWords: Readonly<Record<PrefixSegment["state"], string>> = {
  same: "same",
  cut: "first difference",
  lost: "same, behind it",
  new: "new",
  gone: "only before",
};

/** Segments in a row that are alike are one line. */
function folded(segments: readonly PrefixSegment[]): readonly (readonly PrefixSegment[])[] {
  const groups: PrefixSegment[][] = [];
  for (const segment of segments) {
    // That the model is the same goes without saying.
    if (segment.path === "model" && segment.state !== "cut") continue;
    const last = groups.at(-1);
    const canJoin = segment.state === "same" || segment.state === "lost";
    if (last && canJoin && last[0]?.state === segment.state && fieldOf(last[0]) === fieldOf(segment))
      last.push(segment);
    else groups.push([segment]);
  }
  return groups;
}

function fieldOf({ path }: PrefixSegment): string {
  return /^\w+/.exec(path)?.[0] ?? path;
}

function Prefix({ run, detail }: { run: RunDetail; detail: RequestDetail }): VNode {
  const { prefix, number, agent } = detail;
  const other = prefix.with;
  const groups = folded(prefix.segments);
  return (
    <div class={other ? "pfx" : "pfx alone"} data-lead={leadOf(agent)}>
      <div class="seg hd">
        <div>
          {other ? (
            <a href={href("runs", other.runId, "wire", other.request)}>
              <b>Request {other.request}</b>
              {other.runId !== run.id && <span class="dim"> of {shortId(other.runId)}</span>}
            </a>
          ) : (
            <span class="dim">nothing before it</span>
          )}
        </div>
        <div class="mid" />
        <div>
          <b>Request {number}</b>{" "}
          <span class="dim">
            turn {detail.turn}, {clock(detail.sentAt)}
          </span>
        </div>
        <div class="cost">characters</div>
      </div>
      {groups.map((group) => (
        <SegmentRow key={group[0]?.path} group={group} hasOther={other !== undefined} />
      ))}
    </div>
  );
}

function SegmentRow({
  group,
  hasOther,
}: {
  group: readonly PrefixSegment[];
  hasOther: boolean;
}): VNode | null {
  const [first] = group;
  if (!first) return null;
  const { state } = first;
  const size = group.reduce((sum, segment) => sum + segment.size, 0);
  const path =
    group.length === 1
      ? first.path
      : `${fieldOf(first)}[${indexOf(first)}…${indexOf(group.at(-1) ?? first)}]`;
  const name = state === "cut" ? "cutp" : state === "lost" ? "lost same" : state === "gone" ? "lost" : state;
  const before =
    state === "same" || state === "lost" || state === "gone" || state === "cut" ? (
      <Side segment={first} path={path} side="before" />
    ) : (
      <span class="dim3">{hasOther ? "not there" : ""}</span>
    );
  return (
    <div class={`seg ${name}`}>
      <div class="a">{before}</div>
      <div class="mid">
        {state === "cut" && (
          <svg class="snip" viewBox="0 0 20 20" aria-hidden="true">
            <path d="M4 16 16 4M2 9h3M15 11h3" />
          </svg>
        )}
      </div>
      <div class="b">
        {state === "gone" ? (
          <span class="dim3">not there any more</span>
        ) : (
          <Side segment={first} path={path} side="after" />
        )}
      </div>
      <div class={`cost n${state === "cut" || state === "lost" ? " warn" : ""}`}>
        <span>{exact(size)}</span>
        <span>{hasOther ? stateWords[state] : ""}</span>
      </div>
    </div>
  );
}

function indexOf({ path }: PrefixSegment): string {
  return /\[(\d+)\]/.exec(path)?.[1] ?? "0";
}

function Side({
  segment,
  path,
  side,
}: {
  segment: PrefixSegment;
  path: string;
  side: "before" | "after";
}): VNode {
  const excerpt = segment[side];
  return (
    <>
      <div class="t">
        <b class="m">{path}</b>
        {!excerpt && (side === "after" ? segment.state !== "same" && segment.state !== "lost" : true) && (
          <span class="dim">
            <Text of={segment.label} />
          </span>
        )}
        {!excerpt && side === "after" && (segment.state === "same" || segment.state === "lost") && (
          <span>same</span>
        )}
      </div>
      {excerpt && (
        <pre tabIndex={0}>
          <Text of={excerpt.start} />
          <mark>
            <Text of={excerpt.differs === "" ? " " : excerpt.differs} />
          </mark>
          <Text of={excerpt.end} />
        </pre>
      )}
    </>
  );
}

function Body({ detail }: { detail: RequestDetail }): VNode {
  const { body, isRedacted, isWire } = detail;
  if (body === undefined) return <p class="dim">Its bytes were dropped to save memory.</p>;
  return (
    <>
      <LongText of={isRaw.value ? body : pretty(body)} label="Body" class="code wrapped" />
      <p class="dim small">
        {isWire
          ? `${exact(detail.size)} characters, as they were sent${isRedacted ? "; secrets are redacted" : ""}.`
          : "This model has no wire that the studio can see: this is what Skein passed on to it."}
      </p>
    </>
  );
}

function Headers({ detail }: { detail: RequestDetail }): VNode {
  const { url, headers, answer, status, failure } = detail;
  if (!detail.isWire) return <p class="dim">This model has no wire that the studio can see.</p>;
  const lines = (all: Readonly<Record<string, string>>): string =>
    Object.entries(all)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n");
  return (
    <>
      <LongText of={`POST ${url}\n${lines(headers)}`} label="Headers of the request" />
      {answer && <LongText of={`${status}\n${lines(answer.headers)}`} label="Headers of the answer" />}
      {failure !== undefined && (
        <p class="bad">
          <Text of={failure} />
        </p>
      )}
      <p class="dim small">Values that may be secret are redacted, as in recordings.</p>
    </>
  );
}

function Answer({ run, detail }: { run: RunDetail; detail: RequestDetail }): VNode {
  const { answer, failure } = detail;
  const step = run.steps.find(({ id }) => id === detail.step);
  if (!answer) {
    if (failure !== undefined)
      return (
        <p class="bad">
          <Text of={failure} />
        </p>
      );
    if (detail.isWire || step?.kind !== "model") return <p class="dim">No answer has come yet.</p>;
    return (
      <LongText
        of={[step.text, ...step.calls.map((call) => `${call.toolName} ${call.arguments}`)]
          .filter(Boolean)
          .join("\n")}
        label="Answer"
      />
    );
  }
  return (
    <>
      {answer.end !== undefined && (
        <div class="note b">
          <p>{answer.end === "cut" ? "The connection broke." : "The rest was not read."}</p>
        </div>
      )}
      <ol class="pieces">
        {answer.pieces.slice(0, 2_000).map((piece, index) => (
          <li key={index}>
            <span class="n dim3">
              {index === 0 ? "" : "+"}
              {piece.at} ms
            </span>
            <pre tabIndex={-1}>
              <Text of={piece.text.trimEnd().slice(0, 8_192)} />
            </pre>
          </li>
        ))}
      </ol>
      {answer.pieces.length > 2_000 && (
        <p class="dim">The first 2,000 of {exact(answer.pieces.length)} pieces are shown.</p>
      )}
    </>
  );
}

/** The input of the last request of a run, with a link to where its prefix breaks. */
export function LastInput({ run }: { run: RunDetail }): VNode | null {
  const step = run.steps.findLast((each) => each.kind === "model" && each.parent === undefined);
  if (step?.kind !== "model") return null;
  const { usage, requests } = step;
  const input = usage?.inputTokens ?? 0;
  return (
    <section>
      <h3>Input of the last request</h3>
      {input > 0 && (
        <Stack cached={usage?.cachedInputTokens ?? 0} lost={step.break?.tokens ?? 0} all={input} />
      )}
      <a class={step.break ? "warn" : "dim"} href={href("runs", run.id, "wire", ...requests.slice(-1))}>
        {step.break ? (
          <>
            <Icon name="cut" /> Prefix breaks at <code>{step.break.path}</code>
          </>
        ) : input > 0 ? (
          `${exact(input)} tokens`
        ) : (
          "Look at it"
        )}
      </a>{" "}
      <Kbd of="w" />
    </section>
  );
}
