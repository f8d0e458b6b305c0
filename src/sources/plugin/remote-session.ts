import { spawn, type ChildProcessByStdio } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { BuildSession } from "./session.ts";
import type { Transformed } from "./transformer.ts";
import { codeFolder } from "../../base/util/code-folder.ts";

/** A request to the worker. */
export interface Request {
  readonly id: number;
  readonly method: "transform" | "begin" | "changed" | "new";
  readonly file: string;
  readonly code: string;
}

/** What it answers. */
export interface Answer {
  readonly id: number;
  readonly result?: Transformed;
  readonly error?: string;
}

interface Waiting {
  readonly resolve: (result: Transformed | undefined) => void;
  readonly reject: (error: Error) => void;
}

type Worker = ChildProcessByStdio<Writable, Readable, null>;

const workerFile = fileURLToPath(`${codeFolder()}sources/plugin/worker.js`);

/** A session in a process of Node, for runtimes in which TypeScript's programming interface does not work: Bun. */
export function createRemoteSession(): BuildSession {
  let worker: Worker | undefined;
  const waiting = new Map<number, Waiting>();
  let last = 0;

  function start(): Worker {
    const child = spawn("node", [workerFile], { stdio: ["pipe", "pipe", "inherit"] });
    const fail = (reason: string): void => {
      if (worker === child) worker = undefined;
      for (const { reject } of waiting.values()) reject(new Error(reason));
      waiting.clear();
    };
    child.on("error", (error) => {
      fail(`Skein's plugin needs Node 22.18 or newer beside Bun, and cannot start it: ${error.message}`);
    });
    child.on("exit", (code) => fail(`Skein's plugin has lost its Node process (exit code ${code})`));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const answer: Answer = JSON.parse(line);
      const request = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (answer.error === undefined) request?.resolve(answer.result);
      else request?.reject(new Error(answer.error));
    });
    // An idle worker keeps no program alive.
    child.unref();
    for (const stream of [child.stdin, child.stdout]) {
      if ("unref" in stream && typeof stream.unref === "function") stream.unref();
    }
    return child;
  }

  function ask(method: Request["method"], file: string, code: string): Promise<Transformed | undefined> {
    worker ??= start();
    last += 1;
    const request: Request = { id: last, method, file, code };
    worker.stdin.write(`${JSON.stringify(request)}\n`);
    return new Promise((resolve, reject) => waiting.set(request.id, { resolve, reject }));
  }

  return {
    transform: (file, code) => ask("transform", file, code),
    begin: () => void ask("begin", "", ""),
    changed: (file, isNew) => void ask(isNew ? "new" : "changed", file, ""),
    close() {
      worker?.stdin.end();
      worker = undefined;
    },
  };
}
