import { expect, test } from "vitest";
import type { HostedCall } from "../../model/hosted-call.ts";
import { publicHostedCall } from "./public-hosted-call.ts";

const fields = { name: "n", id: "c1", status: "completed" } as const;
const results = [{ url: "https://secret.test" }];
const calls: readonly HostedCall[] = [
  { ...fields, tool: "webSearch", input: { queries: ["herons"] }, results },
  { ...fields, tool: "webFetch", input: { urls: ["https://a.test"] }, results },
  { ...fields, tool: "fileSearch", input: { queries: ["herons"] }, results: [{ text: "secret" }] },
  { ...fields, tool: "codeExecution", input: { code: "1" }, output: { stdout: "secret" } },
  { ...fields, tool: "imageGeneration", input: { prompt: "A heron" } },
  { ...fields, tool: "other", input: 1, output: "secret" },
];
const show = { reasoning: true, toolCalls: true, toolResults: true, toolErrors: true };

test.each(calls.map((call) => [call.tool, call] as const))(
  "results of %s are left out unless shown",
  (_, call) => {
    expect(publicHostedCall(call, show)).toEqual(call);
    const visible = publicHostedCall(call, { ...show, toolResults: false });
    expect(JSON.stringify(visible)).not.toContain("secret");
    expect(visible).toMatchObject({ ...fields, input: call.input });
  },
);

test("the words of an error are left out unless shown", () => {
  const failed: HostedCall = { ...fields, status: "failed", error: "over quota", tool: "other" };
  expect(publicHostedCall(failed, show)).toEqual(failed);
  expect(publicHostedCall(failed, { ...show, toolErrors: false })).not.toHaveProperty("error");
});
