import { afterEach, expect, test, vi } from "vitest";
import { toolEntries } from "../../tool/resolve.ts";
import { runsInNext } from "./next-runtime.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test.each([
  ["nodejs", true],
  ["edge", true],
  ["", false],
  [undefined, false],
])("with the runtime %j, Next.js runs the program: %j", (runtime, expected) => {
  vi.stubEnv("NEXT_RUNTIME", runtime);
  expect(runsInNext()).toBe(expected);
});

test.each([undefined, {}])("Next.js does not run where process is %j", (process) => {
  vi.stubGlobal("process", process);
  const answer = runsInNext();
  vi.unstubAllGlobals();
  expect(answer).toBe(false);
});

test("a function that a build with Next.js left without a name is refused with the line to write", () => {
  const nameless = [(a: number) => a];
  expect(() => toolEntries(nameless)).toThrow(
    /is a function without a name\. Name it, or .*"\.\.\." \}\)\.$/,
  );
  vi.stubEnv("NEXT_RUNTIME", "nodejs");
  expect(() => toolEntries(nameless)).toThrow(/without a name.*export default withSkein\(nextConfig\)/);
});
