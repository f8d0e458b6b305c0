export { blockRealModels } from "./block-real-models.ts";
export { FunctionModel } from "./function-model.ts";
export type { RecordingFile } from "./recording/file.ts";
export type { ModelSource } from "./recording/model-source.ts";
export { record, recordFetch, type RecordOptions } from "./recording/record.ts";
export { recorded } from "./recording/recorded.ts";
export { replay, type Replayed, replayFetch, type ReplayOptions } from "./recording/replay.ts";
export { ScriptedModel, type TestModelOptions } from "./scripted-model.ts";
export type { ModelNames, ScriptedToolCall, ScriptedTurn, TurnFunction, TurnLike } from "./turn.ts";
