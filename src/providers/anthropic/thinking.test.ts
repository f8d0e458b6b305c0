import { describe, expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import type { ModelRequest, ModelSettings } from "../../model/types.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { buildRequest } from "./request.ts";
import { bindingBeta } from "./thinking.ts";

type Effort = ModelSettings["reasoningEffort"];

const user: Message = { role: "user", content: "Hi" };
const tools = [{ name: "f", inputSchema: { type: "object" } }];

function ask(modelId: string, request: Partial<ModelRequest>, isFirstParty = false) {
  const target = { provider: "anthropic", modelId, isFirstParty };
  const { body, warnings, betas } = buildRequest({ messages: [user], ...request }, target);
  return {
    thinking: body["thinking"],
    output: body["output_config"],
    choice: body["tool_choice"],
    warnings,
    betas,
  };
}

const think = (modelId: string, reasoningEffort: Effort) =>
  ask(modelId, { settings: { reasoningEffort } as ModelSettings });

describe("models with levels of effort", () => {
  test("get the level, and return their thinking", () => {
    for (const effort of ["low", "medium", "high", "xhigh", "max"] as const) {
      expect(think("claude-opus-4-8", effort)).toMatchObject({
        thinking: { type: "adaptive", display: "summarized" },
        output: { effort },
        warnings: [],
      });
    }
    expect(think("claude-opus-4-6", "max")).toMatchObject({
      thinking: { type: "adaptive" },
      output: { effort: "max" },
    });
  });

  test.each<[string, Effort, string]>([
    ["claude-opus-4-6", "xhigh", "high"],
    ["claude-sonnet-5", "minimal", "low"],
  ])("%s gets %s as %s, with a warning", (modelId, requested, effort) => {
    const { output, warnings } = think(modelId, requested);
    expect(output).toEqual({ effort });
    expect(warnings).toEqual([
      `This model does not support the reasoningEffort ${requested}: it is sent as ${effort}.`,
    ]);
  });

  test.each<[string, unknown]>([
    ["claude-sonnet-4-6", undefined],
    ["claude-opus-4-8", undefined],
    ["claude-opus-5", { type: "disabled" }],
    ["claude-haiku-5-5", { type: "disabled" }],
    ["claude-sonnet-5-5", { type: "between_tools" }],
  ])("%s is kept from thinking with %o", (modelId, thinking) => {
    expect(think(modelId, "none")).toMatchObject({ thinking, output: undefined, warnings: [] });
  });

  test("a model that always thinks gets the lowest level", () => {
    for (const modelId of ["claude-opus-5-5", "claude-fable-5", "claude-mythos-preview"]) {
      expect(think(modelId, "none")).toMatchObject({
        output: { effort: "low" },
        warnings: ["This model always thinks: reasoningEffort is sent as low."],
      });
    }
  });

  test("a forced tool turns thinking off if that is possible", () => {
    const forced = { tools, toolChoice: "required" as const };
    expect(ask("claude-opus-4-6", forced)).toMatchObject({
      thinking: undefined,
      choice: { type: "any" },
      warnings: [],
    });
    expect(ask("claude-opus-5", forced)).toMatchObject({
      thinking: { type: "disabled" },
      choice: { type: "any" },
      warnings: [],
    });
    expect(ask("claude-opus-5", { ...forced, settings: { reasoningEffort: "max" } })).toMatchObject({
      thinking: { type: "disabled" },
      output: { effort: "high" },
      warnings: ["The API refuses thinking while toolChoice forces a tool: it is turned off."],
    });
    expect(ask("claude-fable-5", forced)).toMatchObject({ thinking: undefined, choice: { type: "any" } });
  });

  test("a model that binds thinking to its conversation may drop it when the conversation changes, as in a handoff", () => {
    const binding = { block_binding: { prefix_mismatch_behavior: "drop_block" } };
    for (const modelId of ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-fable-5-1"]) {
      expect(ask(modelId, {}, true)).toMatchObject({
        thinking: { type: "adaptive", ...binding },
        betas: [bindingBeta],
      });
    }
    const settings = { reasoningEffort: "low" } as const;
    expect(ask("claude-opus-5-5", { settings }, true).thinking).toEqual({
      type: "adaptive",
      display: "summarized",
      ...binding,
    });
    for (const modelId of ["claude-opus-5", "claude-opus-4-8", "claude-mythos-5-1"]) {
      expect(ask(modelId, {}, true)).toMatchObject({ thinking: undefined, betas: [] });
    }
    expect(ask("claude-opus-5-5", {}, false)).toMatchObject({ thinking: undefined, betas: [] });
  });
});

describe("models with a thinking budget", () => {
  test("get a share of max_tokens, and no less than the API's minimum", () => {
    expect(think("claude-haiku-4-5", "medium")).toMatchObject({
      thinking: { type: "enabled", budget_tokens: 16_000 },
    });
    expect(think("claude-3-7-sonnet-20250219", "high")).toMatchObject({
      thinking: { budget_tokens: 25_600 },
    });
    const settings = { reasoningEffort: "low", maxOutputTokens: 2000 } as const;
    expect(ask("claude-sonnet-4-5", { settings }).thinking).toEqual({ type: "enabled", budget_tokens: 1024 });
    expect(think("claude-sonnet-4-5", "none")).toMatchObject({ thinking: undefined, warnings: [] });
  });

  test("do not think if the API would refuse it, with a warning", () => {
    const settings = { reasoningEffort: "high" } as const;
    const calls: Message[] = [
      user,
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "a" }],
        toolCalls: [{ toolCallId: "a", toolName: "f", arguments: "{}" }],
      },
      {
        role: "tool",
        result: { toolCallId: "a", toolName: "f", content: [], isError: false, outcome: "success" },
      },
    ];
    const requests: Partial<ModelRequest>[] = [
      { settings, tools, toolChoice: "required" },
      { settings: { ...settings, maxOutputTokens: 1024 } },
      { settings, tools, messages: calls },
    ];
    for (const request of requests) {
      const { thinking, warnings } = ask("claude-sonnet-4-5", request);
      expect(thinking).toBeUndefined();
      expect(warnings).toEqual([expect.stringMatching(/^reasoningEffort is left out: /)]);
    }
    expect(ask("claude-sonnet-4-5", { settings, tools, messages: [...calls, user] }).warnings).toHaveLength(
      1,
    );
  });

  test("a model that does not support thinking has a warning", () => {
    expect(think("claude-3-opus-20240229", "high")).toMatchObject({
      thinking: undefined,
      warnings: [expect.stringMatching(/does not support thinking/)],
    });
    expect(think("claude-3-opus-20240229", "none").warnings).toEqual([]);
  });
});

describe("the capabilities of a model", () => {
  test.each([
    ["claude-3-opus-20240229", "none", 4096],
    ["claude-3-5-sonnet-latest", "none", 8192],
    ["claude-3-7-sonnet-20250219", "budget", 32_000],
    ["claude-sonnet-4-20250514", "budget", 32_000],
    ["claude-opus-4-1-20250805", "budget", 32_000],
    ["anthropic.claude-haiku-4-5-20251001-v1:0", "budget", 32_000],
    ["claude-opus-4-6", "adaptive", 64_000],
    ["us.anthropic.claude-opus-5", "adaptive", 64_000],
    ["anthropic/claude-sonnet-5.5", "adaptive", 64_000],
    ["claude-fable-12", "adaptive", 64_000],
    ["claude-sonnet-latest", "adaptive", 64_000],
    ["MiniMax-M2", "budget", 8192],
  ])("%s thinks with %s and answers with up to %i tokens", (modelId, thinking, defaultMaxTokens) => {
    expect(capabilitiesOf(modelId)).toMatchObject({ thinking, defaultMaxTokens });
  });

  test("new models count as the newest known one", () => {
    expect(capabilitiesOf("claude-opus-7")).toEqual(capabilitiesOf("claude-opus-5-5"));
    expect(capabilitiesOf("claude-opus-4-10")).toMatchObject({ sampling: "none", thinking: "adaptive" });
  });
});
