import type OpenAI from "openai";
import { expectTypeOf, test } from "vitest";
import type { ResponseObject, ResponseStreamEvent } from "./types.ts";

test("the types are those of the official client", () => {
  expectTypeOf<ResponseStreamEvent["type"]>().toExtend<OpenAI.Responses.ResponseStreamEvent["type"]>();
  expectTypeOf<ResponseObject["output"][number]>().toExtend<OpenAI.Responses.ResponseOutputItem>();
  expectTypeOf<NonNullable<ResponseObject["usage"]>>().toExtend<OpenAI.Responses.ResponseUsage>();
  expectTypeOf<Pick<ResponseObject, "status" | "error" | "incomplete_details" | "metadata">>().toExtend<
    Pick<OpenAI.Responses.Response, "status" | "error" | "incomplete_details" | "metadata">
  >();
});
