import type { VNode } from "preact";
import type { PrefixSegment, RequestDetail, RunDetail } from "../src/studio/records.ts";
import { clock, exact, shortId } from "./format.ts";
import { leadOf } from "./leads.ts";
import { href } from "./state.ts";
import { plain, Text } from "./text.tsx";

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

/** A request beside the one before, in prefix order: the thread is cut where they differ. */
export function Prefix({ run, detail }: { run: RunDetail; detail: RequestDetail }): VNode {
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
        <b class="m">{plain(path)}</b>
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
