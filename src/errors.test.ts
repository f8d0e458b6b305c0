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

/** Another copy of the package's errors, minified. */
async function loadCopy(): Promise<typeof errors> {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  const code = outputFiles[0]?.text ?? "";
  expect(code).not.toContain("class NameClashError");
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

test("minified, the names are the same", async () => {
  const minified = await loadCopy();
  expect(String(new minified.NameClashError("twice"))).toBe("NameClashError: twice");
  expect(String(new minified.ModelTimeoutError("late", options))).toBe("ModelTimeoutError: late");
});

test("errors of another copy of the package are recognised, by their own class and those that it extends", async () => {
  const copy = await loadCopy();
  const error = new copy.RateLimitError("slow down", options);
  expect(error).not.toBeInstanceOf(errors.OverloadedError);
  for (const type of [errors.RateLimitError, errors.ModelError, errors.SkeinError, copy.RateLimitError])
    expect(error).toBeInstanceOf(type);
  class ShopError extends copy.ConfigurationError {}
  expect(new ShopError("closed", { code: "closed" })).toBeInstanceOf(errors.ConfigurationError);
});

test("a class of a program's own that has the name of one of ours is another class", () => {
  class OwnModel extends Error {
    static override readonly name: string = "ModelError";
  }
  const ModelError = class ModelError extends errors.SkeinError {};
  expect(new OwnModel("x")).not.toBeInstanceOf(errors.ModelError);
  expect(new errors.RateLimitError("x", options)).not.toBeInstanceOf(ModelError);
  expect(new ModelError("x", { code: "x" })).toBeInstanceOf(ModelError);
});
