import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Agent, tool } from "skein";
import { type DurableStore, runs, sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { medians } from "./measure.ts";
import type { Row } from "./table.ts";

/** How many writes, runs and claims a sample has. */
const writes = 200;
const shortRuns = 200;
const queued = 10_000;
const turns = 1_000;

/** What a run costs that outlives its process: a write, a short run, the claims of a long queue, and taking up a long run. */
export async function durableRows(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "skein-bench-"));
  let count = 0;
  const newFile = (): string => join(folder, `${(count += 1)}.db`);
  try {
    const figures = await medians({
      byHand: () => writeByHand(newFile()),
      step: () => writeSteps(sqliteStore(newFile())),
      run: () => executeShortRuns(newFile()),
    });
    return [
      {
        what: "durable: a step on SQLite, on the disk",
        unit: "ms",
        floor: figures("byHand"),
        skein: figures("step"),
        limit: { of: "skein", most: 0.4 },
      },
      {
        what: "durable: a short run, twenty at once",
        unit: "ms",
        skein: figures("run"),
        limit: { of: "skein", most: 2 },
      },
      {
        what: `durable: a claim of ${queued} queued runs, 99th of a hundred`,
        unit: "ms",
        skein: await claimQueue(newFile()),
        limit: { of: "skein", most: 100 },
      },
      {
        what: `durable: a run of ${turns} turns, taken up until its model is called`,
        unit: "ms",
        skein: await takeUpLongRun(newFile()),
        limit: { of: "skein", most: 300 },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const text = "x".repeat(2_000);

/** One insertion with each transaction, on the disk when it returns. */
async function writeByHand(file: string): Promise<number> {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE entries (text TEXT)");
  const insert = database.prepare("INSERT INTO entries (text) VALUES (?)");
  const startedAt = performance.now();
  for (let done = 0; done < writes; done++) {
    database.exec("BEGIN IMMEDIATE");
    insert.run(text);
    database.exec("COMMIT");
  }
  const took = performance.now() - startedAt;
  database.close();
  return took / writes;
}

async function writeSteps(store: DurableStore): Promise<number> {
  const data = { request: { input: [{ role: "user", content: "go" }] }, inbox: [] } as const;
  await store.create([{ id: "r", log: "run:r", agent: "A", priority: 0, data }]);
  await store.claim({ owner: "o", build: "1", agents: ["A"], lease: 60_000, limit: 1 });
  const startedAt = performance.now();
  for (let sequence = 1; sequence <= writes; sequence++)
    await store.commit(
      { id: "r", owner: "o" },
      {
        log: "run:r",
        entries: [{ type: "message", sequence, writer: "w", message: { role: "user", content: text } }],
      },
    );
  const took = performance.now() - startedAt;
  await store.close();
  return took / writes;
}

const sprinter = new Agent({ name: "Sprinter", model: new FunctionModel(() => "Done.") });

async function executeShortRuns(file: string): Promise<number> {
  const app = runs({ agents: [sprinter], store: sqliteStore(file) });
  const handles = await Promise.all(Array.from({ length: shortRuns }, () => app.start(sprinter, "Go.")));
  const startedAt = performance.now();
  void app.work({ concurrency: 20 });
  await Promise.all(handles.map((run) => run.result()));
  const took = performance.now() - startedAt;
  await app.close();
  return took / shortRuns;
}

/** Each claims ten, as a worker does that executes ten at once. */
async function claimQueue(file: string): Promise<number> {
  const store = sqliteStore(file);
  const data = { request: { input: [{ role: "user", content: "go" }] }, inbox: [] } as const;
  await store.create(
    Array.from({ length: queued }, (_, number) => ({
      id: `${number}`,
      log: `run:${number}`,
      agent: "A",
      priority: number % 3,
      data,
    })),
  );
  const times: number[] = [];
  for (let claimed = 0; claimed < queued; claimed += 10) {
    const startedAt = performance.now();
    await store.claim({ owner: "o", build: "1", agents: ["A"], lease: 60_000, limit: 10 });
    times.push(performance.now() - startedAt);
  }
  await store.close();
  return times.toSorted((left, right) => left - right)[Math.floor(0.99 * times.length)] ?? Number.NaN;
}

/** A run that is at its limit of turns goes on in another program: from its claim to the call of the model. */
async function takeUpLongRun(file: string): Promise<number> {
  let calledAt = 0;
  const note = tool({
    name: "note",
    input: { type: "object", properties: { n: { type: "integer" } } },
    execute: () => "Noted.",
  });
  const talker = (isLast: boolean): Agent =>
    new Agent({
      name: "Talker",
      tools: [note],
      model: new FunctionModel(({ messages }) => {
        calledAt = performance.now();
        return isLast ? "Done." : { toolCalls: [{ toolName: "note", arguments: { n: messages.length } }] };
      }),
    });
  const first = runs({
    agents: [talker(false)],
    store: sqliteStore(file),
    runOptions: { maxTurns: turns },
    onError: () => {},
  });
  void first.work();
  await (await first.start("Talker", "Go.", { id: "r" })).result();
  await first.close();
  const second = runs({
    agents: [talker(true)],
    store: sqliteStore(file),
    runOptions: { maxTurns: turns + 5 },
  });
  const startedAt = performance.now();
  await second.get("r").retry();
  void second.work();
  await second.get("r").result();
  await second.close();
  return calledAt - startedAt;
}
