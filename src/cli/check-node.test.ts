import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { checkNode } from "./check-node.ts";

test.each(["20.20.2", "22.17.1", "18.0.0"])("Node %s is refused: commands need what it lacks", (version) => {
  expect(() => checkNode(version)).toThrow(`Node ${version} is too old: skein needs 22.18 or newer. Install`);
});

test.each(["22.18.0", "24.1.0", "26.0.0", process.versions.node])("Node %s is taken", (version) => {
  expect(() => checkNode(version)).not.toThrow();
});

test("the oldest one is that of package.json", async () => {
  const manifest = new URL("../../package.json", import.meta.url);
  const { engines }: { engines: { node: string } } = JSON.parse(await readFile(manifest, "utf8"));
  expect(engines.node).toBe(">=22.18");
});
