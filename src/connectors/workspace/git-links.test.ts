import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sandbox } from "skein/sandbox";
import { workspace } from "skein/toolkits";
import { expect, test } from "vitest";
import { project, runCalls, textIn, use } from "./test-workspace.ts";

test("links to what git would run are not followed by an interpreter, either", async () => {
  const root = project({ ".git/config": "[core]" });
  symlinkSync(".git", join(root, "way"));
  const kit = workspace({ root, sandbox: { via: "memory" } });
  await runCalls(
    kit,
    use("edit", { path: "way/config", edits: [{ oldText: "core", newText: "alias" }] }),
    use("write", { path: "way/x", content: "x" }),
  );
  const box = sandbox.open({ via: "memory", write: [root] });
  await expect(box.write(join(root, "sub/.Git/x"), "x", { keepGit: true })).rejects.toThrow("is in .Git");
  await box.close();
  expect(readdirSync(join(root, ".git"))).toEqual(["config"]);
  expect(textIn(root, ".git/config")).toBe("[core]");
  await kit.close();
});
