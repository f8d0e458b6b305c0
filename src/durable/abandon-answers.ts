import { readEntries } from "../run/session/read-session.ts";
import { answerNotes } from "../run/state/notes-of-run.ts";
import { modelNamed } from "../run/turn/named-model.ts";
import type { ExecutionContext } from "./execution.ts";
import { endedStatuses, type StoredRun } from "./stored-run.ts";

/** As `abandonAnswers`, once the run has ended: one that is under way notices by itself. */
export async function abandonAnswersOf(context: ExecutionContext, id: string): Promise<void> {
  try {
    const run = await context.store.read(id);
    if (run && endedStatuses.includes(run.status)) await abandonAnswers(context, run);
  } catch (error) {
    context.report(error, id);
  }
}

/**
 * Gives up what the model of a run that was cancelled was to answer later, where this program has the agent. Never rejects: what does not
 * succeed is reported.
 */
export async function abandonAnswers(context: ExecutionContext, run: StoredRun): Promise<void> {
  const { store, agents, options } = context;
  try {
    const { state } = readEntries(await store.load(run.log));
    const notes = state?.runId === run.id ? answerNotes(state.notes) : [];
    if (notes.length === 0 || !state) return;
    const model = run.data.request.model ?? options.model ?? agents.get(state.agent)?.model;
    const chosen = typeof model === "string" ? await modelNamed(model) : model;
    for (const note of notes) await chosen?.abandon?.(note);
  } catch (error) {
    context.report(error, run.id);
  }
}
