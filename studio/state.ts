import { batch, computed, effect, signal } from "@preact/signals";
import type { Approval, RunSummary, StudioEvent, StudioInfo } from "../src/studio/records.ts";
import { ask, send, StudioError } from "./api.ts";

/** What the server says of itself and its agents. */
export const info = signal<StudioInfo | undefined>(undefined);
/** All runs by their ids. */
export const runs = signal<ReadonlyMap<string, RunSummary>>(new Map());
/** The calls that wait for a decision. */
export const approvals = signal<readonly Approval[]>([]);
/** Whether the server answers; `refused` without its token. */
export const connection = signal<"opening" | "open" | "lost" | "refused">("opening");
/** Where the page is, as the address has it behind `#/`. */
export const route = signal<readonly string[]>(readRoute());
/** Dark or light. */
const theme = signal<"dark" | "light">(readTheme());
/** Announced to screen readers. */
export const announcement = signal("");

/** The runs, the newest first. */
export const newestRuns = computed(() =>
  [...runs.value.values()].sort((one, other) => other.startedAt - one.startedAt),
);

function readRoute(): readonly string[] {
  const path = location.hash.replace(/^#\/?/, "");
  return (path === "" ? "chat" : path).split("/").map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
}

/** The address of a place of the page. */
export function href(...segments: readonly (string | number)[]): string {
  return `#/${segments.map((segment) => encodeURIComponent(String(segment))).join("/")}`;
}

/** Goes to a place of the page. */
export function go(...segments: readonly (string | number)[]): void {
  location.hash = href(...segments);
}

addEventListener("hashchange", () => (route.value = readRoute()));

function readTheme(): "dark" | "light" {
  const chosen = localStorage.getItem("theme");
  if (chosen === "dark" || chosen === "light") return chosen;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

/** Dark becomes light, and light dark. */
export function switchTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  localStorage.setItem("theme", theme.value);
}

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
});

/** Keeps the page up to date for as long as it is open. */
export async function follow(): Promise<never> {
  for (let wait = 500; ; wait = Math.min(wait * 2, 4_000)) {
    try {
      const response = await send("/studio/events");
      wait = 500;
      await readEvents(response);
      connection.value = "lost";
    } catch (error) {
      connection.value = error instanceof StudioError && error.status === 401 ? "refused" : "lost";
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

async function readEvents({ body }: Response): Promise<void> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let isFirst = true;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const frames = (rest + value).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      if (!frame.startsWith("data: ")) continue;
      const event: StudioEvent = JSON.parse(frame.slice(6));
      batch(() => apply(event, isFirst));
      if (event.type === "runs") isFirst = false;
    }
  }
}

/** @param isFirst - Whether the server says all that it has: what it does not say is not there any more. */
function apply(event: StudioEvent, isFirst: boolean): void {
  connection.value = "open";
  if (event.type === "info") {
    info.value = event.info;
    return;
  }
  const next = new Map(isFirst ? [] : runs.value);
  for (const run of event.runs) next.set(run.id, run);
  for (const id of event.forgotten) next.delete(id);
  const hasPaused = [...next.values()].some((run) => run.status === "paused" && isDecidedHere(run));
  runs.value = next;
  if (hasPaused || approvals.value.length > 0) void readApprovals();
}

/** Whether the page can decide on the calls of a run: those of the chat, and of a store. */
export function isDecidedHere({ session, source }: RunSummary): boolean {
  return session !== undefined || source === "store";
}

let isReading = false;
let isOutdated = false;

/** Reads which calls wait. */
export async function readApprovals(): Promise<void> {
  if (isReading) {
    isOutdated = true;
    return;
  }
  isReading = true;
  try {
    const answer = await ask<{ approvals: readonly Approval[] }>("/studio/approvals");
    const before = approvals.value.length;
    approvals.value = answer.approvals;
    const count = answer.approvals.length;
    if (count > before)
      announcement.value = `${count} ${count === 1 ? "call waits" : "calls wait"} for your decision.`;
  } catch {
    // The stream says that the connection is lost.
  } finally {
    isReading = false;
    if (isOutdated) {
      isOutdated = false;
      void readApprovals();
    }
  }
}
