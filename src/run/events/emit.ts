import { notify } from "../../base/util/callbacks.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { RunEvent, RunEventBody } from "../types.ts";
import { hidePrivateParts } from "./event-json.ts";
import { freezeParts } from "./frozen-event.ts";

/** Whether anybody listens to the events of a run. */
export function hasListeners({ config }: ActiveRun): boolean {
  return config.listener !== undefined || config.options.onEvent !== undefined;
}

/** Numbers an event and passes it to the listeners. What a listener throws becomes a warning. */
export function emit(run: ActiveRun, body: RunEventBody): void {
  if (run.hasEnded || !hasListeners(run)) return;
  run.hasEnded = body.type === "run-end";
  const { listener, options } = run.config;
  // Not a copy: events of calls' arguments have an accessor, and every body is new.
  // oxlint-disable-next-line no-restricted-properties -- one name, onto a body of our own: a copy costs each event
  const event: RunEvent = Object.assign(body, { index: run.meters.addEvent() });
  // Readers share it, and none of them may change what the run has.
  freezeParts(event);
  hidePrivateParts(event);
  Object.freeze(event);
  listener?.(event);
  if (options.onEvent) callListener(run, options.onEvent, event);
}

/** Reports something that the run survives, once. */
export function warn(run: ActiveRun, message: string): void {
  if (run.addWarning(message)) emit(run, { type: "warning", agent: run.agent.name, message });
}

function callListener(run: ActiveRun, onEvent: (event: RunEvent) => unknown, event: RunEvent): void {
  notify(
    () => onEvent(event),
    (error) => run.addWarning(`onEvent failed on the event ${event.type}: ${safeMessage(error)}`),
  );
}
