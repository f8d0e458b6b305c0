import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { groups } from "./places/index.ts";
import { pageText } from "./page.ts";
import type { Place } from "./place.ts";
import { workspaceFiles } from "./workspace.ts";

const comments = ["functions.js", "objects.js"]
  .map((file) => readFileSync(new URL(`table/javascript/${file}`, import.meta.url), "utf8"))
  .join("\n");
const places = groups.flatMap((group) => group.places);

/** Spaces and dashes are laid out by the formatter. */
function words(text: string): string {
  return text.replaceAll(/-{3,}/g, "---").replaceAll(/\s+/g, " ");
}

/** Pieces of code that the page tells readers to write but the project of the test does not. */
function unwritten(place: Place): string[] {
  const { write, files = {}, packageJson = {}, compilerOptions = {}, build = "", run, javascript } = place;
  const texts = [
    ...Object.values(files),
    JSON.stringify(packageJson),
    JSON.stringify(compilerOptions),
    JSON.stringify(workspaceFiles(place, {}, {})),
    build,
    run,
    javascript === "typed" ? comments : "",
  ];
  const written = words(texts.join("\n"));
  return [...write.matchAll(/`([^`]+)`/g)]
    .map(([, code = ""]) => words(code))
    .filter((code) => !written.includes(code));
}

test("the page says what the places get (`node test/builds/write-page.ts` writes it)", async () => {
  const page = await readFile(new URL("../../docs/where-it-runs.md", import.meta.url), "utf8");
  expect(words(page)).toBe(words(pageText()));
});

test("every place has a name of its own", () => {
  expect(new Set(places.map(({ name }) => name)).size).toBe(places.length);
});

test("what the page says to write is what the projects have written", () => {
  const missing = places.flatMap((place) => unwritten(place).map((code) => `${place.name}: ${code}`));
  expect(missing).toEqual([]);
});
