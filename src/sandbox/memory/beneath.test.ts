import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { heldPath, withEntry, withName } from "./beneath.ts";

let folder = "";
let root = "";
let descriptor = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-beneath-"));
  root = join(folder, "root");
  mkdirSync(join(root, "in/deep"), { recursive: true });
  mkdirSync(join(folder, "out/deep"), { recursive: true });
  for (const place of ["root/in", "out"]) writeFileSync(join(folder, place, "deep/key"), place);
  symlinkSync(join(folder, "out"), join(root, "link"));
  descriptor = openSync(root, "r");
});
afterEach(() => {
  closeSync(descriptor);
  rmSync(folder, { recursive: true, force: true });
});

/** What another program may do at any moment. */
function exchange(): void {
  renameSync(join(root, "in"), join(root, "aside"));
  renameSync(join(root, "link"), join(root, "in"));
}

test("what is held stays the same when its path leads elsewhere", () => {
  const names = ["in", "deep", "key"];
  const content = withEntry(descriptor, names, (entry) => {
    exchange();
    return readFileSync(heldPath(entry.descriptor), "utf8");
  });
  expect(content).toBe("root/in");
  expect(readFileSync(join(root, ...names), "utf8")).toBe("out");
  expect(() => withEntry(descriptor, names, () => {})).toThrow("ELOOP");
});

test("a name is that of the folder that is held", () => {
  withName(descriptor, ["in", "deep", "new"], (path) => {
    exchange();
    writeFileSync(path, "new");
  });
  expect(readFileSync(join(root, "aside/deep/new"), "utf8")).toBe("new");
});

test.each([
  [["link", "deep", "key"], "ELOOP"],
  [["in", "deep", "key", "more"], "ENOTDIR"],
  [["in", "none"], "ENOENT"],
])("a way with a link, a file or nothing on it is an error: %j", (names, code) => {
  expect(() => withEntry(descriptor, names, () => {})).toThrow(code);
});

test("a link at the end is held itself", () => {
  expect(withEntry(descriptor, ["link"], ({ stats }) => stats.isSymbolicLink())).toBe(true);
});
