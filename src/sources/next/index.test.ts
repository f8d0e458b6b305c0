import { describe, expect, test } from "vitest";
import { withSkein } from "./index.ts";

const use = { loader: "skein/next-loader", options: { strict: false } };
const rule = { loaders: [use], condition: { not: "foreign" } };

interface Rules {
  readonly turbopack: { readonly rules: Readonly<Record<string, unknown>>; readonly resolveAlias: object };
}

function rulesOf(config: object): Rules["turbopack"]["rules"] {
  return withSkein({ turbopack: { rules: {}, resolveAlias: {} }, ...config }).turbopack.rules;
}

describe("withSkein", () => {
  test("adds a loader for every kind of source file, and takes the search for schemas out of the bundle", () => {
    const { turbopack } = withSkein<Rules>({ turbopack: { rules: {}, resolveAlias: {} } });
    expect(turbopack.rules).toEqual(
      Object.fromEntries(
        ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"].map((end) => [`*.${end}`, rule]),
      ),
    );
    expect(turbopack.resolveAlias).toEqual({ "#reflection": "skein/reflection-unavailable" });
    expect(Object.keys(withSkein({})).toSorted()).toEqual(["turbopack", "webpack"]);
    expect(withSkein()).toHaveProperty("turbopack");
  });

  test("passes on what else is configured", () => {
    const config = {
      reactStrictMode: true,
      turbopack: {
        root: "..",
        resolveAlias: { a: "b" },
        rules: { "*.svg": { loaders: ["@svgr/webpack"], as: "*.js" } },
      },
    };
    expect(withSkein(config)).toMatchObject(config);
    expect(config.turbopack).toEqual({
      root: "..",
      resolveAlias: { a: "b" },
      rules: { "*.svg": expect.anything() },
    });
  });

  test.each([
    [{ loaders: ["x"], as: "*.js" }, [{ loaders: ["x"], as: "*.js" }]],
    [["x", { loader: "y" }], [{ loaders: ["x", { loader: "y" }] }]],
    [
      [
        { loaders: ["x"], condition: "browser" },
        { type: "text", condition: "node" },
      ],
      [
        { loaders: ["x"], condition: "browser" },
        { type: "text", condition: "node" },
      ],
    ],
  ])("the application's own rule %j comes after", (own, after) => {
    expect(rulesOf({ turbopack: { rules: { "*.ts": own } } })).toMatchObject({
      "*.ts": [rule, ...after],
      "*.tsx": rule,
    });
  });

  test.each([
    ["an asynchronous function", async (phase: string) => ({ env: { phase } })],
    ["a function", (phase: string) => ({ env: { phase } })],
    ["a function that returns what was wrapped before", (phase: string) => withSkein({ env: { phase } })],
  ])("takes %s", async (_, config) => {
    const wrapped = withSkein(config);
    expect(await wrapped("phase-production-build")).toMatchObject({
      env: { phase: "phase-production-build" },
      turbopack: { resolveAlias: { "#reflection": expect.any(String) } },
    });
  });

  test("takes a promise", async () => {
    expect(await withSkein(Promise.resolve({ env: {} }))).toMatchObject({ env: {}, turbopack: {} });
  });

  test("passes `strict` on to the loader", () => {
    const { turbopack } = withSkein<Rules>({ turbopack: { rules: {}, resolveAlias: {} } }, { strict: true });
    expect(turbopack.rules["*.ts"]).toMatchObject({ loaders: [{ options: { strict: true } }] });
  });
});

describe("for webpack", () => {
  function configured(config: object, webpackConfig: object): unknown {
    const wrapped: { webpack?(config: object, context: object): unknown } = withSkein(config);
    return wrapped.webpack?.(webpackConfig, { isServer: true });
  }

  const added = { test: /\.[cm]?[jt]sx?$/, exclude: /[\\/]node_modules[\\/]/, enforce: "pre", use: [use] };
  const alias = { "#reflection": "skein/reflection-unavailable" };

  test("the loader comes before all others", () => {
    const other = { test: /\.svg$/ };
    expect(
      configured({}, { mode: "production", module: { rules: [other] }, resolve: { alias: { a: "b" } } }),
    ).toEqual({
      mode: "production",
      module: { rules: [other, added] },
      resolve: { alias: { ...alias, a: "b" } },
    });
    expect(configured({}, {})).toEqual({ module: { rules: [added] }, resolve: { alias } });
  });

  test("the application's own changes are kept, and see the context", () => {
    const webpack = (_: object, context: object): object => ({ module: { noParse: /x/ }, context });
    expect(configured({ webpack }, {})).toEqual({
      module: { noParse: /x/, rules: [added] },
      resolve: { alias },
      context: { isServer: true },
    });
  });
});
