import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import * as errors from "./errors.ts";

const source = fileURLToPath(new URL("errors.ts", import.meta.url));

const options = { provider: "p", modelId: "m" };

test("each class has its own name", () => {
  for (const [name, value] of Object.entries(errors)) expect(value.name).toBe(name);
  expect(new errors.ConfigurationError("x", { code: "y" }).name).toBe("ConfigurationError");
  expect(String(new errors.RateLimitError("slow down", options))).toBe("RateLimitError: slow down");
});

test("a subclass of a program's own has its own name, too", () => {
  class ShopError extends errors.SkeinError {}
  expect(new ShopError("closed", { code: "closed" }).name).toBe("ShopError");
});

test("minified, the names are the same", async () => {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const code = outputFiles[0]?.text ?? "";
  expect(code).not.toContain("class NameClashError");
  const minified: typeof errors = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(String(new minified.NameClashError("twice"))).toBe("NameClashError: twice");
  expect(String(new minified.ModelTimeoutError("late", options))).toBe("ModelTimeoutError: late");
});
