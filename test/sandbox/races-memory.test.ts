/** A program of another sandbox that has the same folder changes it while commands in memory use it. */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sandbox } from "skein/sandbox";

const folder = mkdtempSync(join(tmpdir(), "skein-races-"));
const root = join(folder, "work");
const outside = join(folder, "outside");
const stop = new AbortController();
const names = ["key", "mode", "gone", "sub/gone"];
const other = sandbox.open({ write: [root], timeout: 300_000 });
const memory = sandbox.open({ via: "memory", write: [root], timeout: 60_000 });
let flips: Promise<unknown>;

/** What is outside, as it must stay. */
function look(): object {
  return {
    names: readdirSync(outside, { recursive: true }).map(String).toSorted(),
    key: readFileSync(join(outside, "key"), "utf8"),
    modes: ["", "key", "mode"].map((name) => (statSync(join(outside, name)).mode & 0o777).toString(8)),
  };
}

beforeAll(async () => {
  mkdirSync(root);
  mkdirSync(join(outside, "sub"), { recursive: true });
  for (const name of names) writeFileSync(join(outside, name), "secret", { mode: 0o644 });
  // A folder and a link to the one outside have the name "way" by turns.
  const program = `chdir "${root}"; mkdir "real"; mkdir "real/sub";
    for $f (qw(${names.join(" ")})) { open F, ">real/$f"; print F "fine\\n"; close F }
    symlink "${outside}", "link"; rename "real", "way"; open F, ">ready"; close F;
    while (1) { rename "way", "real"; rename "link", "way"; rename "way", "link"; rename "real", "way" }`;
  flips = other.exec(["perl", "-e", program], { signal: stop.signal }).catch(() => {});
  await vi.waitFor(() => expect(readdirSync(root)).toContain("ready"), 10_000);
});
afterAll(async () => {
  stop.abort();
  await flips;
  await Promise.all([other.close(), memory.close()]);
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  "cat $way/key",
  "echo planted > $way/key",
  "echo planted >> $way/key",
  "echo planted > $way/new",
  "chmod 777 $way/mode $way",
  "touch $way/mode $way/touched",
  "mkdir $way/made",
  "cp -r $way/sub /tmp/$i; cat /tmp/$i/*",
  "cp /work/in.txt $way/copied",
  "mv $way/gone /tmp/moved-$i",
  "rm -r $way/sub $way/gone",
  "ls $way; find $way; grep -r secret $way",
])("no race leads a command in memory out of its folder: %s", async (line) => {
  const before = look();
  const { stdout, ended } = await memory.exec([
    "bash",
    "-c",
    `mkdir -p /work; echo in > /work/in.txt; way=${root}/way; for i in $(seq 1 600); do ${line}; done 2> /dev/null`,
  ]);
  expect(ended).toBeUndefined();
  expect(stdout).not.toContain("secret");
  expect(look()).toEqual(before);
});

test("no race leads reads and writes out of the folder", async () => {
  const before = look();
  const contents = new Set<string>();
  for (let count = 0; count < 300; count++) {
    await memory.read(join(root, "way/key")).then(
      (bytes) => contents.add(Buffer.from(bytes).toString()),
      () => {},
    );
    await memory.write(join(root, "way/planted"), "x").catch(() => {});
  }
  expect([...contents]).not.toContain("secret");
  expect(look()).toEqual(before);
});

test("a file that has another name elsewhere is replaced, not changed", async () => {
  const [own, theirs] = [join(root, "own"), join(outside, "theirs")];
  writeFileSync(theirs, "theirs\n");
  chmodSync(theirs, 0o644);
  for (const [line, content, mode] of [
    ["echo own >", "own\n", "644"],
    ["echo own >>", "theirs\nown\n", "644"],
    ["chmod 600", "theirs\n", "600"],
    ["touch -d 2001-01-01", "theirs\n", "644"],
    ["cp /etc/own", "own\n", "644"],
  ]) {
    rmSync(own, { force: true });
    linkSync(theirs, own);
    const before = statSync(theirs);
    const { stderr } = await memory.exec([
      "bash",
      "-c",
      `mkdir -p /etc; echo own > /etc/own; ${line} ${own}`,
    ]);
    expect(stderr).toBe("");
    expect([readFileSync(own, "utf8"), (statSync(own).mode & 0o777).toString(8)]).toEqual([content, mode]);
    expect(readFileSync(theirs, "utf8")).toBe("theirs\n");
    expect(statSync(theirs)).toMatchObject({ mode: before.mode, mtimeMs: before.mtimeMs });
  }
  rmSync(theirs);
});
