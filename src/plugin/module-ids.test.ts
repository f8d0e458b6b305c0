import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sourceFileOf, sourceIds } from "./module-ids.ts";

const file = fileURLToPath(import.meta.url);

test.each(["", "?v=1a2b", "?t=123&v=1", "?__next_edge_ssr_entry__", "?rawer"])(
  "the id of a file with the query %j is that file",
  (query) => {
    expect(sourceFileOf(file + query)).toBe(file);
    expect(sourceIds.include.test(file + query)).toBe(true);
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
