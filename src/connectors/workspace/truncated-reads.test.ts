import { workspace } from "skein/toolkits";
import type { ScriptedToolCall } from "skein/testing";
import { expect, test } from "vitest";
import { project, runCalls, textIn, textsOf, use } from "./test-workspace.ts";

test.each([
  ["without a box", {}],
  ["in a box", { sandbox: true, approval: false }],
] as const)(
  "of a result that was truncated, what was left out counts once the model has read on in it: %s",
  async (_, options) => {
    const text = `head\n${"q\n".repeat(400)}MIDDLE\n${"q\n".repeat(400)}tail\n`;
    const root = project({
      "a.txt": text,
      "AGENTS.md": "Root.",
      "in/AGENTS.md": "Be brief.",
      "in/b.txt": text,
    });
    const tools = workspace({ root, ...options }).withPolicy({ maxResultChars: 500 });
    const readOn = (toolCallId: string, from: number): ScriptedToolCall =>
      use("read_result", { toolCallId, from });
    for (const [path, id] of [
      ["a.txt", "call_1"],
      ["in/b.txt", "call_1"],
    ] as const) {
      const write = use("write", { path, content: "short" });
      const result = await runCalls(
        tools,
        use("read", { path }),
        write,
        readOn(id, 330),
        readOn(id, 830),
        write,
        readOn("call_9", 1_200),
        readOn(id, 1_320),
        write,
        write,
      );
      const texts = textsOf(result);
      const isRefused = (index: number): boolean => texts[index]?.includes("that you have not read") ?? false;
      expect(texts[0]).toContain("characters left out");
      expect([1, 4, 7].map(isRefused)).toEqual([true, true, false]);
      expect(texts.at(-1)).toContain(`Wrote ${path}.`);
      expect(textIn(root, path)).toBe("short");
    }
  },
);
