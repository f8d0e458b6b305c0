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

const tools = [
  { type: "function", function: { name: "shout", description: shoutDescription, parameters: shoutSchema } },
];

/** A run over HTTP as one writes it for one server and one tool: `fetch`, events, calls, results, again. */
export async function runByHand(baseURL: string): Promise<string> {
  const messages: ChatMessage[] = [
    { role: "system", content: "Shout." },
    { role: "user", content: "go" },
  ];
  for (;;) {
    const message = await ask(baseURL, messages);
    messages.push(message);
    if (!message.tool_calls) return message.content ?? "";
    for (const call of message.tool_calls) {
      const { text }: { text: string } = JSON.parse(call.function.arguments);
      messages.push({ role: "tool", tool_call_id: call.id, content: await shout(text) });
    }
  }
}

async function ask(baseURL: string, messages: readonly ChatMessage[]): Promise<ChatMessage> {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer key" },
    body: JSON.stringify({
      model: "gpt",
      messages,
      tools,
      stream: true,
      stream_options: { include_usage: true },
    }),
  });
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  return read(response.body);
}

async function read(body: ReadableStream<Uint8Array>): Promise<ChatMessage> {
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
