import { expect, test } from "vitest";
import { addSpent, describeSpent, nothingSpent } from "./spent.ts";

const usage = { inputTokens: 1_000_000, outputTokens: 100_000, totalTokens: 1_100_000 };

test("tokens and money are added up over runs", async () => {
  const call = { provider: "openai", modelId: "gpt-6-sol", usage: { ...usage, inputTokens: 100_000 } };
  const spent = await addSpent(await addSpent(nothingSpent, [call]), [call]);
  expect(describeSpent(spent)).toBe("2 model calls, 200,000 tokens in and 200,000 out, $2.40");
});

test("shows cached tokens, and an unknown price", async () => {
  const known = {
    provider: "openai",
    modelId: "gpt-6-luna",
    usage: { ...usage, inputTokens: 10, outputTokens: 1000 },
  };
  const unknown = {
    provider: "local",
    modelId: "x",
    usage: { ...usage, inputTokens: 5, cachedInputTokens: 3 },
  };
  const spent = await addSpent(nothingSpent, [known, unknown]);
  expect(describeSpent(spent)).toBe(
    "2 model calls, 15 tokens in (3 of them cached) and 101,000 out, $0.0005, the price of 1 call is not known",
  );
});

test("shows no usage at first, and unknown usage for a model that reports none", async () => {
  expect(describeSpent(nothingSpent)).toBe("0 model calls");
  const silent = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined };
  const spent = await addSpent(nothingSpent, [{ provider: "a", modelId: "b", usage: silent }]);
  expect(describeSpent(spent)).toBe("1 model call, the price of 1 call is not known");
});
