import { expectTypeOf } from "vitest";
import type { Model } from "../model/types.ts";
import { FunctionModel, ScriptedModel, type ScriptedTurn } from "./index.ts";

expectTypeOf<ScriptedModel>().toExtend<Model>();
expectTypeOf<FunctionModel>().toExtend<Model>();
expectTypeOf(FunctionModel).toBeConstructibleWith(async () => "text");
expectTypeOf(new ScriptedModel([]).assertComplete).returns.toBeVoid();

// Turns are texts, turns, and functions of the request.
expectTypeOf(ScriptedModel).toBeConstructibleWith([
  "text",
  { toolCalls: [{ toolName: "pay", arguments: "{" }] },
  ({ messages }) => `${messages.length}`,
]);

// @ts-expect-error: a stream is cut or it is not
expectTypeOf<{ cut: false }>().toExtend<ScriptedTurn>();

// @ts-expect-error: a call names its tool
expectTypeOf(ScriptedModel).toBeConstructibleWith([{ toolCalls: [{ arguments: {} }] }]);
