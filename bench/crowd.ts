import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { processorTime } from "./measure.ts";
import { rowsOverHttp, sampleWays } from "./rows-over-http.ts";
import type { Row } from "./table.ts";
import { waysToRun } from "./ways-to-run.ts";
import { withServer } from "./with-server.ts";

const runs = 1000;
const program = fileURLToPath(new URL("waiting-runs.ts", import.meta.url));

/** A thousand runs of three turns at once over HTTP: what each costs, and what it holds while it waits for the rest of an answer. */
export function crowdRows(): Promise<readonly Row[]> {
  return withServer(async (address) => {
    const ways = waysToRun(`${address}/whole/2`, 2);
    const times = await sampleWays(
      async (name) => (await processorTime(() => together(ways[name]), 1)) / runs,
    );
    const memory = await sampleWays((name) => memoryOf(name, address));
    return [
      ...rowsOverHttp(`HTTP, ${runs} runs at once, 3 turns, each`, "ms", times, { of: "ratio", most: 0.8 }),
      ...rowsOverHttp("  memory of each while it waits", "KB", memory, { of: "skein", most: 120 }),
    ];
  });
}

function together(work: () => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: runs }, work));
}

async function memoryOf(name: string, address: string): Promise<number> {
  const child = fork(program, [name, address], { execArgv: ["--expose-gc"] });
  const [kilobytes] = await once(child, "message");
  return Number(kilobytes);
}
