import { exactText } from "../../base/util/exact-text.ts";
import type { AgentRunEvent, RunEvent } from "../types.ts";

/** Prints an event to standard error, one line each; deltas are left out, since the whole follows at the turn's end. */
export function printEvent(event: RunEvent): void {
  const inner = innermost(event);
  if (inner.type.endsWith("-delta")) return;
  const { type, agent, index, ...details }: Record<string, unknown> = JSON.parse(JSON.stringify(event));
  const text = type === "run-end" ? event.type : JSON.stringify(details);
  // What models and tools write must not drive the terminal.
  const line = exactText(`[skein ${String(index)}] ${String(agent)}: ${event.type} ${shorten(text)}`);
  // oxlint-disable-next-line no-console -- this is what `debug: true` asks for
  console.error(line);
  // oxlint-disable-next-line no-console -- and so is the stack of a tool that threw
  if (inner.type === "tool-end" && inner.error !== undefined) console.error(inner.error);
}

/** The event that an agent within the run has emitted. */
function innermost(event: RunEvent | AgentRunEvent): RunEvent | AgentRunEvent {
  return event.type === "agent-event" ? innermost(event.event) : event;
}

function shorten(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
