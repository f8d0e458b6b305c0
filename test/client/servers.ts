import { Agent, tool } from "skein";
import { type Client, connect } from "skein/client";
import { serve, type SkeinServer } from "skein/server";
import { FunctionModel } from "skein/testing";
import { openProxy, type Proxy } from "./proxy.ts";

const open: { close(): Promise<unknown> }[] = [];

/** Closes all that a test has opened. */
export async function closeAll(): Promise<void> {
  for (const each of open.splice(0).toReversed()) await each.close();
}

/** Has something closed with the test. */
export function closeLater(close: () => Promise<unknown>): void {
  open.push({ close });
}

/** A server on a free port, without the limits that a single user has. */
export async function openServer(
  ...[agents, options]: Parameters<typeof serve>
): Promise<{ readonly url: string; readonly client: Client; readonly server: SkeinServer }> {
  const perUser = { runs: 100_000, requestsPerMinute: 1_000_000 };
  const server = serve(agents, { perUser, ...options });
  open.push({ close: () => server.close({ drain: 0 }) });
  const { url } = await server.listen({ port: 0 });
  return { url, client: connect(url), server };
}

/** A proxy that closes with the test. */
export async function proxyTo(url: string): Promise<Proxy> {
  const proxy = await openProxy(url);
  open.push(proxy);
  return proxy;
}

/** Refund an order. */
function refund(order: number) {
  return `Refunded ${order}.`;
}

/** Asks for approval, then words what came of it. */
export function refunds(): Agent {
  const call = { toolName: "refund", arguments: { order: 7 } };
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== "tool") return { toolCalls: [call] };
    return `It says: ${last.result.content.map((part) => ("text" in part ? part.text : "")).join("")}`;
  });
  return new Agent({ name: "Refunds", model, tools: [tool(refund, { approval: true })] });
}

/** Answers with the words of a sentence, one by one. */
export function speaker(sentence: string): Agent {
  return new Agent({ name: "Speaker", model: new FunctionModel(() => ({ text: sentence, chunkSize: 5 })) });
}
