/** Readers of a run die and come back in other processes, while its workers die as well. */
import { type ChildProcess, execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, expect, test } from "vitest";
import { runs, type StoredEvent } from "skein/durable";
import { openStore } from "../durable/open-store.ts";
import { team } from "../durable/team.ts";
import { killWorkers, startWorker } from "../durable/processes.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-rejoin-"));
const execute = promisify(execFile);

afterEach(killWorkers);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a reader has at the end: a turn that was done again is forgotten. */
class Reader {
  readonly events = new Map<number, StoredEvent>();
  last = -1;

  receive(event: StoredEvent): void {
    if (event.type === "turn-restart")
      for (const index of this.events.keys())
        if (index >= event.from && index < event.index) this.events.delete(index);
    this.events.set(event.index, event);
    this.last = event.index;
  }

  get isDone(): boolean {
    const event = this.events.get(this.last);
    return event?.type === "run-end" && event.status === "completed";
  }
}

/** Reads on in a process of its own, which dies after ten events. Returns whether it did. */
async function readOn(reader: Reader, store: string): Promise<boolean> {
  const source = join(import.meta.dirname, "../from-source.ts");
  const script = join(import.meta.dirname, "../durable/reader-process.ts");
  const args = ["--import", source, script, store, "job", String(reader.last)];
  const { stdout, signal }: { readonly stdout: string; readonly signal?: unknown } = await execute(
    process.execPath,
    args,
  ).catch((error: { readonly stdout: string; readonly signal: unknown }) => error);
  for (const line of stdout.trim().split("\n").filter(Boolean)) reader.receive(JSON.parse(line));
  return signal === "SIGKILL";
}

test("a reader killed at every tenth event, which rejoins in another process, ends with what one has that stayed", async () => {
  const store = join(folder, "runs.db");
  const app = runs({ agents: [team(() => {})], store: openStore(store) });
  const effects = join(folder, "effects");
  let worker: ChildProcess | undefined = await startWorker(store, effects, { pause: 100 });
  const run = await app.start("Boss", "Do it all.", { id: "job" });
  const stayed = new Reader();
  const staying = (async () => {
    for await (const event of run.events({ until: "end" })) stayed.receive(event);
  })();
  const deciding = (async () => {
    const { pending } = await run.result();
    for (const { approvalId = "" } of pending) await run.decide([{ approvalId, decision: "approve" }]);
  })();
  const rejoining = new Reader();
  let deaths = 0;
  while (!rejoining.isDone) {
    if (await readOn(rejoining, store)) deaths += 1;
    if (deaths < 2 || !worker) continue;
    // In the middle of it, the worker dies, too.
    worker.kill("SIGKILL");
    worker = undefined;
    await startWorker(store, effects, { pause: 20 });
  }
  await Promise.all([staying, deciding]);
  expect(deaths).toBeGreaterThan(5);
  expect([...rejoining.events.values()]).toEqual([...stayed.events.values()]);
  await app.close();
}, 120_000);
