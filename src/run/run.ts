import type { Agent } from "../agent/agent.ts";
import type { SentMessage } from "../message/run-state.ts";
import type { ActiveRun } from "./state/active-run.ts";
import type * as Runner from "./runner.ts";
import { InvalidInputError } from "../errors.ts";
import { mostMessages } from "./resume/input.ts";
import { printEvent } from "./events/print-event.ts";
import { RunStream } from "./events/run-stream.ts";
import { shareContext } from "./public/live-context.ts";
import { startRun, type StartOptions } from "./start.ts";
import type { RunResult } from "./result-types.ts";
import type { InputOf, RunArguments, RunInput, RunOptions } from "./types.ts";

/**
 * Runs an agent, and the agents it hands off to, until one of them answers.
 *
 * Mistakes of a tool or a model are reported to the model, never thrown.
 * @throws ModelError if a model cannot be used and retries are exhausted; ConfigurationError for a mistake in the
 * program. Both carry the state reached in `error.state`.
 */
export async function run<C = unknown, O = unknown, P = O, I extends RunInput | undefined = RunInput>(
  agent: Agent<C, O>,
  input: I & InputOf<I>,
  ...args: RunArguments<I, C, P>
): Promise<RunResult<C, P>> {
  const options: RunOptions<C, P> = args[0] ?? {};
  const listener = options.debug ? printEvent : undefined;
  const active = startRun(agent, input, options, { listener });
  return finish<C, P>(active);
}

/**
 * Runs an agent like `run`, and returns its events as a stream. It starts at once; a reader that leaves does not stop it.
 * @throws InvalidInputError, AgentNotFoundError, ConfigurationError for invalid arguments. A later failure rejects `result`
 * and ends every reader with the same error.
 */
export function stream<C = unknown, O = unknown, P = O, I extends RunInput | undefined = RunInput>(
  agent: Agent<C, O>,
  input: I & InputOf<I>,
  ...args: RunArguments<I, C, P>
): RunStream<C, P> {
  return streamAs<C, P>(agent, input, args[0] ?? {}, { place: "stream()" });
}

/**
 * Runs an agent as `stream` does, as what serves runs to others needs it.
 * @throws as `stream` does.
 */
export function streamAs<C = unknown, P = unknown>(
  agent: Agent<C>,
  input: RunInput | undefined,
  options: RunOptions<C, P>,
  start: Omit<StartOptions, "listener">,
): RunStream<C, P> {
  let read = (): unknown => undefined;
  const running = new RunStream<C, P>((publish) => {
    const listener: StartOptions["listener"] = options.debug
      ? (event) => {
          printEvent(event);
          publish(event);
        }
      : publish;
    const active = startRun(agent, input, options, { ...start, listener });
    read = () => active.context;
    return {
      result: finish<C, P>(active),
      cancel: (reason) => active.config.scope.cancel(reason),
      send: (message) => send(active, message),
    };
  });
  shareContext(running, read);
  return running;
}

/** Passes a message of the user to a run, which keeps it in its session at once. Returns whether the run still takes it. */
function send(active: ActiveRun, message: SentMessage): boolean {
  if (active.unread.length >= mostMessages)
    throw new InvalidInputError(
      `The run has ${mostMessages} messages that it has not read. Wait for a user-message event before you send more.`,
    );
  const isTaken = active.addUnread(message);
  // Should it fail, so does the next save, which the run waits for.
  if (isTaken && active.isOpen) active.config.record?.save().catch(() => {});
  return isTaken;
}

/**
 * Runs an agent as `run` does, as what runs are made durable by needs it: with an id although there is a session.
 * @throws as `run` does.
 */
export async function runAs(
  agent: Agent,
  input: RunInput,
  options: RunOptions,
  start: StartOptions,
): Promise<RunResult> {
  return finish(startRun(agent, input, options, start));
}

/** Loaded once. Bench row "loop, a turn of 10": a repeated `import()` costs a run as much as a turn. */
let runner: typeof Runner | undefined;

async function finish<C, O>(active: ActiveRun): Promise<RunResult<C, O>> {
  runner ??= await import("./runner.ts");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the loop is the same for every type of context and output
  return (await runner.driveRun(active)) as RunResult<C, O>;
}
