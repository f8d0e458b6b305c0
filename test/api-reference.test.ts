import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { buildReference, documentedEntries } from "../scripts/api/build.ts";

const page = (path: string): URL => new URL(`../docs/.api/${path}`, import.meta.url);

test(
  "every public symbol has a page, with a comment and without a dead link",
  { timeout: 240_000 },
  async () => {
    expect(await buildReference()).not.toMatch(/warning|error/i);
    const index = await readFile(page("index.html"), "utf8");
    expect(documentedEntries.length).toBeGreaterThan(15);
    for (const entry of documentedEntries) {
      const name = entry.replaceAll("/", "_");
      expect(existsSync(page(`modules/${name}.html`)), entry).toBe(true);
      expect(index).toContain(`modules/${name}.html`);
    }
  },
);
