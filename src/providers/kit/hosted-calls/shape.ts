import type { JsonObject, JsonValue } from "../../../base/util/json.ts";
import { fingerprint } from "../../../base/util/fingerprint.ts";
import type { Message } from "../../../message/messages.ts";
import type { HostedCall, HostedPage } from "../../../model/hosted-call.ts";
import type { ModelEvent } from "../../../model/types.ts";
import { isJsonObject } from "../json-values.ts";

/** A call, and what the provider wrote of it: the call, and its result where that is a part of its own. */
export type ReadCall = HostedCall & { readonly raw: readonly JsonValue[] };

/** What later parts may add to. */
export interface OpenCalls {
  /** The calls that have no result yet, by their ids. */
  readonly running: Map<string, ReadCall>;
  /** The last search of the answer, where its sources come at the end of the answer. */
  search?: ReadCall | undefined;
}

/**
 * Reads what a provider wrote in one part of an answer.
 * @returns The calls that begin or end with it, as they stand then: of one call, `raw[0]` is always the same object. None for a part that is not about calls.
 */
export type HostedCallReader = (data: JsonObject, open: OpenCalls) => readonly ReadCall[];

/** Begins a call: it is open until its result comes. */
export function beginCall(call: ReadCall, open: OpenCalls): readonly ReadCall[] {
  if (call.status === "running") open.running.set(call.id, call);
  return [call];
}

/** Ends the open call of an id; nothing for a result without a call. */
export function endCall(
  id: string | undefined,
  open: OpenCalls,
  finish: (call: ReadCall) => ReadCall,
): readonly ReadCall[] {
  const call = id === undefined ? undefined : open.running.get(id);
  if (!call) return [];
  open.running.delete(call.id);
  return [finish(call)];
}

/** The events that a part causes: without what the provider wrote, which is in the answer's message. */
export function hostedEvents(
  read: HostedCallReader,
  data: JsonObject,
  open: OpenCalls,
): readonly Extract<ModelEvent, { readonly type: "hosted-call" }>[] {
  return read(data, open).map(({ raw: _, ...call }) => ({ type: "hosted-call", call }));
}

/** The calls of an answer that the provider has paused, which it goes on with in the next one. */
export function openCallsIn(
  history: readonly Message[],
  { provider, read }: { readonly provider: string; readonly read: HostedCallReader },
): OpenCalls {
  const open: OpenCalls = { running: new Map() };
  const from = history.findLastIndex(({ role }) => role !== "assistant") + 1;
  for (const message of history.slice(from)) {
    if (message.role !== "assistant") continue;
    for (const { providerData } of message.content)
      if (providerData?.provider === provider && isJsonObject(providerData.data))
        read(providerData.data, open);
  }
  return open;
}

/** An id for a call that has none: the same for the same content. */
export function idOf(name: string, content: JsonValue): string {
  return `${name}-${fingerprint(JSON.stringify(content))}`;
}

/** What is text in a list. */
export function textsIn(...values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) => (Array.isArray(value) ? value : [value])).filter((text) => isText(text));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** A page, or none where it has no address. */
export function pageOf(url: unknown, fields: object): readonly HostedPage[] {
  if (!isText(url)) return [];
  return [{ url, ...withTexts(fields) }];
}

/** The fields that are a text. */
export function withTexts(fields: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => isText(field[1])),
  );
}
