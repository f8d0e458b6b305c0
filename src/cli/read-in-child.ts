import { fork } from "node:child_process";
import { ConfigurationError } from "../errors.ts";
import { isPlainObject } from "../base/util/json.ts";
import type { ToolFile } from "./tool-file.ts";

/**
 * Reads the tools of a file in a process of its own: a module that has run once cannot run again in the same process, and
 * may hold a port or a timer.
 */
export function readInChild(path: string): Promise<ToolFile> {
  return new Promise((resolve, reject) => {
    let answer: unknown;
    const child = fork(process.argv[1] ?? "", ["tools", "--report", path]);
    child.on("message", (message) => (answer = message));
    child.on("error", reject);
    child.on("close", (code) => {
      if (isToolFile(answer)) resolve(answer);
      else
        reject(
          new ConfigurationError(`${path} ended the process that read it (exit code ${code}).`, {
            code: "module-file",
          }),
        );
    });
  });
}

/** Tells the process that asked what a file has to offer. */
export function report(file: ToolFile): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) {
      reject(new ConfigurationError("--report is for skein's own processes: use --json.", { code: "usage" }));
      return;
    }
    process.send(file, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

function isToolFile(value: unknown): value is ToolFile {
  return isPlainObject(value) && typeof value["file"] === "string" && Array.isArray(value["tools"]);
}
