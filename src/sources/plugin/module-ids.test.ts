import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { scriptProblem, sourceFileOf, sourceIds } from "./module-ids.ts";

const file = fileURLToPath(import.meta.url);

test.each(["", "?v=1a2b", "?t=123&v=1", "?__next_edge_ssr_entry__", "?rawer"])(
  "the id of a file with the query %j is that file",
  (query) => {
    expect(sourceFileOf(file + query)).toBe(file);
    expect(sourceIds.include.some((pattern) => pattern.test(file + query))).toBe(true);
  },
);

test.each([
  `${file}?raw`,
  `${file}?v=1&url`,
  `${file}?worker`,
  `${file}?inline=1`,
  `\0${file}?commonjs-proxy`,
  "virtual:tools.ts",
  "/virtual/tools.ts",
  "/virtual/tools.ts?v=1",
])("%j is not the code of a file", (id) => {
  expect(sourceFileOf(id)).toBeUndefined();
});

const agent = '<script setup lang="ts">import { Agent } from "skein";\nnew Agent({});</script>';

test.each(["/app/Chat.vue", "/app/chat.svelte", "/app/chat.astro"])(
  "tools in the script of %s are a problem",
  (id) => {
    expect(scriptProblem(id, agent)).toMatch(
      /chat\.(vue|svelte|astro): no schema can be attached.*\.ts file/i,
    );
    expect(scriptProblem(id, agent.replace("Agent }", "run, type Agent as A }"))).toBeUndefined();
    expect(scriptProblem(id, agent.replace('"skein"', '"./agent.ts"'))).toBeUndefined();
  },
);

test("tools in a source file are not a problem of its script", () => {
  expect(scriptProblem("/app/chat.ts", agent)).toBeUndefined();
});
