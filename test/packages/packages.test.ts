/**
 * Functions of packages as tools: written by a script, described by the compiler, and judged by values: those that a schema
 * takes must be of the type, and those that it refuses must not be, as TypeScript itself sees it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compileSchema, type JsonSchema } from "skein";
import { installOnce } from "../consumer.ts";
import {
  describeTools,
  folder,
  workFolder,
  writeTools,
  type Described,
  type ToolFiles,
} from "./describe-packages.ts";
import { judgeValues, type Difference, type Judgement } from "./judge-values.ts";
import { packages } from "./packages.ts";
import { reasonOf } from "./reasons.ts";

/** Of each package. */
const mostFunctions = 15;

let described: readonly Described[] = [];
let files: ToolFiles = new Map();

beforeAll(async () => {
  await installOnce(folder, () =>
    packages.every(({ name }) => existsSync(join(folder, "node_modules", name))),
  );
  files = await writeTools(packages, mostFunctions);
  described = await describeTools(files);
}, 600_000);

describe.each([
  { kind: "first", what: "their first argument", least: 0.9 },
  // The last of several overloads is the one that a spread has, often the one with a callback.
  { kind: "all", what: "all arguments", least: 0.75 },
])("tools that take $what", ({ kind, least }) => {
  const ofKind = (): readonly Described[] => described.filter(({ name }) => name.startsWith(`${kind}_`));

  test("at least 500 functions of 40 packages are tried, and most of them have a schema", () => {
    const all = ofKind();
    expect(all.length).toBe([...files.values()].reduce((sum, { functions }) => sum + functions.length, 0));
    expect(all.length).toBeGreaterThanOrEqual(500);
    expect(new Set(all.map((each) => each.package)).size).toBeGreaterThanOrEqual(40);
    const withSchema = all.filter(({ description }) => !(description instanceof Error));
    expect(withSchema.length / all.length).toBeGreaterThanOrEqual(least);
  });

  test("each of the others has a reason that is listed", () => {
    const messages = ofKind().flatMap((each) => problemsOf(each).map((message) => ({ each, message })));
    const unlisted = messages.filter(({ message }) => reasonOf(message) === undefined);
    expect(unlisted.map(({ each, message }) => `${each.package} ${each.name}: ${message}`)).toEqual([]);
    const counts = Map.groupBy(messages, ({ message }) => reasonOf(message));
    for (const [reason, examples] of counts) console.log(`${examples.length} × ${String(reason)}`);
  });
});

test("every schema is one that arguments can be checked by", () => {
  const broken = described.flatMap((each) => {
    const failure = each.description instanceof Error ? undefined : failureOf(each.description.inputSchema);
    return failure === undefined ? [] : [`${each.package} ${each.name}: ${failure}`];
  });
  expect(broken).toEqual([]);
});

// No measure of speed: a type that is worked through without end takes minutes.
test("none takes half a minute", async () => {
  const slow = described.filter(({ milliseconds }) => milliseconds >= 30_000);
  // What was slow beside other programs is looked at again, alone.
  const names = new Set(slow.map((each) => each.package));
  const again = await describeTools(new Map([...files].filter(([name]) => names.has(name))));
  const tooSlow = again.filter(({ milliseconds }) => milliseconds >= 30_000);
  expect(tooSlow.map((each) => `${each.package} ${each.name}: ${each.milliseconds} ms`)).toEqual([]);
}, 240_000);

test("an error names the tool and its file, and has at most ten lines of problems", () => {
  const messages = described.flatMap(({ name, description }) =>
    description instanceof Error ? [{ name, lines: description.message.split("\n") }] : [],
  );
  expect(messages.length).toBeGreaterThan(0);
  for (const { name, lines } of messages) {
    expect(lines[0]).toContain(`"${name}"`);
    const listed = lines.filter((line) => line.startsWith("  - "));
    expect(listed.length).toBeLessThanOrEqual(10);
    expect(listed[0]).toMatch(/\(.*tools-[\w-]+\.ts:\d+\)$/);
  }
});

function failureOf(schema: JsonSchema): string | undefined {
  try {
    compileSchema(schema);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Packages with TypeScript's enums: their values, as JSON, are not of their types, as TypeScript sees it. */
const withEnums: ReadonlySet<string> = new Set(["@linear/sdk", "plaid", "postmark", "discord.js"]);

describe("values of at least 400 types of packages", () => {
  let judgement: Judgement = { types: 0, values: 0, differences: [] };
  beforeAll(async () => {
    const judged = described.filter((each) => each.name.startsWith("first_") && !withEnums.has(each.package));
    judgement = await judgeValues(judged, workFolder);
  }, 300_000);

  const texts = (differences: readonly Difference[]): readonly string[] =>
    differences.map(
      (each) => `${each.package} ${each.name} ${each.change}: ${each.text.slice(0, 200)} (${each.error})`,
    );

  test("are many", () => {
    expect(judgement.types).toBeGreaterThanOrEqual(400);
    expect(judgement.values).toBeGreaterThanOrEqual(10_000);
  });

  test("are of the type, where the schema takes them", () => {
    const wide = judgement.differences.filter(({ kind, error }) => {
      // Which texts are base64 is decided where bytes are made of them; and `{}` is described as any JSON.
      return kind === "wide" && !/to type '(?:Uint8Array|\{\}')/.test(error);
    });
    expect(texts(wide)).toEqual([]);
  });

  test("are not of the type, where the schema refuses them", () => {
    const narrow = judgement.differences.filter(({ kind, change, schema }) => {
      // TypeScript takes lists for objects with any keys, and texts for lists of letters; a note says what is left out.
      const isLoose = /: (?:\[\[|"skein)/.test(change) || (schema.warnings ?? []).length > 0;
      return kind === "narrow" && !isLoose;
    });
    expect(texts(narrow)).toEqual([]);
  });
});

/** What is wrong with the function, the first time that it is said. */
function problemsOf({ description }: Described): readonly string[] {
  if (!(description instanceof Error)) return [];
  const { problems } = description.data;
  const [first] = Array.isArray(problems) ? problems : [];
  if (typeof first !== "object" || first === null || Array.isArray(first)) return [description.message];
  return [String(first["message"]).replace(/, as declared in .*$/, "")];
}
