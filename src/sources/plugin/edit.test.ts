import { SourceMap, type SourceMapPayload } from "node:module";
import { describe, expect, test } from "vitest";
import type { SchemaTree, UseSite } from "../compiler/index.ts";
import { attachSchemas } from "./edit.ts";

/** A file whose uses stand between `«` and `»`; `‹name›` is a shorthand. */
function marked(
  source: string,
  ...schemas: readonly SchemaTree[]
): { text: string; sites: readonly UseSite[] } {
  let text = "";
  const open: number[] = [];
  const sites: UseSite[] = [];
  for (const character of source) {
    if (character === "«" || character === "‹") open.push(text.length);
    else if (character === "»" || character === "›") {
      const start = open.pop() ?? 0;
      const shorthand = character === "›" ? text.slice(start) : undefined;
      sites.push({ start, end: text.length, shorthand, schemas: schemas[sites.length] ?? "{}" });
    } else text += character;
  }
  return { text, sites };
}

function edited(source: string, format: "module" | "commonjs", ...schemas: readonly SchemaTree[]): string {
  const useSites = { ...marked(source, ...schemas), isModule: true, problems: [], files: new Set<string>() };
  return attachSchemas(useSites, format).toString();
}

/** Runs an edited module with an `attach` that shows what it is given. */
async function attached(source: string, ...schemas: readonly SchemaTree[]): Promise<unknown> {
  const code = edited(source, "module", ...schemas).replace(
    /^import \{ attach as (\w+) \} from "skein\/attach";$/m,
    // Imports are hoisted: so is a function in the place of one.
    "function $1(value, data) { return { value, data }; }",
  );
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const module: { default: unknown } = await import(url);
  return module.default;
}

describe("attached schemas", () => {
  test("stand around the expression, and after the last line", () => {
    expect(edited("a(«f»);\nb();", "module", '{"x":1}')).toBe(
      [
        "a(/* @__PURE__ */ __skein(f, __skein_0()));",
        "b();",
        'import { attach as __skein } from "skein/attach";',
        `function __skein_0() { return '{"x":1}'; }`,
        "",
      ].join("\n"),
    );
  });

  test("are required in a CommonJS module", () => {
    expect(edited("a(«f»);", "commonjs", "{}")).toBe(
      `a(/* @__PURE__ */ require("skein/attach").attach(f, __skein_0()));\nfunction __skein_0() { return '{}'; }\n`,
    );
  });

  test("are written once where several uses have the same", () => {
    expect(edited("a(«f», «f», «g»);", "module", "1", "1", "2").match(/function/g)).toHaveLength(2);
  });

  test("take a name that the file does not use", () => {
    expect(edited("a(«__skein_0», __skein__);", "module")).toMatch(
      /__skein___\(__skein_0, __skein____0\(\)\)/,
    );
  });

  test("stay unchanged, with any content", async () => {
    const json = JSON.stringify({ text: 'it\'s \\ "quoted"\n${x} `y` \u2028 </script>', __proto__: 1 });
    const tree = { list: [json, null, { inner: json }], ["__proto__"]: json, "a-b": json };
    const source = "export default «1»;";
    const result = await attached(source, Object.fromEntries(Object.entries(tree)));
    expect(result).toEqual({ value: 1, data: Object.fromEntries(Object.entries(tree)) });
  });

  test("nest, and keep shorthands", async () => {
    const source = "const f = 1; export default «[{ ‹f› }, («2»)]»;";
    expect(await attached(source, "a", "b", "c")).toEqual({
      value: [{ f: { value: 1, data: "a" } }, { value: 2, data: "b" }],
      data: "c",
    });
  });

  test("stand side by side with the same beginning or end", async () => {
    expect(await attached("export default [«[«1»]», ««2»»];", "a", "b", "c", "d")).toEqual([
      { value: [{ value: 1, data: "a" }], data: "b" },
      { value: { value: 2, data: "c" }, data: "d" },
    ]);
  });

  test("are there for functions that are called before the module has run", async () => {
    const source = "export default early(); function early() { return «1»; }";
    expect(await attached(source, "a")).toEqual({ value: 1, data: "a" });
  });
});

test("every place leads back to where it was", () => {
  const source = "const $1 = 1;\n$2(«f», $3, {\n ‹$4›, $5: «[$6]» }); $7\n// $8";
  const useSites = { ...marked(source), isModule: true, problems: [], files: new Set<string>() };
  const result = attachSchemas(useSites, "module");
  const payload: SourceMapPayload = JSON.parse(
    result.generateMap({ source: "a.ts", hires: "boundary", includeContent: true }).toString(),
  );
  const map = new SourceMap(payload);
  const generated = placesOf(result.toString());
  const original = placesOf(useSites.text);
  expect(original.size).toBe(8);
  for (const [name, place] of original) {
    const entry = map.findEntry(generated.get(name)?.line ?? -1, generated.get(name)?.column ?? -1);
    expect(entry, name).toMatchObject({
      originalSource: "a.ts",
      originalLine: place.line,
      originalColumn: place.column,
    });
    expect(generated.get(name)?.line).toBe(place.line);
  }
  expect(payload.sourcesContent).toEqual([useSites.text]);
});

/** Where `$1`, `$2`, ... stand last. */
function placesOf(text: string): Map<string, { line: number; column: number }> {
  const places = new Map<string, { line: number; column: number }>();
  for (const [line, content] of text.split("\n").entries()) {
    for (const match of content.matchAll(/\$\d/g)) places.set(match[0], { line, column: match.index });
  }
  return places;
}
