import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { createRemoteSession } from "../plugin/remote-session.ts";
import { reportFailure, reportProblems } from "./report.ts";

/** The part of Bun's loader that is used: https://bun.com/docs/runtime/plugins. */
interface BunLoader {
  plugin(plugin: {
    readonly name: string;
    setup(build: {
      onLoad(
        options: { readonly filter: RegExp },
        load: (args: { readonly path: string }) => Promise<{ contents: string; loader: string }>,
      ): void;
    }): void;
  }): void | Promise<void>;
}

/** Has Bun attach schemas in the files that it loads. `load` must return a result for every file it matches, so packages are left out. */
export async function registerInBun(): Promise<void> {
  const bun: unknown = Reflect.get(globalThis, "Bun");
  if (!isBunLoader(bun)) throw new TypeError("this version of Bun takes no plugins");
  const session = createRemoteSession();
  await bun.plugin({
    name: "skein",
    setup(build) {
      build.onLoad({ filter: /^(?!.*[\\/]node_modules[\\/]).*\.[cm]?[jt]sx?$/ }, async ({ path }) => {
        const code = await readFile(path, "utf8");
        const loader = extname(path).replace(/^\.[cm]?/, "");
        const result = await session.transform(path, code).catch((error: unknown) => {
          reportFailure(path, error);
        });
        reportProblems(result?.problems ?? []);
        return { contents: result?.code ?? code, loader };
      });
    },
  });
}

function isBunLoader(value: unknown): value is BunLoader {
  return (
    typeof value === "object" && value !== null && "plugin" in value && typeof value.plugin === "function"
  );
}
