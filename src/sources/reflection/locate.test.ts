import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openCompiler } from "../compiler/index.ts";
import { locateFunctions } from "./locate.ts";

/** Stands here. */
function here(city: string): string {
  return city;
}

test("functions are found where they are written; built-in ones are not", async () => {
  const compiler = await openCompiler();
  const [found, bound, builtIn] = await locateFunctions(compiler, [here, here.bind(undefined), parseInt]);
  expect(found).toMatchObject({
    place: { file: fileURLToPath(import.meta.url), line: 7, column: 10, length: 4 },
    parameters: [{ name: "city" }],
  });
  expect(bound).toEqual(found);
  expect(builtIn).toBeUndefined();
  expect(await locateFunctions(compiler, [])).toEqual([]);
  compiler.close();
});
