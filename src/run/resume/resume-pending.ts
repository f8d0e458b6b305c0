import type { ActiveRun } from "../state/active-run.ts";
import { isAnswered } from "../state/report.ts";
import { goOn, stop, type Next } from "../state/outcome.ts";
import { loadBlocked } from "../features.ts";
import { endWith, executePending } from "../turn/execute-pending.ts";
import { prepareTurn } from "../turn/take-turn.ts";
import { toolsForTurn } from "../turn/tools-for-turn.ts";
import type { Turn } from "../turn/turn.ts";
import { callingAgent } from "./agents-of-state.ts";
import { finalText } from "./unfinished-final.ts";

/** Executes the calls that an earlier run left open, before the model is called again. */
export async function resumePending(run: ActiveRun): Promise<Next> {
  const status = run.config.resumed?.status;
  if (isAnswered(run)) return repeatAnswer(run);
  if (run.blocked) return (await (await loadBlocked()).endBlocked(run, run.blocked)).next;
  // A run that paused or failed may have the result of a call that was to end it, and so may one that has got results.
  const mayEnd = status === "paused" || status === "running" || run.config.options.results !== undefined;
  if (run.conversation.pending.length === 0 && !mayEnd) return goOn;
  // Another agent may have become active while calls waited; a handoff among these calls changes that again.
  run.workAs(callingAgent(run));
  const turn = await prepareTurn(run, await toolsForTurn(run));
  const next = await resumeCalls(run, turn);
  run.activate(run.nextAgent);
  return next;
}

/** A run that has completed is not asked again: a program may resume it without knowing that it has. */
async function repeatAnswer(run: ActiveRun): Promise<Next> {
  const text = finalText(run.conversation.messages);
  if (!run.config.options.output && !run.agent.output) return stop({ status: "completed", text });
  return endWith(await prepareTurn(run, await toolsForTurn(run)), text);
}

async function resumeCalls(run: ActiveRun, turn: Turn): Promise<Next> {
  const { config, conversation } = run;
  let next = goOn;
  if (conversation.pending.length > 0 && turn.output) ({ next } = await turn.output.collect());
  // With none pending, the result of an earlier call may end the run.
  const isOpen = conversation.pending.length > 0 || "next" in next;
  if (isOpen) ({ next } = await executePending(run, turn, config.decided?.execute));
  config.decided?.use.warnUnused();
  return next;
}
