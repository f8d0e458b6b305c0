import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSavedState } from "./saved-state.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-state-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function saved(text: string): Promise<string> {
  const path = join(folder, "chat.json");
  await writeFile(path, text);
  return path;
}

test("what was written is read", async () => {
  const state = {
    version: 1,
    agent: "Till",
    messages: [{ role: "user", content: "Hi" }],
    context: { paid: 1 },
    pending: [],
  };
  expect(await readSavedState(await saved(JSON.stringify(state)))).toEqual(state);
});

test.each([
  ["no JSON", "{", "JSON"],
  ["something else", '{"version":2,"agent":"Till","messages":[]}', "it holds no state of version 1"],
  ["a list", "[]", "it holds no state of version 1"],
  [
    "a message that is none",
    '{"version":1,"agent":"Till","pending":[],"messages":[{"role":"bot"}]}',
    "messages[0]",
  ],
  ["no list of calls", '{"version":1,"agent":"Till","messages":[]}', "pending must be a list, not undefined"],
])("a file with %s is refused by its name", async (_title, text, words) => {
  const file = await saved(text);
  await expect(readSavedState(file)).rejects.toThrow(`${file} cannot be resumed: `);
  await expect(readSavedState(file)).rejects.toThrow(words);
  await expect(readSavedState(file)).rejects.toMatchObject({ code: "state-file" });
});

test("a file that is not there is named", async () => {
  await expect(readSavedState(join(folder, "missing.json"))).rejects.toThrow("ENOENT");
});
