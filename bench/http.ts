import { Agent, run, stream } from "skein";
import { openai } from "skein/openai";
import { runByHand } from "./chat-by-hand.ts";
import { drain, medians, wallTime } from "./measure.ts";
import { shoutTool } from "./shout.ts";
import type { Row } from "./table.ts";
import { withServer } from "./with-server.ts";

const turns = 10;
const times = 20;

/** A run of ten turns, with a tool call in each, against a server on this machine. */
export function httpRows(): Promise<readonly Row[]> {
  return withServer(async (address) => {
    const baseURL = `${address}/calls/${turns}`;
    const agent = new Agent({
      name: "Bench",
      instructions: "Shout.",
      model: openai("gpt", { baseURL, apiKey: "key" }),
      tools: [shoutTool],
    });
    const taken = await medians({
      floor: () => wallTime(() => runByHand(baseURL), times),
      run: () => wallTime(() => run(agent, "go"), times),
      stream: () => wallTime(() => drain(stream(agent, "go")), times),
    });
    const row = (what: string, skein: number): Row => ({ what, unit: "ms", floor: taken("floor"), skein });
    return [
      { ...row(`HTTP, a run of ${turns} turns: run()`, taken("run")), limit: { of: "ratio", most: 1.15 } },
      row("  stream(), every event read", taken("stream")),
    ];
  });
}
