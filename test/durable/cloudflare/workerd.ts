/** workerd, the runtime of Cloudflare Workers, with the object of object.ts: on this machine, a free port, in a temporary folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import type { ObjectRequest } from "./object.ts";

/** How the object is to be. */
export interface ObjectOptions {
  /** At which write its process dies; never by default. */
  readonly killAt?: number;
  /** What each tool takes, in milliseconds. */
  readonly pause?: number;
  /** The names of the agents that it has; all by default. */
  readonly agents?: string;
  /** The name of its class; "Team" by default. */
  readonly className?: string;
}

/** A platform that objects live on. */
export interface Platform {
  /** What the tools of the objects did, in order: a name, and a key. */
  readonly effects: string[];
  /** Fulfilled when the process has died at the write that it was to die at. */
  readonly died: Promise<void>;
  /** Starts a process, on what was stored before. */
  start(options?: ObjectOptions): Promise<void>;
  /** Ends the process as a machine that fails does. */
  kill(): Promise<void>;
  /** Asks an object for something. Rejects if it cannot, or the process dies meanwhile. */
  ask<T>(object: string, request: ObjectRequest | Readonly<Record<string, string>>): Promise<T>;
  /** Ends all of it, and deletes what was stored. */
  stop(): Promise<void>;
}

const source = join(import.meta.dirname, "../../../src");

/** What the object imports, as the conditions of the platform choose it. */
const sources: readonly (readonly [string, string])[] = [
  ["skein/durable/cloudflare", "durable/cloudflare/index.ts"],
  ["skein/testing/conformance", "testing/conformance/index.ts"],
  ["skein/testing", "testing/index.ts"],
  ["skein", "index.ts"],
  ["#reflection", "sources/reflection/unavailable.ts"],
  ["#model-resolution", "providers/resolution/unavailable.ts"],
  ["#offload", "base/offload/unavailable.ts"],
  ["#workspace", "connectors/workspace/unavailable.ts"],
  ["#transport", "transport/web/index.ts"],
];

/** Bundles a file as for the platform. Returns the text of the Worker. */
export async function buildWorker(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(import.meta.dirname, file)],
    external: ["cloudflare:workers"],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    alias: Object.fromEntries(sources.map(([name, path]) => [name, join(source, path)])),
    tsconfigRaw: {},
  });
  return outputFiles[0]?.text ?? "";
}

/** @param worker - The text of the Worker. */
export async function startPlatform(worker: string): Promise<Platform> {
  const folder = mkdtempSync(join(tmpdir(), "skein-workerd-"));
  mkdirSync(join(folder, "storage"));
  writeFileSync(join(folder, "worker.js"), worker);
  const effects: string[] = [];
  const { promise: died, resolve: noteDeath } = Promise.withResolvers<void>();
  let child: ChildProcess | undefined;
  let port = 0;
  let isStopped = false;
  const kill = async (): Promise<void> => {
    const ended =
      child && child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    child?.kill("SIGKILL");
    await ended;
  };
  const office = await startOffice(async (request) => {
    const body = await text(request);
    if (request.url === "/effect") {
      effects.push(body);
      return;
    }
    await kill();
    noteDeath();
  });
  const address = office.address();
  const officePort = typeof address === "object" && address ? address.port : 0;
  return {
    effects,
    died,
    start: async (options = {}) => {
      if (isStopped) return;
      writeFileSync(join(folder, "config.capnp"), configOf(folder, officePort, options));
      child = spawn(programPath(), ["serve", join(folder, "config.capnp"), "--control-fd=3"], {
        stdio: ["ignore", "inherit", "inherit", "pipe"],
      });
      port = await listeningPort(child);
    },
    kill,
    ask: async (object, request) => {
      const response = await fetch(`http://127.0.0.1:${port}/${object}`, {
        method: "POST",
        body: JSON.stringify(request),
      });
      const answer = await response.json();
      if (!response.ok) throw Object.assign(new Error(answer.message), { code: answer.code });
      return answer;
    },
    stop: async () => {
      isStopped = true;
      await kill();
      office.closeAllConnections();
      office.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startOffice(onRequest: (request: IncomingMessage) => Promise<void>): Promise<Server> {
  const server = createServer((request, response) => {
    void onRequest(request).then(() => response.end("ok"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** The port that a process says it listens on. */
async function listeningPort(child: ChildProcess): Promise<number> {
  const control = child.stdio[3];
  if (!(control instanceof Readable)) throw new Error("The process has no control channel.");
  let lines = "";
  for await (const chunk of control) {
    lines += String(chunk);
    const match = /"socket":"http","port":(\d+)/.exec(lines);
    if (match) return Number(match[1]);
  }
  throw new Error("workerd ended before it listened.");
}

function configOf(
  folder: string,
  office: number,
  { killAt = 0, pause = 0, agents = "Boss, Sprinter", className = "Team" }: ObjectOptions,
): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .team),
    (name = "storage", disk = (path = "${join(folder, "storage")}", writable = true)),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const team :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-06-01",
  durableObjectNamespaces = [(className = "${className}", uniqueKey = "team", enableSql = true)],
  durableObjectStorage = (localDisk = "storage"),
  bindings = [
    (name = "${className.toUpperCase()}", durableObjectNamespace = "${className}"),
    (name = "OFFICE", text = "http://127.0.0.1:${office}"),
    (name = "KILL_AT", text = "${killAt}"),
    (name = "PAUSE", text = "${pause}"),
    (name = "AGENTS", text = "${agents}"),
  ],
);
`;
}

/** Where the package has the program itself. */
function programPath(): string {
  const { default: path }: { readonly default: string } = createRequire(import.meta.url)("workerd");
  return path;
}
