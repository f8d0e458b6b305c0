import { MalformedResponseError, ModelError, ModelTimeoutError } from "../../../errors.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { errorMessage } from "../../../base/util/error-message.ts";
import { sleep } from "../../../base/util/sleep.ts";
import { unlessAborted } from "../../../base/util/unless-aborted.ts";
import type { AnswerLater } from "../../../model/answer-later.ts";
import { withoutSecrets } from "../../../model/secrets.ts";
import type { Model } from "../../../model/types.ts";
import { type AbandonedRequests, isUnwanted } from "./abandoned-requests.ts";
import { isPassing, isPassingStatus } from "./batch-http.ts";
import type { Gatherer, SubmittedBatch } from "./gatherer.ts";
import type { Looks } from "./looks.ts";
import { printTicket, readTicket, type Ticket } from "./ticket.ts";
import {
  type BatchApi,
  type BatchOutcome,
  type MissingOutcome,
  NotSubmittedError,
  unclear,
} from "./types.ts";

/** What the requests of one model share. */
export interface BatchScope {
  readonly model: Pick<Model, "provider" | "modelId">;
  /** Names what the model has noted with a run. */
  readonly slot: string;
  readonly gatherer: Gatherer;
  readonly looks: Looks;
  readonly abandoned: AbandonedRequests;
  /** The shortest time between two looks at a batch, in milliseconds. */
  readonly interval: number;
  /** How long an answer is waited for, in milliseconds. */
  readonly deadline: number;
}

/** How often a request is submitted whose batch does not show, before its failure is the request's own. */
export const mostTries = 3;

/** Of the time that a batch has taken, the part after which it is looked at again, and the longest such time, in milliseconds. */
const partOfAge = 0.1;
const longestPause = 600_000;

/** A request, and what it is sent with. */
export interface RequestOfBatch {
  readonly api: BatchApi;
  /** Requests share a batch where this is the same. */
  readonly key: string;
  readonly body: JsonObject;
  readonly later: AnswerLater | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What comes next of a request. */
type Next =
  | { readonly response: Response }
  | {
      readonly ticket: Ticket | undefined;
      /** Whether it is too early to go on. */
      readonly waits?: true;
    };

/** Why a request has failed. */
export interface Fate {
  /** What was thrown: the error of a `fetch` is taken for one of the network. */
  failure?: unknown;
  /** Whether it was submitted as often as makes sense. */
  isFinal: boolean;
  /** How often the request was submitted whose answer has come. */
  tries: number;
}

/** One request, from its submission to its answer. */
export class BatchedRequest {
  readonly #scope: BatchScope;
  readonly #request: RequestOfBatch;
  readonly #api: BatchApi;
  readonly #later: AnswerLater | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #fate: Fate;
  /** Why the last exchange about the batch has failed. */
  #lastFailure: unknown;

  /** @param fate - Has why it failed, afterwards. */
  constructor(scope: BatchScope, request: RequestOfBatch, fate: Fate) {
    this.#scope = scope;
    this.#request = request;
    this.#api = request.api;
    this.#later = request.later;
    this.#signal = request.signal;
    this.#fate = fate;
  }

  /** @throws AnswerLaterError where the run is to be left until the answer may be there. */
  async answer(): Promise<Response> {
    const signal = this.#signal;
    const { model, slot } = this.#scope;
    let ticket = readTicket(this.#later?.read(slot), model);
    if (ticket) this.#scope.abandoned.remove(ticket);
    try {
      for (;;) {
        signal?.throwIfAborted();
        const next = await this.#next(ticket);
        if ("response" in next) return next.response;
        ({ ticket } = next);
        if (!next.waits || !ticket) continue;
        // After a look: a batch that ended while nobody could look has its answer still.
        if (Date.now() - ticket.since > this.#scope.deadline) await this.#giveUp(ticket);
        await this.#pause(ticket);
      }
    } catch (error) {
      if (isUnwanted(signal) && ticket) this.#abandon(ticket);
      throw error;
    }
  }

  #next(ticket: Ticket | undefined): Promise<Next> {
    if (!ticket) return this.#submit(this.#fate.tries + 1);
    return ticket.batch === undefined ? this.#search(ticket) : this.#look(ticket, ticket.batch);
  }

  async #submit(tries: number): Promise<Next> {
    const { key, body } = this.#request;
    const customId = crypto.randomUUID();
    const member = this.#scope.gatherer.join(key, this.#api, { customId, body });
    let ticket: Ticket;
    let isWanted = false;
    try {
      const place = await unlessAborted(member.closed, this.#signal);
      // Noted first: should the process die now, the batch is looked for before the request is submitted once more.
      const { provider, modelId } = this.#scope.model;
      ticket = { model: `${provider}:${modelId}`, ...place, customId, since: Date.now(), tries };
      await this.#note(ticket);
      isWanted = this.#signal?.aborted !== true;
    } finally {
      member.ready(isWanted);
    }
    this.#signal?.throwIfAborted();
    let submitted: SubmittedBatch;
    try {
      submitted = await unlessAborted(member.submitted, this.#signal);
    } catch (error) {
      if (this.#signal?.aborted) {
        // It is on its way.
        if (isUnwanted(this.#signal))
          member.submitted.then((place) => this.#abandon({ ...ticket, ...place })).catch(() => {});
        throw error;
      }
      return this.#afterFailure(ticket, error);
    }
    return this.#noteBatch({ ...ticket, ...submitted });
  }

  /** A batch could not be submitted, or nobody knows whether it was. */
  async #afterFailure(ticket: Ticket, failure: unknown): Promise<Next> {
    const isCertain = failure instanceof NotSubmittedError;
    const error = isCertain ? failure.cause : failure;
    if (!isCertain && isPassing(error) && ticket.tries < mostTries) return { ticket, waits: true };
    // A server that takes nothing again and again is not asked for ever.
    this.#fate.isFinal = ticket.tries >= mostTries;
    await this.#note(undefined);
    throw error;
  }

  /** Looks for a batch that may have been submitted. */
  async #search(ticket: Ticket): Promise<Next> {
    // It may be on its way, or not be listed yet.
    if (Date.now() - ticket.since < this.#scope.interval) return { ticket, waits: true };
    let batch: string | undefined;
    try {
      batch = await this.#api.find(ticket);
    } catch (error) {
      return this.#bear(ticket, error);
    }
    if (batch === unclear) return { ticket, waits: true };
    return batch === undefined ? this.#submit(ticket.tries + 1) : this.#noteBatch({ ...ticket, batch });
  }

  async #noteBatch(ticket: Ticket): Promise<Next> {
    await this.#note(ticket);
    return { ticket, waits: true };
  }

  async #look(ticket: Ticket, batch: string): Promise<Next> {
    const { looks, interval } = this.#scope;
    let outcome: Awaited<ReturnType<Looks["outcome"]>>;
    try {
      outcome = await looks.outcome(this.#api, batch, ticket.customId, interval / 2);
    } catch (error) {
      return this.#bear(ticket, error);
    }
    this.#lastFailure = undefined;
    if (outcome === undefined) return { ticket, waits: true };
    this.#fate.tries = ticket.tries;
    const status = typeof outcome === "object" && "status" in outcome ? outcome.status : undefined;
    if (status === 200) return { response: this.#responseTo(outcome, ticket) };
    // What the server could not do costs nothing.
    if (status !== undefined && isPassingStatus(status) && ticket.tries < mostTries)
      return this.#submit(ticket.tries + 1);
    this.#fate.isFinal = true;
    await this.#note(undefined);
    return { response: this.#responseTo(outcome, ticket) };
  }

  /** Whatever the failure, the batch may have been paid for: a key that is refused now may be renewed until the deadline. */
  #bear(ticket: Ticket, failure: unknown): Next {
    this.#lastFailure = withoutSecrets(failure);
    return { ticket, waits: true };
  }

  /** @throws ModelError where the batch has no answer. */
  #responseTo(outcome: BatchOutcome | MissingOutcome, ticket: Ticket): Response {
    const { provider, modelId } = this.#scope.model;
    const names = { provider, modelId };
    const name = `${provider}:${modelId}`;
    if (typeof outcome === "object" && "unreadable" in outcome)
      throw new MalformedResponseError(
        `The batch of ${name} has no result of the request.${describeUnreadable(outcome, ticket)}`,
        names,
      );
    if (outcome === "expired")
      throw new ModelTimeoutError(`The batch of ${name} expired before the request was answered.`, {
        ...names,
        isRetryable: false,
      });
    if (outcome === "canceled")
      throw new ModelError(`The batch of ${name} was cancelled.`, "batch-cancelled", names);
    const { status, body } = outcome;
    // Any other status is a failure of the server.
    const isUsable = Number.isInteger(status) && (status === 200 || (status >= 400 && status < 600));
    return Response.json(body ?? null, { status: isUsable ? status : 502 });
  }

  async #giveUp(ticket: Ticket): Promise<never> {
    this.#abandon(ticket);
    this.#fate.isFinal = true;
    await this.#note(undefined);
    const { model, deadline } = this.#scope;
    const { provider, modelId } = model;
    const cause = this.#lastFailure;
    const failure = cause === undefined ? "" : ` The last look at it failed: ${errorMessage(cause)}`;
    throw new ModelTimeoutError(
      `The batch of ${provider}:${modelId} did not end within ${deadline} ms (the deadline of batched()).${failure}`,
      { provider, modelId, isRetryable: false, ...(cause !== undefined && { cause }) },
    );
  }

  /** Cancels the batch that nobody waits for any more. Whether that succeeds, nobody waits for either. */
  #abandon(ticket: Ticket): void {
    const batch = this.#scope.abandoned.add(ticket);
    if (batch !== undefined) this.#api.cancel(batch).catch(() => {});
  }

  async #note(ticket: Ticket | undefined): Promise<void> {
    await this.#later?.note(this.#scope.slot, ticket && printTicket(ticket));
  }

  async #pause({ since }: Ticket): Promise<void> {
    const { interval, deadline } = this.#scope;
    const age = Date.now() - since;
    const pause = Math.max(interval, Math.min(age * partOfAge, longestPause));
    const rest = Math.min(pause, Math.max(0, deadline - age) + 1);
    this.#later?.leave(Math.ceil(Date.now() + rest));
    await sleep(rest, this.#signal);
  }
}

/** What stood where the result was expected. Lines that may be answers of other requests are counted, not shown. */
function describeUnreadable({ unreadable }: MissingOutcome, { customId, size }: Ticket): string {
  const [first] = unreadable;
  if (first === undefined) return "";
  const count = unreadable.length === 1 ? "A line" : `${unreadable.length} lines`;
  const own = unreadable.find((line) => line.includes(customId)) ?? (size === 1 ? first : undefined);
  const page = unreadable.find((line) => line.startsWith("<"));
  const received = own ?? page;
  return ` ${count} of its results cannot be read${received === undefined ? "." : `: ${received}`}`;
}
