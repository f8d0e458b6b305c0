import type { Message } from "../../message/messages.ts";
import { mcpHost, setMcpHost } from "../../connectors/mcp/client/host.ts";
import type { ElicitationRequest, SamplingRequest } from "../../connectors/mcp/client/questions.ts";
import type { McpElicitationAnswer } from "../../connectors/mcp/server/types.ts";
import { exactText } from "../../base/util/exact-text.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { defineOwn } from "../../base/util/snapshot.ts";
import { coerce } from "../../schema/coerce.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import type { JsonSchema } from "../../schema/types.ts";
import { shorten } from "../text.ts";
import { ask, type Asking, askWhenShown } from "./decide.ts";
import type { Inputs, Questions } from "./dispatch-inputs.ts";
import { pagesOf } from "./request-text.ts";

/** How often a person may answer in a form that does not fit. */
const mostAttempts = 3;

/** The person in a chat. */
export interface Person {
  readonly inputs: Inputs;
  /** How to ask these questions. */
  readonly askingIn: (questions: Questions) => Asking;
}

/**
 * Lets MCP servers ask the person in this chat, one at a time: for what a form wants, to open a page, to have the model say
 * something. Call the returned function to end it.
 * @param person who is asked; `undefined` as long as no one is there to answer.
 */
export function answerServers(person: () => Person | undefined): () => void {
  const before = mcpHost();
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(
    { server, signal }: ElicitationRequest | SamplingRequest,
    dialogue: (asking: Asking) => Promise<T>,
    otherwise: T,
  ): Promise<T> {
    const answer = last.then(() => {
      const listener = person();
      if (!listener || signal.aborted) return otherwise;
      const { inputs, askingIn } = listener;
      const onWithdrawn = (): void =>
        askingIn(inputs).show(`The server ${shorten(server, 64)} no longer asks.`);
      return inputs.interject((questions) => dialogue(askingIn(questions)), { signal, onWithdrawn });
    });
    last = answer.catch(() => undefined);
    return answer;
  }
  setMcpHost({
    elicit: (request) =>
      inTurn<McpElicitationAnswer>(request, (asking) => answerQuestion(request, asking), {
        action: "cancel",
      }),
    approveSampling: (request) => inTurn(request, (asking) => approveSampling(request, asking), false),
  });
  return () => setMcpHost(before);
}

async function answerQuestion(request: ElicitationRequest, asking: Asking): Promise<McpElicitationAnswer> {
  const { server, message } = request;
  const who = `The server ${shorten(server, 64)}`;
  const question =
    request.mode === "url"
      ? `${who} wants you to open ${exactText(request.url)} (${message}). Will you? (y or n)`
      : `${who} asks: ${message} Answer? (y or n)`;
  const agreed = await isAgreed(question, asking);
  if (agreed === undefined) return { action: "cancel" };
  if (!agreed) return { action: "decline" };
  return request.mode === "url" ? { action: "accept" } : fillIn(request.schema, asking);
}

/** Nobody can allow what cannot be seen: the system prompt and the messages are shown whole. */
async function approveSampling(request: SamplingRequest, asking: Asking): Promise<boolean> {
  const { server, instructions, messages, maxOutputTokens } = request;
  const system = instructions === undefined ? [] : [`system: ${JSON.stringify(instructions)}`];
  const lines = messages.map((message) => `${message.role}: ${textIn(message)}`);
  const [first = "", ...unseen] = pagesOf([...system, ...lines].join(", "));
  const who = `The server ${shorten(server, 64)}`;
  asking.show(`${who} wants the model to answer, in ${maxOutputTokens} tokens at most: ${first}`);
  const answer = await askWhenShown(
    { question: "Allow?", about: "the request", otherwise: "n", unseen },
    asking,
  );
  return isYes(answer, asking) === true;
}

/** Quoted, so that no message passes for two. */
function textIn(message: Message): string {
  const content = message.role === "tool" ? message.result.content : message.content;
  if (typeof content === "string") return JSON.stringify(content);
  return content
    .map((part) => (part.type === "text" ? JSON.stringify(part.text) : `(${part.type})`))
    .join(" ");
}

/** `undefined` if there is no answer: the input has ended, the question was taken back, or the person is leaving. */
async function isAgreed(question: string, asking: Asking): Promise<boolean | undefined> {
  return isYes(await ask(question, asking), asking);
}

function isYes(answer: string | undefined, asking: Asking): boolean | undefined {
  return answer === undefined || asking.isLeaving() ? undefined : /^y(?:es)?$/i.test(answer);
}

/** Asks for one property after the other, and for all of them again where they do not fit. */
async function fillIn(schema: JsonSchema, asking: Asking): Promise<McpElicitationAnswer> {
  const fits = compileSchema<Record<string, unknown>>(schema);
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const typed: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(propertiesOf(schema))) {
      const answer = await ask(describeField(name, property), asking);
      if (answer === undefined || asking.isLeaving()) return { action: "cancel" };
      // A dash leaves out what has a default or need not be there.
      if (answer !== "-") defineOwn(typed, name, readField(answer, property));
    }
    const content = coerce(schema, typed, JSON.stringify(typed));
    const outcome = fits.validate(content);
    if (outcome.ok) return { action: "accept", content: outcome.value };
    for (const { path, message } of outcome.issues) asking.show(exactText(`${path.join(".")}: ${message}`));
  }
  return { action: "decline" };
}

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  if (!isPlainObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, JsonSchema] => isPlainObject(entry[1])),
  );
}

function describeField(name: string, property: JsonSchema): string {
  const { title, description, type, default: preset } = property;
  const about = typeof description === "string" ? ` (${description})` : "";
  const choices = choicesOf(property).map(String).map(exactText);
  const kind =
    choices.length > 0
      ? choices.join(" / ")
      : type === "boolean"
        ? "y or n"
        : typeof type === "string"
          ? type
          : "text";
  // Whole: a dash agrees to it.
  const otherwise = preset === undefined ? "" : `; - for ${exactText(JSON.stringify(preset))}`;
  const label = typeof title === "string" ? title : name;
  return shorten(`${label}${about}: ${kind}`, 400) + otherwise;
}

/** The values that a choice allows. */
function choicesOf({ enum: values, oneOf }: JsonSchema): readonly unknown[] {
  if (Array.isArray(values)) return values;
  const alternatives = Array.isArray(oneOf) ? oneOf : [];
  return alternatives.flatMap((one: unknown) => (isPlainObject(one) && "const" in one ? [one["const"]] : []));
}

function readField(answer: string, { type }: JsonSchema): unknown {
  if (type === "boolean")
    return /^(?:y|yes|true)$/i.test(answer) ? true : /^(?:n|no|false)$/i.test(answer) ? false : answer;
  return type === "array" ? answer.split(",").map((item) => item.trim()) : answer;
}
