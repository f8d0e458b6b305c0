import { Agent, run, stream } from "skein";
import { openai } from "skein/openai";
import { runByHand } from "./chat-by-hand.ts";
import { drain } from "./measure.ts";
import { postByFetch, postByNode } from "./post-by-hand.ts";
import { shoutTool } from "./shout.ts";

/** How the same run is made: by hand over `fetch` and over `node:http`, and by Skein. */
export type Ways<T> = Readonly<Record<"floor" | "lowFloor" | "run" | "stream", T>>;

/** A run of calls of `shout` against a server, in each of the ways. */
export function waysToRun(baseURL: string, turns: number): Ways<() => Promise<unknown>> {
  const model = openai("gpt", { baseURL, apiKey: "key" });
  const agent = new Agent({ name: "Bench", instructions: "Shout.", model, tools: [shoutTool] });
  const options = { maxTurns: turns + 1 };
  return {
    floor: () => runByHand(baseURL, postByFetch),
    lowFloor: () => runByHand(baseURL, postByNode),
    run: () => run(agent, "go", options),
    stream: () => drain(stream(agent, "go", options)),
  };
}
