import type { AnyAgent } from "../../agent/agent.ts";
import { ConfigurationError } from "../../errors.ts";
import type { Evaluation } from "../../evals/define-eval.ts";
import type { EvalModel } from "../../evals/run-once.ts";
import type { EvalCase, World } from "../../evals/types.ts";
import { perfectModel } from "../../evals/stand-ins/perfect-model.ts";
import { perfectJudge, wrongJudge } from "../../evals/stand-ins/stand-in-judges.ts";
import { wrongModel } from "../../evals/stand-ins/wrong-model.ts";
import type { Model } from "../../model/types.ts";
import { assertFile, importModule } from "../load-module.ts";
import { modelOrOffline } from "../model-or-offline.ts";

/** One model to evaluate. */
export interface ModelChoice {
  /** What results call it; what it calls itself, if not set. */
  readonly label?: string;
  /** The agents' own, if not set. */
  readonly model?: EvalModel;
  /** Set for stand-ins, which need no other model to judge them. */
  readonly judge?: Model;
}

/**
 * What `--model` says, each: `perfect` and `wrong` for the stand-ins made from the cases; a file whose default export is a model,
 * or a function that makes one for each run; else a model's name.
 * @throws ConfigurationError for a file without a model; ModelNotFoundError
 */
export async function modelChoices(names: readonly string[]): Promise<readonly ModelChoice[]> {
  if (names.length === 0) return [{}];
  return Promise.all(names.map(choice));
}

async function choice(label: string): Promise<ModelChoice> {
  if (label === "perfect") return { label, model: perfectModel, judge: perfectJudge() };
  if (label === "wrong") return { label, model: wrongModel, judge: wrongJudge() };
  return { label, model: isFile(label) ? await modelOfFile(label) : await named(label) };
}

/**
 * What `--judge` says: a model's name, or a file whose default export is a model.
 * @throws ConfigurationError for a file without a model; ModelNotFoundError
 */
export async function judgeChoice(text: string): Promise<Model> {
  const model = isFile(text) ? await modelOfFile(text) : await named(text);
  if (isModel(model)) return model;
  throw noModel(text, "a Model, since a judge cannot stand in for the model of a case");
}

function isFile(text: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(text);
}

async function named(name: string): Promise<Model> {
  const { modelFromName } = await import("#model-resolution");
  return modelFromName(name);
}

async function modelOfFile(file: string): Promise<EvalModel> {
  await assertFile(file);
  const { default: exported } = await importModule(file);
  if (isModel(exported) || isFactory(exported)) return exported;
  throw noModel(file, "a Model, or a function (evalCase, agent) => Model");
}

function noModel(file: string, wanted: string): ConfigurationError {
  return new ConfigurationError(`The default export of ${file} must be a model. Export ${wanted}.`, {
    code: "model-file",
  });
}

function isModel(value: unknown): value is Model {
  return (
    typeof value === "object" && value !== null && "stream" in value && typeof value.stream === "function"
  );
}

function isFactory(value: unknown): value is Extract<EvalModel, (...args: never[]) => unknown> {
  return typeof value === "function";
}

/** The evaluation, its agents with the model that the environment names where they have none of their own. */
export async function withOwnModel(evaluation: Evaluation): Promise<Evaluation> {
  const { agent, setup } = evaluation;
  if (typeof agent !== "function" && agent.model !== undefined) return evaluation;
  const model = await modelOrOffline();
  if (model.provider === "offline")
    process.stderr.write(
      "offline stand-in: keyword rules, not a language model; low scores are to be expected\n",
    );
  const mend = (each: AnyAgent): AnyAgent => (each.model === undefined ? each.with({ model }) : each);
  return {
    ...evaluation,
    agent: typeof agent === "function" ? (evalCase) => mend(agent(evalCase)) : mend(agent),
    ...(setup && {
      setup: async (evalCase: EvalCase) => {
        const world = (await setup(evalCase)) ?? {};
        return world.agent ? withAgent(world, mend(world.agent)) : world;
      },
    }),
  };
}

/** The same world with that agent, whatever object it is. */
function withAgent(world: World, agent: AnyAgent): World {
  return {
    ...world,
    agent,
    ...(world.state && { state: () => world.state?.() }),
    ...(world.close && { close: () => world.close?.() }),
  };
}
