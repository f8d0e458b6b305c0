import { execFileSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { join } from "node:path";

/** A pipe in the file system. */
export interface NamedPipe {
  readonly path: string;
  /** Once a program has written to it. */
  readonly started: Promise<void>;
  /** Once no process has it open for writing any more. */
  readonly ended: Promise<unknown>;
}

let count = 0;

/** A pipe with a name: its reader comes to its end once no process has it open for writing. */
export function namedPipe(folder: string): NamedPipe {
  const path = join(folder, `pipe-${(count += 1)}`);
  execFileSync("mkfifo", ["--mode=666", path]);
  const stream = createReadStream(path);
  const started = Promise.withResolvers<void>();
  stream.once("data", () => started.resolve());
  return {
    path,
    started: started.promise,
    ended: new Promise((resolve) => stream.once("end", () => resolve("ended"))),
  };
}
