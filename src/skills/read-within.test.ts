import { execFileSync } from "node:child_process";
import { realpath, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTextWithin, resolveWithin } from "./read-within.ts";
import { addFiles, folderOf } from "./test-skills.ts";

/** A skill beside a file that is not part of it. */
async function skillFolder(): Promise<string> {
  const folder = await folderOf({
    "secret.txt": "secret",
    "skill-two/secret.txt": "secret",
    "skill/SKILL.md": "inside",
    "skill/references/guide.md": "inside",
    "skill/logo.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]),
    "skill/nul.txt": "a\0b",
    "skill/large.txt": "x".repeat(1_000_001),
  });
  const links: readonly (readonly [string, string])[] = [
    ["../secret.txt", "out.txt"],
    ["..", "up"],
    [folder, "absolute"],
    ["references/guide.md", "in.txt"],
    ["references", "refs"],
    ["loop", "loop"],
    ["/etc/hostname", "host"],
  ];
  for (const [target, name] of links) await symlink(target, join(folder, "skill", name));
  return join(folder, "skill");
}

describe("a file of a skill", () => {
  test("is read by its path, and through links that stay within", async () => {
    const root = await skillFolder();
    for (const path of [
      "SKILL.md",
      "references/guide.md",
      "./references//guide.md",
      "in.txt",
      "refs/guide.md",
    ])
      expect(await readTextWithin(root, path), path).toBe("inside");
  });

  test.each([
    ["", "is not a path within the skill"],
    ["/etc/hostname", "is not a path within the skill"],
    ["C:\\Windows\\win.ini", "is not a path within the skill"],
    ["C:/Windows/win.ini", "is not a path within the skill"],
    ["..\\secret.txt", "is not a path within the skill"],
    ["a\0b", "is not a path within the skill"],
    ["../secret.txt", "leads out of the skill's folder"],
    ["references/../../secret.txt", "leads out of the skill's folder"],
    ["references/../SKILL.md", "leads out of the skill's folder"],
    ["../skill-two/secret.txt", "leads out of the skill's folder"],
    ["out.txt", "leads out of the skill's folder"],
    ["up/secret.txt", "leads out of the skill's folder"],
    ["up/skill-two/secret.txt", "leads out of the skill's folder"],
    ["absolute/secret.txt", "leads out of the skill's folder"],
    ["host", "leads out of the skill's folder"],
    ["up/skill/../secret.txt", "leads out of the skill's folder"],
    ["loop", "has no file"],
    ["absent.md", "has no file"],
    ["SKILL.md/x", "has no file"],
    ["references", "references is not a file."],
    [".", ". is not a file."],
    ["logo.png", "logo.png is not a text file. It has 5 bytes."],
    ["nul.txt", "nul.txt is not a text file. It has 3 bytes."],
    ["large.txt", "large.txt has 1000001 bytes. At most 1000000 can be read."],
  ])("is not read by %j", async (path, problem) => {
    const root = await skillFolder();
    await expect(readTextWithin(root, path)).rejects.toMatchObject({
      code: "skill-failed",
      message: expect.stringContaining(problem),
    });
  });

  test("is not waited for where it is a pipe", async () => {
    const root = await skillFolder();
    execFileSync("mkfifo", [join(root, "pipe")]);
    await expect(readTextWithin(root, "pipe")).rejects.toThrow("pipe is not a file.");
  });

  test("is never one of elsewhere, while its folder is replaced by a link and back", async () => {
    const root = await skillFolder();
    await addFiles(root, { "data/secret.txt": "inside" });
    await symlink("..", join(root, "link"));
    const at = (name: string): string => join(root, name);
    const steps = [
      ["data", "aside"],
      ["link", "data"],
      ["data", "link"],
      ["aside", "data"],
    ] as const;
    const stop = new AbortController();
    const swapping = (async () => {
      while (!stop.signal.aborted) for (const [from, to] of steps) await rename(at(from), at(to));
    })();
    const read = (): Promise<string> => readTextWithin(root, "data/secret.txt").catch(() => "refused");
    const texts = new Set<string>();
    for (let round = 0; round < 2_000; round++) texts.add(await read());
    stop.abort();
    await swapping;
    expect([...texts]).not.toContain("secret");
    expect(await read()).toBe("inside");
  });

  test("is never one of elsewhere, whatever the path is made of", async () => {
    const root = await skillFolder();
    await addFiles(root, { "a/b/deep.md": "inside" });
    await symlink("../../..", join(root, "a/b/back"));
    await writeFile(join(root, "..", "outside.md"), "secret");
    const folders = ["..", ".", "", "a", "b", "back", "up", "absolute", "refs", "references", "skill"];
    const files = ["out.txt", "secret.txt", "outside.md", "guide.md", "deep.md", "SKILL.md"];
    const odd = ["skill-two", "%2e%2e", "..\\", "\0", "～", "...", " .."];
    const piece = fc.constantFrom(...folders, ...files, ...odd);
    const path = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("/"));
    await fc.assert(
      fc.asyncProperty(path, async (each) => {
        const text = await readTextWithin(root, each).catch(() => "refused");
        expect(["inside", "refused"]).toContain(text);
        const real = await resolveWithin(root, each).catch(() => root);
        expect(real === root || real.startsWith(`${root}/`)).toBe(true);
        expect(await realpath(real)).toBe(real);
      }),
      { numRuns: 500 },
    );
  });
});
