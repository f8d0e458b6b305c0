import { sameJson } from "../../base/util/same-json.ts";
import type { HostedCall } from "../../model/hosted-call.ts";
import { publicHostedCall } from "../../run/public/public-hosted-call.ts";
import type { ShowOptions } from "../../run/public/show.ts";
import type { MessageWriter, OtherPart } from "./message-writer.ts";
import type { ToolPart } from "./ui-message.ts";

type Shown = Required<ShowOptions>;

/** The parts of calls that providers execute: clients show them as those of tools, and never send their results. */
export class HostedParts {
  readonly #writer: MessageWriter;
  readonly #show: Shown;
  /** Those without a result, by their calls. */
  readonly #open = new Map<string, OtherPart>();

  constructor(writer: MessageWriter, show: Shown) {
    this.#writer = writer;
    this.#show = show;
  }

  /** Shows how a call stands. */
  add(call: HostedCall): void {
    if (!this.#show.toolCalls) return;
    const fields = partFields(call, this.#show);
    const { toolCallId } = fields;
    const shared = { toolCallId, providerExecuted } as const;
    const chunk = {
      type: "tool-input-available",
      ...shared,
      toolName: call.name,
      input: fields.input,
    } as const;
    const before = this.#open.get(toolCallId);
    const part = before ?? this.#writer.addPart(chunk);
    // Some providers say at the end what the input was.
    if (before && !sameJson(before.chunk, chunk)) this.#writer.replacePart(before, chunk);
    if (fields.state === "input-available") return void this.#open.set(toolCallId, part);
    this.#open.delete(toolCallId);
    if (fields.state === "output-error")
      this.#writer.updatePart(part, { type: "tool-output-error", ...shared, errorText: fields.errorText });
    else this.#writer.updatePart(part, { type: "tool-output-available", ...shared, output: fields.output });
  }

  /** The current step is void, and the calls in it. */
  reset(): void {
    for (const [id, part] of this.#open) if (this.#writer.entries.includes(part)) this.#open.delete(id);
  }

  /** The run has ended: no result comes any more. */
  close(): void {
    for (const [toolCallId, part] of this.#open)
      this.#writer.updatePart(part, {
        type: "tool-output-error",
        toolCallId,
        providerExecuted,
        errorText: noResult,
      });
    this.#open.clear();
  }
}

const providerExecuted = true;
const noResult = "The call has no result.";

/** The part of a call in a history, where one that runs has stopped. */
export function hostedPart(call: HostedCall, show: Shown): ToolPart {
  const { name } = call;
  const { input, ...part } = partFields(call, show);
  const shared = { type: `tool-${name}`, input, providerExecuted } as const;
  if (part.state === "input-available")
    return { ...shared, toolCallId: part.toolCallId, state: "output-error", errorText: noResult };
  return { ...shared, ...part };
}

type PartFields = { readonly toolCallId: string; readonly input: unknown } & (
  | { readonly state: "input-available" }
  | { readonly state: "output-available"; readonly output: unknown }
  | { readonly state: "output-error"; readonly errorText: string }
);

function partFields(source: HostedCall, show: Shown): PartFields {
  const call = publicHostedCall(source, show);
  const fields = { toolCallId: call.id, input: call.input ?? {} };
  if (call.status === "running") return { ...fields, state: "input-available" };
  if (call.status === "failed")
    return { ...fields, state: "output-error", errorText: call.error ?? "The tool failed." };
  return { ...fields, state: "output-available", output: show.toolResults ? outputOf(call) : null };
}

function outputOf(call: HostedCall): unknown {
  if ("results" in call) return call.results;
  return "output" in call ? (call.output ?? null) : null;
}
