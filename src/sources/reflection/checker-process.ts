import { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import type * as TypeScript from "typescript/unstable/async";
import { isObject } from "../../base/util/json.ts";

/** A process of TypeScript, which starts at the first request, and ends with this process at the latest. */
export class CheckerProcess {
  readonly api: TypeScript.API;
  /** Resolves once TypeScript's process has ended, or cannot be reached. Requests need not be answered then. */
  readonly ended: Promise<void>;
  readonly #client: Readonly<Record<string, unknown>>;
  #child: ChildProcess | undefined;

  /** @param readFile - The text of files that are not on disk; `undefined` for all others. */
  constructor(typescript: typeof TypeScript, cwd: string, readFile: (path: string) => string | undefined) {
    this.api = new typescript.API({ cwd, fs: { readFile } });
    const client: unknown = Reflect.get(this.api, "client");
    this.#client = isObject(client) ? client : {};
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    // The moment at which it is spawned: a process that ends right then would leave it behind.
    Object.defineProperty(this.#client, "process", {
      get: () => this.#child,
      set: (child: unknown) => {
        if (child instanceof ChildProcess) this.#watch(child, resolve);
      },
    });
  }

  #watch(child: ChildProcess, onEnd: () => void): void {
    this.#child = child;
    const endWithThisProcess = (): void => void child.kill("SIGKILL");
    process.once("exit", endWithThisProcess);
    child.once("exit", () => {
      process.off("exit", endWithThisProcess);
      onEnd();
    });
    child.once("error", onEnd);
    if (child.stdin) surviveWrites(child.stdin, onEnd);
  }

  /** Lets this process end while TypeScript waits for the next program. */
  release(): void {
    const child = this.#child;
    if (!child) return;
    child.unref();
    for (const stream of [child.stdin, child.stdout]) {
      const unref: unknown = stream && Reflect.get(stream, "unref");
      if (typeof unref === "function") Reflect.apply(unref, stream, []);
    }
  }

  end(): void {
    // First what writes to it: it would write to a dead process.
    const connection: unknown = this.#client["connection"];
    const dispose: unknown = isObject(connection) ? connection["dispose"] : undefined;
    if (typeof dispose === "function") Reflect.apply(dispose, connection, []);
    this.#child?.kill("SIGKILL");
  }
}

/** What cannot be written is a rejection that TypeScript's client leaves unhandled, which ends this process. */
function surviveWrites(stdin: Writable, onFailure: () => void): void {
  stdin.on("error", onFailure);
  const write = stdin.write.bind(stdin);
  const surviving = (chunk: unknown, ...rest: readonly unknown[]): boolean => {
    const callback = rest.at(-1);
    const encoding = rest[0] === "ascii" || rest[0] === "utf-8" ? rest[0] : "utf-8";
    return write(chunk, encoding, (error) => {
      if (error) onFailure();
      if (typeof callback === "function") Reflect.apply(callback, undefined, []);
    });
  };
  Object.defineProperty(stdin, "write", { value: surviving });
}
