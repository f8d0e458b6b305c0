import { isObject } from "../../base/util/json.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** The options of `withSkein`. */
export interface WithSkeinOptions {
  /** Whether a tool without a schema fails the build. By default it is a warning, and an error when the tool is first used. */
  readonly strict?: boolean;
}

/** A configuration that is a function, as Next.js calls it: with the phase, and its defaults. */
export type NextConfigFunction<Config, Rest extends readonly unknown[]> = (
  ...rest: Rest
) => Config | Promise<Config>;

/** A webpack configuration, as far as it is read here. */
interface WebpackConfig {
  module?: { rules?: unknown[] };
  resolve?: { alias?: unknown };
}

/** The globs of all source files: Turbopack's rules know no alternatives. */
const globs = ["*.ts", "*.tsx", "*.mts", "*.cts", "*.js", "*.jsx", "*.mjs", "*.cjs"];

const loader = "skein/next-loader";

/** What looks for schemas when a program runs has nothing to find in a bundle, and would bring TypeScript along. */
const aliases: Readonly<Record<string, string>> = { "#reflection": "skein/reflection-unavailable" };

/**
 * Has Next.js attach schemas to functions where they are used as tools, with Turbopack and with webpack, in development
 * and in what is built.
 * ```ts
 * // next.config.ts
 * import type { NextConfig } from "next";
 * import { withSkein } from "skein/next";
 *
 * const nextConfig: NextConfig = {};
 *
 * export default withSkein(nextConfig);
 * ```
 * @param config - The configuration: an object, a promise of one, or a function that returns either.
 */
export function withSkein<Config extends object, Rest extends readonly unknown[]>(
  config: NextConfigFunction<Config, Rest>,
  options?: WithSkeinOptions,
): (...rest: Rest) => Promise<Config>;
export function withSkein<Config extends object>(
  config: Promise<Config>,
  options?: WithSkeinOptions,
): Promise<Config>;
export function withSkein<Config extends object>(config?: Config, options?: WithSkeinOptions): Config;
export function withSkein(
  config: object | NextConfigFunction<object, readonly unknown[]> = {},
  options: WithSkeinOptions = {},
): object {
  assertKnownOptions(options, { strict: true }, "withSkein()");
  if (typeof config === "function") {
    return async (...rest: readonly unknown[]) => extend(await config(...rest), options);
  }
  return config instanceof Promise
    ? config.then((resolved) => extend(resolved, options))
    : extend(config, options);
}

function extend(config: object, { strict = false }: WithSkeinOptions): object {
  const turbopack = "turbopack" in config && isObject(config.turbopack) ? config.turbopack : {};
  const webpack = "webpack" in config ? config.webpack : undefined;
  const use = { loader, options: { strict } };
  return {
    ...config,
    turbopack: {
      ...turbopack,
      resolveAlias: { ...aliases, ...memberOf(turbopack, "resolveAlias") },
      rules: addRules(memberOf(turbopack, "rules"), use),
    },
    webpack(webpackConfig: WebpackConfig, context: unknown): unknown {
      const extended: unknown =
        typeof webpack === "function" ? webpack(webpackConfig, context) : webpackConfig;
      if (isObject(extended)) addToWebpack(extended, use);
      return extended;
    },
  };
}

/** Rules of the application's own come after: schemas are attached in files as they were written. */
function addRules(rules: object, use: object): object {
  const rule = { loaders: [use], condition: { not: "foreign" } };
  const added = globs.map((glob) => {
    const own: unknown = Reflect.get(rules, glob);
    return [glob, own === undefined ? rule : [rule, ...ruleList(own)]];
  });
  return { ...rules, ...Object.fromEntries(added) };
}

/** A list of nothing but loaders is one rule, as Next.js reads it; any other is a list of rules. */
function ruleList(rule: unknown): readonly unknown[] {
  if (!Array.isArray(rule)) return [rule];
  return rule.every(isLoader) ? [{ loaders: rule }] : rule;
}

function isLoader(item: unknown): boolean {
  if (typeof item === "string") return true;
  return isObject(item) && !["loaders", "type", "condition"].some((name) => name in item);
}

function addToWebpack(config: WebpackConfig, use: object): void {
  const test = /\.[cm]?[jt]sx?$/;
  const rule = { test, exclude: /[\\/]node_modules[\\/]/, enforce: "pre", use: [use] };
  config.module = { ...config.module, rules: [...(config.module?.rules ?? []), rule] };
  const alias = config.resolve?.alias;
  config.resolve = { ...config.resolve, alias: { ...aliases, ...(isObject(alias) ? alias : {}) } };
}

function memberOf(value: object, name: string): object {
  const member: unknown = Reflect.get(value, name);
  return isObject(member) ? member : {};
}
