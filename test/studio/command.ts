/** `skein studio` as a user starts it. */
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { startSkein } from "../skein-command.ts";

/** A studio of the command. */
export interface StartedStudio {
  readonly url: string;
  /** What it has printed. */
  readonly output: () => string;
  /** What it has printed to standard error. */
  readonly errors: () => string;
  /** Ends it, and returns its exit code. */
  readonly exit: (signal: NodeJS.Signals) => Promise<unknown>;
}

/** Starts a studio that runs until the test is over. */
export async function startStudio(
  folder: string,
  variables: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<StartedStudio> {
  const child = startSkein([...args, "--port", "0", "--no-open"], folder, variables);
  onTestFinished(() => void child.kill("SIGKILL"));
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new TypeError("the command's output is not piped");
  let errors = "";
  stderr.on("data", (chunk) => (errors += String(chunk)));
  let output = "";
  stdout.on("data", (chunk) => (output += String(chunk)));
  while (!output.includes("Press Ctrl+C")) await once(stdout, "data");
  const [url = ""] = /http:\/\/\S+/.exec(output) ?? [];
  const exit = once(child, "exit");
  return {
    url,
    output: () => output,
    errors: () => errors,
    exit: async (signal) => {
      child.kill(signal);
      return (await exit)[0];
    },
  };
}
