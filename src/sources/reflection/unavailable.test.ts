import { afterEach, expect, test, vi } from "vitest";
import { SchemaNotFoundError } from "../../errors.ts";
import { describeFunctions, describeOutput } from "./unavailable.ts";

afterEach(() => vi.unstubAllGlobals());

test("every answer is an error that names the function and what to do", async () => {
  const answers = await describeFunctions([function greet() {}, () => 1]);
  expect(answers).toHaveLength(2);
  for (const answer of answers) expect(answer).toBeInstanceOf(SchemaNotFoundError);
  expect(answers[0]).toMatchObject({
    message: expect.stringMatching(
      /^No schema is found for the function "greet": .*\. .*where the build sees it.*write tool\(\{ name, description, input: schema, execute \}\)\.$/,
    ),
  });
  expect(answers[1]).toMatchObject({ message: expect.stringContaining("the function `() => 1`") });
});

test.each([
  {
    place: "a program built for Node",
    globals: { process: { versions: { node: "24.0.0" }, env: {} } },
    expected: /this program was built.*plugins: \[skein\.vite\(\)\]/,
  },
  {
    place: "a program that Next.js built for Node",
    globals: { process: { versions: { node: "24.0.0" }, env: { NEXT_RUNTIME: "nodejs" } } },
    expected: /this program was built.*withSkein\(nextConfig\), from skein\/next/,
  },
  {
    place: "Bun",
    globals: { process: { versions: { node: "24.0.0", bun: "1.4.5" } }, Bun: { main: "/app/main.ts" } },
    expected: /Bun does not report.*bun --preload skein\/register.*skein\.bun\(\)/,
  },
  {
    place: "an executable of Bun",
    globals: { process: { versions: { bun: "1.4.5" } }, Bun: { main: "/$bunfs/root/app" } },
    expected: /executable that Bun compiled.*compile: \{ outfile \}.*skein attach dist/,
  },
  {
    place: "workerd",
    globals: { process: { versions: { node: "22.0.0" } }, navigator: { userAgent: "Cloudflare-Workers" } },
    expected: /a Worker \(workerd\).*\[skein\.vite\(\)\]/,
  },
  {
    place: "the edge runtime of Next.js",
    globals: { process: { env: { NEXT_RUNTIME: "edge" } }, EdgeRuntime: "edge-runtime" },
    expected: /an edge runtime.*withSkein\(nextConfig\), from skein\/next/,
  },
  {
    place: "a browser",
    globals: { process: undefined, document: {} },
    expected: /a browser has no sources.*\[skein\.vite\(\)\]/,
  },
  {
    place: "an unknown runtime",
    globals: { process: undefined, navigator: undefined },
    expected: /this runtime does not report.*plugins: \[skein\.esbuild\(\)\]/,
  },
])(
  "in $place, functions and types say where they are and what to write there",
  async ({ globals, expected }) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    const [fn] = await describeFunctions([function greet() {}]);
    const type = await describeOutput(new Error("output() was called here"));
    vi.unstubAllGlobals();
    for (const answer of [fn, type])
      expect(answer).toMatchObject({ message: expect.stringMatching(expected) });
  },
);

test("where a build has attached schemas to others, it did not see the function: the plugin is there already", async () => {
  vi.stubGlobal("process", { versions: { node: "24.0.0" }, env: {} });
  Reflect.set(globalThis, Symbol.for("skein.built"), true);
  const [answer] = await describeFunctions([function greet() {}]);
  Reflect.deleteProperty(globalThis, Symbol.for("skein.built"));
  const message = answer instanceof SchemaNotFoundError ? answer.message : "";
  expect(message).toContain(
    "so the build did not see this one: mend what the build warned of, or list the function where",
  );
  expect(message).not.toContain("plugins:");
});
