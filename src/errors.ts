import type { RunState } from "./message/run-state.ts";
import type { JsonObject } from "./base/util/json.ts";

/** The options of every error of Skein. */
export interface SkeinErrorOptions {
  /** A stable, kebab-case name to branch on. */
  readonly code: string;
  /** Facts about the error, as JSON. Never a key, never a whole prompt. */
  readonly data?: JsonObject | undefined;
  readonly cause?: unknown;
}

/** The base of every error that Skein throws: a message that names the fix, and a `code` to branch on. */
export class SkeinError extends Error {
  /** A literal, since minifiers rename classes. */
  static override readonly name: string = "SkeinError";

  readonly code: string;
  readonly data: JsonObject;
  /** The state the run had reached, if the error ended one: `run(agent, error.state)` resumes from there. */
  declare state?: RunState;

  constructor(message: string, options: SkeinErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.data = options.data ?? {};
  }

  /** What `JSON.stringify` and loggers write: the message, too, and neither cause nor state. */
  toJSON(): object {
    return { ...Object.fromEntries(Object.entries(this)), message: this.message };
  }

  /** @internal `instanceof` recognises the errors of another copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    try {
      return Function.prototype[Symbol.hasInstance].call(this, value) || isOfOtherCopy(this, value);
    } catch {
      // What a revoked proxy is cannot be asked.
      return false;
    }
  }
}

/** Whether the class of an error, or a base class, has the name of `type`, and one of them is called `SkeinError`. */
function isOfOtherCopy(type: Function, value: unknown): boolean {
  if (!(value instanceof Error) || !hasWrittenName(type)) return false;
  const names = new Set<string>();
  for (
    let each: unknown = Object.getPrototypeOf(value);
    each instanceof Error;
    each = Object.getPrototypeOf(each)
  ) {
    if (hasWrittenName(each.constructor)) names.add(each.constructor.name);
  }
  return names.has(SkeinError.name) && names.has(type.name);
}

/** Whether a class has a static `name` of its own, as those of this file do: a class's default name is not enumerable. */
function hasWrittenName(type: unknown): type is Function {
  return typeof type === "function" && Object.getOwnPropertyDescriptor(type, "name")?.enumerable === true;
}

/** A mistake in the program: an agent, a tool or a call that cannot work as written. */
export class ConfigurationError extends SkeinError {
  static override readonly name: string = "ConfigurationError";
}

/** Two tools, or two agents of one team, have the same name. */
export class NameClashError extends ConfigurationError {
  static override readonly name: string = "NameClashError";

  constructor(message: string, data?: JsonObject) {
    super(message, { code: "name-clash", data });
  }
}

/** The JSON Schema of a function, or of a schema library's schema, cannot be found. */
export class SchemaNotFoundError extends ConfigurationError {
  static override readonly name: string = "SchemaNotFoundError";

  constructor(message: string, options: { readonly data?: JsonObject; readonly cause?: unknown } = {}) {
    super(message, { code: "schema-not-found", ...options });
  }
}

/** No model is set and none can be found, or a model's name is unknown. */
export class ModelNotFoundError extends ConfigurationError {
  static override readonly name: string = "ModelNotFoundError";

  constructor(message: string, data?: JsonObject) {
    super(message, { code: "model-not-found", data });
  }
}

/** A policy function of a tool read an argument that the tool does not have: a misspelled name, say. */
export class UnknownArgumentError extends ConfigurationError {
  static override readonly name: string = "UnknownArgumentError";

  constructor(message: string, data?: JsonObject) {
    super(message, { code: "unknown-argument", data });
  }
}

/**
 * A guard could not decide: its check threw, took too long, or returned what is not a verdict. The run fails, since what is not checked
 * must not pass.
 */
export class GuardError extends SkeinError {
  static override readonly name: string = "GuardError";

  constructor(message: string, options: { readonly data: JsonObject; readonly cause?: unknown }) {
    super(message, { code: "guard-failed", ...options });
  }
}

/** The agent that a state names is not among the agents of the run. */
export class AgentNotFoundError extends ConfigurationError {
  static override readonly name: string = "AgentNotFoundError";

  constructor(message: string, data?: JsonObject) {
    super(message, { code: "agent-not-found", data });
  }
}

/** The input of a run is not a valid history or state. */
export class InvalidInputError extends ConfigurationError {
  static override readonly name: string = "InvalidInputError";

  constructor(message: string, data?: JsonObject) {
    super(message, { code: "invalid-input", data });
  }
}

/** The answer that `generate` received does not match the output schema. */
export class OutputError extends SkeinError {
  static override readonly name: string = "OutputError";

  /** What the model wrote. */
  readonly text: string;
  /** What is wrong with it, one sentence each. */
  readonly issues: readonly string[];

  constructor(text: string, issues: readonly string[]) {
    super(`The answer does not match the output schema: ${issues.join("; ")}.`, {
      code: "invalid-output",
      data: { issues },
    });
    this.text = text;
    this.issues = issues;
  }
}

/** The details of a failed model call. */
export interface ModelErrorOptions {
  readonly provider: string;
  readonly modelId: string;
  /** The HTTP status, if there was an answer. */
  readonly status?: number | undefined;
  /** The provider's own words. */
  readonly providerMessage?: string | undefined;
  /** The provider's own error code or type, such as `"insufficient_quota"`. */
  readonly providerCode?: string | undefined;
  readonly requestId?: string | undefined;
  /** The wait that the provider asked for, in milliseconds. */
  readonly retryAfter?: number | undefined;
  /** Overrides the class's default. */
  readonly isRetryable?: boolean | undefined;
  readonly cause?: unknown;
}

/** A model call that failed. Its subclasses say why. */
export class ModelError extends SkeinError {
  static override readonly name: string = "ModelError";

  readonly provider: string;
  readonly modelId: string;
  readonly status: number | undefined;
  readonly providerMessage: string | undefined;
  readonly providerCode: string | undefined;
  readonly requestId: string | undefined;
  /** The wait that the provider asked for, in milliseconds. */
  readonly retryAfter: number | undefined;
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean;

  constructor(message: string, code: string, options: ModelErrorOptions, isRetryable = false) {
    const { provider, modelId, status, providerMessage, providerCode, requestId, retryAfter } = options;
    super(message, {
      code,
      data: { provider, modelId, status, providerMessage, providerCode, requestId, retryAfter },
      cause: options.cause,
    });
    this.provider = provider;
    this.modelId = modelId;
    this.status = status;
    this.providerMessage = providerMessage;
    this.providerCode = providerCode;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.isRetryable = options.isRetryable ?? isRetryable;
  }
}

/** The key is missing, wrong, or may not do this (401, 403). */
export class AuthenticationError extends ModelError {
  static override readonly name: string = "AuthenticationError";

  constructor(message: string, options: ModelErrorOptions) {
    super(message, "authentication", options);
  }
}

/** The request itself is wrong (400, 404, 422): sending it again will not help. */
export class InvalidRequestError extends ModelError {
  static override readonly name: string = "InvalidRequestError";

  constructor(message: string, options: ModelErrorOptions) {
    super(message, "invalid-request", options);
  }
}

/** Too many requests or tokens (429). Retryable, unless a quota is spent. */
export class RateLimitError extends ModelError {
  static override readonly name: string = "RateLimitError";

  constructor(message: string, options: ModelErrorOptions) {
    super(message, "rate-limit", options, true);
  }
}

/** The history does not fit the model's context. */
export class ContextLengthError extends ModelError {
  static override readonly name: string = "ContextLengthError";

  constructor(message: string, options: ModelErrorOptions) {
    super(message, "context-length", options);
  }
}

/** A message has an image, audio, a video or a file that the model's provider cannot take: nothing was sent. */
export class UnsupportedPartError extends ModelError {
  static override readonly name: string = "UnsupportedPartError";

  /** What the provider cannot take, such as `file "a.wav" (audio/wav)`. */
  readonly part: string | undefined;

  constructor(message: string, options: ModelErrorOptions & { readonly part?: string }) {
    super(message, "unsupported-part", options);
    this.part = options.part;
  }
}

/** The provider refused the request for its content. */
export class ContentFilterError extends ModelError {
  static override readonly name: string = "ContentFilterError";

  constructor(message: string, options: ModelErrorOptions) {
    super(message, "content-filter", options);
  }
}

/** The provider is overloaded or failing (5xx, 529). Retryable. */
export class OverloadedError extends ModelError {
  static override readonly name: string = "OverloadedError";

  constructor(message: string, options: ModelErrorOptions) {
    super(message, "overloaded", options, true);
  }
}

/** The provider could not be reached, or the connection broke. Retryable. */
export class NetworkError extends ModelError {
  static override readonly name: string = "NetworkError";

  constructor(message: string, options: ModelErrorOptions) {
    super(message, "network", options, true);
  }
}

/** The provider sent nothing for too long. Retryable. */
export class ModelTimeoutError extends ModelError {
  static override readonly name: string = "ModelTimeoutError";

  constructor(message: string, options: ModelErrorOptions) {
    super(message, "timeout", options, true);
  }
}

/** The provider's answer cannot be read: it is not JSON, is cut short, or breaks the protocol. */
export class MalformedResponseError extends ModelError {
  static override readonly name: string = "MalformedResponseError";

  constructor(message: string, options: ModelErrorOptions) {
    super(message, "malformed-response", options);
  }
}
