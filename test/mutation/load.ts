/**
 * Loads the sources that are changed before any test runs. What a module does once, when it is loaded, would else be counted as
 * reached by the one test that loads it first, and a change of it as noticed by no other.
 */
import { globSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const patterns = process.env["MUTATION_SOURCES"]?.split(" ") ?? [];
const notCode = ["test", "test-d", "d"].map((kind) => `.${kind}.ts`);
const files = globSync(patterns, { cwd: root })
  .filter(
    (file) => !notCode.some((ending) => file.endsWith(ending)) && !/\/(test-[^/]*|fixtures\/.*)$/.test(file),
  )
  .sort();
for (const file of files) await import(join(root, file));
