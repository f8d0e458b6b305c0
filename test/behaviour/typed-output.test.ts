import { type } from "arktype";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Agent, OutputError, generate, output, run, type RunEvent, stream, tool } from "skein";
import { ScriptedModel } from "skein/testing";

/** What a company asks to be paid. */
interface Invoice {
  readonly number: string;
  /** In euros. @minimum 0 */
  readonly total: number;
  readonly due?: Date;
}

const asked = "What does the invoice say?";
const invoice = { number: "R-7", total: 12.5 };
const jsonSchema = {
  type: "object",
  properties: { number: { type: "string" }, total: { type: "number", minimum: 0 } },
  required: ["number", "total"],
  additionalProperties: false,
};

/** A model that gives its answers to the tool that takes them. */
function answering(...answers: (object | string)[]): ScriptedModel {
  return new ScriptedModel(
    answers.map((answer) => ({
      toolCalls: [
        { toolName: "final_answer", arguments: typeof answer === "string" ? answer : { ...answer } },
      ],
    })),
  );
}

describe("the form of an answer", () => {
  test.each([
    ["JSON Schema", jsonSchema],
    ["zod", z.object({ number: z.string(), total: z.number().min(0) })],
    [
      "valibot",
      toStandardJsonSchema(v.object({ number: v.string(), total: v.pipe(v.number(), v.minValue(0)) })),
    ],
    ["arktype", type({ number: "string", total: "number >= 0" })],
    ["a TypeScript type", output<Invoice>()],
  ])("is told to the model and checked: %s", async (_, form) => {
    const model = answering({ ...invoice, total: -1 }, invoice);
    const result = await run(new Agent({ name: "Reader", model, output: form }), asked);
    expect(result.status).toBe("completed");
    expect(result.output).toEqual(invoice);
    expect(JSON.parse(result.text)).toEqual(invoice);
    const [first] = model.requests;
    expect(first?.toolChoice).toEqual({ tool: "final_answer" });
    expect(first?.tools?.[0]?.inputSchema).toMatchObject({
      type: "object",
      properties: { number: { type: "string" }, total: { type: "number" } },
    });
    model.assertComplete();
  });

  test("revives what JSON has no form for", async () => {
    const model = answering({ ...invoice, due: "2026-03-01T00:00:00Z" });
    const result = await run(new Agent({ name: "Reader", model, output: output<Invoice>() }), asked);
    expect(result.output?.due).toEqual(new Date("2026-03-01T00:00:00Z"));
  });
});
