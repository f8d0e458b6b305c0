import type { Wire } from "./ai-sdk-answers.ts";
import { problemsOf, type Body } from "./rules.ts";

/** What is wrong with a request by the rules of its wire; the real providers answer it with 400. */
export function wireProblems(wire: Wire, body: Body): string[] {
  if (wire === "mistral") return [...problemsOf("chat", withChatContent(body)), ...mistralProblems(body)];
  if (wire === "responses") return problemsOf(wire, mapField(body, "input", asSystem));
  return problemsOf(wire, wire === "messages" ? withResultBlocks(body) : body);
}

function objects(value: unknown): Body[] {
  return Array.isArray(value) ? value.map((entry) => ({ ...Object(entry) })) : [];
}

function mapField(body: Body, field: string, change: (entry: Body) => Body): Body {
  return { ...body, [field]: objects(body[field]).map(change) };
}

/** OpenAI's newer models know instructions as the developer's. */
function asSystem(item: Body): Body {
  return item["role"] === "developer" ? { ...item, role: "system" } : item;
}

/** The AI SDK writes a result as a text, also an empty one: Anthropic takes both, unlike an empty block. */
function withResultBlocks(body: Body): Body {
  return mapField(body, "messages", (message) =>
    mapField(message, "content", (block) => {
      const { content: text, ...rest } = block;
      if (block["type"] !== "tool_result" || typeof text !== "string") return block;
      return text === "" ? rest : { ...rest, content: [{ type: "text", text }] };
    }),
  );
}

/** Mistral writes an answer's text beside calls as "", and its thoughts as parts. */
function withChatContent(body: Body): Body {
  return mapField(body, "messages", (message) => {
    return message["content"] === "" && message["role"] === "assistant"
      ? { ...message, content: null }
      : message;
  });
}

function mistralProblems(body: Body): string[] {
  const messages = objects(body["messages"]);
  const problems: string[] = [];
  for (const [index, message] of messages.entries()) {
    const ids = [...objects(message["tool_calls"]).map(({ id }) => id), message["tool_call_id"]];
    for (const id of ids) {
      const fits = id === undefined || (typeof id === "string" && /^[a-zA-Z0-9]{9}$/.test(id));
      if (!fits) problems.push(`a call has the id ${JSON.stringify(id)}`);
    }
    const isLater =
      message["role"] === "system" && messages[index - 1] && messages[index - 1]?.["role"] !== "system";
    if (isLater) problems.push(`messages[${index}] is a system message after others`);
  }
  return problems;
}
