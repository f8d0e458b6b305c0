import { postByFetch, type Post } from "./post-by-hand.ts";
import { shout, shoutDescription, shoutSchema } from "./shout.ts";

interface Call {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

interface ChatMessage {
  role: string;
  content: string | null;
  tool_calls?: Call[];
  tool_call_id?: string;
}

interface Chunk {
  choices: {
    delta: {
      content?: string | null;
      tool_calls?: { index: number; id?: string; function: Call["function"] }[];
    };
  }[];
}

/** What is different for each agent of a loop by hand. */
interface Lead {
  readonly instructions: string;
  readonly tools: readonly object[];
}

const shouting: Lead = {
  instructions: "Shout.",
  tools: [functionTool("shout", shoutDescription, shoutSchema)],
};

/** Two agents that hand over to each other. */
const leads: ReadonlyMap<string, Lead> = new Map([
  [
    "one",
    { instructions: "You are one.", tools: [functionTool("transfer_to_two", "Hands over.", noParameters())] },
  ],
  [
    "two",
    { instructions: "You are two.", tools: [functionTool("transfer_to_one", "Hands over.", noParameters())] },
  ],
]);

/** A run over HTTP as one writes it for one server and one tool: a request, events, calls, results, again. */
export async function runByHand(
  baseURL: string,
  post: Post = postByFetch,
  moreTools: readonly object[] = [],
): Promise<string> {
  const lead = moreTools.length > 0 ? { ...shouting, tools: [...shouting.tools, ...moreTools] } : shouting;
  const messages: ChatMessage[] = [{ role: "user", content: "go" }];
  for (;;) {
    const message = await ask(baseURL, lead, messages, post);
    messages.push(message);
    if (!message.tool_calls) return message.content ?? "";
    for (const call of message.tool_calls) {
      const { text }: { text: string } = JSON.parse(call.function.arguments);
      messages.push({ role: "tool", tool_call_id: call.id, content: await shout(text) });
    }
  }
}

/** The same where each call hands over to the other of two agents. */
export async function handOverByHand(baseURL: string, post: Post = postByFetch): Promise<string> {
  const messages: ChatMessage[] = [{ role: "user", content: "go" }];
  let lead = leads.get("one");
  for (;;) {
    if (!lead) throw new Error("no such agent");
    const message = await ask(baseURL, lead, messages, post);
    messages.push(message);
    if (!message.tool_calls) return message.content ?? "";
    for (const call of message.tool_calls) {
      const name = call.function.name.slice("transfer_to_".length);
      lead = leads.get(name);
      messages.push({ role: "tool", tool_call_id: call.id, content: `You are ${name} now.` });
    }
  }
}

/** A function as Chat Completions has it. */
export function functionTool(name: string, description: string, parameters: object): object {
  return { type: "function", function: { name, description, parameters } };
}

function noParameters(): object {
  return { type: "object", properties: {} };
}

async function ask(
  baseURL: string,
  { instructions, tools }: Lead,
  messages: readonly ChatMessage[],
  post: Post,
): Promise<ChatMessage> {
  const body = JSON.stringify({
    model: "gpt",
    messages: [{ role: "system", content: instructions }, ...messages],
    tools,
    stream: true,
    stream_options: { include_usage: true },
  });
  return read(await post(baseURL, body));
}

async function read(body: AsyncIterable<Uint8Array>): Promise<ChatMessage> {
  const decoder = new TextDecoder();
  const calls: Call[] = [];
  let text = "";
  let rest = "";
  for await (const bytes of body) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      if (event === "data: [DONE]") continue;
      const chunk: Chunk = JSON.parse(event.slice("data: ".length));
      const delta = chunk.choices[0]?.delta;
      if (delta?.content) text += delta.content;
      for (const { index, id, function: piece } of delta?.tool_calls ?? []) {
        if (id) calls[index] = { id, type: "function", function: { name: piece.name, arguments: "" } };
        const call = calls[index];
        if (call) call.function.arguments += piece.arguments;
      }
    }
  }
  return { role: "assistant", content: text || null, ...(calls.length > 0 && { tool_calls: calls }) };
}
