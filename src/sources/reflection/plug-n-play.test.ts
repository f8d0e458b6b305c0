import { afterEach, expect, test, vi } from "vitest";
import { SchemaNotFoundError } from "../../errors.ts";
import { withLoaderRemedy } from "./plug-n-play.ts";

afterEach(() => vi.unstubAllGlobals());

const missing = new SchemaNotFoundError("The type Path cannot be resolved.", { data: { hidden: true } });

test("under Yarn's loader, an error says how packages can be read", () => {
  vi.stubGlobal("process", { ...process, versions: { ...process.versions, pnp: "3" } });
  expect(withLoaderRemedy(missing)).toMatchObject({
    message: expect.stringMatching(/^The type Path cannot be resolved\.\n.*nodeLinker: node-modules/),
    data: { hidden: true },
  });
  const schema = { name: "f", inputSchema: {}, parameters: [] };
  expect(withLoaderRemedy(schema)).toBe(schema);
});

test("elsewhere, an error stays as it is", () => {
  expect(withLoaderRemedy(missing)).toBe(missing);
});
