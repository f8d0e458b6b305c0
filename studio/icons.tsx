import type { VNode } from "preact";
import type { RecordedStatus } from "../src/studio/records.ts";

const paths = {
  ok: "M2 6.5 4.7 9 10 3",
  no: "M2.5 2.5l7 7M9.5 2.5l-7 7",
  re: "M10 6a4 4 0 1 1-1.2-2.9M10 1v2.5H7.5",
  wt: "M4 2.5v7M8 2.5v7",
  tri: "M6 1.5 11 10.5H1zM6 5v2.5M6 9h.01",
  dots: "M2 6h.01M6 6h.01M10 6h.01",
  cut: "M1 6h3M8 6h3M4.5 9.5l3-7",
  sub: "M2 10V3h8v7",
} as const;

/** The signs that stand beside words. */
export type IconName = keyof typeof paths;

/** A sign; it always stands beside a word, or has one for those who do not see it. */
export function Icon({
  name,
  class: extra = "",
  label,
}: {
  name: IconName;
  class?: string;
  label?: string;
}): VNode {
  return (
    <svg
      class={`ic ${extra}`}
      viewBox="0 0 12 12"
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    >
      <path d={paths[name]} />
    </svg>
  );
}

/** Five chevrons in formation. */
export function Mark({ size = 22 }: { size?: number }): VNode {
  return (
    <svg class="mark" viewBox="0 0 22 22" width={size} height={size} aria-hidden="true">
      <path d="M1.5 1.8 4 3.6 1.5 5.4M6.5 5.4 9 7.2 6.5 9M6.5 13l2.5 1.8L6.5 16.6M1.5 16.6 4 18.4 1.5 20.2" />
      <path class="a" d="M14 7.4 19 11l-5 3.6" />
    </svg>
  );
}

/** A chevron of the thread where the lead changes. */
export function Chevron({ class: name }: { class?: string }): VNode {
  return (
    <svg class={name} viewBox="0 0 18 18" aria-hidden="true">
      <path d="M3 6l6 6 6-6" />
    </svg>
  );
}

/** A line that leaves the thread. */
export function Twig(): VNode {
  return (
    <svg class="tw" viewBox="0 0 18 26" preserveAspectRatio="none" aria-hidden="true">
      <path d="M1 2 13 13h5" vector-effect="non-scaling-stroke" />
    </svg>
  );
}

const statuses: Readonly<Record<RecordedStatus, readonly [icon: IconName, color: string]>> = {
  running: ["dots", ""],
  completed: ["ok", "dim"],
  paused: ["wt", "you"],
  corrections: ["no", "bad"],
  failed: ["no", "bad"],
  budget: ["no", "warn"],
  "max-turns": ["no", "warn"],
  "max-tool-calls": ["no", "warn"],
  repeating: ["no", "bad"],
  blocked: ["no", "bad"],
  incomplete: ["no", "warn"],
  cancelled: ["no", "dim"],
};

/** How a run stands: a sign and a word. */
export function Status({ of, isChip = false }: { of: RecordedStatus; isChip?: boolean }): VNode {
  const [icon, color] = statuses[of];
  const chip = { you: " y", bad: " b", warn: " w" }[color] ?? "";
  return (
    <span class={isChip ? `chip${chip}` : `st ${color}`}>
      <Icon name={icon} />
      {of}
    </span>
  );
}

/** The sign of a status alone. */
export function statusIcon(status: RecordedStatus): IconName {
  return statuses[status][0];
}
