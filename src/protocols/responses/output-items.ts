import type { HostedCall } from "../../model/hosted-call.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { argumentsOf } from "../kit/answer-reader.ts";
import { hostedItem, progressOf } from "./hosted-items.ts";
import type {
  ResponseItem,
  ResponseItemEvent,
  ResponseMessageItem,
  ResponseOutputText,
  ResponseSummaryText,
} from "./types.ts";

/** An item that its text is still coming for. */
interface OpenItem {
  readonly type: "message" | "reasoning";
  readonly id: string;
  readonly outputIndex: number;
  /** The index of the run's event that it began with. */
  readonly from: number;
  text: string;
}

/** How a message ends. */
export type MessageEnd = Pick<ResponseMessageItem, "status" | "phase">;

/** The items of a response in their order. Each is added, gets its text, and is done before the next one is added. */
export class OutputItems {
  readonly #suffix: string;
  #items: { readonly item: ResponseItem; readonly from: number }[] = [];
  #open: OpenItem | undefined;
  #count = 0;
  #from = 0;
  #countOfEvent = 0;

  /** @param responseId - Makes the ids of items unique. */
  constructor(responseId: string) {
    this.#suffix = responseId.replace(/^resp_/, "").replaceAll(/[^\w-]/g, "_");
  }

  /** The items that are done. */
  get items(): ResponseItem[] {
    return this.#items.map(({ item }) => item);
  }

  /** Names the event of the run that the next items come from: ids are the same each time the run is read. */
  startEvent(index: number): void {
    this.#from = index;
    this.#countOfEvent = 0;
  }

  /** A piece of text or of reasoning. */
  addText(type: OpenItem["type"], text: string): readonly ResponseItemEvent[] {
    const events: ResponseItemEvent[] = [];
    if (this.#open?.type !== type) events.push(...this.close({ status: "completed" }));
    const open = this.#open ?? this.#begin(type, events);
    open.text += text;
    const { id, outputIndex } = open;
    const place = { item_id: id, output_index: outputIndex };
    if (type === "message")
      events.push({
        type: "response.output_text.delta",
        ...place,
        content_index: 0,
        delta: text,
        logprobs: [],
      });
    else
      events.push({ type: "response.reasoning_summary_text.delta", ...place, summary_index: 0, delta: text });
    return events;
  }

  /** Ends the item that is open, if there is one. */
  close(end: MessageEnd): readonly ResponseItemEvent[] {
    const open = this.#open;
    if (!open) return [];
    this.#open = undefined;
    return open.type === "message" ? this.#closeMessage(open, end) : this.#closeReasoning(open);
  }

  /** A call that the provider has executed, once it has ended; nothing for what the protocol has no item for. */
  addHosted(call: HostedCall): readonly ResponseItemEvent[] {
    if (!hostedItem(call, "")) return [];
    const closing = this.close({ status: "completed" });
    const { id, outputIndex } = this.#next(call.tool === "fileSearch" ? "fs" : "ws");
    const item = hostedItem(call, id);
    if (!item) return closing;
    const added = { ...item, status: "in_progress" } as const;
    return [
      ...closing,
      { type: "response.output_item.added", output_index: outputIndex, item: added },
      ...progressOf(item, { item_id: id, output_index: outputIndex }),
      this.#done(outputIndex, item),
    ];
  }

  /** A call that the client is to execute. */
  addCall(call: PendingCall): readonly ResponseItemEvent[] {
    const { id, outputIndex } = this.#next("fc");
    const text = argumentsOf(call);
    const name = call.toolName;
    const base = { id, type: "function_call", call_id: call.toolCallId, name } as const;
    const place = { item_id: id, output_index: outputIndex };
    return [
      {
        type: "response.output_item.added",
        output_index: outputIndex,
        item: { ...base, status: "in_progress", arguments: "" },
      },
      { type: "response.function_call_arguments.delta", ...place, delta: text },
      { type: "response.function_call_arguments.done", ...place, name, arguments: text },
      this.#done(outputIndex, { ...base, status: "completed", arguments: text }),
    ];
  }

  /** A call that a person has to decide on. */
  addApproval(call: PendingCall, approvalId: string): readonly ResponseItemEvent[] {
    const { outputIndex } = this.#next("mcpr");
    const item = {
      id: approvalId,
      type: "mcp_approval_request",
      server_label: "skein",
      name: call.toolName,
      arguments: argumentsOf(call),
    } as const;
    return [
      { type: "response.output_item.added", output_index: outputIndex, item },
      this.#done(outputIndex, item),
    ];
  }

  /** Takes back what came from an event on: what a client has of it is incomplete, and not in the response at its end. */
  restart(from: number): readonly ResponseItemEvent[] {
    const events = this.close({ status: "incomplete", phase: "commentary" });
    this.#items = this.#items.filter((each) => each.from < from);
    return events;
  }

  #next(prefix: string): { readonly id: string; readonly outputIndex: number } {
    const number = this.#countOfEvent++;
    const place = number === 0 ? `${this.#from}` : `${this.#from}_${number}`;
    return { id: `${prefix}_${this.#suffix}_${place}`, outputIndex: this.#count++ };
  }

  #begin(type: OpenItem["type"], events: ResponseItemEvent[]): OpenItem {
    const { id, outputIndex } = this.#next(type === "message" ? "msg" : "rs");
    const open: OpenItem = { type, id, outputIndex, from: this.#from, text: "" };
    this.#open = open;
    const place = { item_id: id, output_index: outputIndex };
    if (type === "message")
      events.push(
        {
          type: "response.output_item.added",
          output_index: outputIndex,
          item: { id, type, status: "in_progress", role: "assistant", content: [] },
        },
        { type: "response.content_part.added", ...place, content_index: 0, part: outputText("") },
      );
    else
      events.push(
        { type: "response.output_item.added", output_index: outputIndex, item: { id, type, summary: [] } },
        { type: "response.reasoning_summary_part.added", ...place, summary_index: 0, part: summaryText("") },
      );
    return open;
  }

  #closeMessage({ id, outputIndex, text, from }: OpenItem, end: MessageEnd): readonly ResponseItemEvent[] {
    const place = { item_id: id, output_index: outputIndex, content_index: 0 } as const;
    const part = outputText(text);
    const item = { id, type: "message", role: "assistant", content: [part], ...end } as const;
    return [
      { type: "response.output_text.done", ...place, text, logprobs: [] },
      { type: "response.content_part.done", ...place, part },
      this.#done(outputIndex, { ...item, content: [part] }, from),
    ];
  }

  #closeReasoning({ id, outputIndex, text, from }: OpenItem): readonly ResponseItemEvent[] {
    const place = { item_id: id, output_index: outputIndex, summary_index: 0 } as const;
    const part = summaryText(text);
    return [
      { type: "response.reasoning_summary_text.done", ...place, text },
      { type: "response.reasoning_summary_part.done", ...place, part },
      this.#done(outputIndex, { id, type: "reasoning", summary: [part] }, from),
    ];
  }

  #done(outputIndex: number, item: ResponseItem, from = this.#from): ResponseItemEvent {
    this.#items.push({ item, from });
    return { type: "response.output_item.done", output_index: outputIndex, item };
  }
}

function outputText(text: string): ResponseOutputText {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function summaryText(text: string): ResponseSummaryText {
  return { type: "summary_text", text };
}
