export { blockRealModels } from "./block-real-models.ts";
export { FunctionModel } from "./function-model.ts";
export { ScriptedModel, type TestModelOptions } from "./scripted-model.ts";
export type { ModelNames, ScriptedToolCall, ScriptedTurn, TurnFunction, TurnLike } from "./turn.ts";
