import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { memory } from "skein/toolkits";
import { expect, test } from "vitest";
import { commands, path } from "./test-memory.ts";

test.each([["sqlite"], ["folder"]])("processes at once lose nothing: %s", async (kind) => {
  const where = path();
  const kit = memory(kind === "sqlite" ? { sqlite: where } : { folder: where });
  await commands(kit, { command: "create", path: "/memories/a.md", file_text: "begin\n" });
  const program = fileURLToPath(new URL("fixtures/writer.ts", import.meta.url));
  const register = fileURLToPath(new URL("../../../../test/from-source.ts", import.meta.url));
  const texts = await Promise.all(
    ["a", "b", "c"].map(
      (name) =>
        new Promise<readonly string[]>((resolve, reject) => {
          const child = fork(program, [kind, where, name], { execArgv: ["--import", register] });
          child.on("message", (message) => resolve(Array.isArray(message) ? message.map(String) : []));
          child.on("error", reject);
          // Its message may come after its exit.
          child.on("exit", (code) => {
            if (code !== 0) reject(new Error(`A writer ended with ${code}.`));
          });
        }),
    ),
  );
  const lines = texts.flat();
  expect(lines.length).toBeGreaterThan(20);
  const [text = ""] = await commands(kit, { command: "view", path: "/memories/a.md" });
  expect(text.match(/[abc] \d+/g)?.toSorted()).toEqual(lines.toSorted());
  await kit.close();
});
