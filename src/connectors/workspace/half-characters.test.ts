import { existsSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "skein/toolkits";
import { expect, test } from "vitest";
import { kinds, project, runCalls, textIn, textsOf, use } from "./test-workspace.ts";

test.each(kinds)("half of a character is neither replaced nor written: %s", async (_, options) => {
  const root = project({ "a.txt": "a \u{1f600}\n" });
  const result = await runCalls(
    workspace({ root, ...options }),
    use("edit", { path: "a.txt", edits: [{ oldText: "\ud83d", newText: "x" }] }),
    use("edit", { path: "a.txt", edits: [{ oldText: "a", newText: "\ude00" }] }),
    use("write", { path: "sub/b.txt", content: "b \ud83d" }),
  );
  for (const text of textsOf(result)) expect(text).toContain("half of a surrogate pair");
  expect(textIn(root, "a.txt")).toBe("a \u{1f600}\n");
  expect(existsSync(join(root, "sub"))).toBe(false);
});
