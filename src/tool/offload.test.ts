import { expect, test } from "vitest";
import { offloaded } from "./offload.ts";

test.each(["", "/a.ts", "./a.ts", "../a.ts", "//a.ts", 7, undefined])(
  "%j does not name a module for everyone",
  (module) => {
    expect(() => offloaded({ module: module as never }, "the tool pay")).toThrow(
      expect.objectContaining({
        code: "invalid-tool",
        message: `module of offload of the tool pay must be a URL or a package's name, not ${JSON.stringify(module)}. Pass new URL("./module.ts", import.meta.url).`,
      }),
    );
  },
);

test.each([new URL("file:///a.ts"), "pkg", "@scope/pkg/a.js", ".../a", "file:///a.ts"])(
  "%s names a module",
  (module) => {
    expect(offloaded({ module }, "the tool pay")).toBeTypeOf("function");
  },
);

test("an unknown option is refused", () => {
  expect(() => offloaded({ module: "pkg", exports: "a" } as never, "the tool pay")).toThrow(
    'offload of the tool pay has no option "exports". Did you mean "export"?',
  );
});

test("the function that is named is called, or the default one", async () => {
  const source = "export const sum = (a, b) => a + b; export default (a) => `default ${a}`;";
  const module = `data:text/javascript,${encodeURIComponent(source)}`;
  const { signal } = new AbortController();
  expect(await offloaded({ module, export: "sum" }, "x")([2, 3], signal)).toBe(5);
  expect(await offloaded({ module: new URL(module) }, "x")(["a"], signal)).toBe("default a");
});
