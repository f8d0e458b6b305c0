import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DurableStore, type Runs, runs, type RunsOptions, sqliteStore } from "skein/durable";
import { afterEachTest, afterTestFile } from "../hooks.ts";

let folder: string | undefined;
afterTestFile(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
});

const open: Runs[] = [];
afterEachTest(async () => {
  await Promise.all(open.splice(0).map((each) => each.close({ drain: 0 })));
});

let count = 0;

/** A database that nothing is in yet. */
export function newFile(): string {
  folder ??= mkdtempSync(join(tmpdir(), "skein-durable-"));
  return join(folder, `${(count += 1)}.db`);
}

/** Runs in a database, which are closed after the test. What no caller waits for is ignored, unless a test looks at it. */
export function testRuns(store: string | DurableStore, options: Omit<RunsOptions, "store">): Runs {
  const app = runs({
    onError: () => {},
    ...options,
    store: typeof store === "string" ? sqliteStore(store) : store,
  });
  open.push(app);
  return app;
}

/** All items of an async iterable. */
export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}
