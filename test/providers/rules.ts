import { breakpointProblems } from "./breakpoints.ts";
import { googleProblems } from "./google-rules.ts";
import type { Protocol } from "./protocols.ts";

/** A request's body, as `JSON.parse` gives it. */
export type Body = Readonly<Record<string, unknown>>;

/** What is wrong with a request by the rules of its protocol, one sentence each; the real providers answer it with 400. */
export function problemsOf(protocol: Protocol, body: Body): string[] {
  if (protocol === "google") return googleProblems(body);
  const problems = new Problems();
  if (protocol === "chat") chatRules(list(body["messages"]), problems);
  else if (protocol === "responses") responsesRules(list(body["input"]), problems);
  else messagesRules(list(body["messages"]), problems);
  if (protocol === "messages") problems.found.push(...breakpointProblems(body));
  toolRules(protocol, list(body["tools"]), problems);
  return problems.found;
}

class Problems {
  readonly found: string[] = [];

  expect(holds: boolean, problem: string): void {
    if (!holds) this.found.push(problem);
  }
}

function list(value: unknown): Body[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function object(value: unknown): Body {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

function toolRules(protocol: Exclude<Protocol, "google">, tools: readonly Body[], problems: Problems): void {
  const names = tools.map((tool) =>
    text(protocol === "chat" ? object(tool["function"])["name"] : tool["name"]),
  );
  problems.expect(new Set(names).size === names.length, `tools share a name: ${names.join(", ")}`);
  for (const name of names) problems.expect(namePattern.test(name), `a tool is called "${name}"`);
}

/** Calls and their answers: each id once, each call answered once, before anything else comes. */
class Pairs {
  readonly #seen = new Set<string>();
  readonly #open = new Set<string>();
  readonly #problems: Problems;
  readonly #pattern: RegExp;

  constructor(problems: Problems, pattern: RegExp) {
    this.#problems = problems;
    this.#pattern = pattern;
  }

  call(id: string): void {
    this.#problems.expect(this.#pattern.test(id), `a call has the id "${id}"`);
    this.#problems.expect(!this.#seen.has(id), `two calls have the id "${id}"`);
    this.#seen.add(id);
    this.#open.add(id);
  }

  answer(id: string): void {
    this.#problems.expect(this.#open.delete(id), `an answer to "${id}", which no open call has`);
  }

  /** Somebody speaks, or the history is over. */
  close(where: string): void {
    this.#problems.expect(this.#open.size === 0, `unanswered before ${where}: ${[...this.#open].join(", ")}`);
    this.#open.clear();
  }
}

function chatRules(messages: readonly Body[], problems: Problems): void {
  const pairs = new Pairs(problems, /^.{1,40}$/);
  for (const [index, message] of messages.entries()) {
    const { role, content } = message;
    const where = `messages[${index}] (${text(role)})`;
    if (role !== "tool") pairs.close(where);
    if (role === "tool") {
      pairs.answer(text(message["tool_call_id"]));
      problems.expect(typeof content === "string", `${where} has no text`);
    } else if (role === "assistant") {
      chatAnswer(message, where, pairs, problems);
    } else {
      problems.expect(role === "user" || role === "system", `${where} has an unknown role`);
      contentRules(
        content,
        new Set(["text", "image_url", "file", "input_audio", "video_url"]),
        where,
        problems,
      );
    }
  }
  pairs.close("the end");
}

function chatAnswer(message: Body, where: string, pairs: Pairs, problems: Problems): void {
  const calls = list(message["tool_calls"]);
  const hasText = text(message["content"]) !== "" || text(message["refusal"]) !== "";
  problems.expect(hasText || calls.length > 0 || Array.isArray(message["content"]), `${where} says nothing`);
  problems.expect(message["content"] !== "", `${where} has an empty text`);
  for (const call of calls) {
    const called = object(call["function"]);
    pairs.call(text(call["id"]));
    problems.expect(namePattern.test(text(called["name"])), `${where} calls "${text(called["name"])}"`);
    problems.expect(typeof called["arguments"] === "string", `${where} has arguments that are no text`);
  }
}

function contentRules(content: unknown, types: ReadonlySet<string>, where: string, problems: Problems): void {
  if (typeof content === "string")
    return problems.expect(content.trim() !== "", `${where} has an empty text`);
  problems.expect(list(content).length > 0, `${where} has no content`);
  for (const part of list(content)) {
    const type = text(part["type"]);
    problems.expect(types.has(type), `${where} has a part of the type "${type}"`);
    if (typeof part["text"] === "string") {
      problems.expect(part["text"].trim() !== "", `${where} has an empty text part`);
    }
  }
}

const inputTypes: ReadonlySet<string> = new Set(["input_text", "input_image", "input_file"]);
const outputTypes: ReadonlySet<string> = new Set(["output_text", "refusal"]);

function responsesRules(items: readonly Body[], problems: Problems): void {
  const pairs = new Pairs(problems, /^[a-zA-Z0-9_-]{1,64}$/);
  const ids = items.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  problems.expect(new Set(ids).size === ids.length, "two items have one id");
  for (const [index, item] of items.entries()) {
    const { role, type, content } = item;
    const where = `input[${index}] (${text(role) || text(type)})`;
    if (type === "function_call") {
      pairs.call(text(item["call_id"]));
      problems.expect(namePattern.test(text(item["name"])), `${where} is called "${text(item["name"])}"`);
      problems.expect(typeof item["arguments"] === "string", `${where} has arguments that are no text`);
    } else if (type === "function_call_output") {
      pairs.answer(text(item["call_id"]));
      if (typeof item["output"] !== "string") contentRules(item["output"], inputTypes, where, problems);
    } else if (role === "user" || role === "system" || role === "assistant") {
      if (role !== "assistant") pairs.close(where);
      contentRules(content, role === "assistant" ? outputTypes : inputTypes, where, problems);
    } else if (type === "reasoning") {
      const next = items[index + 1];
      const goesOn = next?.["role"] === "assistant" || /_call$|^reasoning$/.test(text(next?.["type"]));
      problems.expect(goesOn, `${where} is not followed by what it led to`);
      const isReadable = text(item["encrypted_content"]) !== "" || list(content).length > 0;
      problems.expect(isReadable, `${where} cannot be read by the server`);
    } else problems.expect(type !== undefined && role === undefined, `${where} is not an item`);
  }
  pairs.close("the end");
}

const userTypes: ReadonlySet<string> = new Set(["text", "image", "document", "tool_result"]);

function messagesRules(messages: readonly Body[], problems: Problems): void {
  const pairs = new Pairs(problems, /^[a-zA-Z0-9_-]+$/);
  problems.expect(messages[0]?.["role"] === "user", "the first message is not the user's");
  problems.expect(messages.at(-1)?.["role"] === "user", "the last message is not the user's");
  for (const [index, message] of messages.entries()) {
    const { role } = message;
    const where = `messages[${index}] (${text(role)})`;
    const blocks = list(message["content"]);
    problems.expect(role === "user" || role === "assistant", `${where} has an unknown role`);
    problems.expect(messages[index - 1]?.["role"] !== role, `${where} follows one of the same role`);
    problems.expect(blocks.length > 0, `${where} has no content`);
    if (role === "user") userRules(blocks, where, pairs, problems);
    else for (const block of blocks) answerBlock(block, where, pairs, problems);
    const last = text(blocks.at(-1)?.["type"]);
    problems.expect(!/^(?:redacted_)?thinking$/.test(last), `${where} ends with thinking`);
  }
  pairs.close("the end");
}

function userRules(blocks: readonly Body[], where: string, pairs: Pairs, problems: Problems): void {
  let isOver = false;
  for (const block of blocks) {
    if (block["type"] === "tool_result") {
      problems.expect(!isOver, `${where} has a result after other content`);
      pairs.answer(text(block["tool_use_id"]));
      if (block["content"] !== undefined) contentRules(block["content"], userTypes, where, problems);
      problems.expect(
        !block["is_error"] || list(block["content"]).length > 0,
        `${where} fails without a word`,
      );
      continue;
    }
    isOver = true;
    contentRules([block], userTypes, where, problems);
  }
  pairs.close(`the end of ${where}`);
}

function answerBlock(block: Body, where: string, pairs: Pairs, problems: Problems): void {
  const type = text(block["type"]);
  if (type === "tool_use") {
    pairs.call(text(block["id"]));
    problems.expect(
      /^[a-zA-Z0-9_-]{1,128}$/.test(text(block["name"])),
      `${where} calls "${text(block["name"])}"`,
    );
    const input = block["input"];
    problems.expect(
      typeof input === "object" && input !== null && !Array.isArray(input),
      `${where}: bad input`,
    );
  } else if (type === "text") {
    problems.expect(text(block["text"]).trim() !== "", `${where} has an empty text`);
  } else if (type === "thinking") {
    problems.expect(text(block["signature"]) !== "", `${where} has thinking without a signature`);
  } else if (type === "redacted_thinking") {
    problems.expect(text(block["data"]) !== "", `${where} has redacted thinking without its data`);
  } else {
    const isServerSide = /^(?:server|mcp)_tool_use$|_tool_result$/.test(type);
    problems.expect(isServerSide, `${where} has a block of the type "${type}"`);
  }
}
