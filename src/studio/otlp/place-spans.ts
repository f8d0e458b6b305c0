import { type GenAiKind, kindOf } from "./gen-ai-span.ts";
import type { Span } from "./spans.ts";

/** A span of an agent's work, and where in it it belongs. */
export interface PlacedSpan {
  readonly span: Span;
  readonly kind: GenAiKind;
  /** The nearest span of an agent's work around it. */
  readonly parent: PlacedSpan | undefined;
  /** The tool, or the agent within a tool, that it is a step of; `undefined` for a step of the run itself. */
  readonly container: PlacedSpan | undefined;
  /** Whether a span around it has not come yet. */
  readonly isOrphan: boolean;
}

/** How many spans may be around another one: parents of hostile spans lead in circles. */
const mostLevels = 100;

/** A span while its place is looked for. */
interface Placing extends PlacedSpan {
  readonly parent: Placing | undefined;
  readonly begins: number;
  readonly within: Placing[];
}

/** The spans of agents, model calls and tools of a trace in the order in which they began, each behind those around it. */
export function placeSpans(spans: readonly Span[]): readonly PlacedSpan[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const placings = new Map<Span, Placing>();
  /** Those whose place is being looked for: one of them around another is a circle, which ends there. */
  const open = new Set<Span>();
  const place = (span: Span, kind: GenAiKind, level: number): Placing => {
    const earlier = placings.get(span);
    if (earlier) return earlier;
    const { outer, isOrphan } = nearestAround(span, byId);
    open.add(span);
    const isPlaceable = outer !== undefined && level < mostLevels && !open.has(outer.span);
    const parent = isPlaceable ? place(outer.span, outer.kind, level + 1) : undefined;
    open.delete(span);
    const placing = {
      span,
      kind,
      parent,
      container: containerIn(parent),
      isOrphan,
      // Clocks of several machines may disagree.
      begins: Math.max(span.start, parent?.begins ?? 0),
      within: [],
    };
    placings.set(span, placing);
    return placing;
  };
  for (const span of spans) {
    const kind = kindOf(span);
    if (kind) place(span, kind, 0);
  }
  // Spans come as they end. Those that began in the same millisecond stand as they are nested.
  const all = [...placings.values()];
  for (const placing of all) placing.parent?.within.push(placing);
  return nested(all.filter(({ parent }) => parent === undefined))
    .filter(({ kind, parent }) => kind !== "model" || parent?.kind !== "model")
    .toSorted((one, other) => one.begins - other.begins);
}

/** Spans with those within them, each behind those around it. */
function nested(placings: readonly Placing[]): readonly Placing[] {
  const list: Placing[] = [];
  const add = (placing: Placing): void => {
    list.push(placing);
    for (const inner of inOrder(placing.within)) add(inner);
  };
  for (const placing of inOrder(placings)) add(placing);
  return list;
}

function inOrder(placings: readonly Placing[]): readonly Placing[] {
  return placings.toSorted((one, other) => one.begins - other.begins);
}

/** The nearest span of an agent's work around a span. */
function nearestAround(
  span: Span,
  byId: ReadonlyMap<string, Span>,
): {
  readonly outer: { readonly span: Span; readonly kind: GenAiKind } | undefined;
  readonly isOrphan: boolean;
} {
  let { parentSpanId } = span;
  for (let level = 0; parentSpanId !== undefined && level < mostLevels; level++) {
    const around = byId.get(parentSpanId);
    if (!around) return { outer: undefined, isOrphan: true };
    const kind = kindOf(around);
    if (around !== span && kind) return { outer: { span: around, kind }, isOrphan: false };
    ({ parentSpanId } = around);
  }
  return { outer: undefined, isOrphan: false };
}

/** The span that a child of `parent` is a step of. Model calls, and agents that are active in the run itself, are not. */
function containerIn(parent: PlacedSpan | undefined): PlacedSpan | undefined {
  if (!parent || parent.kind === "tool") return parent;
  return parent.kind === "agent" && parent.container ? parent : parent.container;
}
