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
import { type Asking, askWhenShown, nextAnswer } from "./decide.ts";
import { pagesOf } from "./request-text.ts";

/** How often a person may answer in a form that does not fit. */
const mostAttempts = 3;

/**
 * Lets MCP servers ask the person in this chat, one at a time: for what a form wants, to open a page, to have the model say
 * something. Call the returned function to end it.
 * @param asking how to ask the person; `undefined` as long as no one is there to answer.
 */
export function answerServers(asking: () => Asking | undefined): () => void {
  const before = mcpHost();
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(ask: (asking: Asking) => Promise<T>, otherwise: T): Promise<T> {
    const answer = last.then(() => {
      const person = asking();
      return person ? ask(person) : otherwise;
    });
    last = answer.catch(() => undefined);
    return answer;
  }
  setMcpHost({
    elicit: (request) =>
      inTurn<McpElicitationAnswer>((person) => answerQuestion(request, person), { action: "cancel" }),
    approveSampling: (request) => inTurn((person) => approveSampling(request, person), false),
  });
  return () => setMcpHost(before);
}

async function answerQuestion(request: ElicitationRequest, asking: Asking): Promise<McpElicitationAnswer> {
  const { server, message, signal } = request;
  const who = `The server ${shorten(server, 64)}`;
  const question =
    request.mode === "url"
      ? `${who} wants you to open ${exactText(request.url)} (${message}). Will you? (y or n)`
      : `${who} asks: ${message} Answer? (y or n)`;
  const agreed = await isAgreed(question, asking, signal);
  if (agreed === undefined) return { action: "cancel" };
  if (!agreed) return { action: "decline" };
  return request.mode === "url" ? { action: "accept" } : fillIn(request.schema, asking, signal);
}

/** Nobody can allow what cannot be seen: the system prompt and the messages are shown whole. */
async function approveSampling(request: SamplingRequest, asking: Asking): Promise<boolean> {
  const { server, instructions, messages, maxOutputTokens, signal } = request;
  const system = instructions === undefined ? [] : [`system: ${JSON.stringify(instructions)}`];
  const lines = messages.map((message) => `${message.role}: ${textIn(message)}`);
  const [first = "", ...unseen] = pagesOf([...system, ...lines].join(", "));
  const who = `The server ${shorten(server, 64)}`;
  asking.show(`${who} wants the model to answer, in ${maxOutputTokens} tokens at most: ${first}`);
  const answer = await askWhenShown(
    { question: "Allow?", about: "the request", otherwise: "n", unseen },
    asking,
    signal,
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
async function isAgreed(question: string, asking: Asking, signal: AbortSignal): Promise<boolean | undefined> {
  asking.show(question);
  return isYes(await nextAnswer(asking, signal), asking);
}

function isYes(answer: string | undefined, asking: Asking): boolean | undefined {
  return answer === undefined || asking.isLeaving() ? undefined : /^y(?:es)?$/i.test(answer);
}

/** Asks for one property after the other, and for all of them again where they do not fit. */
async function fillIn(
  schema: JsonSchema,
  asking: Asking,
  signal: AbortSignal,
): Promise<McpElicitationAnswer> {
  const fits = compileSchema<Record<string, unknown>>(schema);
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const typed: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(propertiesOf(schema))) {
      asking.show(describeField(name, property));
      const answer = await nextAnswer(asking, signal);
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
