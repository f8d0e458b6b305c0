import type { HostedCall } from "../../model/hosted-call.ts";
import { publicHostedCall } from "../../run/public/public-hosted-call.ts";
import type { ShowOptions } from "../../run/public/show.ts";
import { publicError, type PublicError } from "../../run/public/public-error.ts";
import { type AnswerEnd, type AnswerOptions, AnswerReader, type AnswerStep } from "../kit/answer-reader.ts";
import { seconds } from "../kit/openai-frames.ts";
import type { Encoder, SourceEvent } from "../kit/source.ts";
import { type MessageEnd, OutputItems } from "./output-items.ts";
import { responseObject, type ResponseDescription, statusOfEnd } from "./response-object.ts";
import type { ResponseEventBody, ResponseObject, ResponseStatus, ResponseStreamEvent } from "./types.ts";

/** How to encode a response. */
export interface ResponseEncoderOptions extends AnswerOptions {
  readonly description: ResponseDescription;
  readonly show: Required<ShowOptions>;
  /** Events up to this number are left out; -1 for none. */
  readonly startingAfter: number;
  /** Milliseconds since 1970; the time at which the end is encoded by default. */
  readonly completedAt: number | undefined;
}

/**
 * How many numbers each event of a run has. An event is less than that, but for the last one, behind which no number is needed. Numbers that
 * were counted would differ after a restart: later readers of a durable run do not receive what was taken back.
 */
const numbersPerEvent = 16;

const commentary: MessageEnd = { status: "completed", phase: "commentary" };

/** Translates a run to a response. */
export class ResponseEncoder implements Encoder<ResponseStreamEvent> {
  readonly #options: ResponseEncoderOptions;
  readonly #reader: AnswerReader;
  readonly #items: OutputItems;
  #number = 0;
  #hasBegun = false;
  #status: ResponseStatus = "in_progress";
  #end: AnswerEnd | undefined;
  #completedAt: number | undefined;
  #isOver = false;
  #error: PublicError | undefined;

  constructor(options: ResponseEncoderOptions) {
    this.#options = options;
    this.#reader = new AnswerReader(options);
    this.#items = new OutputItems(options.description.id);
  }

  /** Set if the events could not be read to their end. */
  get error(): PublicError | undefined {
    return this.#error;
  }

  /** What a response begins with, whatever its run does. */
  begin(): readonly ResponseStreamEvent[] {
    if (this.#hasBegun) return [];
    this.#hasBegun = true;
    const response = this.response();
    return this.#numbered([
      { type: "response.created", response },
      { type: "response.in_progress", response },
    ]);
  }

  encode(event: SourceEvent): readonly ResponseStreamEvent[] {
    if (this.#isOver) return [];
    const first = this.begin();
    this.#number = Math.max(this.#number, (event.index + 1) * numbersPerEvent);
    this.#items.startEvent(event.index);
    const steps = this.#reader.read(event);
    if (steps.length === 0) return first;
    return [...first, ...this.#numbered(steps.flatMap((step) => this.#eventsOf(step)))];
  }

  fail(error: unknown): readonly ResponseStreamEvent[] {
    if (this.#isOver) return [];
    return [...this.begin(), ...this.#numbered(this.#failure(publicError(error)))];
  }

  /** The response as far as it is. */
  response(): ResponseObject {
    return responseObject(this.#options.description, {
      status: this.#status,
      output: this.#items.items,
      completedAt: this.#completedAt,
      end: this.#end,
    });
  }

  #eventsOf(step: AnswerStep): readonly ResponseEventBody[] {
    switch (step.type) {
      case "text":
        return this.#items.addText("message", step.text);
      case "reasoning":
        return this.#options.show.reasoning ? this.#items.addText("reasoning", step.text) : [];
      case "hosted":
        return this.#addHosted(step.call);
      case "pause":
      case "break":
        return this.#items.close(commentary);
      case "restart":
        return this.#items.restart(step.from);
      case "lost":
        return this.#failure(step.error);
      case "end":
        return this.#finish(step.end);
      default:
        return step satisfies never;
    }
  }

  #addHosted(call: HostedCall): readonly ResponseEventBody[] {
    const { show } = this.#options;
    return show.toolCalls ? this.#items.addHosted(publicHostedCall(call, show)) : [];
  }

  #finish(end: AnswerEnd): readonly ResponseEventBody[] {
    const status = statusOfEnd(end);
    const isCompleted = status === "completed";
    const items = [
      ...this.#items.close({
        status: isCompleted || status === "in_progress" ? "completed" : "incomplete",
        phase: "final_answer",
      }),
      ...end.calls.flatMap((call) => this.#items.addCall(call)),
      ...end.approvals.flatMap((call) => this.#items.addApproval(call, call.approvalId ?? "")),
    ];
    // Nothing that a client could do: the run goes on, and so may its events.
    if (status === "in_progress") return items;
    this.#isOver = true;
    this.#status = status;
    this.#end = end;
    if (isCompleted) this.#completedAt = seconds(this.#options.completedAt ?? Date.now());
    return [...items, { type: finalTypes[status], response: this.response() }];
  }

  /** The run may go on: a client can ask for what comes behind the last number. */
  #failure(error: PublicError): readonly ResponseEventBody[] {
    this.#isOver = true;
    this.#error = error;
    return [{ type: "error", ...error, param: null }];
  }

  #numbered(bodies: readonly ResponseEventBody[]): readonly ResponseStreamEvent[] {
    const { startingAfter } = this.#options;
    const events = bodies.map((body) => ({ ...body, sequence_number: this.#number++ }));
    return startingAfter < 0 ? events : events.filter((event) => event.sequence_number > startingAfter);
  }
}

/** The event that each end has. There is none for a response that was cancelled: it is one that is incomplete. */
const finalTypes = {
  completed: "response.completed",
  incomplete: "response.incomplete",
  cancelled: "response.incomplete",
  failed: "response.failed",
  queued: "response.incomplete",
} as const satisfies Record<Exclude<ResponseStatus, "in_progress">, string>;
