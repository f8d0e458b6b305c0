import { type Command, InvalidArgumentError, Option } from "commander";
import type * as Commands from "./runs-command.ts";
import type { DecideFlags, FollowFlags, ListFlags, ReasonFlags, RunFlags } from "./runs-command.ts";

/** Adds `runs` and its commands. */
export function addRunsCommand(skein: Command): void {
  const runs = skein.command("runs").description("Look at durable runs, and decide on what waits in them.");
  inStore(runs.command("list"))
    .description("List runs, those that were started last first.")
    .option("-s, --status <status>", "queued, running, paused, completed, failed, cancelled or stuck")
    .option("-a, --agent <name>", "of this agent")
    .option("--session <name>", "of this conversation")
    .option("-n, --limit <number>", "how many at most; 20 by default", parseWhole)
    .option("--json", "as JSON")
    .action(async (flags: ListFlags) => (await commands()).listCommand(flags));
  inStore(runs.command("show"))
    .description("Print a run: how it stands, what waits, and its messages.")
    .argument("<id>", "the run's id")
    .option("--json", "as JSON")
    .action(async (id: string, flags: RunFlags) => (await commands()).showCommand(id, flags));
  inStore(runs.command("follow"))
    .description("Print the events of a run as they come, until it pauses or ends.")
    .argument("<id>", "the run's id")
    .option("--after <index>", "those after the event with this index", parseWhole)
    .option("--json", "each as a line of JSON")
    .action(async (id: string, flags: FollowFlags) => (await commands()).followCommand(id, flags));
  inStore(runs.command("decide"))
    .description("Approve or deny a call that waits.")
    .argument("<id>", "the run's id")
    .argument("<decision>", "approve or deny", parseDecision)
    .argument("<approval>", "the approval id of the call, as `show` prints it, or its first 8 characters")
    .option("--reason <text>", "why not; the model sees it")
    .action(async (id: string, decision: "approve" | "deny", approval: string, flags: DecideFlags) =>
      (await commands()).decideCommand(id, decision, approval, flags),
    );
  inStore(runs.command("resolve"))
    .description("Give a call its result that was executed elsewhere, such as by a webhook.")
    .argument("<id>", "the run's id")
    .argument("<call>", "the id of the call, as `show` prints it")
    .argument("<result>", "JSON, or a text", parseResult)
    .option("--error", "the result is an error")
    .action(
      async (id: string, call: string, result: unknown, flags: RunFlags & { readonly error?: boolean }) =>
        (await commands()).resolveCommand(id, call, result, flags),
    );
  inStore(runs.command("steer"))
    .description("Send a run a message of the user, which its agent reads before its next model call.")
    .argument("<id>", "the run's id")
    .argument("<message>", "a text")
    .option("--queue", "to be answered once the agent has answered what came before")
    .action(async (id: string, message: string, flags: RunFlags & { readonly queue?: boolean }) =>
      (await commands()).steerCommand(id, message, flags),
    );
  inStore(runs.command("cancel"))
    .description("End a run.")
    .argument("<id>", "the run's id")
    .option("--reason <text>", "why")
    .action(async (id: string, flags: ReasonFlags) => (await commands()).cancelCommand(id, flags));
  inStore(runs.command("retry"))
    .description("Have a run that failed or is stuck go on from where it was.")
    .argument("<id>", "the run's id")
    .action(async (id: string, flags: RunFlags) => (await commands()).retryCommand(id, flags));
}

function inStore(command: Command): Command {
  return command.addOption(
    new Option("--store <store>", "the SQLite file of the runs, or postgres://...")
      .env("SKEIN_STORE")
      .default("runs.db"),
  );
}

async function commands(): Promise<typeof Commands> {
  return import("./runs-command.ts");
}

function parseWhole(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError("Expected a whole number.");
}

function parseResult(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // More likely JSON with a mistake, and a result cannot be taken back.
    if (!/^\s*["[{]/.test(text)) return text;
    throw new InvalidArgumentError('Expected JSON, or a text that does not begin with {, [ or ".');
  }
}

function parseDecision(text: string): "approve" | "deny" {
  if (text === "approve" || text === "deny") return text;
  throw new InvalidArgumentError('Expected "approve" or "deny".');
}
