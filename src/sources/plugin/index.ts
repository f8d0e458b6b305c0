import { fileURLToPath } from "node:url";
import { createUnplugin, type UnpluginOptions } from "unplugin";
import { scriptProblem, sourceFileOf, sourceIds, sourceOrScriptIds } from "./module-ids.ts";
import { openSession } from "./open-session.ts";
import { codeFolder } from "../../base/util/code-folder.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** The options of the plugin. */
export interface SkeinPluginOptions {
  /** Whether a tool without a schema fails the build. By default it is a warning, and an error when the tool is first used. */
  readonly strict?: boolean;
}

/** A plugin as Vite, Rollup and Rolldown take it. */
export interface RollupLikePlugin {
  readonly name: string;
}

/** A plugin as webpack and Rspack take it. */
export interface WebpackLikePlugin {
  /** Called by the bundler. */
  apply(compiler: unknown): void;
}

/** A plugin as esbuild and Bun take it. */
export interface EsbuildLikePlugin {
  readonly name: string;
  /** Called by the bundler. */
  setup(build: unknown): void | Promise<void>;
}

/** The build plugin, for each bundler. */
export interface SkeinPlugin {
  /** For Vite. */
  vite(options?: SkeinPluginOptions): RollupLikePlugin;
  /** For Rollup. */
  rollup(options?: SkeinPluginOptions): RollupLikePlugin;
  /** For Rolldown. */
  rolldown(options?: SkeinPluginOptions): RollupLikePlugin;
  /** For webpack. */
  webpack(options?: SkeinPluginOptions): WebpackLikePlugin;
  /** For Rspack. */
  rspack(options?: SkeinPluginOptions): WebpackLikePlugin;
  /** For esbuild. */
  esbuild(options?: SkeinPluginOptions): EsbuildLikePlugin;
  /** For Bun. */
  bun(options?: SkeinPluginOptions): EsbuildLikePlugin;
}

const unavailable = fileURLToPath(`${codeFolder()}sources/reflection/unavailable.js`);

/**
 * Attaches schemas to functions that are used as tools while an application is built. The built application needs neither
 * TypeScript nor the sources.
 * ```ts
 * import { defineConfig } from "vite";
 * import { skein } from "skein/plugin";
 *
 * export default defineConfig({ plugins: [skein.vite()] });
 * ```
 */
export const skein: SkeinPlugin = createUnplugin<SkeinPluginOptions | undefined, false>(plugin);

/** Left out of bundles: the lookup of schemas at run time finds nothing there, and would load the inspector. */
const reflection = /^#reflection$/;

function plugin(
  options: SkeinPluginOptions = {},
  { framework }: { readonly framework: string },
): UnpluginOptions {
  assertKnownOptions(options, { strict: true }, `skein.${framework}()`);
  const { strict = false } = options;
  const session = openSession();
  /** Files whose problems were reported: a file is built twice, for the server and for browsers. */
  const reported = new Set<string>();
  let watches = false;
  return {
    name: "skein",
    enforce: "pre",
    // Under esbuild, this would have to be loaded by the plugin, too.
    ...(framework !== "esbuild" && {
      resolveId: { filter: { id: reflection }, handler: () => unavailable },
    }),
    transform: {
      // Elsewhere a loader of its own reads each kind of file.
      filter: { id: ["vite", "rollup", "rolldown"].includes(framework) ? sourceOrScriptIds : sourceIds },
      async handler(code, id) {
        const report = (problem: string): void => {
          // Called on the context: Vite's methods need it.
          if (strict) this.error(problem);
          else this.warn(problem);
        };
        const misplaced = reported.has(id) ? undefined : scriptProblem(id, code);
        if (misplaced !== undefined) {
          reported.add(id);
          report(misplaced);
        }
        const source = sourceFileOf(id);
        const result = source === undefined ? undefined : await session.transform(source, code);
        for (const file of result?.files ?? []) this.addWatchFile(file);
        for (const problem of result?.problems ?? []) report(problem);
        return result?.code === undefined ? undefined : { code: result.code, map: result.map ?? null };
      },
    },
    buildStart: () => session.begin(),
    watchChange: (file, { event }) => session.changed(file, event === "create"),
    buildEnd: () => {
      if (!watches) session.close();
    },
    rollup: {
      options() {
        watches = this.meta.watchMode;
      },
      closeWatcher: () => session.close(),
    },
    rolldown: {
      options() {
        watches = this.meta.watchMode;
      },
      closeWatcher: () => session.close(),
    },
    vite: {
      configResolved({ command, build }) {
        watches = command === "serve" || build.watch !== null;
      },
      closeWatcher: () => session.close(),
    },
    webpack: (compiler) => {
      compiler.hooks.watchRun.tap("skein", () => void (watches = true));
      compiler.hooks.shutdown.tap("skein", () => session.close());
    },
    rspack: (compiler) => {
      compiler.hooks.watchRun.tap("skein", () => void (watches = true));
      compiler.hooks.shutdown.tap("skein", () => session.close());
    },
    esbuild: {
      setup(build) {
        // Another build may follow until the plugin is disposed of.
        watches = true;
        build.onResolve({ filter: reflection }, () => ({ path: unavailable }));
        build.onDispose(() => session.close());
      },
    },
  };
}
