import { fork } from "node:child_process";
import { ConfigurationError } from "../errors.ts";
import { isPlainObject } from "../base/util/json.ts";
import { type CheckView, uncheckable } from "../studio/check-view.ts";

/** How long a check may take, in milliseconds: a module may wait for ever. */
const patience = 60_000;

/** The most of what a process prints that is looked at, in characters. */
const longestOutput = 10_000;

/**
 * Checks the tools of a file as `skein check` does, in a process of its own: the one that asks goes on meanwhile. Never rejects: why it
 * could not be done is part of the answer.
 * @param signal - Ends the process.
 */
export function checkInChild(path: string, signal: AbortSignal): Promise<CheckView> {
  return new Promise((resolve) => {
    let answer: unknown;
    let printed = "";
    const child = fork(process.argv[1] ?? "", ["check", "--report", path], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      signal,
      timeout: patience,
    });
    child.stderr?.on("data", (chunk) => (printed = (printed + String(chunk)).slice(-longestOutput)));
    child.on("message", (message) => (answer = message));
    child.on("error", (error) => resolve(uncheckable(error.message)));
    child.on("close", (code) => {
      if (isCheckView(answer)) return resolve(answer);
      const words = /^skein: (.+)/m.exec(printed)?.[1];
      resolve(uncheckable(words ?? `skein check did not come to its end (exit code ${code}).`));
    });
  });
}

/** Tells the process that asked what a check has found. */
export function reportCheck(view: CheckView): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) {
      reject(new ConfigurationError("--report is for skein's own processes: use --json.", { code: "usage" }));
      return;
    }
    process.send(view, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

function isCheckView(answer: unknown): answer is CheckView {
  return isPlainObject(answer) && Array.isArray(answer["agents"]) && Array.isArray(answer["others"]);
}
