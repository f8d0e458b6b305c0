import type { Message } from "../../../message/messages.ts";
import type { Model } from "../../../model/types.ts";
import type { JsonSchema } from "../../../schema/types.ts";
import type { McpElicitationAnswer } from "../server/types.ts";

/** What a server wants of the user. Show which server it is: it is not you who asks. */
export type ElicitationRequest = {
  readonly server: string;
  readonly message: string;
  /** Aborted when the server no longer wants to know. */
  readonly signal: AbortSignal;
} & (
  | {
      readonly mode: "form";
      /** Of an object whose properties are texts, numbers, booleans and choices. */
      readonly schema: JsonSchema;
    }
  | {
      readonly mode: "url";
      /** A page to be opened by the user, after having seen the whole address; what is entered there stays between the two. */
      readonly url: string;
    }
);

/** Asks the user. What is accepted has to fit the schema; its defaults are filled in. */
export type ElicitationHandler = (
  request: ElicitationRequest,
) => McpElicitationAnswer | Promise<McpElicitationAnswer>;

/** What a server wants a model to say something to. */
export interface SamplingRequest {
  readonly server: string;
  /** The server's system prompt. */
  readonly instructions?: string;
  readonly messages: readonly Message[];
  readonly maxOutputTokens: number;
  /** Aborted when the server no longer wants to know. */
  readonly signal: AbortSignal;
}

/** Decides whether a server may have a model say something, at the application's expense. */
export type SamplingApproval = (request: SamplingRequest) => boolean | Promise<boolean>;

/** How a server may use a model. */
export interface SamplingOptions {
  /** Called for each request: the model is called only on `true`. By default `setMcpHost` decides, else requests are denied. */
  readonly approve?: SamplingApproval;
  /** By default the one that made the call which the server is answering. */
  readonly model?: Model | string;
  /** The most tokens of an answer; 4,096 by default. */
  readonly maxOutputTokens?: number;
}
