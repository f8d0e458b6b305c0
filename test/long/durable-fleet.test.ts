/** Ten thousand runs and eight workers, of which one is killed each second: all runs end, and nothing is done under another key. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runs } from "skein/durable";
import { openStore } from "../durable/open-store.ts";
import { effectsOf, killWorkers, startWorker } from "../durable/processes.ts";
import { shareOf } from "../effort.ts";
import { sprinter } from "../durable/team.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-fleet-"));
afterAll(() => {
  killWorkers();
  rmSync(folder, { recursive: true, force: true });
});

test.each(["sqlite"])(
  "a fleet on %s loses no run",
  async () => {
    const store = join(folder, "fleet.db");
    const effects = `${store}.effects`;
    const app = runs({ agents: [sprinter(() => {})], store: openStore(store) });
    const ids = Array.from({ length: shareOf(10_000) }, (_, number) => `run-${number}`);
    await Promise.all(ids.map((id) => app.start("Sprinter", "Go.", { id })));
    const over = new AbortController();
    const start = () => startWorker(store, effects, { lease: 2_000, concurrency: 10 });
    let kills = 0;
    const works = async (nth: number): Promise<void> => {
      while (!over.signal.aborted) {
        const child = await start();
        // Eight of them, one after another: one is killed each second.
        await new Promise((resolve) => setTimeout(resolve, kills === 0 ? nth * 1_000 : 8_000));
        child.kill("SIGKILL");
        kills += 1;
      }
    };
    const workers = Array.from({ length: 8 }, (_, nth) => works(nth + 1));
    const isDone = async (): Promise<boolean> =>
      (await app.list({ status: ["queued", "running", "paused"], limit: 1 })).length === 0;
    while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 200));
    over.abort();
    killWorkers();
    expect(await app.list({ status: ["failed", "cancelled", "stuck"] })).toEqual([]);
    expect(kills).toBeGreaterThan(0);
    const keys = new Map<string, number>();
    for (const line of effectsOf(effects)) keys.set(line, (keys.get(line) ?? 0) + 1);
    expect(keys.size).toBe(ids.length);
    // Those that were under way when their worker died.
    const twice = [...keys.values()].filter((times) => times > 1).length;
    expect(twice).toBeLessThanOrEqual(kills * 10);
    await app.close();
    await Promise.all(workers);
  },
  300_000,
);
