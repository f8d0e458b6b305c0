import { Agent, run, stream } from "skein";
import { openai } from "skein/openai";
import { runByHand } from "./chat-by-hand.ts";
import { drain, medians, wallTime } from "./measure.ts";
import { shoutTool } from "./shout.ts";
import type { Row } from "./table.ts";
import { withServer } from "./with-server.ts";

const turns = 10;

/** A run of ten turns, with a tool call in each, against a server on this machine. */
export function httpRows(): Promise<readonly Row[]> {
  return withServer(async (address) => {
    // Until the machine has compiled what is used, it is compiling that is measured, on both sides.
    await sample(`${address}/calls/${turns}/0`, 50);
    const atOnce = await sample(`${address}/calls/${turns}/0`, 50);
    const soon = await sample(`${address}/calls/${turns}/1`, 20);
    const row = (what: string, name: "run" | "stream", taken: typeof soon): Row => ({
      what,
      unit: "ms",
      floor: taken("floor"),
      skein: taken(name),
    });
    return [
      {
        ...row(`HTTP, ${turns} turns, 1 ms to each answer: run()`, "run", soon),
        limit: { of: "ratio", most: 1.15 },
      },
      row("  stream(), every event read", "stream", soon),
      row("  run(), each answer at once", "run", atOnce),
    ];
  });
}

function sample(baseURL: string, times: number): Promise<(name: "floor" | "run" | "stream") => number> {
  const model = openai("gpt", { baseURL, apiKey: "key" });
  const agent = new Agent({ name: "Bench", instructions: "Shout.", model, tools: [shoutTool] });
  return medians({
    floor: () => wallTime(() => runByHand(baseURL), times),
    run: () => wallTime(() => run(agent, "go"), times),
    stream: () => wallTime(() => drain(stream(agent, "go")), times),
  });
}
