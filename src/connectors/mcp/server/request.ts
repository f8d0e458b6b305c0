import type {
  ClientCapabilities,
  InputRequest,
  InputRequiredResult,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import { compileWithMatcher } from "../../../schema/compile-with-matcher.ts";
import { digest } from "../../../base/util/digest.ts";
import { isPlainObject, type JsonValue } from "../../../base/util/json.ts";
import type { Sdk } from "./sdk.ts";
import { messagesOf } from "./prompt-messages.ts";
import type {
  McpElicitation,
  McpElicitationAnswer,
  McpLogLevel,
  McpRequest,
  McpRoot,
  McpSampling,
  McpSamplingAnswer,
} from "./types.ts";
import { textOfBlock } from "./content.ts";
import { stateLife, type UsableState, type UsedStates } from "./used-states.ts";

/** Milliseconds that a person may take for an answer. */
const longestAnswer = 600_000;

/** What a client keeps of a request that it is to repeat with answers. Signed. */
export interface RequestState extends UsableState {
  /** The same for every repetition of the request. */
  readonly id: string;
  /** A digest of the request: the answers hold for no other. */
  readonly subject: string;
  /** Names of the questions so far. */
  readonly questions: readonly string[];
  readonly answers: Readonly<Record<string, unknown>>;
  /** What a person was shown in questions that ask for approval, by their names. */
  readonly visibleInputs?: Readonly<Record<string, JsonValue>>;
}

/** What requests need beside their own context. */
export interface RequestHost {
  readonly sdk: Sdk;
  readonly server: Server;
  readonly isModern: boolean;
  /** Tools that have succeeded on this connection; `undefined` where every request stands alone. */
  readonly succeeded: Set<string> | undefined;
  readonly usedStates: UsedStates;
  readonly mint: (state: RequestState, ctx: ServerContext) => Promise<string>;
}

/** A request that is being served, as tools, resources and prompts see it. */
export class ServedRequest implements McpRequest {
  readonly #host: RequestHost;
  readonly #ctx: ServerContext;
  readonly #state: RequestState | undefined;
  readonly #subject: string;
  readonly #questions = new Map<string, InputRequest>();
  readonly #answers = new Map<string, unknown>();
  readonly #visibleInputs = new Map<string, JsonValue>();
  #lacking: ClientCapabilities | undefined;
  /** Questions that nobody can have answered yet, whatever comes under their names. */
  readonly #unasked = new Set<string>();
  readonly can: McpRequest["can"];
  readonly client: McpRequest["client"];
  /** Names the request, however often it is repeated. */
  readonly id: string;

  /**
   * @param subject a digest of the request.
   * @throws ProtocolError for a state that belongs to another request.
   */
  constructor(host: RequestHost, ctx: ServerContext, subject: string) {
    this.#host = host;
    this.#ctx = ctx;
    this.#subject = subject;
    const state: unknown = host.isModern ? ctx.mcpReq.requestState() : undefined;
    this.#state = isRequestState(state) ? state : undefined;
    if (this.#state && this.#state.subject !== subject) {
      throw new host.sdk.ProtocolError(
        host.sdk.ProtocolErrorCode.InvalidParams,
        "The requestState belongs to another request.",
      );
    }
    this.id = this.#state?.id ?? crypto.randomUUID();
    const capabilities = host.server.getClientCapabilities() ?? {};
    this.can = {
      elicit: capabilities.elicitation !== undefined && canFillForms(capabilities.elicitation),
      sample: capabilities.sampling !== undefined,
      roots: capabilities.roots !== undefined,
    };
    const version = host.server.getClientVersion();
    this.client = version && { name: version.name, version: version.version };
  }

  get signal(): AbortSignal {
    return this.#ctx.mcpReq.signal;
  }

  get http(): Request | undefined {
    return this.#ctx.http?.req;
  }

  log(level: McpLogLevel, data: unknown, logger?: string): void {
    // A client that has left receives no more notifications.
    this.#ctx.mcpReq.log(level, data, logger).catch(() => undefined);
  }

  elicit(name: string, { message, schema }: McpElicitation): Promise<McpElicitationAnswer> {
    if (!this.can.elicit) return this.#cannot("ask its user", { elicitation: {} });
    const params = { message, requestedSchema: schema };
    return this.#ask(name, { method: "elicitation/create", params }, (answer) => readAnswer(answer, schema));
  }

  sample(name: string, { messages, ...settings }: McpSampling): Promise<McpSamplingAnswer> {
    if (!this.can.sample) return this.#cannot("ask a model", { sampling: {} });
    const params = { messages: messagesOf(this.#host.sdk, messages), ...settings };
    return this.#ask(name, { method: "sampling/createMessage", params }, readSample);
  }

  roots(name: string): Promise<readonly McpRoot[]> {
    if (!this.can.roots) return this.#cannot("name its roots", { roots: {} });
    return this.#ask(name, { method: "roots/list", params: {} }, readRoots);
  }

  /** What a question for approval shows: in a repetition of the request, what it showed at first, whatever the arguments come to by then. */
  visibleInputIn(name: string, input: JsonValue): JsonValue {
    const visibleInput = this.#state?.visibleInputs?.[name] ?? input;
    this.#visibleInputs.set(name, visibleInput);
    return visibleInput;
  }

  /** Like `elicit`, but only an answer to this question of this very request counts. */
  async approve(name: string, question: McpElicitation): Promise<McpElicitationAnswer> {
    const hasAsked = !this.#host.isModern || this.#state?.questions.includes(name) === true;
    if (!hasAsked) this.#unasked.add(name);
    return this.elicit(name, question);
  }

  /**
   * What `work` gives; the questions that it has put to the client, however it ended; or the error of the protocol, if it threw
   * because the client lacks something. A state of an earlier half of the request is used once.
   * @throws what `work` throws; ProtocolError for a state that has been used.
   */
  async answering<T>(work: () => Promise<T>): Promise<T | InputRequiredResult> {
    if (this.#state) await this.#host.usedStates.use(this.#state);
    try {
      const value = await work();
      return (await this.#openQuestions()) ?? value;
    } catch (error) {
      const questions = await this.#openQuestions();
      if (questions) return questions;
      throw this.lack ?? error;
    }
  }

  /**
   * The error of the protocol for a request that failed because the client lacks something. Older clients get a text.
   */
  get lack(): Error | undefined {
    const { isModern, sdk } = this.#host;
    if (!isModern || !this.#lacking) return undefined;
    return new sdk.MissingRequiredClientCapabilityError({ requiredCapabilities: this.#lacking });
  }

  /** What the client is sent instead of a result, if questions are open. */
  async #openQuestions(): Promise<InputRequiredResult | undefined> {
    if (this.#questions.size === 0) return undefined;
    const state: RequestState = {
      id: this.id,
      nonce: crypto.randomUUID(),
      expires: Date.now() + stateLife,
      subject: this.#subject,
      questions: [...(this.#state?.questions ?? []), ...this.#questions.keys()],
      answers: Object.fromEntries(this.#answers),
      visibleInputs: Object.fromEntries(this.#visibleInputs),
    };
    return this.#host.sdk.inputRequired({
      inputRequests: Object.fromEntries(this.#questions),
      requestState: await this.#host.mint(state, this.#ctx),
    });
  }

  #cannot(what: string, capability: ClientCapabilities): Promise<never> {
    this.#lacking = { ...this.#lacking, ...capability };
    return Promise.reject(new Error(`The client cannot ${what}.`));
  }

  async #ask<T>(
    name: string,
    question: { readonly method: InputRequest["method"]; readonly params: Record<string, unknown> },
    read: (answer: unknown) => T | undefined,
  ): Promise<T> {
    if (!this.#host.isModern) {
      const value = read(
        await this.#ctx.mcpReq.send(question, { signal: this.signal, timeout: longestAnswer }),
      );
      if (value === undefined) throw new Error(`The client's answer to ${question.method} does not fit.`);
      return value;
    }
    const answer = this.#answerTo(name);
    const value = answer === undefined ? undefined : read(answer);
    if (value !== undefined) {
      this.#answers.set(name, answer);
      return value;
    }
    const { isSpecType } = this.#host.sdk;
    if (
      !isSpecType.ElicitRequest(question) &&
      !isSpecType.CreateMessageRequest(question) &&
      !isSpecType.ListRootsRequest(question)
    ) {
      throw new TypeError(`The question "${name}" is not one that the protocol has: see its schema.`);
    }
    this.#questions.set(name, question);
    throw new Error(`waits for the client's answer to "${name}"`);
  }

  #answerTo(name: string): unknown {
    if (this.#unasked.has(name)) return undefined;
    const fresh = this.#ctx.mcpReq.inputResponses;
    if (isPlainObject(fresh) && Object.hasOwn(fresh, name)) return fresh[name];
    const answers = this.#state?.answers;
    return answers && Object.hasOwn(answers, name) ? answers[name] : undefined;
  }
}

/** A digest that tells requests apart, where requests are repeated. */
export async function subjectOf({ isModern }: RequestHost, what: readonly unknown[]): Promise<string> {
  return isModern ? digest(JSON.stringify(what)) : "";
}

/** A client that only says `elicitation: {}` fills forms. */
function canFillForms(elicitation: { readonly form?: unknown; readonly url?: unknown }): boolean {
  return elicitation.form !== undefined || elicitation.url === undefined;
}

function readAnswer(answer: unknown, schema: McpElicitation["schema"]): McpElicitationAnswer | undefined {
  if (!isPlainObject(answer)) return undefined;
  const { action, content } = answer;
  if (action === "decline" || action === "cancel") return { action };
  if (action !== "accept" || !isPlainObject(content)) return undefined;
  return compileWithMatcher(schema).validate(content).ok ? { action, content } : undefined;
}

function readSample(answer: unknown): McpSamplingAnswer | undefined {
  if (!isPlainObject(answer) || typeof answer["model"] !== "string") return undefined;
  const { content, model, stopReason } = answer;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const text = blocks.map(textOfBlock).join("");
  return { text, model, ...(typeof stopReason === "string" && { stopReason }) };
}

function readRoots(answer: unknown): readonly McpRoot[] | undefined {
  const roots: unknown = isPlainObject(answer) ? answer["roots"] : undefined;
  if (!Array.isArray(roots)) return undefined;
  return roots.filter(isPlainObject).flatMap(({ uri, name }) => {
    if (typeof uri !== "string") return [];
    return [{ uri, ...(typeof name === "string" && { name }) }];
  });
}

function isRequestState(value: unknown): value is RequestState {
  return (
    isPlainObject(value) &&
    typeof value["id"] === "string" &&
    typeof value["nonce"] === "string" &&
    typeof value["expires"] === "number" &&
    typeof value["subject"] === "string" &&
    Array.isArray(value["questions"]) &&
    isPlainObject(value["answers"])
  );
}
