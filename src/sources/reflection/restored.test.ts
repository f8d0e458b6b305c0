import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changedAfter } from "./opened-compiler.ts";
import { isNewer, mayBeOutdated } from "./outdated.ts";

let folder: string;
const long = new Date("2001-01-01");

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-restored-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file as `tar` or `rsync` writes it: now, with the time that it had elsewhere. */
function restored(name: string, mtime = long): string {
  const file = join(folder, name);
  writeFileSync(file, "export const fn = (a: string) => a;");
  utimesSync(file, mtime, mtime);
  return file;
}

test("a source that was replaced after the program started is outdated, for any file time", () => {
  const file = restored("source.ts");
  expect(
    mayBeOutdated({ file, script: file, position: undefined, isMapped: false, builtFrom: undefined }),
  ).toBe(true);
  expect(isNewer(file, performance.timeOrigin)).toBe(true);
  expect(changedAfter(file, Date.now() - 60_000)).toBe(true);
  expect(changedAfter(file, Date.now() + 60_000)).toBe(false);
});

test("a source that was copied together with what was built of it is not", () => {
  const script = restored("built.js", new Date(long.getTime() + 1_000));
  const file = restored("copied.ts");
  const place = { file, script, position: undefined, isMapped: true, builtFrom: undefined };
  expect(mayBeOutdated(place)).toBe(false);
  utimesSync(file, new Date(), new Date());
  expect(mayBeOutdated(place)).toBe(true);
});
