import { afterEach, expect, test, vi } from "vitest";
import { builtinModule } from "./builtin-module.ts";

afterEach(() => vi.restoreAllMocks());

test("a runtime whose function throws, as the Edge runtime of Next.js does, has no module", () => {
  expect(builtinModule("node:path")).toBe(process.getBuiltinModule("node:path"));
  vi.spyOn(process, "getBuiltinModule").mockImplementation(() => {
    throw new Error("A Node.js API is used which is not supported in the Edge Runtime.");
  });
  expect(builtinModule("node:path")).toBeUndefined();
});
