import type { Message, ToolCall, ToolMessage, UserMessage } from "../../message/messages.ts";
import type { Generation, ModelRequest, ToolSpec } from "../../model/types.ts";
import { offline } from "./model.ts";

/** The specification of a tool. All properties are required except those in `optional`. */
function spec(
  name: string,
  description: string,
  properties: Record<string, object>,
  optional: readonly string[] = [],
): ToolSpec {
  const required = Object.keys(properties).filter((property) => !optional.includes(property));
  return { name, description, inputSchema: { type: "object", properties, required } };
}

const text = { type: "string" };
const number = { type: "number" };
const address = { type: "string", format: "email" };
const date = { type: "string", format: "date" };
const operands = { a: number, b: number };

export const weather: readonly ToolSpec[] = [
  spec(
    "getWeather",
    "Get the current weather in a city.",
    {
      city: { type: "string", description: 'City name, such as "Paris"' },
      unit: { enum: ["celsius", "fahrenheit"], default: "celsius" },
      days: { type: "integer", description: "How many days ahead", default: 1 },
    },
    ["unit", "days"],
  ),
];

export const mail: readonly ToolSpec[] = [
  spec("sendEmail", "Send an email to somebody.", {
    to: { ...address, description: "Address of the recipient" },
    subject: text,
    body: { type: "string", description: "Text of the message" },
  }),
];

export const calendar: readonly ToolSpec[] = [
  spec(
    "createEvent",
    "Create an event in the calendar.",
    {
      title: text,
      date,
      time: { type: "string", description: "Start, as HH:MM" },
      attendees: { type: "array", items: address },
    },
    ["time", "attendees"],
  ),
  spec("listEvents", "List the events of a day.", { date }),
  spec("deleteEvent", "Delete an event.", { eventId: { type: "string", description: "Id of the event" } }),
];

export const maths: readonly ToolSpec[] = [
  spec("add", "Add two numbers.", operands),
  spec("subtract", "Subtract b from a.", operands),
  spec("multiply", "Multiply two numbers.", operands),
  spec("divide", "Divide a by b.", operands),
  spec("squareRoot", "The square root of a number.", { x: number }),
  spec("average", "The mean of numbers.", { values: { type: "array", items: number } }),
];

export const household: readonly ToolSpec[] = [
  spec("translate", "Translate text into another language.", { text, targetLanguage: text }),
  spec(
    "searchWeb",
    "Search the web.",
    { query: { type: "string", description: "What to look for" }, limit: { type: "integer" } },
    ["limit"],
  ),
  spec(
    "addTodo",
    "Add a task to the todo list.",
    { task: text, priority: { enum: ["low", "medium", "high"] } },
    ["priority"],
  ),
  spec("setTimer", "Set a timer.", { minutes: { type: "integer" } }),
  spec("bookFlight", "Book a flight.", {
    from: { type: "string", description: "City of departure" },
    to: { type: "string", description: "City of arrival" },
    date: text,
  }),
  spec("turnLight", "Turn a light on or off.", {
    room: { enum: ["kitchen", "living_room", "bedroom"] },
    state: { enum: ["on", "off"] },
  }),
  spec("getOrderStatus", "Get the status of an order.", { orderId: { type: "string" } }),
];

export const files: readonly ToolSpec[] = [
  spec("read_file", "Read a file.", { path: text }),
  spec("write_file", "Write text to a file.", { path: text, content: text }),
  spec("list_directory", "List the files in a directory.", { path: text }),
];

export const everything: readonly ToolSpec[] = [...weather, ...mail, ...calendar, ...maths, ...household];

/** A user message. */
export function says(content: string): UserMessage {
  return { role: "user", content };
}

/** The offline model's answer. */
export async function answer(
  messages: readonly Message[] | string,
  tools: readonly ToolSpec[],
  rest: Partial<ModelRequest> = {},
): Promise<Generation> {
  const history = typeof messages === "string" ? [says(messages)] : messages;
  for await (const event of offline().stream({ messages: history, tools, ...rest })) {
    if (event.type === "finish") return event.generation;
  }
  throw new Error("the stream ended without a finish event");
}

/** The calls of an answer, as `name {"argument":1}` each. */
export async function callsFor(
  messages: readonly Message[] | string,
  tools: readonly ToolSpec[],
  rest: Partial<ModelRequest> = {},
): Promise<string[]> {
  const { toolCalls } = await answer(messages, tools, rest);
  return toolCalls.map((call) => `${call.toolName} ${call.arguments}`);
}

/** The result of a call, as an executor reports it. */
export function resultMessage(call: ToolCall | undefined, text: string, isError = false): ToolMessage {
  if (!call) throw new Error("there was no call");
  const { toolCallId, toolName } = call;
  const outcome = isError ? "error" : "success";
  return {
    role: "tool",
    result: { toolCallId, toolName, content: [{ type: "text", text }], isError, outcome },
  };
}
