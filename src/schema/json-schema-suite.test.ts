import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { errorMessage } from "../base/util/error-message.ts";
import { compileSchema } from "./compile-schema.ts";
import type { JsonSchema } from "./types.ts";

/** The official JSON-Schema-Test-Suite: https://github.com/json-schema-org/JSON-Schema-Test-Suite */
const folder = fileURLToPath(new URL("../../../shared/json-schema-suite/", import.meta.url));
const isHere = existsSync(folder);
if (!isHere) console.info("The official JSON Schema suite is not here: its tests are skipped.");

interface Group {
  readonly description: string;
  readonly schema: JsonSchema | boolean;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const drafts = {
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
  draft7: "http://json-schema.org/draft-07/schema#",
} as const;

function read<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** What the suite refers to: its own further documents under the address that they are to be served at, and the metaschemas. */
function furtherDocuments(): Record<string, JsonSchema> {
  const remotes = join(folder, "remotes");
  const files = readdirSync(remotes, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".json"),
  );
  const served = files.map((file): [string, JsonSchema] => [
    `http://localhost:1234/${file}`,
    read(join(remotes, file)),
  ]);
  return { ...Object.fromEntries(served), ...read(join(import.meta.dirname, "fixtures/metaschemas.json")) };
}

/** The cases of a file that turn out otherwise than the suite says, by group and case. */
function failures(file: string, $schema: string, schemas: Record<string, JsonSchema>): string[] {
  return read<readonly Group[]>(file).flatMap(({ description: group, schema, tests }) => {
    const full = typeof schema === "boolean" ? { $schema, allOf: [schema] } : { $schema, ...schema };
    const { validate } = compileSchema(full, { schemas, formats: "annotate" });
    return tests.flatMap(({ description, data, valid }) => {
      const found = verdict(() => validate(data).ok);
      return found === valid ? [] : [`${group}: ${description}: expected ${valid}, found ${found}`];
    });
  });
}

function verdict(validate: () => boolean): boolean | string {
  try {
    return validate();
  } catch (error) {
    return errorMessage(error);
  }
}

describe.skipIf(!isHere).each(Object.entries(drafts))("%s", (draft, $schema) => {
  const schemas = isHere ? furtherDocuments() : {};
  const names = isHere ? readdirSync(join(folder, draft)).filter((name) => name.endsWith(".json")) : [];

  test.each(names)("every required case of %s", (name) => {
    expect(failures(join(folder, draft, name), $schema, schemas)).toEqual([]);
  });

  test("no file of the suite is missing", () => {
    expect(names.length).toBeGreaterThan(30);
  });
});
