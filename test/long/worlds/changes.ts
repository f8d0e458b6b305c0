/** Middlewares that change values, the same ones each time: what a call is named, given and answered with. */
import type { Middleware, ToolCall } from "skein";

/** What the middleware adds to each number. */
export const added = 100;

/** The name of a tool as a model writes it, and as the history has it. */
export const asWritten = (name: string): string => `written_${name}`;
export const asCalled = (name: string): string => `called_${name}`;

const withoutPrefix = <T extends { readonly toolName: string }>(call: T, prefix: string): T =>
  call.toolName.startsWith(prefix) ? { ...call, toolName: call.toolName.slice(prefix.length) } : call;

function withNumber(call: ToolCall): ToolCall {
  const args: unknown = JSON.parse(call.arguments);
  if (typeof args !== "object" || args === null || !("n" in args) || typeof args.n !== "number") return call;
  return { ...call, arguments: JSON.stringify({ ...args, n: args.n + added }) };
}

/** Renames what a model and a tool call, adds to each number, and signs each result. */
export const changing: Middleware = {
  async *model(request, _info, next) {
    for await (const event of next(request)) {
      if (event.type !== "finish") {
        yield event;
        continue;
      }
      const { generation } = event;
      const toolCalls = generation.toolCalls.map((call) => withoutPrefix(call, asWritten("")));
      yield {
        type: "finish",
        generation: { ...generation, toolCalls, message: { ...generation.message, toolCalls } },
      };
    }
  },
  async tool(call, _info, next) {
    const result = await next(withNumber(withoutPrefix(call, asCalled(""))));
    const content = result.content.map((part) =>
      part.type === "text" ? { ...part, text: `${part.text} (read)` } : part,
    );
    return { ...result, content };
  },
};
