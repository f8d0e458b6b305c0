import type { JsonValue } from "../../base/util/json.ts";
import type { Message } from "../../message/messages.ts";
import type { HostedCall } from "../../model/hosted-call.ts";
import { readHostedCalls } from "../kit/hosted-calls/read.ts";
import type { OpenCalls } from "../kit/hosted-calls/shape.ts";
import { partsOfAnswers } from "./parts-of-answers.ts";

/** A call of a tool that a provider has executed, and who that is. */
export type ProviderCall = HostedCall & {
  /** The call as the provider wrote it, and its result where that is a part of its own. */
  readonly raw: readonly JsonValue[];
  /** The `provider` of the model, such as `"anthropic"`. */
  readonly provider: string;
};

/**
 * The calls of the tools that providers have executed, in their order: searches of the web, code that ran, and so on. Pass an answer,
 * or the messages of a run: a provider that pauses its work goes on with it in the next message. Parts of an unknown form are left out.
 */
export function hostedCalls(source: Message | readonly Message[]): readonly ProviderCall[] {
  const calls: ProviderCall[] = [];
  const running: OpenCalls["running"] = new Map();
  for (const parts of partsOfAnswers(source)) {
    const open: OpenCalls = { running };
    for (const part of parts) {
      const provider = part.providerData?.provider ?? "";
      for (const call of readHostedCalls(part, open)) upsert(calls, { ...call, provider });
    }
  }
  return calls;
}

/** Puts a call in the place of what it was before. */
function upsert(calls: ProviderCall[], call: ProviderCall): void {
  const place = calls.findLastIndex(({ raw }) => raw[0] === call.raw[0]);
  if (place < 0) calls.push(call);
  else calls.splice(place, 1, call);
}
