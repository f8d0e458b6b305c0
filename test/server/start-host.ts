/** Starts the server of the twenty requests elsewhere: in another runtime, from one file that is built for it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { build } from "esbuild";
import { onTestFinished } from "vitest";

const source = join(import.meta.dirname, "../../src");

/** What the programs import, as the conditions of platforms without Node choose it. */
const portable: Readonly<Record<string, string>> = {
  "skein/server": "server/index.ts",
  "skein/testing": "testing/index.ts",
  skein: "index.ts",
  "#reflection": "sources/reflection/unavailable.ts",
  "#model-resolution": "providers/resolution/unavailable.ts",
  "#offload": "base/offload/unavailable.ts",
  "#workspace": "connectors/workspace/unavailable.ts",
  "#transport": "transport/web/index.ts",
};

/** Bundles a program of this folder into a temporary one, which is removed after the test. */
async function bundled(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "skein-host-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await build({
    entryPoints: [join(import.meta.dirname, program)],
    outfile: join(folder, "program.mjs"),
    bundle: true,
    format: "esm",
    target: "es2022",
    external: ["node:*", "cloudflare:workers"],
    conditions: ["workerd", "worker", "browser"],
    alias: Object.fromEntries(Object.entries(portable).map(([name, path]) => [name, join(source, path)])),
    tsconfigRaw: {},
  });
  return folder;
}

function started(command: string, args: readonly string[]): ChildProcess {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit", "pipe"] });
  onTestFinished(async () => {
    const exit = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGKILL");
    await exit;
  });
  return child;
}

/** The first match in what a program prints. */
async function firstMatch(output: unknown, pattern: RegExp): Promise<string> {
  if (!(output instanceof Readable)) throw new TypeError("The program's output is not piped.");
  let text = "";
  for await (const chunk of output) {
    text += String(chunk);
    const match = pattern.exec(text)?.[1];
    if (match !== undefined) return match;
  }
  throw new Error(`The program ended before it listened: ${text}`);
}

/**
 * Starts it in a runtime that is called like Node.
 * @returns where it listens
 */
export async function startProgram(
  [command = "", ...options]: readonly string[],
  ...args: readonly string[]
): Promise<string> {
  const folder = await bundled("host-program.ts");
  const child = started(command, [...options, join(folder, "program.mjs"), ...args]);
  return firstMatch(child.stdout, /^(http:\S+)\n/m);
}

/**
 * Starts it in workerd, the runtime of Cloudflare Workers.
 * @returns where it listens
 */
export async function startWorker(): Promise<string> {
  const folder = await bundled("host-worker.ts");
  const config = join(folder, "config.capnp");
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .server)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const server :Workerd.Worker = (
  modules = [(name = "program.mjs", esModule = embed "program.mjs")],
  compatibilityDate = "2026-06-01",
);
`,
  );
  const { default: workerd }: { readonly default: string } = createRequire(import.meta.url)("workerd");
  const child = started(workerd, ["serve", config, "--control-fd=3"]);
  return `http://127.0.0.1:${await firstMatch(child.stdio[3], /"socket":"http","port":(\d+)/)}`;
}
