import type { RunEvent } from "../types.ts";

/** Prints an event to standard error, one line each; deltas are left out, since the whole follows at the turn's end. */
export function printEvent(event: RunEvent): void {
  if (event.type.endsWith("-delta")) return;
  const { type, agent, index, ...rest } = event;
  // What the model may not see is not for a terminal, either.
  const printed = event.type === "tool-end" ? { ...rest, value: undefined } : rest;
  const details = JSON.stringify(printed, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  // oxlint-disable-next-line no-console -- this is what `debug: true` asks for
  console.error(`[skein ${index}] ${agent}: ${type} ${shorten(type === "run-end" ? event.type : details)}`);
  // oxlint-disable-next-line no-console -- and so is the stack of a tool that threw
  if (event.type === "tool-end" && event.error !== undefined) console.error(event.error);
}

function shorten(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
