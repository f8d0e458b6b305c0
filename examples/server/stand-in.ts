import type { Message } from "skein";
import { FunctionModel, type TurnLike } from "skein/testing";

/** What is in a message of the customer, what is called then, and whose tool it is. */
const rules = [
  { pattern: /refund|money back/i, tool: "refund", agent: "refunds" },
  { pattern: /parcel|where is/i, tool: "trackParcel", agent: "parcels" },
  { pattern: /orders/i, tool: "listOrders", agent: "parcels" },
  { pattern: /which|compare/i, tool: "research", agent: "desk" },
] as const;

const story = [
  "The shop was opened in 1962 by two sisters who mended tents for their friends.",
  "A mountain rescue team ordered forty of them after one storm, and the sisters hired their first hands.",
  "Today sixty people sew in the same hall, and each tent still has the name of its maker inside.",
].join(" ");

const help =
  "I can pay money back, find a parcel, list your orders, compare tents, or tell you the story of the shop.";

/**
 * A stand-in for a model: rules, so that the desk works without a key and says the same each time. It writes a few letters at a time.
 * @param pace - Milliseconds between them
 */
export function standIn(pace = 30): FunctionModel {
  return new FunctionModel(({ messages, tools = [] }) => {
    const turn = answer(
      messages,
      tools.map(({ name }) => name),
    );
    return typeof turn === "string" ? { text: turn, chunkSize: 6, delay: pace } : turn;
  });
}

function answer(messages: readonly Message[], tools: readonly string[]): TurnLike {
  const last = messages.at(-1);
  if (last?.role === "tool" && !last.result.toolName.startsWith("transfer_to_")) return wordsOf(last);
  const question = textOf(messages.findLast(({ role }) => role === "user"));
  if (tools.includes("searchCatalogue")) return call("searchCatalogue", { query: question });
  if (/story/i.test(question)) return story;
  const rule = rules.find(({ pattern }) => pattern.test(question));
  if (!rule) return help;
  if (tools.includes(rule.tool)) return call(rule.tool, argumentsOf(rule.tool, question));
  const handoff = `transfer_to_${rule.agent}`;
  return call(tools.includes(handoff) ? handoff : "transfer_to_desk", {});
}

function call(toolName: string, args: Readonly<Record<string, string | number>>): TurnLike {
  return { toolCalls: [{ toolName, arguments: { ...args } }] };
}

function argumentsOf(toolName: string, question: string): Readonly<Record<string, string | number>> {
  const order = Number(/\d+/.exec(question)?.[0] ?? 7);
  if (toolName === "refund") return { order, euros: 80 };
  if (toolName === "trackParcel") return { order };
  return toolName === "research" ? { input: question } : {};
}

function wordsOf({ result }: Extract<Message, { readonly role: "tool" }>): string {
  // A note is for models: that a person has changed the arguments, say.
  const text = result.content.map((part) => (part.type === "text" && !part.note ? part.text : "")).join("");
  if (result.outcome === "denied") return "It is not paid back: the refund was denied.";
  if (result.toolName === "searchCatalogue") return `These fit: ${listIn(text)}`;
  return result.toolName === "refund" ? `Done. ${text}` : text;
}

function listIn(text: string): string {
  const lines: unknown = JSON.parse(text);
  return Array.isArray(lines) ? `${lines.join("; ")}.` : text;
}

function textOf(message: Message | undefined): string {
  if (message?.role !== "user") return "";
  const { content } = message;
  return typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}
