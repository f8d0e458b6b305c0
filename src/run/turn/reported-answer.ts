import type { Usage } from "../../message/messages.ts";
import { PartialInputs } from "../../model/partial-inputs.ts";
import { withoutSecrets } from "../../model/secrets.ts";
import { readAnswer, type OnRetry } from "../../model/stream-model.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { emit } from "../events/emit.ts";
import { frozen } from "../../base/util/snapshot.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { OutputCollector } from "./turn.ts";

/** Counts how often one model call asks its model, and reports each attempt that failed. */
export class ModelAttempts {
  readonly #run: ActiveRun;
  /** How often the model was asked. */
  count = 1;
  /** What the model's answers have used, where middlewares may have asked it more or less than once. */
  usage: Usage | undefined;

  constructor(run: ActiveRun) {
    this.#run = run;
  }

  readonly onRetry: OnRetry = (failure, attempt, delayMs) => {
    const { turn } = this.#run.meters;
    const agent = this.#run.agent.name;
    this.count++;
    emit(this.#run, { type: "retry", turn, agent, attempt, delayMs, error: withoutSecrets(failure) });
  };
}

/** Appends a piece of the answer: a run that is cancelled keeps the pieces so far. */
export function collectText(run: ActiveRun, event: ModelEvent): void {
  run.isAnswerOpen = event.type !== "finish";
  if (event.type === "text-delta") run.addText(event.text);
}

/** Asks a model, and reports to the listeners whom, what comes of it, how often and how long. */
export function reportedAnswer(
  run: ActiveRun,
  model: Model,
  request: ModelRequest,
  output: OutputCollector | undefined,
  attempts: ModelAttempts = new ModelAttempts(run),
): Promise<Generation> {
  const { turn } = run.meters;
  const agent = run.agent.name;
  const startedAt = performance.now();
  emit(run, { type: "model-start", turn, agent, provider: model.provider, modelId: model.modelId });
  const inputs = new PartialInputs();
  const report = (event: ModelEvent): void => {
    collectText(run, event);
    if (event.type === "finish") {
      const { finishReason, usage, response, timing } = event.generation;
      return emit(run, {
        type: "model-end",
        turn,
        agent,
        provider: response.provider ?? model.provider,
        modelId: response.modelId,
        attempts: attempts.count,
        firstTokenMs: timing.firstTokenMs,
        durationMs: performance.now() - startedAt,
        finishReason,
        usage: frozen(attempts.usage ?? usage),
      });
    }
    if (output?.onEvent(event)) return;
    if (event.type === "tool-call") inputs.end(event.toolCall.toolCallId);
    // oxlint-disable-next-line no-restricted-properties -- one name, onto an event whose accessor a copy would read
    else if (event.type === "tool-input-delta") emit(run, Object.assign(inputs.delta(event), { agent }));
    else emit(run, { ...event, agent });
  };
  return readAnswer(model, request, report, attempts.onRetry);
}
