import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { medians, processorTime } from "./measure.ts";
import type { Row } from "./table.ts";
import { waysToRun } from "./ways-to-run.ts";
import { withServer } from "./with-server.ts";

const folder = fileURLToPath(new URL("peers/", import.meta.url));

/** How other packages make a run of calls of `shout`: each has a way to read all that they hand out meanwhile. */
interface Peers {
  withAiSdk(baseURL: string): () => Promise<unknown>;
  withOpenAIAgents(baseURL: string): () => Promise<unknown>;
}

/** What the same runs cost with other packages, on the same server: for information. */
export async function peerRows(): Promise<readonly Row[]> {
  if (!existsSync(`${folder}node_modules/ai`) || !existsSync(`${folder}node_modules/@openai/agents`))
    throw new Error("npm ci --prefix bench/peers installs the packages that are measured.");
  return withServer(async (address) => [
    ...(await rowsOf("HTTP, a turn of 10", `${address}/whole/10`, 10, 20)),
    ...(await rowsOf("HTTP, a turn of 50", `${address}/whole/50`, 50, 4)),
    ...(await rowsOf("20000 chunks of text", `${address}/text/20000`, 1, 2)),
  ]);
}

async function rowsOf(what: string, baseURL: string, turns: number, times: number): Promise<readonly Row[]> {
  const ways = waysToRun(baseURL, turns);
  // Not an import that is checked: the packages are not installed with the others.
  const peers: Peers = await import(`${folder}ways.js`);
  const [sdk, agents] = [peers.withAiSdk(baseURL), peers.withOpenAIAgents(baseURL)];
  const sample = async (work: () => Promise<unknown>): Promise<number> =>
    (await processorTime(work, times)) / turns;
  const figures = await medians({
    skein: () => sample(ways.stream),
    sdk: () => sample(sdk),
    agents: () => sample(agents),
  });
  const row = (name: string, peer: "sdk" | "agents"): Row => ({
    what: `${what}: stream(), beside ${name}`,
    unit: "ms",
    floor: figures(peer),
    skein: figures("skein"),
    quartiles: figures.quartiles("skein", peer),
  });
  return [row("streamText of ai", "sdk"), row("run of @openai/agents", "agents")];
}
