import type { RunEvent } from "../run/types.ts";
import type { StoredEvent } from "./stored-event.ts";

/** An event as it is stored, and about how many characters it has as JSON. */
export interface SizedEvent {
  readonly stored: StoredEvent;
  readonly characters: number;
}

/** What JSON may write as six characters, as it does halves of pairs: texts with it are measured by their JSON. */
const longInJson = /(?![\t\n\f\r])\p{Cc}/u;

/** What a field has beside its name and its value, and an event beside its fields. */
const aroundField = 6;
const aroundEvent = 2;

/** A plain copy of an event with another index: nothing of the program, and nothing that is to be hidden. */
export function storedEvent(event: RunEvent, index: number): SizedEvent {
  return copyFlat(event, index) ?? copyByJson(event, index);
}

function copyByJson(event: RunEvent, index: number): SizedEvent {
  const text = JSON.stringify(event);
  return { stored: { ...JSON.parse(text), index }, characters: text.length };
}

/**
 * The same for an event all of whose fields are short values, such as a piece of text, of which a run has thousands: by JSON it would
 * cost ten times as much. `undefined` for any other.
 */
function copyFlat(event: RunEvent, index: number): SizedEvent | undefined {
  // It has a form as JSON of its own.
  if ("toJSON" in event) return undefined;
  const fields: Readonly<Record<string, unknown>> = Object(event);
  let characters = aroundEvent;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === "string") {
      if (isLongInJson(value)) return undefined;
      characters += value.length;
    } else if (typeof value !== "boolean" && !Number.isFinite(value)) return undefined;
    characters += name.length + aroundField;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the event's own fields, all of which JSON carries as they are
  return { stored: Object.freeze({ ...event, index }) as StoredEvent, characters };
}

function isLongInJson(text: string): boolean {
  return longInJson.test(text) || !text.isWellFormed();
}
