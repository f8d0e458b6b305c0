import { defineOwn } from "../base/util/snapshot.ts";
import type { RunEvent } from "../run/types.ts";
import type { StoredEvent } from "./stored-event.ts";

/** An event as it is stored, and about how many characters it has as JSON. */
export interface SizedEvent {
  readonly stored: StoredEvent;
  readonly characters: number;
}

/** What JSON may write as six characters, halves of pairs too: texts with it are measured by their JSON. */
const longInJson = /(?![\t\n\f\r])[\p{Cc}\p{Cs}]/u;

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
  const copy: Record<string, unknown> = {};
  let characters = aroundEvent;
  for (const [name, value] of Object.entries(event)) {
    if (value === undefined) continue;
    if (typeof value === "string") {
      if (longInJson.test(value)) return undefined;
      characters += value.length;
    } else if (typeof value !== "boolean" && !Number.isFinite(value)) return undefined;
    defineOwn(copy, name, value);
    characters += name.length + aroundField;
  }
  copy["index"] = index;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the event's own fields, all of which JSON carries as they are
  return { stored: copy as StoredEvent, characters };
}
