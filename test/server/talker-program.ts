/** A server in a process of its own, with an agent of many long turns, that stops in the middle until a message comes. It sends its memory. */
import { Agent, tool } from "skein";
import { serve } from "skein/server";
import { ScriptedModel } from "skein/testing";

/** What the program sends: once it listens, once it is in the middle, and as an answer to `"memory"`. */
export type TalkerMessage =
  | { readonly port: number }
  | { readonly isHalfway: true }
  | { readonly megabytes: number; readonly resident: number };

const turns = 100;
const text = "x".repeat(20_000);
let calls = 0;
const { promise: permission, resolve: goOn } = Promise.withResolvers<string>();

function tell(message: TalkerMessage): void {
  process.send?.(message);
}

const wait = tool({
  name: "wait",
  input: { type: "object" },
  execute: () => {
    calls += 1;
    if (calls !== turns / 2) return "Go on.";
    tell({ isHalfway: true });
    return permission;
  },
});
const script = Array.from({ length: turns }, () => ({ text, toolCalls: [{ toolName: "wait" }] }));
const agent = new Agent({ name: "Talker", model: new ScriptedModel([...script, "Done."]), tools: [wait] });
const server = serve(agent, {
  runOptions: { maxTurns: turns + 10 },
  perUser: { requestsPerMinute: 1_000_000 },
  // Comments come as slow as the machine is, so that streams would differ.
  keepAlive: 0,
});
process.on("message", (message) => {
  if (message === "go on") goOn("Go on.");
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  tell({ megabytes: (heapUsed + external) / 1_048_576, resident: rss / 1_048_576 });
});
tell({ port: (await server.listen({ port: 0 })).port });
