import { type JsonObject, type JsonValue } from "../../base/util/json.ts";
import type { ApprovalDecision } from "../../message/run-state.ts";
import type { ExternalResult } from "../../run/types.ts";
import { type InputObject, readBody } from "../kit/input-object.ts";
import { type InputConversation, readMessages } from "./input-messages.ts";
import { readResume } from "./input-resume.ts";
import { limits } from "./limits.ts";

/** A tool that the client executes: `tool(...)` makes one without `execute` of it. */
export interface AgUiClientTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
}

/** A message of the user, with the id that the client knows it by. */
export interface AgUiUserMessage {
  readonly id: string;
  readonly message: NonNullable<InputConversation["message"]>;
}

/** What an AG-UI client asks for. Everything in it is the client's word. */
export interface AgUiInput extends Pick<InputConversation, "messages" | "agUiMessages"> {
  readonly threadId: string;
  readonly runId: string;
  /** What the user has written behind the last answer, as one message. */
  readonly message?: NonNullable<InputConversation["message"]>;
  /** The same, one by one: a client sends them again until it has an answer, and those that were received before are not new. */
  readonly userMessages: readonly AgUiUserMessage[];
  /** The client's own tools. */
  readonly tools: readonly AgUiClientTool[];
  /**
   * Results of calls of the last run, and those of interrupts. Pass on those of calls that wait and have no `approvalId`: the others are what
   * the run itself has sent.
   */
  readonly results: readonly ExternalResult[];
  /** What a person has decided about calls. */
  readonly decisions: readonly ApprovalDecision[];
  /** What the client has as the state. */
  readonly state?: JsonValue;
  /** What the client wants the model to know. */
  readonly context: readonly { readonly description: string; readonly value: string }[];
  /** What is for the program alone. */
  readonly forwardedProps?: JsonValue;
}

/**
 * Reads the body of a request of an AG-UI client (`RunAgentInput`, https://docs.ag-ui.com/spec/1.0/basic/run-input), which may hold anything.
 * A server that has the conversation takes `message`, `results` and `decisions`; one without a memory passes `messages`. The messages of agents
 * within runs are left out of those, and so are parts of answered messages and of results that cannot be sent to a model.
 * @param body - The parsed JSON.
 * @throws InvalidInputError that names the path of what is wrong, too long, too much or nested too deep (100 levels), or that the user has newly attached
 * and no model could be sent: another address than `https:` and `data:`, or the id of a file.
 */
export function fromAgUiInput(body: unknown): AgUiInput {
  const input = readBody(body);
  const { message, userMessages, messages, agUiMessages, results } = readMessages(input);
  const resumed = readResume(input);
  const state = input.optionalJson("state");
  const forwardedProps = input.optionalJson("forwardedProps");
  return {
    threadId: input.id("threadId"),
    runId: input.id("runId"),
    ...(message && { message }),
    userMessages,
    tools: input.optionalObjects("tools", limits.tools).map(readTool),
    results: [...results, ...resumed.results],
    decisions: resumed.decisions,
    ...(state !== undefined && { state }),
    context: input.optionalObjects("context", limits.context).map(readContext),
    ...(forwardedProps !== undefined && { forwardedProps }),
    messages,
    agUiMessages,
  };
}

function readTool(object: InputObject): AgUiClientTool {
  return {
    name: object.id("name", limits.name),
    description: object.optionalText("description") ?? "",
    input: schemaOf(object),
  };
}

function schemaOf(object: InputObject): JsonObject {
  const schema = object.optionalObject("parameters")?.toJson() ?? {};
  return Object.keys(schema).length > 0 ? schema : { type: "object", properties: {} };
}

function readContext(object: InputObject): AgUiInput["context"][number] {
  return { description: object.optionalText("description") ?? "", value: object.optionalText("value") ?? "" };
}
