import { defineOwn, frozen } from "../../base/util/snapshot.ts";
import type { RunResult } from "../result-types.ts";
import { storableState } from "../state/storable-state.ts";
import type { RunEvent } from "../types.ts";
import { hidePrivateReport } from "./event-json.ts";

/** Has an event hold frozen copies alone: of plain data, since agents, errors and instances of other classes are what they are. */
export function freezeParts(event: RunEvent): void {
  // Of pieces, of which there are thousands, all fields are texts.
  if (event.type.endsWith("-delta")) return;
  if (event.type === "run-end" && event.result) defineOwn(Object(event), "result", reportOf(event.result));
  else freezeFields(event);
}

/** A frozen result, of which JSON shows what it shows of the result itself. */
function reportOf(result: RunResult): RunResult {
  const report = { ...result, state: storableState({ ...result.state }) };
  freezeFields(report.state);
  freezeFields(report, "state");
  hidePrivateReport(report);
  Object.freeze(report.state);
  return Object.freeze(report);
}

/** Accessors of pieces stay: they are of the classes of these events. */
function freezeFields(object: object, except?: string): void {
  const fields: Record<string, unknown> = Object(object);
  for (const name in fields) {
    const part = fields[name];
    if (typeof part === "object" && part !== null && name !== except) defineOwn(fields, name, copyOf(part));
  }
}

/** What cannot be copied, such as an output with a getter that throws, is left out. */
function copyOf(part: object): object | undefined {
  try {
    return frozen(part);
  } catch {
    return undefined;
  }
}
