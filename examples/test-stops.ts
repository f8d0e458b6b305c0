import {
  type Agent,
  type AnyAgent,
  type Model,
  run,
  type RunEvent,
  type RunOptions,
  type RunState,
} from "skein";
import { expect } from "vitest";

/** A run that begins in a world of its own. */
export interface StoppedRun {
  readonly agent: AnyAgent;
  readonly model: Model;
  readonly input?: string;
  readonly context?: object;
  /** Decides on all requests for approval, once the run has paused; without it, it stays paused. */
  readonly decision?: "approve" | "deny";
}

/** What is run again and again, and what holds wherever it was stopped. */
export interface StopPlan {
  /** Opens the world afresh: a database, the agent, a model that has not spoken yet. */
  readonly open: () => StoppedRun | Promise<StoppedRun>;
  /** Looks at the world. `done` has the names of the tools that succeeded, as the history tells it, in order. */
  readonly check: (done: readonly string[]) => void | Promise<void>;
}

/**
 * Runs the same plan over and over: cancelled as the first tool starts, as it ends, as the second starts, and so on, at last
 * not at all.
 * @returns how many places there were to stop at.
 */
export async function stopAtEveryTool({ open, check }: StopPlan): Promise<number> {
  for (let place = 1; ; place += 1) {
    const { stopped, done } = await stopAt(place, await open());
    await check(done);
    if (!stopped) return place - 1;
    expect(place, "a run that never ends").toBeLessThan(1_000);
  }
}

async function stopAt(place: number, world: StoppedRun): Promise<{ stopped: boolean; done: string[] }> {
  const controller = new AbortController();
  let passed = 0;
  const onEvent = ({ type }: RunEvent): void => {
    if (type !== "tool-start" && type !== "tool-end") return;
    passed += 1;
    if (passed === place) controller.abort();
  };
  const { model, context = {}, decision } = world;
  const options: RunOptions<object> = { model, signal: controller.signal, onEvent };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context comes from the same hands as the agent
  const agent = world.agent as unknown as Agent<object>;
  let ran = await run(agent, world.input ?? "Go on", { ...options, context });
  while (ran.status === "paused") {
    if (!decision || controller.signal.aborted) break;
    const approvals = ran.pending.flatMap(({ approvalId }) =>
      approvalId === undefined ? [] : [{ approvalId, decision }],
    );
    ran = await run(ran.agent, ran.state, { ...options, approvals });
  }
  const stopped = controller.signal.aborted;
  expect(stopped ? ["cancelled"] : ["completed", ...(decision ? [] : ["paused"])]).toContain(ran.status);
  return { stopped, done: succeeded(ran.state) };
}

function succeeded({ messages }: RunState): string[] {
  return messages.flatMap((message) =>
    message.role === "tool" && message.result.outcome === "success" ? [message.result.toolName] : [],
  );
}
